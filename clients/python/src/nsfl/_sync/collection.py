"""One collection of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from nsfl._documents import Batch, each
from nsfl.errors import Failed, NotFoundError, NotStoredError, ProblemError
from nsfl.frames import documents_of
from nsfl.models import (
    CollectionInfo,
    Deleted,
    Document,
    DocumentPage,
    Example,
    ExampleList,
    Fields,
    Vector,
)
from nsfl.results import Results

if TYPE_CHECKING:
    from collections.abc import Iterator, Callable, Iterable, Sequence

    from typing_extensions import Unpack

    from nsfl._sync.http import Http, M
    from nsfl._documents import Storable
    from nsfl.formula import Formula
    from nsfl.models import ExplainOptions, Quota, RankOptions, SearchOptions, VectorOptions

PAGE = 1000  # the server takes and gives so many at once
BATCH_SECONDS = 600.0  # which the server has for storing a batch


class Collection:
    """A collection: its documents, and searches among them."""

    def __init__(self, http: Http, name: str) -> None:
        self._http = http
        self.name = name
        self._path = f"/v1/collections/{quote(name, safe='')}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def info(self) -> CollectionInfo:
        """How many documents it has, which encoder, and more."""
        return self._http.ask(CollectionInfo, "GET", self._path)

    def fields(self) -> Fields:
        """Which fields the metadata of its documents has, for conditions and facets."""
        return self._http.ask(Fields, "GET", f"{self._path}/fields")

    def examples(self) -> list[Example]:
        """Queries to begin with, made of the words of its documents."""
        return (self._http.ask(ExampleList, "GET", f"{self._path}/examples")).examples

    def set_quota(self, quota: Quota) -> CollectionInfo:
        """Set what it may hold."""
        return self._http.ask(CollectionInfo, "PUT", f"{self._path}/quota", json=quota)

    def add(
        self,
        documents: Storable | Iterable[Storable],
        *,
        progress: Callable[[int], object] | None = None,
    ) -> int:
        """Store documents, any number of them, and return how many.

        They are read as they are sent, in batches. One with the id of a document that is there
        replaces it; without an id, the server makes one of title and text. `progress` is called
        with how many have been stored so far. Where some cannot be stored, all others are, and
        then NotStoredError tells which.
        """
        stored, failed, batch = 0, list[Failed](), Batch(0)
        for document in each(documents):
            batch.add(document)
            if batch.is_full:
                stored += self._store(batch, failed)
                batch = Batch(batch.first + len(batch.ids))
                if progress:
                    progress(stored)
        if batch.ids:
            stored += self._store(batch, failed)
            if progress:
                progress(stored)
        if failed:
            raise NotStoredError(stored, failed)
        return stored

    def _store(self, batch: Batch, failed: list[Failed]) -> int:
        lines = self._http.bulk(f"{self._path}/documents/bulk", batch.body, BATCH_SECONDS)
        for line in lines:
            if line.type == "failed" and line.error:
                at = line.line - 1
                error = ProblemError.of(line.error)
                failed.append(Failed(batch.first + at, batch.ids[at], error))
        return lines[-1].documents

    def add_frame(
        self,
        frame: Any,
        *,
        text: str | None = None,
        title: str | None = None,
        id: str | None = None,
        metadata: Sequence[str] | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> int:
        """Store the rows of a DataFrame of pandas or polars, as add does.

        Text, title and id are names of columns; all other columns, or those that `metadata`
        names, become metadata. Cells that are empty are left out.
        """
        rows = documents_of(frame, text=text, title=title, id=id, metadata=metadata)
        return self.add(rows, progress=progress)

    def get(self, id: str) -> Document:
        """The document of an id."""
        for document in self.lookup([id]):
            return document
        raise NotFoundError.missing(f"there is no document {id!r} in {self.name}")

    def lookup(self, ids: Iterable[str]) -> list[Document]:
        """Those of some documents that are there."""
        wanted, found = list(dict.fromkeys(ids)), list[Document]()
        while wanted:
            page = self._http.ask(
                DocumentPage,
                "POST",
                f"{self._path}/documents/lookup",
                json={"ids": wanted[:PAGE]},
            )
            found += page.documents
            wanted = wanted[wanted.index(page.next) if page.next else PAGE :]
        return found

    def delete(self, ids: str | Iterable[str]) -> int:
        """Delete documents by their ids, and return how many there were."""
        rest, deleted = [ids] if isinstance(ids, str) else list(ids), 0
        while rest:
            answer = self._http.ask(
                Deleted, "POST", f"{self._path}/documents/delete", json={"ids": rest[:PAGE]}
            )
            deleted, rest = deleted + answer.documents, rest[PAGE:]
        return deleted

    def __iter__(self) -> Iterator[Document]:
        return self.documents()

    def documents(self, *, source: str | None = None) -> Iterator[Document]:
        """All documents, or those of a file, in the order in which they were stored."""
        return self._pages(source=source)

    def ids(self, *, source: str | None = None) -> Iterator[str]:
        """The ids of all documents, or of those of a file."""
        for document in self._pages(source=source, ids="true"):
            yield document.id or ""

    def _pages(self, **params: str | None) -> Iterator[Document]:
        given = {name: value for name, value in params.items() if value is not None}
        given["limit"] = str(PAGE)
        while True:
            page = self._http.ask(
                DocumentPage, "GET", f"{self._path}/documents", params=given
            )
            for document in page.documents:
                yield document
            if not page.next:
                return
            given["after"] = page.next

    def search(
        self, query: str | Formula | None = None, **options: Unpack[SearchOptions]
    ) -> Results:
        """Search. The query is a formula, in the language or in Python, or with `nl` plain
        language; it is left out where `must` and its like, or `positive`, stand for it."""
        return self._question(Results, "search", query, {**options})

    def explain(
        self, id: str, query: str | Formula | None = None, **options: Unpack[ExplainOptions]
    ) -> Results:
        """Why a document has its score and its rank: the results of the search with this one hit,
        explained."""
        return self._question(Results, "explain", query, {"id": id, **options})

    def rank(self, search: str, **options: Unpack[RankOptions]) -> Results:
        """Rank a search again that was made with `keep`; its results have the token in `search`."""
        return self._question(Results, "rank", None, {"search": search, **options})

    def vector(
        self, query: str | Formula | None = None, **options: Unpack[VectorOptions]
    ) -> Vector:
        """The one vector that satisfies a formula best, for any vector database."""
        return self._question(Vector, "vector", query, {**options})

    def _question(
        self, into: type[M], verb: str, query: str | Formula | None, body: dict[str, Any]
    ) -> M:
        if query is not None:
            body["query"] = str(query)
        return self._http.ask(into, "POST", f"{self._path}/{verb}", json=body)
