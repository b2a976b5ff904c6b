"""The client of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from nsfl._sync.collection import KEEPING_SECONDS, Collection
from nsfl._sync.http import Http
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

EMBEDDING_TEXTS = 256  # the server takes so many at once


class Client:
    """A server and its collections.

    `key` is $NSFL_KEY where it is left out. `timeout` is how many seconds a question may take,
    `retry` how patiently a busy server is asked again. `http` is the client of httpx to use, where
    the address needs a proxy or a certificate of its own.
    """

    def __init__(
        self,
        address: str = "http://127.0.0.1:7700",
        *,
        key: str | None = None,
        timeout: float = 120,
        retry: Retry | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        self._http = Http(address, key, timeout, retry or Retry(), http)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.address!r})"

    @property
    def address(self) -> str:
        """Where the server is."""
        return self._http.address

    @property
    def key(self) -> str | None:
        """The key that goes with every request."""
        return self._http.key

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def collection(self, name: str) -> Collection:
        """The collection of a name; nothing is asked."""
        return Collection(self._http, name)

    def collections(self) -> list[CollectionInfo]:
        """All collections, by name."""
        return (self._http.ask(CollectionList, "GET", "/v1/collections")).collections

    def create(
        self, name: str, *, exist_ok: bool = False, **options: Unpack[CollectionOptions]
    ) -> Collection:
        """Make a collection. With `exist_ok` one that is there already is as good."""
        try:
            self._http.ask(
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

    def delete(self, name: str) -> None:
        """Delete a collection with all its documents."""
        self._http.tell("DELETE", f"/v1/collections/{quote(name, safe='')}", repeatable=False)

    def restore(self, backup: Backup | str, name: str) -> Collection:
        """Make a collection of a new name from a backup, or the id of one."""
        self._http.ask(
            CollectionInfo,
            "POST",
            "/v1/restore",
            json={"backup": backup if isinstance(backup, str) else backup.id, "name": name},
            repeatable=False,
            timeout=KEEPING_SECONDS,
        )
        return self.collection(name)

    def parse(self, query: str | Formula, **options: Unpack[ParseOptions]) -> Parsed:
        """How a query is read; a mistake in it is no error here."""
        return self._http.ask(
            Parsed, "POST", "/v1/parse", json={"query": str(query), **options}
        )

    def plan(
        self, query: str | Formula | None = None, **options: Unpack[PlanOptions]
    ) -> Plan:
        """What a search would encode."""
        body: dict[str, Any] = {**options}
        if query is not None:
            body["query"] = str(query)
        return self._http.ask(Plan, "POST", "/v1/plan", json=body)

    def encode(
        self, texts: Iterable[str], *, model: str = "builtin", input_type: str = "query"
    ) -> list[list[float]]:
        """The vectors of texts, by an encoder's word or a collection's name. `input_type` is query,
        document or passage."""
        texts = list(texts)
        vectors: list[list[float]] = []
        for start in range(0, len(texts), EMBEDDING_TEXTS):
            body = {
                "model": model,
                "input": texts[start : start + EMBEDDING_TEXTS],
                "input_type": input_type,
            }
            answer = self._http.ask(EmbeddingList, "POST", "/v1/embeddings", json=body)
            vectors += [e.embedding for e in answer.data if not isinstance(e.embedding, str)]
        return vectors

    def encoders(self) -> list[EncoderWord]:
        """The encoders that a collection can be made with."""
        return (self._http.ask(EncoderList, "GET", "/v1/encoders")).encoders

    def models(self) -> list[ModelInfo]:
        """What `encode` can be asked of: encoders, and collections for theirs."""
        return (self._http.ask(ModelList, "GET", "/v1/models")).data

    def rights(self) -> Rights:
        """What the key may do."""
        return self._http.ask(Rights, "GET", "/v1/rights")

    def ready(self) -> Health:
        """Whether the server is ready; UnavailableError where it is not."""
        return self._http.ask(Health, "GET", "/readyz")

    def version(self) -> Version:
        """Which build of the server this is."""
        return self._http.ask(Version, "GET", "/version")
