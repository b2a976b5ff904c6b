"""Private servers start and stop with their process."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import pickle
import select
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

import nsfl
import nsfl_command
from nsfl._addresses import is_loopback

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it looks at /proc")


def test_several_at_once_with_keys_of_their_own(tmp_path: Path) -> None:
    with nsfl.local(tmp_path / "a" / "b") as one, nsfl.local() as other:
        assert one.address != other.address
        assert one.address.startswith("http://127.0.0.1:")
        one.create("notes").add("A text that stays")
        assert other.collections() == []
        with nsfl.Client(one.address, key=other.key) as stranger:
            with pytest.raises(nsfl.UnauthorizedError):
                stranger.collections()
    with nsfl.local(tmp_path / "a" / "b") as again:
        assert again.collection("notes").info().documents == 1


def test_close(tmp_path: Path) -> None:
    client = nsfl.local(demo=True)
    pid = client.pid
    assert [c.name for c in client.collections()] == ["demo"]
    client.close()
    client.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NSFL_KEYS", "nonsense")
    monkeypatch.setenv("NSFL_LISTEN", "nonsense")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with nsfl.local(demo=True, results=5) as client:
        with pytest.raises(nsfl.InvalidError, match="between 1 and 5"):
            client.collection("demo").search("dog", k=6)
    with nsfl.local(store=[f"{name}=postgres://127.0.0.1:1/db" for name in "ab"]) as client:
        assert [bool(c.problem) for c in client.collections()] == [True, True]
    with pytest.raises(nsfl.LocalError, match="--bogus"):
        nsfl.local(bogus=1)
    with pytest.raises(nsfl.LocalError, match="nonsense"):
        nsfl.local(search_time="nonsense")


def test_places_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    for place in (file, file / "below"):
        with pytest.raises(nsfl.LocalError, match="cannot create"):
            nsfl.local(place)
    with nsfl.local() as server:
        with pytest.raises(nsfl.LocalError, match="choose another address"):
            nsfl.local(listen=server.address.removeprefix("http://"))
    monkeypatch.setenv("NSFL_BIN", str(file))
    with pytest.raises(nsfl.LocalError, match=r"cannot be run.*NSFL_BIN"):
        nsfl.local()
    monkeypatch.delenv("NSFL_BIN")
    monkeypatch.setattr(nsfl_command, "__file__", str(tmp_path / "no wheel" / "nsfl_command.py"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(nsfl.LocalError, match="install a wheel"):
        nsfl.local()


@pytest.mark.skipif(not os.access("/sys/kernel", os.R_OK), reason="needs a directory of /sys")
def test_read_only_directory() -> None:
    with nsfl.local("/sys/fs") as server:
        assert server.collections() == []
        with pytest.raises(nsfl.ReadOnlyError, match="cannot be written to"):
            server.create("new")


def test_two_servers_of_one_directory(tmp_path: Path) -> None:
    with nsfl.local(tmp_path) as one, nsfl.local(tmp_path) as other:
        one.create("notes").add("A dog")
        assert other.collection("notes").search("dog")
        with pytest.raises(nsfl.ReadOnlyError, match="another process"):
            other.collection("notes").add("A cat")
        one.collection("notes").add("A bird")


def test_lives_as_long_as_a_collection() -> None:
    demo = nsfl.local(demo=True).collection("demo")
    pid = demo._http.server.process.pid  # type: ignore[attr-defined]
    assert demo.search("dog")
    del demo
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize(
    ("sent", "told"), [("SIGKILL", "status -9"), ("SIGABRT", "SIGABRT: abort")]
)
def test_server_that_is_killed(sent: str, told: str) -> None:
    with nsfl.local(demo=True) as server:
        assert server.collections()
        os.kill(server.pid, getattr(signal, sent))
        server._http.server.process.wait()
        for ask in (server.collections, lambda: server.create("notes")):
            with pytest.raises(nsfl.LocalError, match=told):
                ask()


def test_threads(photos: nsfl.Collection) -> None:
    texts = [f"Text number {i}" for i in range(16)]
    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(photos.add, texts)) == 16
        found = list(pool.map(lambda text: photos.search(f'"{text}"', k=1)[0], texts * 4))
    assert [hit.snippet.text for hit in found] == texts * 4


def first_of(collection: nsfl.Collection) -> str:
    return collection.search("dog AND NOT ball", k=1)[0].id


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_other_processes_ask_the_same_server(server: nsfl.Local, start: str) -> None:
    demo = server.collection("demo")
    first = first_of(demo)
    with ProcessPoolExecutor(1, multiprocessing.get_context(start)) as pool:
        assert pool.submit(demo.search, "dog AND NOT ball", k=1).result()[0].id == first
    assert first_of(demo) == first


def test_a_fork_has_connections_of_its_own() -> None:
    with nsfl.local(demo=True) as server:
        here = server._http._connected()
        context = multiprocessing.get_context("fork")
        reader, writer = context.Pipe()

        def child() -> None:
            demo = server.collection("demo")
            writer.send((first_of(demo), server._http._connected() is here))
            server.close()

        process = context.Process(target=child)
        process.start()
        assert reader.recv() == (first_of(server.collection("demo")), False)
        process.join()
        assert server._http._connected() is here
        assert server.collections()


def test_clients_are_pickled(server: nsfl.Local) -> None:
    again = pickle.loads(pickle.dumps(server))
    assert type(again) is nsfl.Client
    with again:
        assert again.collections()
    with nsfl.Client(http=httpx.Client()) as odd:
        with pytest.raises(TypeError, match="create one in each process"):
            pickle.dumps(odd)


async def test_within_a_running_loop() -> None:
    with nsfl.local(demo=True) as server:  # as in a notebook
        first = first_of(server.collection("demo"))
        async with nsfl.AsyncClient(server.address, key=server.key) as client:
            demo = client.collection("demo")
            found = await asyncio.gather(*[demo.search("dog AND NOT ball", k=1) for _ in range(8)])
    assert {results[0].id for results in found} == {first}


def test_no_proxy_before_this_machine(server: nsfl.Local, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with nsfl.Client(server.address, key=server.key) as client:
        assert client.collections()
    for address, is_local in {
        "http://localhost:1": True,
        "https://[::1]/x": True,
        "http://127.1.2.3": True,
        "http://search.example": False,
        "http://[": False,
        "": False,
    }.items():
        assert is_loopback(address) == is_local


def test_binary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = nsfl_command.binary()
    monkeypatch.delenv("NSFL_BIN", raising=False)
    monkeypatch.setattr(nsfl_command, "__file__", str(tmp_path / "no wheel" / "nsfl_command.py"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="NSFL_BIN"):
        nsfl_command.binary()
    found = tmp_path / nsfl_command.NAME
    found.symlink_to(given)
    assert nsfl_command.binary() == str(found)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "script.py")])  # beside the binary
    assert nsfl_command.binary() == str(found)


SERVE = "import nsfl; s = nsfl.local(); print(s.pid, flush=True)"


def run(code: str) -> tuple[subprocess.Popen[str], int]:
    """Run Python code that starts a server; its process id is printed first."""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def ended(pid: int) -> bool:
    """Wait for the end of a process that is not a child of this one."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], 60)[0])
    finally:
        os.close(handle)


@linux
@pytest.mark.parametrize(
    "code", ["pass", "raise SystemExit(3)", "import os; os.abort()", "input()"]
)
def test_server_ends_with_python(code: str) -> None:
    process, pid = run(f"{SERVE}; {code}")
    with process:
        if code == "input()":
            process.send_signal(signal.SIGKILL)
        process.wait()
    assert ended(pid)


@linux
def test_ctrl_c_is_for_python() -> None:
    process, pid = run(
        f"try: {SERVE}; input()\nexcept KeyboardInterrupt: print(len(s.collections()))"
    )
    assert os.getpgid(pid) != os.getpgid(process.pid)
    process.send_signal(signal.SIGINT)
    assert process.communicate()[0].strip() == "0"
    assert ended(pid)
