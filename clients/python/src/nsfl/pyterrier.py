"""PyTerrier: a collection as a transformer. pip install 'nsfl[pyterrier]'."""

from typing import Any

import pandas as pd
import pyterrier as pt

from nsfl._sync.collection import Collection

COLUMNS = ["docno", "score", "rank"]


class NsflTransformer(pt.Transformer):
    """Ranks the documents of a collection for each query, by formulas or plain language. Options
    are those of Collection.search."""

    def __init__(self, collection: Collection, *, k: int = 1000, **options: Any) -> None:
        super().__init__()
        self._collection = collection
        self._options = {"fields": [], "all": True, "k": k, **options}

    def __repr__(self) -> str:
        return f"NsflTransformer({self._collection.name})"

    def transform(self, queries: pd.DataFrame) -> pd.DataFrame:
        pt.validate.query_frame(queries, extra_columns=["query"])
        rows = [
            [*row, hit.id, hit.score, hit.rank - 1 + pt.model.FIRST_RANK]
            for row, query in zip(
                queries.itertuples(index=False, name=None), queries["query"], strict=True
            )
            for hit in self._collection.search(query, **self._options)
        ]
        found: pd.DataFrame = pd.DataFrame(rows, columns=[*queries.columns, *COLUMNS])
        return found
