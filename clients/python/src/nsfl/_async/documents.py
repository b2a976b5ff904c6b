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

PAGE = 1000  # the server's limit for one request
BATCH_SECONDS = 600.0  # the server's time limit for storing a batch


class AsyncDocuments:
    """The documents of a collection."""

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
        """Store any number of documents and return how many were stored.

        Documents are streamed in batches. A document with an existing id replaces that document;
        without an id, the server derives one from title and text. `progress` is called with the
        number stored so far. If some documents cannot be stored, the others are, and then
        NotStoredError lists the failed ones.
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
        """Store the rows of a pandas or polars DataFrame, like add.

        `text`, `title` and `id` are column names. All other columns, or those named in `metadata`,
        become metadata. Empty cells are left out.
        """
        rows = documents_of(frame, text=text, title=title, id=id, metadata=metadata)
        return await self.add(rows, progress=progress)

    async def add_files(self, files: Sendable | Iterable[Sendable]) -> Uploaded:
        """Store the documents in files: text, Markdown, HTML, PDF, DOCX, ODT, EPUB, mail,
        notebooks, source code, CSV, JSONL and more, recognized by extension.

        A file is a path, or a pair of a name and a path, bytes or an open file. It becomes one
        document with its name, or one per row. The `skipped` of the result lists files that could
        not be read.
        """
        lines = await self._http.lines(
            FileLine, f"{self._path}/files", files=form(files), timeout=BATCH_SECONDS
        )
        return uploaded(lines)

    async def get(self, id: str) -> Document:
        """Return the document with an id."""
        for document in await self.lookup([id]):
            return document
        raise NotFoundError.missing(f"no document {id!r} in {self.name}")

    async def lookup(self, ids: Iterable[str]) -> list[Document]:
        """Return those of the documents that exist."""
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
        """Delete documents by id, and return how many existed."""
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
        """Yield all documents, or those of a file, in the order they were stored."""
        async for page in self._pages(DocumentPage, "documents", source=source):
            for document in page.documents:
                yield document

    async def ids(self, *, source: str | None = None) -> AsyncIterator[str]:
        """Yield the ids of all documents, or of those of a file."""
        async for page in self._pages(DocumentPage, "documents", source=source, ids="true"):
            for document in page.documents:
                yield document.id or ""

    async def sources(self) -> AsyncIterator[Source]:
        """Yield the files that documents came from, sorted by name, as recorded by nsfl index."""
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
        """Record the state of files, or with `forget` that they are gone; their documents stay.
        Return how many were recorded."""
        rest = [s.model_dump(exclude_none=True) if isinstance(s, Source) else s for s in sources]
        noted = 0
        while rest:
            answer = await self._http.ask(
                SourceCount, "POST", f"{self._path}/sources", json={"sources": rest[:PAGE]}
            )
            noted, rest = noted + answer.sources, rest[PAGE:]
        return noted
