"""Generates the training texts and the teachers' vectors for them, in one file.

    python prepare.py --teacher minilm.onnx --retriever bge-small.onnx --tokenizer tokenizer.json \
        --text text.txt.gz --passages debian.jsonl.gz --out prepared.pt

A teacher is a safetensors file, or an ONNX file with 8-bit weights.
"""

import argparse
import gzip
import json
import math
import random
import re
import time
from collections import Counter

import torch
import torch.nn.functional as F

import pairs
import strings
import weights
from corpus import encode, neighbours, tokenize, tokenizer
from model import from_teacher

MOST_PARTS = 12  # parts of a text
# bge-small was trained with this before queries.
INSTRUCTION = "Represent this sentence for searching relevant passages: "
HELD_OUT = 4000  # passages, of packages that nothing else is taken from


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


class Ensemble:
    """Vectors in the teacher's space that also hold the retriever's similarities.

    The retriever's vectors are centred, because all its cosines are high, and rotated onto
    the teacher's. A rotation keeps their similarities.
    """

    def __init__(self, teacher, retriever, share: float):
        self.teacher, self.retriever, self.share = teacher, retriever, share
        self.mean = self.rotation = None

    def fit(self, tokens, rows):
        """Finds the centre and the rotation from texts that represent all."""
        few = tokens.take(rows)
        ours, theirs = encode(self.teacher, few), encode(self.retriever, few)
        self.mean = theirs.mean(0)
        left, _, right = torch.linalg.svd(F.normalize(theirs - self.mean, dim=-1).T @ ours)
        self.rotation = left @ right

    def rotated(self, tokens):
        return F.normalize(encode(self.retriever, tokens) - self.mean, dim=-1) @ self.rotation

    def encode(self, tokens):
        return F.normalize((1 - self.share) * encode(self.teacher, tokens) + self.share * self.rotated(tokens), dim=-1)


def reciprocal_rank(queries, passages):
    """The mean reciprocal rank of each query's own passage, one query for each passage."""
    out = []
    for rows, q in zip(torch.arange(len(passages), device=queries.device).split(1000), queries.split(1000)):
        scores = q @ passages.T
        own = scores.gather(1, rows[:, None])
        out.append(1 / (scores > own).sum(1).add(1).float())
    return float(torch.cat(out).mean())


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--teacher", required=True)
    p.add_argument("--retriever", required=True)
    p.add_argument("--tokenizer", required=True)
    p.add_argument("--text", required=True)
    p.add_argument("--passages", required=True, nargs="+")
    p.add_argument("--out", required=True)
    p.add_argument("--fusions", type=int, default=700_000)
    p.add_argument("--documents", type=int, default=250_000)
    p.add_argument("--share", type=float, default=0.5, help="share of the retriever in the targets")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    started = time.time()
    say = lambda *a: print(f"[{time.time() - started:5.0f} s]", *a, flush=True)
    rng = random.Random(args.seed)

    t = tokenizer(args.tokenizer)
    teacher = from_teacher(weights.load(args.teacher), range(6)).cuda().eval()
    retriever = from_teacher(weights.load(args.retriever), range(12), first=True).cuda().eval()
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

    passages = []
    for path in args.passages:
        with gzip.open(path, "rt", encoding="utf-8") as f:
            passages += map(json.loads, f)
    packages = sorted({x["package"] for x in passages})
    rng.shuffle(packages)
    order = {name: i for i, name in enumerate(packages)}
    passages.sort(key=lambda x: order[x["package"]])  # the held-out packages come first
    weight = pairs.word_weights([x["text"] for x in passages])
    asked = [q for x in passages for q in pairs.queries(rng, x, weight)]
    say(len(texts), "texts,", len(passages), "passages,", len(asked), "queries")

    tokens = tokenize(t, texts)
    passage_tokens = tokenize(t, [x["text"] for x in passages])
    query_tokens = tokenize(t, asked)
    say("tokenized,", len(tokens.flat), "and", len(passage_tokens.flat), "tokens")

    both = Ensemble(teacher, retriever, args.share)
    both.fit(tokens, torch.randperm(len(texts), generator=torch.Generator().manual_seed(1))[:200_000].cuda())
    vectors = both.encode(tokens)
    say("texts encoded")
    passage_vectors, query_vectors = both.encode(passage_tokens), both.encode(query_tokens)
    bge = lambda x: F.normalize(x - both.mean, dim=-1)
    ranking_passages = bge(encode(retriever, passage_tokens))
    instructed = tokenize(t, [INSTRUCTION + q for q in asked])
    ranking_queries = bge(encode(retriever, instructed))
    say("passages and queries encoded")

    rows = torch.arange(HELD_OUT, device="cuda")
    few_passages, few_queries = passage_tokens.take(rows), query_tokens.take(rows * pairs.QUERIES)
    ours, theirs = ([f(few_queries), f(few_passages)] for f in (lambda x: encode(teacher, x), both.rotated))
    for share in (0, 0.3, 0.5, 0.7, 1):
        q, p = (F.normalize((1 - share) * a + share * b, dim=-1) for a, b in zip(ours, theirs))
        say(f"MRR of held-out passages by the ensemble with share {share}: {reciprocal_rank(q, p):.4f}")
    own = reciprocal_rank(ranking_queries[: HELD_OUT * pairs.QUERIES : pairs.QUERIES], ranking_passages[:HELD_OUT])
    say(f"by the retriever with its instruction: {own:.4f}")

    parts = torch.full((len(texts), MOST_PARTS), -1, dtype=torch.int32)
    excluded = torch.full((len(texts), 2), -1, dtype=torch.int32)
    document = torch.zeros(len(texts), dtype=torch.bool)
    width = lambda rows, n: rows[:n] + [-1] * (n - len(rows))
    parts[plain:] = torch.tensor([width([row[x] for x in s.positive], MOST_PARTS) for s in samples])
    excluded[plain:] = torch.tensor([width([row[x] for x in s.negated], 2) for s in samples])
    document[plain:] = torch.tensor([s.document for s in samples])
    torch.save(
        {
            "flat": tokens.flat,
            "lengths": tokens.lengths,
            "vectors": vectors.half(),
            "parts": parts,
            "excluded": excluded,
            "document": document,
            "passage_flat": passage_tokens.flat,
            "passage_lengths": passage_tokens.lengths,
            "passage_vectors": passage_vectors.half(),
            "passage_ranking": ranking_passages.half(),
            "query_flat": query_tokens.flat,
            "query_lengths": query_tokens.lengths,
            "query_vectors": query_vectors.half(),
            "query_ranking": ranking_queries.half(),
        },
        args.out,
    )
    say("written")


if __name__ == "__main__":
    main()
