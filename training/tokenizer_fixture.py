"""Writes the test data of the Go tokenizer: small tokenizer.json files of each class of
model, hard and random texts, and their ids from the tokenizers library.

    python tokenizer_fixture.py --charsmap tiny.model \\
        --texts ../encoder/builtin/testdata/tokens.jsonl ../encoder/tokenizer/testdata/fixture.json.gz

The vocabularies are learned here, from a few lines below, so only the ids come from the
library. tiny.model is any model trained by SentencePiece with its default normalization,
nmt_nfkc: only its character table is used. Without --charsmap the table is taken from the
existing fixture.
"""

import argparse
import base64
import collections
import gzip
import json
import math
import re

from tokenizer_texts import HARD, TRAINING, random_texts

SPECIAL = {"special": True, "normalized": False}


def learn(words, count):
    """Learn the byte-pair merges of words given as tuples of symbols; also return all symbols."""
    words = collections.Counter(words)
    symbols = sorted({s for w in words for s in w})
    merges = []
    for _ in range(count):
        pairs = collections.Counter()
        for w, n in words.items():
            for p in zip(w, w[1:]):
                pairs[p] += n
        if not pairs:
            break
        best = min(pairs, key=lambda p: (-pairs[p], p))
        merges.append(best)
        merged = collections.Counter()
        for w, n in words.items():
            out = []
            for s in w:
                if out and (out[-1], s) == best:
                    out[-1] += s
                else:
                    out.append(s)
            merged[tuple(out)] += n
        words = merged
    for p in merges:
        if "".join(p) not in symbols:
            symbols.append("".join(p))
    return merges, symbols, words


def byte_runes():
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    runes, extra = {c: chr(c) for c in seen}, 256
    for c in range(256):
        if c not in runes:
            runes[c] = chr(extra)
            extra += 1
    return runes


RUNES = byte_runes()
BYTES = [f"<0x{c:02X}>" for c in range(256)]


def added(vocab, tokens):
    """Entries of added_tokens; vocab gives an id to tokens that are not in the model."""
    out, following = [], len(vocab)
    for content, options in tokens.items():
        id = vocab.get(content)
        if id is None:
            id, following = following, following + 1
        flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
        out.append({"id": id, "content": content, **flags, **options})
    return out


def template(vocab, *parts):
    single = [{"Sequence": {"id": "A", "type_id": 0}} if p == "A" else {"SpecialToken": {"id": p, "type_id": 0}} for p in parts]
    special = {p: {"id": p, "ids": [vocab[p]], "tokens": [p]} for p in parts if p != "A"}
    pair = single + [{"Sequence": {"id": "B", "type_id": 1}}]
    return {"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": special}


def tokenizer(model, tokens, normalizer=None, pre=None, post=None):
    vocab = model["vocab"]
    if isinstance(vocab, list):
        vocab = {p: i for i, (p, _) in enumerate(vocab)}
    if isinstance(post, tuple):
        post = template(vocab, *post)
    # Published files ask for truncation and padding. Go ignores both.
    return {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 8, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0, "pad_token": "x"},
        "added_tokens": added(vocab, tokens), "normalizer": normalizer, "pre_tokenizer": pre, "post_processor": post,
        "decoder": None, "model": model,
    }


def sequence(kind, *parts):
    return {"type": "Sequence", kind: list(parts)}


def replace(content, **pattern):
    return {"type": "Replace", "pattern": pattern, "content": content}


