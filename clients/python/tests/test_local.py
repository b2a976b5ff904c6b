"""Private servers come with their process and go with it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import nsfl
import nsfl_command

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
    with pytest.raises(nsfl.LocalError, match="--bogus"):
        nsfl.local(bogus=1)
    with pytest.raises(nsfl.LocalError, match="nonsense"):
        nsfl.local(search_time="nonsense")


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


SERVE = "import nsfl; s = nsfl.local(); print(s.pid, flush=True)"


def run(code: str) -> tuple[subprocess.Popen[str], int]:
    """A Python that starts a server and tells its process first."""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def ended(pid: int) -> bool:
    """Wait for the end of a process that is no child of ours."""
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
