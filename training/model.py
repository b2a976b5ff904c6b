"""The encoder: BERT's layers, mean pooling, a unit vector.

Teacher and student are the same class with different numbers of layers; both are
initialized from the teacher's file.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

DIM = 384
HEADS = 12
INNER = 1536
VOCABULARY = 30522
EPS = 1e-12
LIMIT = 512  # tokens that an encoder reads


@dataclass(frozen=True)
class Shape:
    layers: int
    positions: int


class Linear(nn.Linear):
    rounded = False  # whether weights are rounded as in the exported file

    def forward(self, x):
        return F.linear(x, fake_quantize(self.weight) if self.rounded else self.weight, self.bias)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = Linear(DIM, DIM)
        self.key = Linear(DIM, DIM)
        self.value = Linear(DIM, DIM)
        self.output = Linear(DIM, DIM)
        self.attention_norm = nn.LayerNorm(DIM, eps=EPS)
        self.up = Linear(DIM, INNER)
        self.down = Linear(INNER, DIM)
        self.norm = nn.LayerNorm(DIM, eps=EPS)

    def forward(self, x, mask):
        b, t, _ = x.shape
        heads = lambda y: y.view(b, t, HEADS, DIM // HEADS).transpose(1, 2)
        a = F.scaled_dot_product_attention(
            heads(self.query(x)), heads(self.key(x)), heads(self.value(x)), attn_mask=mask
        )
        a = a.transpose(1, 2).reshape(b, t, DIM)
        x = self.attention_norm(x + self.output(a))
        return self.norm(x + self.down(F.gelu(self.up(x))))


class Encoder(nn.Module):
    rounded = False  # as in Linear, for the word embeddings

    def __init__(self, shape: Shape, first: bool = False):
        """first: the vector is that of the first token instead of the mean of all."""
        super().__init__()
        self.first = first
        self.shape = shape
        self.words = nn.Embedding(VOCABULARY, DIM)
        self.positions = nn.Embedding(shape.positions, DIM)
        self.embedding_norm = nn.LayerNorm(DIM, eps=EPS)
        self.layers = nn.ModuleList(Layer() for _ in range(shape.layers))

    def forward(self, ids, lengths):
        """Unit vectors of a padded batch of token ids; lengths count the real ones."""
        b, t = ids.shape
        real = torch.arange(t, device=ids.device)[None, :] < lengths[:, None]
        words = self.words(ids)
        if self.rounded:  # rows are rounded independently, so rounding those looked up suffices
            words = fake_quantize(words)
        x = self.embedding_norm(words + self.positions.weight[:t])
        mask = real[:, None, None, :].expand(b, 1, t, t)
        for layer in self.layers:
            x = layer(x, mask)
        if self.first:
            return F.normalize(x[:, 0].float(), dim=-1)
        weight = real.to(torch.float32)[:, :, None]
        return F.normalize((x.float() * weight).sum(1), dim=-1)


# Our names of a layer's parameters, and the teacher's.
NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm": "output.LayerNorm",
}


def from_teacher(tensors: dict, take: list[int], first: bool = False) -> Encoder:
    """An encoder with the teacher's layers listed in take, in that order.

    There is a single segment, so its embedding is added to every position.
    """
    state = {
        "words.weight": tensors["embeddings.word_embeddings.weight"],
        "positions.weight": tensors["embeddings.position_embeddings.weight"][:LIMIT]
        + tensors["embeddings.token_type_embeddings.weight"][0],
        "embedding_norm.weight": tensors["embeddings.LayerNorm.weight"],
        "embedding_norm.bias": tensors["embeddings.LayerNorm.bias"],
    }
    for i, source in enumerate(take):
        for ours, theirs in NAMES.items():
            for kind in ("weight", "bias"):
                state[f"layers.{i}.{ours}.{kind}"] = tensors[f"encoder.layer.{source}.{theirs}.{kind}"]
    encoder = Encoder(Shape(len(take), LIMIT), first)
    encoder.load_state_dict({k: v.float() for k, v in state.items()})
    return encoder


def fake_quantize(weight):
    """Round weight as in the exported file, to int8 with a scale per row, with a
    straight-through gradient."""
    scale = weight.detach().abs().amax(dim=-1, keepdim=True).clamp_min(1e-12) / 127
    rounded = (weight.detach() / scale).round() * scale
    return weight + (rounded - weight.detach())


def load_student(path: str) -> Encoder:
    """A student with its weights rounded for export."""
    saved = torch.load(path)
    student = Encoder(Shape(len(saved["take"]), LIMIT))
    student.load_state_dict(saved["state"])
    with torch.no_grad():
        student.words.weight.copy_(fake_quantize(student.words.weight))
        for m in student.modules():
            if isinstance(m, Linear):
                m.weight.copy_(fake_quantize(m.weight))
    return student
