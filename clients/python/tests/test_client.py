from __future__ import annotations

import datetime
import re
from typing import TYPE_CHECKING

import pytest
from conftest import PHOTOS

import nsfl
from nsfl import _documents

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


def test_collections(server: nsfl.Local) -> None:
    server.create("made", encoder="builtin", quota={"documents": 1})
    try:
        with pytest.raises(nsfl.ExistsError):
            server.create("made")
        assert server.create("made", exist_ok=True).info().quota is not None
        assert {"demo", "made"} <= {c.name for c in server.collections()}
        with pytest.raises(nsfl.QuotaError):
            server.collection("made").add(["one text", "another text"])
    finally:
        server.delete("made")
    with pytest.raises(nsfl.NotFoundError):
        server.collection("made").info()


def test_documents(photos: nsfl.Collection) -> None:
    assert photos.info().documents == len(PHOTOS)
    assert [d.id for d in photos] == list(photos.ids()) == [p["id"] for p in PHOTOS]
    assert photos.get("cat").metadata == {"year": 2019}
    assert {d.id for d in photos.lookup(["sea", "nowhere", "cat", "sea"])} == {"sea", "cat"}
    with pytest.raises(nsfl.NotFoundError, match="nowhere"):
        photos.get("nowhere")
    assert photos.delete(["sea", "nowhere"]) == 1
    assert photos.delete("cat") == 1
    photos.add(photos.get("leash").model_copy(update={"metadata": {"year": 1999}}))
    assert photos.get("leash").metadata == {"year": 1999}
    assert photos.info().documents == 2


@pytest.mark.parametrize("id", ["a/b.md", "..", "ü ?#%2F", "a b"])
def test_odd_ids(empty: nsfl.Collection, id: str) -> None:
    empty.add({"id": id, "text": "A text"})
    assert empty.get(id).id == id
    assert empty.explain(id, "text")[0].id == id


def test_add_streams_in_batches(empty: nsfl.Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_documents, "BATCH_DOCUMENTS", 4)
    taken = 0

    def texts() -> Iterator[str]:
        nonlocal taken
        for i in range(10):
            taken = i + 1
            yield f"Text number {i}"

    told: list[tuple[int, int]] = []
    assert empty.add(texts(), progress=lambda n: told.append((n, taken))) == 10
    assert told == [(4, 4), (8, 8), (10, 10)]


def test_what_fails_is_told_and_the_rest_is_stored(
    empty: nsfl.Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_documents, "BATCH_DOCUMENTS", 2)
    with pytest.raises(nsfl.NotStoredError, match=r"2 of 5 .* number 1, 'b': .*nope") as caught:
        empty.add(["one", {"id": "b", "nope": 1}, "two", {"id": "d"}, "three"])
    assert [(f.index, f.id) for f in caught.value.failed] == [(1, "b"), (3, "d")]
    assert isinstance(caught.value.failed[0].error, nsfl.InvalidError)
    assert caught.value.stored == empty.info().documents == 3


def test_what_is_not_json_is_named(empty: nsfl.Collection) -> None:
    empty.add({"id": "a", "text": "x", "metadata": {"day": datetime.date(2020, 2, 3)}})
    assert empty.get("a").metadata == {"day": "2020-02-03"}
    with pytest.raises(ValueError, match=r"cannot be sent.*object.*'id': 'b'"):
        empty.add({"id": "b", "text": "x", "metadata": {"odd": object()}})
    with pytest.raises(ValueError, match="cannot be sent"):
        empty.add({"id": "c", "text": "x", "metadata": {"odd": float("nan")}})


def test_search(photos: nsfl.Collection) -> None:
    results = photos.search("dog AND NOT leash", k=2, explain=True, compare=True)
    assert results[0].id == "beach"
    assert len(results) == 2
    assert [hit.rank for hit in results] == [1, 2]
    assert results[0].explanation is not None
    assert "dog" in results[0].explanation.sentence
    assert {p.id for p in results.plain} >= {"beach", "leash"}
    assert [h.id for h in photos.search("dog", filter={"year": {"gte": 2015}})] == ["beach", "cat"]
    assert photos.search(must=["dog"], must_not=["leash"])[0].id == "beach"
    assert photos.search("dogs without leashes", nl="rules").understood
    assert not photos.search("dog year:>2100")


