"""The documents of a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from nsfl._documents import Batch, aeach
from nsfl._files import form, uploaded
from nsfl.errors import Failed, NotFoundError, NotStoredError, ProblemError
from nsfl.frames import documents_of
from nsfl.models import (
    BulkLine,
    Deleted,
    Document,
    DocumentPage,
    FileLine,
    Source,
    SourceCount,
    SourceList,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Mapping, Sequence

    from nsfl._async.http import AsyncHttp
    from nsfl._documents import Storable
    from nsfl._files import Sendable, Uploaded

P = TypeVar("P", DocumentPage, SourceList)

PAGE = 1000  # the server takes and gives so many at once
BATCH_SECONDS = 600.0  # which the server has for storing a batch


class AsyncDocuments:
    """What is stored in a collection."""

    def __init__(self, http: AsyncHttp, name: str) -> None:
        self._http = http
        self.name = name
        self._path = f"/v1/collections/{quote(name, safe='')}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    async def add(
        self,
        documents: Storable | Iterable[Storable] | AsyncIterable[Storable],
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
        async for document in aeach(documents):
            batch.add(document)
            if batch.is_full:
                stored += await self._store(batch, failed)
                batch = Batch(batch.first + len(batch.ids))
                if progress:
                    progress(stored)
        if batch.ids:
            stored += await self._store(batch, failed)
            if progress:
                progress(stored)
        if failed:
            raise NotStoredError(stored, failed)
        return stored

    async def _store(self, batch: Batch, failed: list[Failed]) -> int:
        lines = await self._http.lines(
            BulkLine,
            f"{self._path}/documents/bulk",
            content=batch.body,
            headers={"Content-Type": "application/x-ndjson"},
            timeout=BATCH_SECONDS,
        )
        for line in lines:
            if line.type == "failed" and line.error:
                at = line.line - 1
                error = ProblemError.of(line.error)
                failed.append(Failed(batch.first + at, batch.ids[at], error))
        return lines[-1].documents

    async def add_frame(
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
        return await self.add(rows, progress=progress)

    async def add_files(self, files: Sendable | Iterable[Sendable]) -> Uploaded:
        """Store the documents of files: text, Markdown, HTML, PDF, DOCX, ODT, EPUB, mail,
        notebooks, source code, CSV, JSONL and more, told by the ends of their names.

        A file is a path, or a name with a path, bytes or an open file. A file is one document
        called as it is, or one for each of its rows; what cannot be read is in `skipped` of what
        is returned.
        """
        lines = await self._http.lines(
            FileLine, f"{self._path}/files", files=form(files), timeout=BATCH_SECONDS
        )
        return uploaded(lines)

    async def get(self, id: str) -> Document:
        """The document of an id."""
        for document in await self.lookup([id]):
            return document
        raise NotFoundError.missing(f"there is no document {id!r} in {self.name}")

    async def lookup(self, ids: Iterable[str]) -> list[Document]:
        """Those of some documents that are there."""
        wanted, found = list(dict.fromkeys(ids)), list[Document]()
        while wanted:
            page = await self._http.ask(
                DocumentPage,
                "POST",
                f"{self._path}/documents/lookup",
                json={"ids": wanted[:PAGE]},
            )
            found += page.documents
            wanted = wanted[wanted.index(page.next) if page.next else PAGE :]
        return found

    async def delete(self, ids: str | Iterable[str]) -> int:
        """Delete documents by their ids, and return how many there were."""
        rest, deleted = [ids] if isinstance(ids, str) else list(ids), 0
        while rest:
            answer = await self._http.ask(
                Deleted, "POST", f"{self._path}/documents/delete", json={"ids": rest[:PAGE]}
            )
            deleted, rest = deleted + answer.documents, rest[PAGE:]
        return deleted

    def __aiter__(self) -> AsyncIterator[Document]:
        return self.documents()

    async def documents(self, *, source: str | None = None) -> AsyncIterator[Document]:
        """All documents, or those of a file, in the order in which they were stored."""
        async for page in self._pages(DocumentPage, "documents", source=source):
            for document in page.documents:
                yield document

    async def ids(self, *, source: str | None = None) -> AsyncIterator[str]:
        """The ids of all documents, or of those of a file."""
        async for page in self._pages(DocumentPage, "documents", source=source, ids="true"):
            for document in page.documents:
                yield document.id or ""

    async def sources(self) -> AsyncIterator[Source]:
        """The files that documents came from, by name, as nsfl index notes them."""
        async for page in self._pages(SourceList, "sources"):
            for source in page.sources:
                yield source

    async def _pages(self, into: type[P], what: str, **params: str | None) -> AsyncIterator[P]:
        given = {name: value for name, value in params.items() if value is not None}
        given["limit"] = str(PAGE)
        while True:
            page = await self._http.ask(into, "GET", f"{self._path}/{what}", params=given)
            yield page
            if not page.next:
                return
            given["after"] = page.next

    async def note_sources(self, sources: Iterable[Source | Mapping[str, Any]]) -> int:
        """Note what is known of files, or with `forget` that they are gone; their documents stay.
        Return how many were noted."""
        rest = [s.model_dump(exclude_none=True) if isinstance(s, Source) else s for s in sources]
        noted = 0
        while rest:
            answer = await self._http.ask(
                SourceCount, "POST", f"{self._path}/sources", json={"sources": rest[:PAGE]}
            )
            noted, rest = noted + answer.sources, rest[PAGE:]
        return noted
