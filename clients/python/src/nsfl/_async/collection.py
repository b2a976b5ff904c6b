"""One collection of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nsfl._async.documents import AsyncDocuments
from nsfl.models import (
    Backup,
    BackupList,
    CollectionInfo,
    Example,
    ExampleList,
    Fields,
    Vector,
)
from nsfl.results import Results

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from nsfl._async.http import M
    from nsfl.formula import Formula
    from nsfl.models import ExplainOptions, Quota, RankOptions, SearchOptions, VectorOptions

KEEPING_SECONDS = 86_400.0  # backups and restores take as long as they take


class AsyncCollection(AsyncDocuments):
    """A collection: its documents, and searches among them."""

    async def info(self) -> CollectionInfo:
        """How many documents it has, which encoder, and more."""
        return await self._http.ask(CollectionInfo, "GET", self._path)

    async def fields(self) -> Fields:
        """Which fields the metadata of its documents has, for conditions and facets."""
        return await self._http.ask(Fields, "GET", f"{self._path}/fields")

    async def examples(self) -> list[Example]:
        """Queries to begin with, made of the words of its documents."""
        return (await self._http.ask(ExampleList, "GET", f"{self._path}/examples")).examples

    async def set_quota(self, quota: Quota) -> CollectionInfo:
        """Set what it may hold: {"documents": 1000, "bytes": 0}, of which 0 is any number."""
        return await self._http.ask(CollectionInfo, "PUT", f"{self._path}/quota", json=quota)

    async def back_up(self) -> Backup:
        """Back it up, where the server was told to keep backups; searches and writes go on."""
        return await self._http.ask(
            Backup, "POST", f"{self._path}/backups", repeatable=False, timeout=KEEPING_SECONDS
        )

    async def backups(self) -> list[Backup]:
        """Its backups, also where it is not there any more; Client.restore takes them."""
        return (await self._http.ask(BackupList, "GET", f"{self._path}/backups")).backups

    async def search(
        self, query: str | Formula | None = None, **options: Unpack[SearchOptions]
    ) -> Results:
        """Search. The query is a formula, in the language or in Python, or with `nl` plain
        language; it is left out where `must` and its like, or `positive`, stand for it.

        Of the options, `k` is how many results there are, `filter` what their metadata has to be,
        `explain` says how scores came about and `compare` what plain retrieval has;
        models.SearchOptions tells of all.
        """
        return await self._question(Results, "search", query, {**options})

    async def explain(
        self, id: str, query: str | Formula | None = None, **options: Unpack[ExplainOptions]
    ) -> Results:
        """Why a document has its score and its rank: the results of the search with this one hit,
        explained."""
        return await self._question(Results, "explain", query, {"id": id, **options})

    async def rank(self, search: str, **options: Unpack[RankOptions]) -> Results:
        """Rank a search again that was made with `keep`; its results have the token in `search`."""
        return await self._question(Results, "rank", None, {"search": search, **options})

    async def vector(
        self, query: str | Formula | None = None, **options: Unpack[VectorOptions]
    ) -> Vector:
        """The one vector that satisfies a formula best, for any vector database."""
        return await self._question(Vector, "vector", query, {**options})

    async def _question(
        self, into: type[M], verb: str, query: str | Formula | None, body: dict[str, Any]
    ) -> M:
        if query is not None:
            body["query"] = str(query)
        return await self._http.ask(into, "POST", f"{self._path}/{verb}", json=body)
