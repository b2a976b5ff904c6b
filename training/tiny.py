"""Creates the models for the Go tests of encoder/onnx: transformers' own classes with a few
thousand random weights, exported in the layout of hubs, with small tokenizers and PyTorch's
results for some texts and pictures.

    python tiny.py --out ../encoder/onnx/testdata --pictures ../encoder/picture/testdata

--pictures is the output of tinypictures.py. A CPU is enough. Every folder gets an
expected.json; every export is run once by ONNX Runtime and compared with PyTorch.
"""

import argparse
import json
from pathlib import Path

import torch
import transformers

from tinyexport import Text, onnx_model, randomize, save_quantized, split_weights
from tinypictures import processors
from tinytokenizers import bert, clip, siglip, wrap, xlmr

TEXTS = [
    "a dog on the beach",
    "Two cats sleep; one does not!",
    "",
    "   spaces   around   ",
    "Crème brûlée à Zürich, naïve façade",
    "犬 and 猫 🐕",
    "dog AND NOT leash",
    "the harbour at night, " * 12,
    "x" * 150,
]
SHAPE = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64)


def write(path: Path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def sentence_transformers(folder: Path, pooling: str, dimension: int, limit: int | None, prompts: dict):
    """The files that sentence-transformers reads in addition to a model."""
    kinds = {"": "Transformer", "1_Pooling": "Pooling", "2_Normalize": "Normalize"}
    write(folder / "modules.json", [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for i, (path, kind) in enumerate(kinds.items())
    ])
    if prompts:  # as sentence-transformers 6 writes it
        write(folder / "1_Pooling/config.json", {"embedding_dimension": dimension, "pooling_mode": pooling, "include_prompt": True})
    else:
        modes = {"cls_token": "cls", "mean_tokens": "mean", "max_tokens": "max", "mean_sqrt_len_tokens": "", "lasttoken": "last"}
        flags = {f"pooling_mode_{k}": v == pooling for k, v in modes.items()}
        write(folder / "1_Pooling/config.json", {"word_embedding_dimension": dimension, **flags})
    if limit:
        write(folder / "sentence_bert_config.json", {"max_seq_length": limit, "do_lower_case": False})
    write(folder / "config_sentence_transformers.json", {"prompts": prompts, "default_prompt_name": None, "similarity_fn_name": "cosine"})


def pooled(states, pooling: str):
    vector = {"cls": states[:, 0], "mean": states.mean(1), "last": states[:, -1]}[pooling] if pooling else states
    return torch.nn.functional.normalize(vector.float(), dim=-1)[0]


@torch.no_grad()
def expected(tower, tokenizer, limit: int, pooling: str, prompts: dict, pad=None):
    """PyTorch's result for each text alone, padded only if pad is given."""
    rows = []
    for role in ["query", "passage"] if prompts else ["query"]:
        for text in TEXTS:
            tokenizer.no_truncation()
            whole = len(tokenizer.encode(prompts.get(role, "") + text).ids)
            tokenizer.enable_truncation(limit)
            ids = tokenizer.encode(prompts.get(role, "") + text).ids
            given = ids if pad is None else ids + [pad] * (limit - len(ids))
            vector = pooled(tower(torch.tensor([given])), pooling)
            rows.append({"role": role, "text": text, "ids": ids, "cut": whole > limit, "vector": numbers(vector)})
    return rows


def numbers(vector):
    return [float(f"{x:.7g}") for x in vector.tolist()]


def text_model(out: Path, name: str, model, tokenizer, pooling, limit, *, inputs, sub="onnx", sbert_limit=None, prompts=None, special=None):
    """A text encoder."""
    folder = out / name
    randomize(model, name)
    tower = Text(model, inputs)
    model.config.save_pretrained(folder)
    wrap(tokenizer, special).save_pretrained(folder)
    sentence_transformers(folder, pooling, SHAPE["hidden_size"], sbert_limit, prompts or {})
    onnx_model(tower, folder / sub / "model.onnx", tower.sample(), ["last_hidden_state"])
    write(folder / "expected.json", {
        "pooling": pooling, "limit": limit, "prompts": prompts or {},
        "texts": expected(tower, tokenizer, limit, pooling, prompts or {}),
    })


@torch.no_grad()
def towers(out: Path, pictures: Path, name: str, config, text, vision, tokenizer, limit, special, pad=None):
    """A pair of text_model.onnx and vision_model.onnx."""
    folder = out / name
    config.save_pretrained(folder)
    wrap(tokenizer, special, model_max_length=limit).save_pretrained(folder)
    processor = processors()[name]
    processor.save_pretrained(folder)
    onnx_model(text, folder / "onnx/text_model.onnx", text.sample(), [text.output])
    sample = {"pixel_values": torch.randn(2, 3, 32, 32, generator=torch.Generator().manual_seed(1))}
    onnx_model(vision, folder / "onnx/vision_model.onnx", sample, [vision.output])
    from PIL import Image

    rows = []
    for path in sorted(pictures.glob("*.png")) + sorted(pictures.glob("*.jpg")):
        pixels = processor(Image.open(path).convert("RGB"), return_tensors="pt")["pixel_values"]
        rows.append({"file": path.name, "vector": numbers(pooled(vision(pixels), ""))})
    write(folder / "expected.json", {
        "limit": limit, "texts": expected(text, tokenizer, limit, "", {}, pad), "pictures": rows,
    })


class Tower(torch.nn.Module):
    """A named output of a model."""

    def __init__(self, model, output):
        super().__init__()
        self.model, self.output = model, output

    def forward(self, pixel_values):
        return getattr(self.model(pixel_values=pixel_values), self.output)


def make(name: str, out: Path, pictures: Path):
    t = transformers
    bert_specials = dict(unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]")
    xlmr_specials = dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="<pad>", cls_token="<s>", sep_token="</s>")
    eager = dict(attn_implementation="eager")
    if name == "bge":  # also GTE, except for the pooling
        tok = bert()
        config = t.BertConfig(vocab_size=tok.get_vocab_size(), max_position_embeddings=32, **SHAPE, **eager)
        text_model(out, name, t.BertModel(config, add_pooling_layer=False), tok, "cls", 24, sbert_limit=24,
                   inputs=["input_ids", "attention_mask", "token_type_ids"], special=bert_specials)
    elif name == "e5":  # also MiniLM
        tok = bert()
        config = t.BertConfig(vocab_size=tok.get_vocab_size(), max_position_embeddings=32, **SHAPE, **eager)
        text_model(out, name, t.BertModel(config, add_pooling_layer=False), tok, "mean", 32, sub="",
                   prompts={"query": "query: ", "passage": "passage: "},
                   inputs=["input_ids", "attention_mask", "token_type_ids"], special=bert_specials)
        split_weights(out / name / "model.onnx")
        save_quantized(out / name / "model.onnx", out / "quantized" / "onnx" / "model_quantized.onnx")
    elif name == "xlmr":
        tok = xlmr()
        config = t.XLMRobertaConfig(vocab_size=tok.get_vocab_size(), max_position_embeddings=34, type_vocab_size=1,
                                    pad_token_id=1, bos_token_id=0, eos_token_id=2, **SHAPE, **eager)
        text_model(out, name, t.XLMRobertaModel(config, add_pooling_layer=False), tok, "mean", 32,
                   inputs=["input_ids", "attention_mask"], special=xlmr_specials)
    elif name == "clip":
        tok = clip()
        eos = tok.token_to_id("<|endoftext|>")
        text = dict(vocab_size=tok.get_vocab_size(), max_position_embeddings=16, projection_dim=24,
                    bos_token_id=tok.token_to_id("<|startoftext|>"), eos_token_id=eos, pad_token_id=eos, **SHAPE)
        vision = dict(image_size=32, patch_size=8, projection_dim=24, **SHAPE)
        config = t.CLIPConfig(text_config=text, vision_config=vision, projection_dim=24, **eager)
        config.text_config._attn_implementation = config.vision_config._attn_implementation = "eager"
        a = randomize(t.CLIPTextModelWithProjection(config.text_config), "clip text")
        b = randomize(t.CLIPVisionModelWithProjection(config.vision_config), "clip vision")
        towers(out, pictures, name, config, Text(a, ["input_ids", "attention_mask"], "text_embeds"),
               Tower(b, "image_embeds"), tok, 16, dict(bos_token="<|startoftext|>", eos_token="<|endoftext|>",
               unk_token="<|endoftext|>", pad_token="<|endoftext|>"))
    elif name == "siglip":
        tok = siglip()
        pad = tok.token_to_id("</s>")
        text = dict(vocab_size=tok.get_vocab_size(), max_position_embeddings=16, projection_size=32,
                    pad_token_id=pad, eos_token_id=pad, bos_token_id=None, **SHAPE)
        vision = dict(image_size=32, patch_size=8, **SHAPE)
        config = t.SiglipConfig(text_config=text, vision_config=vision)
        config.text_config._attn_implementation = config.vision_config._attn_implementation = "eager"
        a = randomize(t.SiglipTextModel(config.text_config), "siglip text")
        b = randomize(t.SiglipVisionModel(config.vision_config), "siglip vision")
        towers(out, pictures, name, config, Text(a, ["input_ids"], "pooler_output"), Tower(b, "pooler_output"), tok, 16,
               dict(eos_token="</s>", pad_token="</s>", unk_token="<unk>"), pad=pad)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--pictures", type=Path, required=True)
    p.add_argument("models", nargs="*", default=["bge", "e5", "xlmr", "clip", "siglip"])
    args = p.parse_args()
    for name in args.models:
        make(name, args.out, args.pictures)


if __name__ == "__main__":
    main()
