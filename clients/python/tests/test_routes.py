"""The client uses every server route meant for clients."""

from __future__ import annotations

import io
import re
from pathlib import Path

import httpx
import pytest

import nsfl

# Routes for others, or replaced by another route.
OTHERS = {
    "addDocuments": "add, by bulkDocuments",
    "putDocument": "add, by bulkDocuments",
    "getDocument": "get, by lookupDocuments: an id may not fit in a path",
    "deleteDocument": "delete, by deleteDocuments",
    "getModel": "clients of OpenAI",
    "health": "monitoring",
    "metrics": "Prometheus",
    "getFile": "the page: files of the server's machine",
    "docs": "people",
    "docsScript": "that page",
    "docsStyle": "that page",
    "openapiJSON": "tools/make_models.py",
}


def use(client: nsfl.Client, folder: Path) -> None:
    """Use every method of the client and check the results."""
    assert client.ready().status == "ready"
    assert client.version().version
    assert client.rights().role == "admin"
    assert [e.word for e in client.encoders()] == ["builtin"]
    assert client.parse("dog AND NOT leash").ok
    assert client.plan("dog AND NOT leash").strings
    assert len(client.encode(["dog"])[0]) == 384

    notes = client.create("notes")
    assert [c.name for c in client.collections()] == ["notes"]
    assert {m.id for m in client.models()} == {"builtin", "notes"}
    assert notes.add([{"id": "a", "text": "A dog on a leash"}, "A dog on the beach"]) == 2
    quota = notes.set_quota({"documents": 100}).quota
    assert quota is not None
    assert quota.documents == 100

    (folder / "roses.md").write_text("# Roses\n\nPrune them in March.\n")
    stored = notes.add_files(folder / "roses.md")
    assert (stored.documents, stored.files, stored.skipped) == (1, 1, [])
    assert notes.get("roses.md").title == "Roses"
    source = {"name": "roses.md", "size": 30, "modified": 0, "sha256": "0" * 64}
    assert notes.note_sources([source]) == 1
    assert [s.name for s in notes.sources()] == ["roses.md"]
    assert notes.note_sources([{**source, "forget": True}]) == 1
    assert list(notes.sources()) == []

    assert notes.search("dog AND NOT leash")[0].id
    assert notes.explain("a", "dog")[0].id == "a"
    assert notes.vector("dog").dimension == 384
    assert notes.fields().documents == notes.info().documents == 3
    assert isinstance(notes.examples(), list)

    pets = notes.create_screening("pets", nsfl.A("dog"), person="Ann")
    assert [s.formula for s in notes.screenings()] == ["dog"]
    shown = pets.next(person="Ann")
    assert shown.record is not None
    assert shown.record.id is not None
    assert "dog" in shown.terms
    assert pets.next(person="Bob").record != shown.record
    decided = pets.decide(shown.record.id, "exclude", person="Ann", reason="a leash")
    assert (decided.decision.label, decided.progress.excluded) == ("exclude", 1)
    assert pets.undo(person="Ann").decision.record == shown.record.id
    pets.decide(shown.record.id, "include", person="Ann")
    assert pets.state().progress.included == 1
    assert pets.export().startswith("id,title")
    assert "TY  - JOUR" in pets.export("ris")

    made = notes.back_up()
    assert made.documents == 3
    assert [b.id for b in notes.backups()] == [made.id]
    assert notes.delete("a") == 1
    again = client.restore(made, "again")
    assert len(list(again)) == 3
    client.delete("notes")
    assert client.restore(made.id, "notes").get("a").text == "A dog on a leash"


def test_routes(tmp_path: Path) -> None:
    asked: set[tuple[str, str]] = set()

    def note(request: httpx.Request) -> None:
        asked.add((request.method.lower(), request.url.path))

    with nsfl.local(backup_to=str(tmp_path / "backups")) as server:
        described = httpx.get(server.address + "/openapi.json", trust_env=False).json()
        http = httpx.Client(event_hooks={"request": [note]}, trust_env=False)
        with nsfl.Client(server.address, key=server.key, http=http) as client:
            use(client, tmp_path)

    unasked = set()
    for path, operations in described["paths"].items():
        pattern = re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)))
        for method, operation in operations.items():
            if not any(method == m and pattern.fullmatch(p) for m, p in asked):
                unasked.add(operation["operationId"])
    assert unasked == set(OTHERS), "a route without a client method, or one that now has one"


def test_files(empty: nsfl.Collection, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A dog")
    (tmp_path / "rows.csv").write_text("id,text\n7,A cat\n8,\n")
    stored = empty.add_files(
        [
            str(tmp_path / "a.txt"),
            tmp_path / "rows.csv",
            ("more.csv", b"id,text\n7,A bird\n"),
            ("b.html", io.BytesIO(b"<title>Fish</title><p>In a pond")),
            ("odd.xyz", b"\x00\x01"),
        ]
    )
    assert stored.documents == 4
    assert [(s.file, s.line) for s in stored.skipped] == [("rows.csv", 3), ("odd.xyz", None)]
    assert set(empty.ids()) == {"a.txt", "7", "more.csv#7", "b.html"}
    assert empty.add_files(("a.txt", b"A wolf")).documents == 1
    assert empty.get("a.txt").text == "A wolf"


def test_many_files_are_not_open_at_once(empty: nsfl.Collection, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    paths = [tmp_path / f"{i}.txt" for i in range(40)]
    for path in paths:
        path.write_text(f"The text of {path.name}")
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = len(list(Path("/proc/self/fd").iterdir()))
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 20, most))
    try:
        assert empty.add_files(paths).documents == 40
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (least, most))


def test_files_that_cannot_be_sent(empty: nsfl.Collection, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no file"):
        empty.add_files([])
    with pytest.raises(FileNotFoundError, match="nowhere"):
        empty.add_files(tmp_path / "nowhere.txt")
    with pytest.raises(IsADirectoryError, match="give its files"):
        empty.add_files(tmp_path)
    with pytest.raises(ValueError, match=r"two files are named 'a.txt'.*another name"):
        empty.add_files([("x/a.txt", b"one"), ("y/a.txt", b"two")])


async def test_files_of_the_asynchronous_client(server: nsfl.Local, empty: nsfl.Collection) -> None:
    async with nsfl.AsyncClient(server.address, key=server.key) as client:
        collection = client.collection(empty.name)
        assert (await collection.add_files(("a.md", b"# Dogs"))).documents == 1
        await collection.note_sources(
            {"name": f"{i}", "size": 1, "modified": 0, "sha256": ""} for i in range(1001)
        )
        assert len([s async for s in collection.sources()]) == 1001


def test_no_place_for_backups(photos: nsfl.Collection) -> None:
    with pytest.raises(nsfl.UnavailableError, match="backup-to"):
        photos.back_up()
