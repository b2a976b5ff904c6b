"""Writes a student as the file that the Go package embeds.

    python export.py --tokenizer tokenizer.json --student student.pt --revision 1 \
        --out model.bin

The file, little endian:

    magic    8 bytes "NSFLENC\\0"
    version  uint32, 1
    sha256   32 bytes, of everything that follows
    uint32   layers, dimension, heads, inner dimension, words, longest text in tokens
    strings  revision; the vocabulary, one word per line (uint32 length and bytes each)
    words    matrix (words × dimension)
    float32  positions (longest text × dimension), norm weight, norm bias
    and for each layer
    linear   query, key and value as one (3·dimension × dimension); output
    float32  norm weight, norm bias
    linear   up (inner × dimension); down (dimension × inner)
    float32  norm weight, norm bias

A matrix is a float32 scale for each row, then its rows as int8. A linear is a bias
for each row and a matrix.
"""

import argparse
import hashlib
import struct

import torch

from corpus import tokenizer
from model import DIM, HEADS, INNER, LIMIT, VOCABULARY, load_student


def numbers(t) -> bytes:
    return t.detach().float().contiguous().cpu().numpy().astype("<f4").tobytes()


def string(b: bytes) -> bytes:
    return struct.pack("<I", len(b)) + b


def matrix(weight) -> bytes:
    """The rows are already rounded to int8 with a scale, so this loses nothing."""
    scale = weight.abs().amax(dim=-1).clamp_min(1e-12) / 127
    codes = (weight / scale[:, None]).round().to(torch.int8)
    return numbers(scale) + codes.contiguous().cpu().numpy().tobytes()


def linear(*modules) -> bytes:
    return numbers(torch.cat([m.bias for m in modules])) + matrix(torch.cat([m.weight for m in modules]))


def norm(m) -> bytes:
    return numbers(m.weight) + numbers(m.bias)


@torch.no_grad()
def serialize(student, vocabulary: list[str], revision: str) -> bytes:
    body = struct.pack("<6I", student.shape.layers, DIM, HEADS, INNER, VOCABULARY, LIMIT)
    body += string(revision.encode()) + string("\n".join(vocabulary).encode())
    body += matrix(student.words.weight) + numbers(student.positions.weight) + norm(student.embedding_norm)
    for l in student.layers:
        body += linear(l.query, l.key, l.value) + linear(l.output) + norm(l.attention_norm)
        body += linear(l.up) + linear(l.down) + norm(l.norm)
    return b"NSFLENC\0" + struct.pack("<I", 1) + hashlib.sha256(body).digest() + body


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--tokenizer", required=True)
    p.add_argument("--student", required=True)
    p.add_argument("--revision", required=True)
    p.add_argument("--out", required=True)
    args = p.parse_args()
    t = tokenizer(args.tokenizer)
    student = load_student(args.student)
    vocabulary = [t.id_to_token(i) for i in range(VOCABULARY)]
    data = serialize(student, vocabulary, args.revision)
    with open(args.out, "wb") as f:
        f.write(data)
    print(f"{args.out}: {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
