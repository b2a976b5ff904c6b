"""Many texts as token ids, their vectors by the teacher, and nearest neighbours."""

import numpy
import torch
from tokenizers import Tokenizer

from model import DIM, LIMIT


def tokenizer(path: str) -> Tokenizer:
    """The teacher's tokenizer. Its file asks for padding and truncation at 128, which are up to
    the caller."""
    t = Tokenizer.from_file(path)
    t.no_padding()
    t.no_truncation()
    return t


class Tokens:
    """Rows of token ids of unequal length in one flat tensor."""

    def __init__(self, flat, lengths):
        self.flat, self.lengths = flat, lengths
        self.starts = lengths.cumsum(0) - lengths

    def batch(self, rows, width: int):
        """Padded ids and lengths of the given rows."""
        lengths = self.lengths[rows]
        column = torch.arange(width, device=rows.device)
        at = (self.starts[rows][:, None] + column).clamp_max(len(self.flat) - 1)
        return torch.where(column < lengths[:, None], self.flat[at], 0).long(), lengths

    def take(self, rows):
        """The given rows."""
        lengths = self.lengths[rows]
        starts = lengths.cumsum(0) - lengths
        within = torch.arange(int(lengths.sum()), device=rows.device) - starts.repeat_interleave(lengths)
        return Tokens(self.flat[self.starts[rows].repeat_interleave(lengths) + within], lengths)


def tokenize(t: Tokenizer, texts: list[str], device="cuda") -> Tokens:
    """Token ids, truncated at LIMIT; truncated texts keep the closing [SEP]."""
    flat, lengths = [], []
    for at in range(0, len(texts), 100_000):
        rows = [e.ids for e in t.encode_batch_fast(texts[at : at + 100_000])]
        rows = [r if len(r) <= LIMIT else r[: LIMIT - 1] + r[-1:] for r in rows]
        lengths += map(len, rows)
        flat.append(numpy.concatenate([numpy.array(r, dtype=numpy.int32) for r in rows]))
    return Tokens(torch.from_numpy(numpy.concatenate(flat)).to(device), torch.tensor(lengths, device=device))


@torch.no_grad()
def encode(model, tokens: Tokens, budget: int = 1 << 19, dtype=torch.bfloat16):
    """float32 vectors of all rows; budget is the number of tokens in a batch."""
    device = tokens.flat.device
    order = tokens.lengths.argsort(descending=True)
    lengths = tokens.lengths[order].tolist()
    out = torch.empty(len(order), DIM, device=device)
    at = 0
    while at < len(order):
        rows = order[at : at + max(1, budget // lengths[at])]
        with torch.autocast(device.type, dtype=dtype, enabled=dtype != torch.float32):
            out[rows] = model(*tokens.batch(rows, lengths[at]))
        at += len(rows)
    return out


@torch.no_grad()
def neighbours(queries, rows, k: int):
    """The k nearest rows of each query, without the nearest, which may be the query itself."""
    half = rows.half()
    return torch.cat([(block @ half.T).topk(k + 1).indices[:, 1:] for block in queries.half().split(4096)]).cpu()