def test_pages_texts_and_facets(photos: nsfl.Collection) -> None:
    assert [f.name for f in photos.fields().fields] == ["year"]
    first = photos.search("dog", k=3, all=True, facets=["year"], text="all", fields=[])
    second = photos.search("dog", k=3, all=True, offset=first.next or 0)
    assert [h.rank for h in [*first, *second]] == [1, 2, 3, 4]
    assert first[0].text == photos.get(first[0].id).text
    assert first[0].metadata == {}
    assert sum(bucket.count for bucket in first.facets[0].buckets) == 3


def test_explain_vector_plan_parse(server: nsfl.Local, photos: nsfl.Collection) -> None:
    why = photos.explain("leash", "dog AND NOT leash")
    assert why[0].rank > 1
    assert why[0].explanation is not None
    assert len(photos.vector("dog AND NOT leash").vector) == photos.info().dimension
    assert server.plan("dog AND NOT leash").strings[:2] == ["dog", "leash"]
    assert server.plan(must=["dog"], must_not=["leash"]).formula == "dog AND NOT leash"
    parsed = server.parse("dog AND")
    assert not parsed.ok
    assert parsed.error is not None


def test_encode(server: nsfl.Local) -> None:
    vectors = server.encode([f"text {i % 3}" for i in range(300)])
    assert len(vectors) == 300
    assert vectors[0] == vectors[3] != vectors[1]
    assert any(e.default for e in server.encoders())


def test_what_there_is(server: nsfl.Local, demo: nsfl.Collection) -> None:
    assert server.rights().role == "admin"
    assert server.ready().status == "ready"
    assert server.version().version
    examples = demo.examples()
    assert examples
    assert demo.search(examples[0].query, nl="auto")


def test_errors(server: nsfl.Local, demo: nsfl.Collection) -> None:
    with pytest.raises(nsfl.QuerySyntaxError, match=re.escape("dog AND\n         ^")) as caught:
        demo.search("dog AND")
    assert caught.value.syntax is not None
    assert caught.value.syntax.offset == 7
    assert caught.value.request_id
    with pytest.raises(nsfl.InvalidError, match="k is -1"):
        demo.search("dog", k=-1)
    with pytest.raises(nsfl.ReadOnlyError):
        demo.add("a text")
    with nsfl.Client(server.address, key="nsfl_no") as other:
        with pytest.raises(nsfl.UnauthorizedError, match="NSFL_KEY"):
            other.collections()
    with nsfl.Client("http://127.0.0.1:1") as nobody:
        with pytest.raises(nsfl.UnreachableError, match="start a server"):
            nobody.collections()
    for address in ("localhost:7700", "http://a:b", "ftp://localhost"):
        with nsfl.Client(address) as nowhere:
            with pytest.raises(nsfl.UnreachableError, match="write http://HOST:PORT"):
                nowhere.collections()


def test_closed(server: nsfl.Local) -> None:
    client = nsfl.Client(server.address, key=server.key)
    assert repr(client) == f"Client('{server.address}')"
    client.close()
    with pytest.raises(nsfl.NsflError, match="is closed; create another"):
        client.collections()


def test_key_of_the_environment(server: nsfl.Local, monkeypatch: pytest.MonkeyPatch) -> None:
    assert server.key is not None
    monkeypatch.setenv("NSFL_KEY", server.key)
    with nsfl.Client(server.address) as client:
        assert client.collections()


async def test_async(server: nsfl.Local, photos: nsfl.Collection) -> None:
    async with nsfl.AsyncClient(server.address, key=server.key) as client:
        collection = client.collection(photos.name)

        async def more() -> AsyncIterator[str]:
            yield "A bird in a tree"

        assert await collection.add(more()) == 1
        assert await collection.add(["A fish in a pond", "A frog in a pond"]) == 2
        assert len([d async for d in collection]) == len(PHOTOS) + 3
        assert (await collection.search("dog AND NOT leash", k=1))[0].id == "beach"
        with pytest.raises(nsfl.QuerySyntaxError):
            await collection.search("(")
