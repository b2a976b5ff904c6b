"""Two logic sets generated from the training text, to choose between recipes without
using any evaluation set.

Documents are five lines close in meaning. In "made-words" a document has an atom if it
contains the atom's word; in "made-meaning" if the teacher finds one of its lines close to
the atom.
"""

import random
import re
from collections import defaultdict

import torch

from corpus import encode, neighbours, tokenize
from logicset import LogicSet
from prepare import find_atoms, read_lines

DOCUMENTS, ATOMS, QUERIES = 6000, 300, 60  # QUERIES of each template
CLOSE = 0.5  # cosine of a line to an atom it is about

TEMPLATES = ["A AND B", "A AND B AND C", "A AND NOT B", "A AND B AND NOT C", "A OR B", "A OR B OR C"]


def made_sets(teacher, t, path: str, seed: int = 7) -> list[LogicSet]:
    rng = random.Random(seed)
    lines = read_lines(path)
    sentences = [l for l in lines if 6 <= len(l.split()) <= 40]
    picked = rng.sample(sentences, 60_000)
    vectors = encode(teacher, tokenize(t, picked))
    near = neighbours(vectors[:DOCUMENTS], vectors, 30).tolist()
    members = [[i] + rng.sample(near[i], 4) for i in range(DOCUMENTS)]
    passages = [[picked[i] for i in m] for m in members]

    words = [set(re.findall(r"[a-z]+", " ".join(p).lower())) for p in passages]
    frequency = defaultdict(int)
    for w in words:
        for x in w:
            frequency[x] += 1
    single = {lines[i].lower() for i in find_atoms(lines) if len(lines[i].split()) == 1 and len(lines[i]) > 3}
    atoms = rng.sample(sorted(x for x in single if 30 <= frequency[x] <= 400), ATOMS)
    atom_vectors = encode(teacher, tokenize(t, atoms))
    best = (vectors[torch.tensor(members, device=vectors.device)] @ atom_vectors.T).amax(1).cpu()
    about = [{atoms[a] for a in (row > CLOSE).nonzero()[:, 0].tolist()} for row in best]
    spoken = [w & set(atoms) for w in words]
    return [
        LogicSet("made-words", passages, spoken, questions(rng, spoken)),
        LogicSet("made-meaning", passages, about, questions(rng, about)),
    ]


def questions(rng, labels):
    """Queries whose atoms occur together, to avoid empty templates."""
    rich = [sorted(l) for l in labels if len(l) >= 3]
    out = []
    for template in TEMPLATES:
        while sum(q[0] == template for q in out) < QUERIES:
            a, b, c = rng.sample(rng.choice(rich), 3)
            formula = re.sub(r"\b[ABC]\b", lambda m: '"' + {"A": a, "B": b, "C": c}[m[0]] + '"', template)
            if any(holds(template, a, b, c, l) for l in labels):
                out.append((template, formula, formula))
    return out


def holds(template, a, b, c, labels):
    names = {"A": a in labels, "B": b in labels, "C": c in labels}
    python = template.replace("AND", "and").replace("OR", "or").replace("NOT", "not")
    return eval(python, {}, names)  # one of TEMPLATES
