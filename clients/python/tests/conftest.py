"""One private server for all tests, started from the binary in $NSFL_BIN."""

from __future__ import annotations

import os
import uuid
from typing import TYPE_CHECKING, Any

import pytest

import nsfl

if TYPE_CHECKING:
    from collections.abc import Iterator

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

PHOTOS: list[dict[str, Any]] = [
    {"id": "leash", "text": "A brown dog on a leash waits at the door", "metadata": {"year": 2011}},
    {"id": "beach", "text": "A dog runs along the beach", "metadata": {"year": 2016}},
    {"id": "cat", "text": "A cat sleeps on a laptop", "metadata": {"year": 2019}},
    {"id": "sea", "title": "Sunset", "text": "The sun goes down over an empty sea"},
]


@pytest.fixture(scope="session")
def server() -> Iterator[nsfl.Local]:
    with nsfl.local(demo=True) as client:
        yield client


@pytest.fixture(scope="session")
def demo(server: nsfl.Local) -> nsfl.Collection:
    return server.collection("demo")


@pytest.fixture
def empty(server: nsfl.Local) -> Iterator[nsfl.Collection]:
    """A collection for one test."""
    collection = server.create(f"t{uuid.uuid4().hex[:12]}")
    yield collection
    server.delete(collection.name)


@pytest.fixture
def photos(empty: nsfl.Collection) -> nsfl.Collection:
    empty.add(PHOTOS)
    return empty
