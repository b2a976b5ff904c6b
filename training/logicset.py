"""Logic sets: documents with labels, queries with the truth over labels, and the mAP@100
of plain retrieval and of the calculus over a pool of 1000.

Six templates, simple fusion, one vector per document, as in the Go packages fusion
and logic.
"""

import gzip
import json
import re
from pathlib import Path

import torch

POOL, CUT = 1000, 100


def parts(formula: str):
    """Atoms of a flat formula: (positive, negated, joined by OR?)."""
    positive, negated = [], []
    for operator, text in re.findall(r'(NOT )?"([^"]*)"', formula):
        (negated if operator else positive).append(text)
    return positive, negated, " OR " in formula


class LogicSet:
    """passages and labels of each document; queries are (template, formula, truth)."""

    def __init__(self, name: str, passages: list, labels: list, queries: list):
        self.name = name
        self.passages = passages
        self.documents = [" ".join(p) for p in passages]
        self.queries, self.relevant = [], []
        for template, formula, truth in queries:
            self.queries.append((template, *parts(formula)))
            positive, negated, disjunction = parts(truth)
            holds = any if disjunction else all
            self.relevant.append(
                torch.tensor([holds(p in l for p in positive) and not any(n in l for n in negated) for l in labels])
            )

    @classmethod
    def load(cls, folder: str):
        folder = Path(folder)
        with gzip.open(folder / "corpus.jsonl.gz", "rt") as f:
            corpus = [json.loads(line) for line in f]
        queries = [json.loads(line) for line in open(folder / "queries.dev.jsonl")]
        return cls(
            folder.name,
            [([d["title"]] if d["title"] else []) + d["passages"] for d in corpus],
            [set(d["labels"]) for d in corpus],
            [(q["template"], q["formula"], q["truth"]) for q in queries],
        )

    def strings(self) -> list[str]:
        """All strings that the queries need, without repetitions."""
        seen = {}
        for _, positive, negated, disjunction in self.queries:
            for s in positive + negated:
                seen[s] = 1
            for s in fused(positive, negated, disjunction):
                seen[s] = 1
        return list(seen)

    def score(self, documents, vector_of):
        """{method: {template: mAP}}, given document vectors and a function from string to vector."""
        out = {"baseline": {}, "rerank": {}}
        for (template, positive, negated, disjunction), relevant in zip(self.queries, self.relevant):
            relevant = relevant.to(documents.device)
            cos = lambda s: (documents @ vector_of(s)).clamp_min(0)
            strings = fused(positive, negated, disjunction)
            monolithic = documents @ vector_of(strings[-1])
            pool = monolithic.topk(min(POOL, len(monolithic))).indices
            atoms = torch.stack([cos(a)[pool] for a in positive + negated])
            fusions = [cos(s)[pool] for s in strings]
            ranking = pool[calculus(atoms, fusions, len(negated), disjunction).topk(CUT).indices]
            out["baseline"].setdefault(template, []).append(precision(pool[:CUT], relevant))
            out["rerank"].setdefault(template, []).append(precision(ranking, relevant))
        return {m: {t: sum(v) / len(v) for t, v in cells.items()} for m, cells in out.items()}


def fused(positive, negated, disjunction) -> list[str]:
    """The fusions that the calculus uses, with the monolithic string last."""
    if disjunction:
        return [" OR ".join(positive)]
    whole = " AND ".join(positive)
    if not negated:
        return [whole]
    with_negated = " AND ".join(positive + negated)
    return [whole, with_negated, " AND ".join(positive + ["NOT " + n for n in negated])]


def calculus(atoms, fusions, negations, disjunction):
    if disjunction:
        f = fusions[0]
        return torch.where((f < atoms).all(0), f, torch.maximum(atoms.amax(0), f))
    if not negations:
        return conjunction(fusions[0], atoms)
    a, c = atoms[:-1], atoms[-1]
    gate = c / (c.max() + 1e-9)
    f, f_all = fusions[0], fusions[1]
    if len(a) == 1:
        a = a[0]
        return torch.where((f_all < a) & (f_all < c), f_all, a - gate * (f_all - a))
    return conjunction(f, a) - gate * (f_all - f)


def conjunction(f, atoms):
    return torch.where(f > atoms.sum(0), f, 2 * f - atoms.amax(0))


def precision(ranking, relevant):
    """Average precision at 100; the denominator is min(R, 100)."""
    hits = relevant[ranking].float()
    total = min(int(relevant.sum()), CUT)
    at = torch.arange(1, len(hits) + 1, device=hits.device)
    return float((hits.cumsum(0) / at * hits).sum() / total) if total else 0.0


def line(cells: dict) -> str:
    values = list(cells.values())
    return f"{sum(values) / len(values):.4f}  " + " ".join(f"{v:.3f}" for v in values)
