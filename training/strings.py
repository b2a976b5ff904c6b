"""The training texts: the lines of a text, strings that join short lines like the fusions
of a query, and documents of several lines.

A Sample lists the texts it is made of, to compose its target from their vectors.
"""

import random
from dataclasses import dataclass, field

# Words that follow or precede an atom: many queries name a kind of thing each time
# ("adventure novels AND novels set in Peru").
KINDS = (
    "films movies novels books songs albums plays games paintings buildings bridges cities towns islands rivers "
    "mountains countries animals birds fishes insects mammals plants trees flowers fungi foods dishes drinks people "
    "writers scientists singers players politicians companies products shoes dresses cars ships aircraft weapons "
    "tools diseases drugs chemicals minerals languages festivals schools hotels restaurants articles questions"
).split()
PATTERNS = ["{x} {k}"] * 4 + ["{k} about {x}", "{k} with {x}", "{k} from {x}", "{k} of {x}"]


@dataclass
class Sample:
    text: str
    positive: list[str] = field(default_factory=list)  # atoms of a fusion, or lines of a document
    negated: list[str] = field(default_factory=list)
    document: bool = False


def series(items, word):
    if len(items) < 3:
        return f" {word} ".join(items)
    return ", ".join(items[:-1]) + f", {word} " + items[-1]


def conjunction(rng, p):
    return rng.choice(
        [
            " AND ".join(p),
            " AND ".join(p),
            p[0] + " that are also " + ("both " if len(p) == 3 else "") + series(p[1:], "and"),
            rng.choice([", ", " and ", " with ", " next to ", " "]).join(p),
        ]
    )


def disjunction(rng, p):
    return rng.choice([" OR ".join(p), " OR ".join(p), series(p, "or"), "either " + series(p, "or")])


def exclusion(rng, p, n):
    simple = " AND ".join(p + ["NOT " + x for x in n])
    if len(p) == 1:
        words = p[0] + rng.choice([" that are not ", " that are not ", " but not ", " without "]) + series(n, "or")
    else:
        words = p[0] + " that are also " + series(p[1:], "and") + " but not " + series(n, "or")
    return rng.choice([simple, simple, words])


def fusion(rng, atoms) -> Sample:
    """One string out of up to four atoms."""
    a = atoms
    roll = rng.random()
    if roll < 0.24:
        return Sample(conjunction(rng, a[:2]), a[:2])
    if roll < 0.40:
        return Sample(conjunction(rng, a[:3]), a[:3])
    if roll < 0.44:
        return Sample(conjunction(rng, a), a)
    if roll < 0.61:
        return Sample(exclusion(rng, a[:1], a[1:2]), a[:1], a[1:2])
    if roll < 0.74:
        return Sample(exclusion(rng, a[:2], a[2:3]), a[:2], a[2:3])
    if roll < 0.78:
        return Sample(exclusion(rng, a[:1], a[1:3]), a[:1], a[1:3])
    if roll < 0.88:
        return Sample(disjunction(rng, a[:2]), a[:2])
    if roll < 0.95:
        return Sample(disjunction(rng, a[:3]), a[:3])
    text, used = rng.choice(
        [
            (f"{a[0]} AND ({a[1]} OR {a[2]})", a[:3]),
            (f"({a[0]} AND {a[1]}) OR {a[2]}", a[:3]),
            (f"{a[0]} that are also either {a[1]} or {a[2]}", a[:3]),
            (disjunction(rng, a), a),
        ]
    )
    return Sample(text, used)


def fusions(rng: random.Random, atoms: list[str], weights: list[float], near, count: int) -> list[Sample]:
    """count fusions. near(i) lists atoms close in meaning to atom i; half of the strings join
    such atoms, which are the hard cases."""
    firsts = rng.choices(range(len(atoms)), cum_weights=weights, k=count)
    out = []
    for i in firsts:
        if rng.random() < 0.5:
            others = rng.sample(near(i), 3)
        else:
            others = rng.choices(range(len(atoms)), cum_weights=weights, k=3)
        picked = [atoms[j] for j in [i, *others]]
        if rng.random() < 0.35:
            kind, same = rng.choice(KINDS), rng.random() < 0.7
            picked = [
                rng.choice(PATTERNS).format(x=x, k=kind if same else rng.choice(KINDS)) for x in picked
            ]
        out.append(fusion(rng, picked))
    return out


def documents(rng: random.Random, lines: list[str], titles: list[int], near, count: int) -> list[Sample]:
    """count texts of two to ten lines, most of them close in meaning, some with a short line
    before them as a title."""
    out = []
    for _ in range(count):
        seed = rng.randrange(len(lines))
        n = rng.choice([2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 10])
        around = near(seed)
        style = rng.random()
        if style < 0.55:
            rest = rng.sample(around, min(n - 1, len(around)))
        elif style < 0.8:
            rest = [rng.choice(around) if rng.random() < 0.6 else rng.randrange(len(lines)) for _ in range(n - 1)]
        else:
            rest = [rng.randrange(len(lines)) for _ in range(n - 1)]
        pieces = [lines[seed]] + [lines[i] for i in rest]
        rng.shuffle(pieces)
        if rng.random() < 0.3:
            pieces.insert(0, lines[rng.choice(titles)] if rng.random() < 0.5 else min(pieces, key=len))
        stop = rng.random() < 0.8
        text = " ".join(p if not stop or p[-1] in ".!?" else p + "." for p in pieces)
        out.append(Sample(text, pieces, document=True))
    return out
