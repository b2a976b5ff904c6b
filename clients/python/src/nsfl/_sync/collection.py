"""A collection on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nsfl._sync.documents import Documents
from nsfl._sync.screening import Screening
from nsfl.models import (
    Backup,
    BackupList,
    CollectionInfo,
    Example,
    ExampleList,
    Fields,
    ScreeningInfo,
    ScreeningList,
    Vector,
)
from nsfl.results import Results

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from nsfl._sync.http import M
    from nsfl.formula import Formula
    from nsfl.models import ExplainOptions, Quota, SearchOptions, VectorOptions

KEEPING_SECONDS = 86_400.0  # backups and restores may take long


class Collection(Documents):
    """A collection: its documents, and searches over them."""

    def info(self) -> CollectionInfo:
        """Return the number of documents, the encoder, and more."""
        return self._http.ask(CollectionInfo, "GET", self._path)

    def fields(self) -> Fields:
        """List the metadata fields, for filters and facets."""
        return self._http.ask(Fields, "GET", f"{self._path}/fields")

    def examples(self) -> list[Example]:
        """Suggest queries to start with, from the words of the documents."""
        return (self._http.ask(ExampleList, "GET", f"{self._path}/examples")).examples

    def set_quota(self, quota: Quota) -> CollectionInfo:
        """Set the quota, such as {"documents": 1000, "bytes": 0}; 0 means no limit."""
        return self._http.ask(CollectionInfo, "PUT", f"{self._path}/quota", json=quota)

    def back_up(self) -> Backup:
        """Back up the collection without blocking it. The server must be configured for backups."""
        return self._http.ask(
            Backup, "POST", f"{self._path}/backups", repeatable=False, timeout=KEEPING_SECONDS
        )

    def backups(self) -> list[Backup]:
        """List the backups, even of a deleted collection, for Client.restore."""
        return (self._http.ask(BackupList, "GET", f"{self._path}/backups")).backups

    def search(
        self, query: str | Formula | None = None, **options: Unpack[SearchOptions]
    ) -> Results:
        """Search. The query is a formula, in the query language or in Python, or plain language.
        Leave it out if you give `must` and related options, or `positive`.

        Some options: `k` is the number of results, `filter` a condition on metadata, `explain`
        explains scores, and `compare` adds the results of plain retrieval. models.SearchOptions
        documents all of them. There may be fewer than `k` results: those that mention no wanted
        word and are unlikely to match are left out, unless `all` is set.
        """
        return self._question(Results, "search", query, {**options})

    def explain(
        self, id: str, query: str | Formula | None = None, **options: Unpack[ExplainOptions]
    ) -> Results:
        """Explain the score and rank of a document: return the search results with this one hit,
        explained."""
        return self._question(Results, "explain", query, {"id": id, **options})

    def vector(
        self, query: str | Formula | None = None, **options: Unpack[VectorOptions]
    ) -> Vector:
        """Return the vector that best satisfies a formula, for any vector database."""
        return self._question(Vector, "vector", query, {**options})

    def screenings(self) -> list[ScreeningInfo]:
        """List the screenings of the collection."""
        return (self._http.ask(ScreeningList, "GET", f"{self._path}/screenings")).screenings

    def screening(self, name: str) -> Screening:
        """Return a screening, which need not exist yet."""
        return Screening(self._http, self._path, name)

    def create_screening(
        self, name: str, formula: str | Formula = "", *, person: str | None = None
    ) -> Screening:
        """Create a screening of all documents. The formula states what the review includes."""
        body = {"name": name, "formula": str(formula), "person": person}
        self._http.ask(ScreeningInfo, "POST", f"{self._path}/screenings", json=body)
        return self.screening(name)

    def _question(
        self, into: type[M], verb: str, query: str | Formula | None, body: dict[str, Any]
    ) -> M:
        if query is not None:
            body["query"] = str(query)
        return self._http.ask(into, "POST", f"{self._path}/{verb}", json=body)
