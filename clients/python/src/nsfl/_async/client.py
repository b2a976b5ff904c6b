"""The client for a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from nsfl._async.collection import KEEPING_SECONDS, AsyncCollection
from nsfl._async.http import AsyncHttp
from nsfl._pace import Retry
from nsfl.errors import ExistsError
from nsfl.models import (
    CollectionInfo,
    CollectionList,
    EmbeddingList,
    EncoderList,
    EncoderWord,
    Health,
    ModelInfo,
    ModelList,
    Parsed,
    Plan,
    Rights,
    Version,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    import httpx
    from typing_extensions import Self, Unpack

    from nsfl.formula import Formula
    from nsfl.models import Backup, CollectionOptions, ParseOptions, PlanOptions

EMBEDDING_TEXTS = 256  # the server's limit for one request


class AsyncClient:
    """A server and its collections.

    `key` defaults to $NSFL_KEY. `timeout` is the time limit of a request in seconds, and `retry`
    configures retries when the server is busy. `http` is an httpx client, for addresses that need a
    proxy or their own certificate.
    """

    def __init__(
        self,
        address: str = "http://127.0.0.1:7700",
        *,
        key: str | None = None,
        timeout: float = 120,
        retry: Retry | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._http = AsyncHttp(address, key, timeout, retry or Retry(), http)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.address!r})"

    @property
    def address(self) -> str:
        """The address of the server."""
        return self._http.address

    @property
    def key(self) -> str | None:
        """The key sent with every request."""
        return self._http.key

    async def close(self) -> None:
        """Close the connections."""
        await self._http.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def collection(self, name: str) -> AsyncCollection:
        """Return a handle; it does not check that the collection exists."""
        return AsyncCollection(self._http, name)

    async def collections(self) -> list[CollectionInfo]:
        """List all collections, sorted by name."""
        return (await self._http.ask(CollectionList, "GET", "/v1/collections")).collections

    async def create(
        self, name: str, *, exist_ok: bool = False, **options: Unpack[CollectionOptions]
    ) -> AsyncCollection:
        """Create a collection. With `exist_ok`, an existing one is not an error."""
        try:
            await self._http.ask(
                CollectionInfo,
                "POST",
                "/v1/collections",
                json={"name": name, **options},
                repeatable=exist_ok,
            )
        except ExistsError:
            if not exist_ok:
                raise
        return self.collection(name)

    async def delete(self, name: str) -> None:
        """Delete a collection with all its documents."""
        await self._http.tell("DELETE", f"/v1/collections/{quote(name, safe='')}", repeatable=False)

    async def restore(self, backup: Backup | str, name: str) -> AsyncCollection:
        """Restore a backup, or the backup with an id, as a new collection."""
        await self._http.ask(
            CollectionInfo,
            "POST",
            "/v1/restore",
            json={"backup": backup if isinstance(backup, str) else backup.id, "name": name},
            repeatable=False,
            timeout=KEEPING_SECONDS,
        )
        return self.collection(name)

    async def parse(self, query: str | Formula, **options: Unpack[ParseOptions]) -> Parsed:
        """Parse a query. A syntax error is part of the result, not an exception."""
        return await self._http.ask(
            Parsed, "POST", "/v1/parse", json={"query": str(query), **options}
        )

    async def plan(
        self, query: str | Formula | None = None, **options: Unpack[PlanOptions]
    ) -> Plan:
        """Return the strings that a search would encode."""
        body: dict[str, Any] = {**options}
        if query is not None:
            body["query"] = str(query)
        return await self._http.ask(Plan, "POST", "/v1/plan", json=body)

    async def encode(
        self, texts: Iterable[str], *, model: str = "builtin", input_type: str = "query"
    ) -> list[list[float]]:
        """Encode texts with an encoder, or with the encoder of a collection. `input_type` is query,
        document or passage."""
        texts = list(texts)
        vectors: list[list[float]] = []
        for start in range(0, len(texts), EMBEDDING_TEXTS):
            body = {
                "model": model,
                "input": texts[start : start + EMBEDDING_TEXTS],
                "input_type": input_type,
            }
            answer = await self._http.ask(EmbeddingList, "POST", "/v1/embeddings", json=body)
            vectors += [e.embedding for e in answer.data if not isinstance(e.embedding, str)]
        return vectors

    async def encoders(self) -> list[EncoderWord]:
        """List the encoders available for collections."""
        return (await self._http.ask(EncoderList, "GET", "/v1/encoders")).encoders

    async def models(self) -> list[ModelInfo]:
        """List the models for `encode`: encoders, and collections for their encoder."""
        return (await self._http.ask(ModelList, "GET", "/v1/models")).data

    async def rights(self) -> Rights:
        """Return the permissions of the key."""
        return await self._http.ask(Rights, "GET", "/v1/rights")

    async def ready(self) -> Health:
        """Check that the server is ready, or raise UnavailableError."""
        return await self._http.ask(Health, "GET", "/readyz")

    async def version(self) -> Version:
        """Return the version of the server."""
        return await self._http.ask(Version, "GET", "/version")
