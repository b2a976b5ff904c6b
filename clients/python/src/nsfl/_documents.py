"""Encoding and batching of documents."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from nsfl.models import Document

Storable: TypeAlias = Document | Mapping[str, Any] | str
"""A document: a model, a dictionary of its fields, or its text alone."""

# The server encodes and stores a batch as a whole; larger batches are not faster.
BATCH_DOCUMENTS = 256
BATCH_BYTES = 4 << 20


def fields(document: Storable) -> Mapping[str, Any]:
    if isinstance(document, str):
        return {"text": document}
    if isinstance(document, Document):
        return document.model_dump(exclude_defaults=True)
    return document


def line(document: Storable) -> bytes:
    """Encode a document as a line of JSON."""
    try:
        text = json.dumps(fields(document), ensure_ascii=False, allow_nan=False, default=_plain)
        return text.encode() + b"\n"
    except (TypeError, ValueError) as error:
        raise ValueError(f"this document cannot be sent: {error}: {str(document)[:200]}") from error


def _plain(value: Any) -> Any:
    """Convert dates and numpy numbers for JSON."""
    for name in ("isoformat", "item"):
        if callable(method := getattr(value, name, None)):
            return method()
    raise TypeError(f"a {type(value).__name__} is not JSON: {value!r}")


class Batch:
    """Documents that are sent together."""

    def __init__(self, first: int) -> None:
        self.first = first  # index of its first document
        self.ids: list[str | None] = []
        self._lines: list[bytes] = []
        self._bytes = 0

    def add(self, document: Storable) -> None:
        text = line(document)
        self.ids.append(fields(document).get("id"))
        self._lines.append(text)
        self._bytes += len(text)

    @property
    def is_full(self) -> bool:
        return len(self._lines) >= BATCH_DOCUMENTS or self._bytes >= BATCH_BYTES

    @property
    def body(self) -> bytes:
        return b"".join(self._lines)


def each(documents: Storable | Iterable[Storable]) -> Iterator[Storable]:
    """Yield documents one by one; accept a single document, too."""
    if isinstance(documents, (str, Mapping, Document)):
        yield documents
    else:
        yield from documents


async def aeach(
    documents: Storable | Iterable[Storable] | AsyncIterable[Storable],
) -> AsyncIterator[Storable]:
    if isinstance(documents, AsyncIterable):
        async for document in documents:
            yield document
    else:
        for document in each(documents):
            yield document
