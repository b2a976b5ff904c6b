"""Generates the training strings and the teacher's vectors for them, in one file.

    python prepare.py --teacher model.safetensors --tokenizer tokenizer.json \
        --text text.txt.gz --out prepared.pt
"""

import argparse
import gzip
import math
import random
import re
import time
from collections import Counter

import torch
from safetensors.torch import load_file

import strings
from corpus import encode, neighbours, tokenize, tokenizer
from model import from_teacher

MOST_PARTS = 12  # parts of a text


def read_lines(path: str) -> list[str]:
    """Distinct lines, in the order of the file."""
    with gzip.open(path, "rt", encoding="utf-8") as f:
        return list(dict.fromkeys(line.strip() for line in f if line.strip()))


def find_atoms(lines: list[str]) -> list[int]:
    """Lines that could be an atom of a query: up to four plain words."""
    plain = re.compile(r"[A-Za-z0-9][A-Za-z0-9'\- ]*")
    return [i for i, l in enumerate(lines) if len(l.split()) <= 4 and plain.fullmatch(l)]


def weigh(atoms: list[str], lines: list[str]) -> list[float]:
    """Cumulative weights of the atoms: the square root of the frequency of each one's rarest
    word, since queries are more about common things than about rare ones."""
    counts = Counter(w for l in lines for w in re.findall(r"[a-z0-9]+", l.lower()))
    total, out = 0.0, []
    for a in atoms:
        total += math.sqrt(min(200, min(counts[w] for w in re.findall(r"[a-z0-9]+", a.lower()) or [""])))
        out.append(total)
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--teacher", required=True)
    p.add_argument("--tokenizer", required=True)
    p.add_argument("--text", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--fusions", type=int, default=900_000)
    p.add_argument("--documents", type=int, default=350_000)
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    started = time.time()
    say = lambda *a: print(f"[{time.time() - started:5.0f} s]", *a, flush=True)
    rng = random.Random(args.seed)

    t = tokenizer(args.tokenizer)
    teacher = from_teacher(load_file(args.teacher), range(6)).cuda().eval()
    lines = read_lines(args.text)
    line_vectors = encode(teacher, tokenize(t, lines))
    say(len(lines), "lines encoded")

    atom_rows = find_atoms(lines)
    atoms = [lines[i] for i in atom_rows]
    atom_vectors = line_vectors[torch.tensor(atom_rows, device="cuda")]
    near_lines = neighbours(line_vectors, line_vectors, 24).tolist()
    near_atoms = neighbours(atom_vectors, atom_vectors, 24).tolist()
    say(len(atoms), "atoms; neighbours found")

    samples = strings.fusions(rng, atoms, weigh(atoms, lines), near_atoms.__getitem__, args.fusions)
    samples += strings.documents(rng, lines, atom_rows, near_lines.__getitem__, args.documents)
    row = {l: i for i, l in enumerate(lines)}
    texts = list(lines)
    for s in samples:  # atoms with a kind are additional texts
        for part in s.positive + s.negated:
            if part not in row:
                row[part] = len(texts)
                texts.append(part)
    plain = len(texts)
    texts += [s.text for s in samples]
    say(len(texts), "texts")

    tokens = tokenize(t, texts)
    say("tokenized,", len(tokens.flat), "tokens")
    vectors = encode(teacher, tokens)
    say("encoded by the teacher")

    parts = torch.full((len(texts), MOST_PARTS), -1, dtype=torch.int32)
    excluded = torch.full((len(texts), 2), -1, dtype=torch.int32)
    document = torch.zeros(len(texts), dtype=torch.bool)
    width = lambda rows, n: rows[:n] + [-1] * (n - len(rows))
    parts[plain:] = torch.tensor([width([row[x] for x in s.positive], MOST_PARTS) for s in samples])
    excluded[plain:] = torch.tensor([width([row[x] for x in s.negated], 2) for s in samples])
    document[plain:] = torch.tensor([s.document for s in samples])
    torch.save(
        {
            "flat": tokens.flat.cpu(),
            "lengths": tokens.lengths.cpu(),
            "vectors": vectors.half().cpu(),
            "parts": parts,
            "excluded": excluded,
            "document": document,
        },
        args.out,
    )
    say("written")


if __name__ == "__main__":
    main()
