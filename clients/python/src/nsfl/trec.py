"""Runs for evaluations: for ir_measures, and as TREC writes them. pip install 'nsfl[trec]'."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ir_measures import ScoredDoc

from nsfl._sync.collection import Collection
from nsfl.formula import Formula


def run(
    collection: Collection, queries: Mapping[str, str | Formula], *, k: int = 1000, **options: Any
) -> Iterator[ScoredDoc]:
    """Search for each query, by its id, and yield what was found. Options are those of
    Collection.search."""
    for id, query in queries.items():
        for hit in collection.search(query, **{"fields": [], "k": k, **options}):
            yield ScoredDoc(id, hit.id, hit.score)


def write_run(
    path: str | os.PathLike[str], found: Iterable[ScoredDoc], *, name: str = "nsfl"
) -> None:
    """Write a run: query, Q0, document, rank, score and name, a line for each document."""
    ranks: dict[str, int] = {}
    with open(path, "w", encoding="utf-8") as file:
        for query, document, score in found:
            for id in (query, document, name):
                if len(id.split()) != 1:
                    raise ValueError(f"{id!r} cannot stand in a TREC run: it has white space in it")
            ranks[query] = ranks.get(query, 0) + 1
            file.write(f"{query} Q0 {document} {ranks[query]} {score!r} {name}\n")
