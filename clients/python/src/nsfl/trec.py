"""Runs for evaluation with ir_measures or in TREC's format. pip install 'nsfl[trec]'."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ir_measures import ScoredDoc

from nsfl._sync.collection import Collection
from nsfl.formula import Formula


def run(
    collection: Collection, queries: Mapping[str, str | Formula], *, k: int = 1000, **options: Any
) -> Iterator[ScoredDoc]:
    """Search for each query and yield the results with the query's id. Options are those of
    Collection.search."""
    for id, query in queries.items():
        for hit in collection.search(query, **{"fields": [], "all": True, "k": k, **options}):
            yield ScoredDoc(id, hit.id, hit.score)


def write_run(
    path: str | os.PathLike[str], found: Iterable[ScoredDoc], *, name: str = "nsfl"
) -> None:
    """Write a run: a line with query, Q0, document, rank, score and name per document."""
    ranks: dict[str, int] = {}
    with open(path, "w", encoding="utf-8") as file:
        for query, document, score in found:
            for id in (query, document, name):
                if len(id.split()) != 1:
                    raise ValueError(f"{id!r} cannot be in a TREC run: it contains white space")
            ranks[query] = ranks.get(query, 0) + 1
            file.write(f"{query} Q0 {document} {ranks[query]} {score!r} {name}\n")
