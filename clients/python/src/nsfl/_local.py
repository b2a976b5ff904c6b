"""A private server: the binary, started on a free port of this machine and stopped with us."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path
from typing import IO, TYPE_CHECKING

import httpx

from nsfl._sync.client import Client
from nsfl.errors import LocalError
from nsfl_command import binary

if TYPE_CHECKING:
    from nsfl._pace import Retry

# Settings of a server that runs for others must not reach this one.
KEPT_VARIABLES = {"NSFL_API_KEY", "NSFL_CACHE", "NSFL_MODELS", "NSFL_ONNXRUNTIME"}
STOP_SECONDS = 30


class Local(Client):
    """A private server and its client. It ends with `close`, with the block that it is opened in,
    and with this process, however that ends."""

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        demo: bool,
        settings: dict[str, str | int | bool],
        timeout: float,
        retry: Retry | None,
    ) -> None:
        folder = tempfile.TemporaryDirectory(prefix="nsfl-") if path is None else None
        where = Path(folder.name if folder else path or "")
        where.mkdir(parents=True, exist_ok=True)
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("NSFL_") or name in KEPT_VARIABLES
        }
        key, environment["NSFL_KEYS"] = _new_key(environment)
        arguments = ["--collections", str(where), "--listen", "127.0.0.1:0", "--log", "off"]
        if demo:
            arguments.append("--demo")
        for name, value in settings.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            arguments.append(f"--{name.replace('_', '-')}={text}")
        try:
            self._process, address = _start(arguments, environment)
        except BaseException:
            if folder is not None:
                folder.cleanup()
            raise
        self._stop = weakref.finalize(self, _stop, self._process, folder, os.getpid())
        super().__init__(
            address,
            key=key,
            timeout=timeout,
            retry=retry,
            http=httpx.Client(trust_env=False),  # no proxy stands before this machine
        )

    @property
    def pid(self) -> int:
        """The id of the server's process."""
        return self._process.pid

    def close(self) -> None:
        """Stop the server. What was stored under a path stays there."""
        super().close()
        self._stop()


def local(
    path: str | os.PathLike[str] | None = None,
    *,
    demo: bool = False,
    timeout: float = 120,
    retry: Retry | None = None,
    **settings: str | int | bool,
) -> Local:
    """Start a private server with the collections of a directory, which is made if need be.

    Without a path the collections are in a temporary directory and end with the server. With
    `demo` there is also the built-in collection, demo. Settings are those of nsfl serve, such as
    search_time="5s". Any number of servers can run at once.
    """
    return Local(path, demo, settings, timeout, retry)


def _new_key(environment: dict[str, str]) -> tuple[str, str]:
    """A key for all, and the line by which a server knows it."""
    made = subprocess.run(
        [binary(), "serve", "key", "--role", "admin"],
        env=environment,
        capture_output=True,
        text=True,
    )
    if made.returncode != 0:
        raise LocalError(f"{binary()} makes no key: {made.stderr.strip()}")
    return made.stdout.strip(), made.stderr.strip().splitlines()[-1]


def _start(arguments: list[str], environment: dict[str, str]) -> tuple[subprocess.Popen[str], str]:
    """A server that listens, and its address."""
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            [binary(), "serve", "--until-eof", *arguments],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            # Ctrl-C in a terminal or a notebook is meant for Python.
            start_new_session=True,
            creationflags=_NO_WINDOW,
        )
        line = _output(process).readline()  # when it listens, or the end when it cannot
        if not line:
            process.communicate()
            said.seek(0)
            raise LocalError(f"the server did not start: {said.read().strip()}")
    return process, line.removeprefix("nsfl serves ").partition(";")[0]


_NO_WINDOW = 0
if sys.platform == "win32":
    _NO_WINDOW = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP


def _output(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout is not None
    return process.stdout


def _stop(
    process: subprocess.Popen[str], folder: tempfile.TemporaryDirectory[str] | None, owner: int
) -> None:
    if os.getpid() != owner:  # a fork of who started it
        return
    assert process.stdin is not None
    process.stdin.close()  # which is what it waits for
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    _output(process).close()
    if folder is not None:
        folder.cleanup()
