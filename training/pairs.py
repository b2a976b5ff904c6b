"""Queries for passages of documentation: their headings, titles, sentences and rare words.

Whether a query and a passage belong together need not be exact: the loss compares the
ranking of a step's passages with the teacher's.
"""

import math
import random
import re
from collections import Counter

QUERIES = 4  # of each passage
ASK = ["how to {x}", "how do I {x}?", "{x}", "{x}", "what is {x}", "{x} explained", "where is {x} described?"]
GENERIC = re.compile(r"(?i)(see also|examples?|notes?|introduction|overview|description|name|synopsis|usage|options?|"
                     r"parameters|returns?|contents|summary|details?|remarks|general|index|top|about|background)\W*")


def clean(heading: str) -> str:
    return re.sub(r"^[\d.§\sA-Z]{0,8}[.)]\s+|[\u0080-\uffff]", " ", heading).strip(" .:-#")


def word_weights(texts: list[str]):
    counts = Counter(w for t in texts for w in set(re.findall(r"[a-z][a-z0-9\-]{2,}", t.lower())))
    return lambda w: math.log(len(texts) / (1 + counts[w]))


def queries(rng: random.Random, passage: dict, weight) -> list[str]:
    """QUERIES texts that somebody might enter to find the passage."""
    title = re.split(r" [—|–-] |: ", clean(passage["title"]))[0]
    headings = [h for h in map(clean, passage["headings"]) if h and not GENERIC.fullmatch(h)]
    out = []
    if headings:
        last = headings[-1]
        ask = last if last.endswith("?") else rng.choice(ASK).format(x=last[0].lower() + last[1:])
        out += [last, ask, f"{title} {last}"[:200]]
        if len(headings) > 1:
            out.append(f"{headings[-2]} {last}")
    elif title:
        out += [title]
    sentences = [s for s in re.split(r"(?<=[.?!])\s+", passage["text"]) if 4 <= len(s.split()) <= 40]
    for s in rng.sample(sentences, min(2, len(sentences))):
        words = s.rstrip(".").split()
        at = rng.randrange(max(1, len(words) - 10))
        out.append(" ".join(words[at : at + rng.randint(5, 12)]))
    words = list(dict.fromkeys(re.findall(r"[a-z][a-z0-9\-]{2,}", passage["text"].lower())))
    words = sorted(words, key=weight, reverse=True)[:14]
    for n in (2, 4):
        if len(words) >= n:
            out.append(" ".join(rng.sample(words, n)))
    out = list(dict.fromkeys(q.strip() for q in out if len(q.strip()) > 2))
    rng.shuffle(out)
    return (out * QUERIES)[:QUERIES] if out else [passage["text"][:60]] * QUERIES
