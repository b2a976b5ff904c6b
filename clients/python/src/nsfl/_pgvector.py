"""Attaching a langchain-postgres store to a private server."""

from __future__ import annotations

import warnings
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, urlencode

import psycopg
from langchain_postgres import PGVector, PGVectorStore
from langchain_postgres.v2.async_vectorstore import AsyncPGVectorStore
from langchain_postgres.vectorstores import DistanceStrategy
from psycopg import sql
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.orm import scoped_session

from nsfl._embedder import Embedder
from nsfl._local import Local
from nsfl._pace import Retry
from nsfl._sync.client import Client
from nsfl.errors import LocalError, NsflError

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

T = TypeVar("T")

NAME = "pgvector"  # name of the server's only collection
SAMPLE = 200
LENGTHS_DIFFER = 1e-3


@dataclass
class Rows:
    """The location of a store's rows, and their embeddings."""

    embeddings: Embeddings
    url: URL
    table: tuple[str, ...]
    columns: dict[str, str]  # keyed by nsfl's names
    by_cosine: bool
    collection: str | None = None  # name, if collections share the table


def rows_of(store: object) -> Rows:
    """Read the attributes of a store without a database query."""
    if isinstance(store, PGVector):
        columns = {"id": "id", "vector": "embedding", "text": "document", "metadata": "cmetadata"}
        return Rows(
            store.embeddings,
            _engine_of(store).url,
            ("langchain_pg_embedding",),
            columns,
            _part(store, DistanceStrategy) is DistanceStrategy.COSINE,
            store.collection_name,
        )
    if isinstance(store, PGVectorStore):
        store = _part(store, AsyncPGVectorStore)  # which has the table and the columns
    if isinstance(store, AsyncPGVectorStore):
        columns = {
            "id": store.id_column,
            "vector": store.embedding_column,
            "text": store.content_column,
        }
        if store.metadata_json_column:
            columns["metadata"] = store.metadata_json_column
        return Rows(
            store.embeddings,
            store.engine.url,
            (store.schema_name, store.table_name),
            columns,
            store.distance_strategy.name.startswith("COSINE"),
        )
    raise TypeError(
        "only a PGVector or PGVectorStore of langchain-postgres can be attached, "
        f"not a {type(store).__name__}"
    )


def _engine_of(store: PGVector) -> Engine:
    """Return the engine of either form of a store, as its sessions know it."""
    session = store.session_maker()
    bind = session.get_bind()
    if isinstance(store.session_maker, scoped_session):
        store.session_maker.remove()
    assert isinstance(bind, Engine)
    return bind


def _part(store: object, kind: type[T]) -> T:
    """Return the attribute of a store that has a public type. The stores have no public way to it:
    the property distance_strategy of PGVector fails before the first use of the asynchronous form.
    """
    return next(value for value in vars(store).values() if isinstance(value, kind))


def attached(store: object, address: str | None) -> Local:
    """Start a private server whose only collection is the store."""
    rows = rows_of(store)
    url = make_url(address) if address else rows.url
    password = {"PGPASSWORD": str(url.password)} if url.password else {}
    settings = {"table": ".".join(f'"{name}"' for name in rows.table), **rows.columns}
    dimension, only = _looked_at(url, rows)
    if only:
        settings["only"] = only
    with ExitStack() as undone:
        embedder = undone.enter_context(Embedder(rows.embeddings))
        if embedder.dimension != dimension:
            raise LocalError(
                f"the store's vectors have {dimension} dimensions, but its embeddings have "
                f"{embedder.dimension}; use a store with the embeddings it was filled with"
            )
        settings["encoder"] = embedder.word
        variables = {
            **password,  # in the address it would show in the process list
            "NSFL_API_KEY": embedder.key,
        }
        server = Local(
            None,
            {"store": f"{NAME}={_postgres(url, settings)}"},
            variables=variables,
            needed=undone.pop_all(),
        )
    _opened(server)
    return server


def _opened(server: Local) -> None:
    """Fail now, rather than at the first search, if the store cannot be searched."""
    with Client(server.address, key=server.key, retry=Retry(times=0)) as once:
        try:
            doubt = once.collection(NAME).info().doubt
        except NsflError as e:
            problems = server.problems
            server.close()
            raise LocalError(f"the store cannot be attached: {e}\n{problems}".rstrip()) from e
    if doubt:
        warnings.warn(doubt, stacklevel=4)


def _postgres(url: URL, settings: dict[str, str]) -> str:
    """Return the address of a database without its password, in libpq's format."""
    given = {"sslmode" if n == "ssl" else n: v for n, v in url.query.items()}
    user = f"{quote(url.username, safe='')}@" if url.username else ""
    host = f"[{url.host}]" if url.host and ":" in url.host else url.host or ""
    port = f":{url.port}" if url.port else ""
    database = quote(url.database or "", safe="")
    query = urlencode({**given, **settings}, doseq=True, quote_via=quote)
    return f"postgres://{user}{host}{port}/{database}" + (f"?{query}" if query else "")


def _looked_at(url: URL, rows: Rows) -> tuple[int, str | None]:
    """Return the dimension of the vectors, and the condition for the rows of the store if its table
    has others too. The store must not be empty, and cosines must order it as the store does."""
    try:
        with psycopg.connect(_postgres(url, {}), password=url.password) as database:
            database.read_only = True
            where = _own(database, rows.collection)
            vector = sql.Identifier(rows.columns["vector"])
            sample = sql.SQL("SELECT {} AS v FROM {} WHERE {} LIMIT {}").format(
                vector,
                sql.Identifier(*rows.table),
                sql.SQL("collection_id = {}").format(where) if where else sql.SQL("true"),
                SAMPLE,
            )
            [(dimension, least, most)] = database.execute(
                sql.SQL(
                    "SELECT max(vector_dims(v)), min(-(v <#> v)), max(-(v <#> v)) FROM ({}) AS s"
                ).format(sample)
            ).fetchall()
    except psycopg.errors.UndefinedTable as e:
        raise LocalError(f"the store has no table yet: add documents to it first ({e})") from e
    except psycopg.OperationalError as e:
        raise LocalError(
            f"cannot connect to the store's database: {e}; if its engine was not created from an "
            "address, give address='postgresql://USER:PASSWORD@HOST/DATABASE'"
        ) from e
    if dimension is None:
        raise LocalError("the store is empty: add documents to it first")
    if not rows.by_cosine and most - least > LENGTHS_DIFFER * most:
        raise LocalError(
            "nsfl compares by cosine, but the vectors of this store have different lengths, so its "
            "distances order them differently; if you want cosines, use a store of the same rows "
            "with distance_strategy=DistanceStrategy.COSINE"
        )
    return dimension, f"collection_id:{where}" if where else None


def _own(database: psycopg.Connection[Any], collection: str | None) -> str | None:
    """Return the id of a collection, if collections share the table."""
    if collection is None:
        return None
    found = database.execute(
        "SELECT uuid::text FROM langchain_pg_collection WHERE name = %s", [collection]
    ).fetchone()
    if not found:
        raise LocalError(f"no collection {collection!r}: add documents to it first")
    return str(found[0])