def bert_like(lower, strip):
    normalizer = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": strip, "lowercase": lower}
    text = TRAINING.lower() if lower else TRAINING
    _, symbols, _ = learn([tuple(w) for w in re.findall(r"\w+|[^\w\s]", text)], 250)
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + symbols + ["##" + s for s in symbols if s.isalnum()]
    vocab = {p: i for i, p in enumerate(dict.fromkeys(pieces))}
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab}
    tokens = dict.fromkeys(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"), SPECIAL)
    post = ("[CLS]", "A", "[SEP]")
    if not lower:
        tokens["[MASK]"] = {**SPECIAL, "lstrip": True}
        tokens |= {"[new]": {"normalized": True, "single_word": True}, "fox trot": {"rstrip": True}}
        post = {"type": "BertProcessing", "sep": ["[SEP]", vocab["[SEP]"]], "cls": ["[CLS]", vocab["[CLS]"]]}
    return tokenizer(model, tokens, normalizer, {"type": "BertPreTokenizer"}, post)


def byte_words(pattern, text):
    return ["".join(RUNES[c] for c in w.encode()) for w in re.findall(pattern, text)]


def clip_like(pattern):
    words = [tuple(w[:-1]) + (w[-1] + "</w>",) for w in byte_words(r"'(?:s|t|re|ve|m|ll|d)|[^\W\d_]+|\d|[^\w\s]+", TRAINING.lower())]
    merges, symbols, _ = learn(words, 250)
    base = [RUNES[c] for c in sorted(RUNES)]
    pieces = base + [c + "</w>" for c in base] + symbols + ["<|startoftext|>", "<|endoftext|>"]
    vocab = {p: i for i, p in enumerate(dict.fromkeys(pieces))}
    model = {
        "type": "BPE", "dropout": None, "unk_token": "<|endoftext|>", "continuing_subword_prefix": "", "end_of_word_suffix": "</w>",
        "fuse_unk": False, "vocab": vocab, "merges": [" ".join(m) for m in merges],
    }
    normalizer = sequence("normalizers", {"type": "NFC"}, replace(" ", Regex=r"\s+"), {"type": "Lowercase"})
    pre = sequence(
        "pretokenizers", {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Removed", "invert": True},
        {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True},
    )
    post = {
        "type": "RobertaProcessing", "sep": ["<|endoftext|>", vocab["<|endoftext|>"]], "cls": ["<|startoftext|>", vocab["<|startoftext|>"]],
        "trim_offsets": False, "add_prefix_space": False,
    }
    tokens = {"<|startoftext|>": {"special": True, "normalized": True}, "<|endoftext|>": SPECIAL}
    return tokenizer(model, tokens, normalizer, pre, post)


def gpt2_like(prefix):
    merges, symbols, _ = learn([tuple(w) for w in byte_words(r"'(?:s|t|re|ve|m|ll|d)| ?[^\W\d_]+| ?\d+| ?[^\w\s]+|\s+", TRAINING)], 300)
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"] if prefix else ["<|endoftext|>"]
    pieces = special + [RUNES[c] for c in sorted(RUNES)] + symbols
    vocab = {p: i for i, p in enumerate(dict.fromkeys(pieces))}
    model = {
        "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": "", "end_of_word_suffix": "", "fuse_unk": False,
        "byte_fallback": False, "ignore_merges": False, "vocab": vocab, "merges": [list(m) for m in merges],
    }
    tokens, post = dict.fromkeys(special, SPECIAL), {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": True}
    if prefix:
        tokens["<mask>"] = {**SPECIAL, "lstrip": True}
        tokens["<s>"] = {"special": True, "normalized": True}
        post = {"type": "RobertaProcessing", "sep": ["</s>", vocab["</s>"]], "cls": ["<s>", vocab["<s>"]], "trim_offsets": True, "add_prefix_space": True}
    return tokenizer(model, tokens, None, {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": True, "use_regex": True}, post)


def unigram(special, unk, extra=(), **options):
    _, symbols, words = learn([tuple("▁" + w) for w in TRAINING.split()], 350)
    counts = collections.Counter(s for w, n in words.items() for s in w * n)
    total = counts.total()
    pieces = {s: 0.0 for s in special} | {s: -20.0 for s in extra}
    for i, s in enumerate(["▁", *symbols]):
        pieces.setdefault(s, round(math.log((counts[s] + 0.1) / total), 4))
    return {"type": "Unigram", "unk_id": special.index(unk), "vocab": [list(p) for p in pieces.items()], **options}


def sentence_bpe():
    """BPE over whole texts, including spaces, with byte fallback."""
    merges, symbols, _ = learn([tuple("▁" + w) for w in TRAINING.split()], 300)
    vocab = {p: i for i, p in enumerate(dict.fromkeys(["<pad>", "<eos>", "<bos>", "<unk>", "▁▁", *BYTES, "▁", *symbols]))}
    return {
        "type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": True,
        "byte_fallback": True, "vocab": vocab, "merges": [["▁", "▁"]] + [list(m) for m in merges],
    }


def files():
    """All tokenizers by name."""
    charsmap = {"type": "Precompiled", "precompiled_charsmap": "@charsmap"}
    roberta = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    masked = dict.fromkeys(roberta, SPECIAL) | {"<mask>": {**SPECIAL, "lstrip": True}}
    punctuation = r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~]"""
    ends = dict.fromkeys(("<pad>", "<eos>", "<bos>", "<unk>"), SPECIAL)
    clip = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
    return {
        "bert uncased": bert_like(True, None),
        "bert cased": bert_like(False, None),
        "bert lower case with accents": bert_like(True, False),
        "bert cased without accents": bert_like(False, True),
        "clip": clip_like(clip),
        "clip with special tokens in its pattern": clip_like(r"<\|startoftext\|>|<\|endoftext\|>|" + clip),
        "gpt-2": gpt2_like(False),
        "roberta": gpt2_like(True),
        "xlm-roberta": tokenizer(
            unigram(roberta, "<unk>"), masked, sequence("normalizers", charsmap, replace(" ", Regex=" {2,}")),
            sequence("pretokenizers", {"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁", "str_rep": "▁", "add_prefix_space": True}),
            ("<s>", "A", "</s>"),
        ),
        "multilingual e5": tokenizer(
            unigram(roberta, "<unk>", byte_fallback=False), masked, charsmap,
            {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}, ("<s>", "A", "</s>"),
        ),
        "siglip": tokenizer(
            unigram(["</s>", "<unk>"], "<unk>", BYTES[::2], byte_fallback=True), dict.fromkeys(("</s>", "<unk>"), SPECIAL),
            sequence("normalizers", {"type": "Lowercase"}, replace("", Regex=punctuation), replace(" ", Regex=r"\s+"), {"type": "Strip", "strip_left": True, "strip_right": True}),
            {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}, ("A", "</s>"),
        ),
        "gemma": tokenizer(
            sentence_bpe(), ends | {"\n\n": {}, "▁▁▁": {}}, replace("▁", String=" "),
            {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": False}, ("A", "<eos>"),
        ),
        "added tokens": tokenizer(
            unigram(roberta, "<unk>", BYTES, byte_fallback=True),
            {"Fox": {"normalized": True}, "dog": {"single_word": True}, "[B]": {"lstrip": True, "rstrip": True}, "[B]C": {"normalized": True, "rstrip": True}, "é": {"normalized": True}, "<s>": SPECIAL, "ﬁ x": {}},
            sequence("normalizers", {"type": "NFKD"}, {"type": "Lowercase"}, replace('"', String="''"), {"type": "Strip", "strip_left": True, "strip_right": False}),
            sequence("pretokenizers", {"type": "Split", "pattern": {"Regex": r"[,;]|\p{Sc}+"}, "behavior": "MergedWithPrevious", "invert": False}, {"type": "Split", "pattern": {"String": " "}, "behavior": "Isolated", "invert": False}),
            {"type": "Sequence", "processors": [{"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False}, template({"<s>": 0, "</s>": 2}, "<s>", "A", "</s>", "</s>")]},
        ),
    }


def field(message, number):
    """The bytes of a field of a protocol buffer message."""
    at = 0

    def varint():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = varint()
        if key & 7 != 2:
            at += {1: 8, 5: 4}.get(key & 7, 0)
            if key & 7 == 0:
                varint()
            continue
        size = varint()
        if key >> 3 == number:
            return message[at : at + size]
        at += size
    raise ValueError(f"no field {number}")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--charsmap")
    p.add_argument("--texts", required=True)
    p.add_argument("--no-ids", action="store_true", help="only the files and the texts")
    p.add_argument("out")
    args = p.parse_args()
    if args.charsmap:
        with open(args.charsmap, "rb") as f:
            charsmap = base64.b64encode(field(field(f.read(), 3), 2)).decode()  # normalizer_spec, precompiled_charsmap
    else:
        with gzip.open(args.out) as f:
            charsmap = json.load(f)["charsmap"]
    with open(args.texts) as f:
        texts = list(dict.fromkeys([*HARD, *(json.loads(line)["text"] for line in f), *random_texts(250)]))
    # These were added to Unicode after the version of Go's tables.
    texts = [t for t in texts if "\u1c89" not in t]
    out = {"charsmap": charsmap, "texts": texts, "tokenizers": []}
    for name, file in files().items():
        entry = {"name": name, "file": file}
        if not args.no_ids:
            from tokenizers import Tokenizer

            t = Tokenizer.from_str(json.dumps(file).replace("@charsmap", charsmap))
            t.no_padding()
            t.no_truncation()
            entry["ids"] = [t.encode(text).ids for text in texts]
        out["tokenizers"].append(entry)
    with open(args.out, "wb") as f:
        f.write(gzip.compress(json.dumps(out, separators=(",", ":")).encode(), mtime=0))


if __name__ == "__main__":
    main()
