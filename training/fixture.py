"""Writes the fixture for the Go test of the built-in encoder: texts, their tokens, and
their vectors by PyTorch in float32, from the weights in the exported file itself. It
shares no code with training or with Go, and runs on a CPU.

    python fixture.py --model ../encoder/builtin/model-1.bin \
        --out ../encoder/builtin/testdata/fixture.jsonl.gz

A small grammar generates the texts: 600 sentences, 300 fusions of atoms, 100
documents of several sentences.
"""

import argparse
import base64
import gzip
import json
import random
import re
import struct

import numpy as np
import torch
import torch.nn.functional as F

THINGS = (
    "dog cat horse heron beetle kettle lantern bicycle tram harbour bridge lighthouse orchard meadow glacier "
    "volcano canyon library bakery violin trumpet accordion chessboard telescope microscope compass umbrella "
    "suitcase notebook fountain statue staircase chimney greenhouse beehive windmill waterfall snowman kite "
    "teapot pancake omelette dumpling pumpkin artichoke cinnamon marzipan thermometer turbine satellite modem "
    "keyboard invoice contract treaty passport lawsuit tax subsidy election parliament vaccine antibody tendon "
    "fracture sonata ballet mosaic fresco tapestry wristwatch cufflink raincoat sandal hammock tent canoe"
).split()
QUALITIES = (
    "old quiet wet striped enormous borrowed rusty painted wooden electric second-hand left-handed foggy "
    "half-finished overgrown well-known expensive forgotten transparent folded noisy frozen imaginary crooked"
).split()
ACTIONS = (
    "leans against;hides behind;belongs to;was repaired after;resembles;is older than;blocks the view of;"
    "stands next to;costs more than;was traded for;is named after;keeps company with;fell off;explains"
).split(";")
TIMES = "in spring;before the war;every Tuesday;at 6:30 a.m.;since 1987;during the storm;after lunch;in the year 2041".split(";")
KINDS = ["{q} {a}", "{a}", "photos of a {q} {a}", "films about a {a}", "{a} & {b}"]


def noun(rng):
    return rng.choice(["the", "a", "my neighbour's", "that"]) + " " + rng.choice(QUALITIES) + " " + rng.choice(THINGS)


def sentence(rng):
    s = f"{noun(rng)} {rng.choice(ACTIONS)} {noun(rng)}"
    if rng.random() < 0.4:
        s += " " + rng.choice(TIMES)
    if rng.random() < 0.2:
        s += rng.choice([", or so they say", " (see p. 12)", ": nobody knows why", "; it cost $3.50", " -- twice!"])
    return s[0].upper() + s[1:] + rng.choice([".", ".", "?", ""])


def atom(rng):
    return rng.choice(KINDS).format(q=rng.choice(QUALITIES), a=rng.choice(THINGS), b=rng.choice(THINGS))


def fusion(rng):
    a, b, c = (atom(rng) for _ in range(3))
    return rng.choice(
        [f"{a} AND {b}", f"{a} AND NOT {b}", f"{a} OR {b}", f"{a} AND {b} AND NOT {c}", f"({a} OR {b}) AND {c}",
         f"{a} that are also {b}", f"{a} that are not {b}", f"{a} that are also {b} but not {c}", f"{a}, {b}, or {c}"]
    )


def texts(seed=1):
    rng = random.Random(seed)
    documents = [" ".join(sentence(rng) for _ in range(rng.randint(2, 12))) for _ in range(100)]
    return [sentence(rng) for _ in range(600)] + [fusion(rng) for _ in range(300)] + documents


class Model:
    """The file that export.py describes."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.rest = memoryview(f.read())[8 + 4 + 32:]
        layers, self.dim, self.heads, self.inner, words, self.limit = struct.unpack("<6I", self.take(24))
        self.string()
        self.vocabulary = {w: i for i, w in enumerate(self.string().decode().split("\n"))}
        self.words = self.matrix(words, self.dim)
        self.positions = self.floats(self.limit * self.dim).view(self.limit, self.dim)
        self.norm = self.pair()
        self.layers = []
        for _ in range(layers):
            attend, output = self.linear(3 * self.dim, self.dim), self.linear(self.dim, self.dim)
            attention_norm = self.pair()
            up, down = self.linear(self.inner, self.dim), self.linear(self.dim, self.inner)
            self.layers.append((attend, output, attention_norm, up, down, self.pair()))
        assert not self.rest

    def take(self, n):
        b, self.rest = self.rest[:n], self.rest[n:]
        return bytes(b)

    def string(self):
        return self.take(struct.unpack("<I", self.take(4))[0])

    def floats(self, n):
        return torch.from_numpy(np.frombuffer(self.take(4 * n), "<f4").copy())

    def matrix(self, rows, columns):
        scales = self.floats(rows)
        codes = torch.from_numpy(np.frombuffer(self.take(rows * columns), "i1").copy())
        return codes.view(rows, columns).float() * scales[:, None]

    def linear(self, rows, columns):
        bias = self.floats(rows)
        return self.matrix(rows, columns), bias

    def pair(self):
        return self.floats(self.dim), self.floats(self.dim)

    def tokens(self, text):
        """WordPiece for ASCII."""
        ids = [self.vocabulary["[CLS]"]]
        for word in re.findall(r"[a-z0-9]+|[^\sa-z0-9]", text.lower()):
            start, pieces = 0, []
            while start < len(word):
                ends = (e for e in range(len(word), start, -1) if ("##" * (start > 0)) + word[start:e] in self.vocabulary)
                end = next(ends, None)
                if end is None:
                    pieces = ["[UNK]"]
                    break
                pieces.append(("##" * (start > 0)) + word[start:end])
                start = end
            ids += [self.vocabulary[p] for p in pieces]
        return ids[: self.limit - 1] + [self.vocabulary["[SEP]"]]

    def encode(self, ids):
        n, d = len(ids), self.dim
        normed = lambda x, p: F.layer_norm(x, (d,), *p, eps=1e-12)
        x = normed(self.words[ids] + self.positions[:n], self.norm)
        for attend, output, attention_norm, up, down, norm in self.layers:
            q, k, v = F.linear(x, *attend).view(n, 3, self.heads, d // self.heads).permute(1, 2, 0, 3)
            shares = torch.softmax(q @ k.transpose(1, 2) / (d // self.heads) ** 0.5, dim=-1)
            mixed = (shares @ v).transpose(0, 1).reshape(n, d)
            x = normed(x + F.linear(mixed, *output), attention_norm)
            x = normed(x + F.linear(F.gelu(F.linear(x, *up)), *down), norm)
        return F.normalize(x.mean(0), dim=0)


@torch.no_grad()
def main():
    p = argparse.ArgumentParser()
    p.add_argument("--model", required=True)
    p.add_argument("--out", required=True)
    args = p.parse_args()
    model = Model(args.model)
    with gzip.GzipFile(args.out, "wb", mtime=0) as f:
        for text in texts():
            ids = model.tokens(text)
            v = model.encode(ids)
            codes = (v / v.abs().max() * 127).round().to(torch.int8).numpy()
            record = {"text": text, "ids": ids, "vector": base64.b64encode(codes.tobytes()).decode()}
            f.write((json.dumps(record, separators=(",", ":")) + "\n").encode())


if __name__ == "__main__":
    main()
