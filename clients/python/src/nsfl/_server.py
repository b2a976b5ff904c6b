"""The process of a private server."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tempfile
import threading
from typing import IO, TYPE_CHECKING

from nsfl.errors import LocalError
from nsfl_command import binary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import ExitStack

# Settings for other servers must not affect this one.
KEPT_VARIABLES = {"NSFL_API_KEY", "NSFL_CACHE", "NSFL_MODELS", "NSFL_ONNXRUNTIME"}
ALWAYS = ["--until-eof", "--listen=127.0.0.1:0", "--log=problems"]
STOP_SECONDS = 30
DEATH_SECONDS = 1  # between closing its sockets and the end of a process
SAID_BYTES, SAID_LINES = 1 << 20, 20
CRASH = re.compile("panic: |fatal error: |SIG[A-Z]+: |runtime: ")

_NO_WINDOW = 0
if sys.platform == "win32":
    _NO_WINDOW = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP


class Server:
    """A server on a free port of this machine, with its own key. It stops with `stop`, or with this
    process, and then releases its resources."""

    def __init__(
        self, arguments: Sequence[str], variables: Mapping[str, str], needed: ExitStack
    ) -> None:
        self._owner = os.getpid()
        self._reading = threading.Lock()
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("NSFL_") or name in KEPT_VARIABLES
        }
        with needed.pop_all() as undone:
            command = _binary()
            self.key, environment["NSFL_KEYS"] = _new_key(command, environment)
            # Append mode: reading the output must not move the write position.
            self._said = undone.enter_context(tempfile.TemporaryFile("a+b"))  # noqa: SIM115
            self.process = subprocess.Popen(
                [command, "serve", *ALWAYS, *arguments],
                env={**environment, **variables},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                # Ctrl-C in a terminal or notebook is for Python only.
                start_new_session=True,
                creationflags=_NO_WINDOW,
            )
            line = self._output.readline().decode()  # printed once it listens; empty if it cannot
            if not line:
                self.process.communicate()
                raise LocalError(f"the server did not start: {self.said()}")
            self.address = line.removeprefix("nsfl serves ").partition(";")[0]
            self._needed = undone.pop_all()

    @property
    def _output(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout

    def said(self) -> str:
        """Return the last lines of its log, or the first lines of a crash."""
        with self._reading:
            self._said.seek(0, os.SEEK_END)
            self._said.seek(-min(SAID_BYTES, self._said.tell()), os.SEEK_END)
            lines = self._said.read().decode(errors="replace").splitlines()
        crashed = next((i for i, line in enumerate(lines) if CRASH.match(line)), None)
        lines = lines[-SAID_LINES:] if crashed is None else lines[crashed : crashed + SAID_LINES]
        return "\n".join(lines)

    def why(self, request: str | None) -> str:
        """Return the log lines about a failed request."""
        for line in reversed(self.said().splitlines()):
            if f"request_id={request} " in line:
                error = line.partition(" error=")[2]
                return str(ast.literal_eval(error)) if error.startswith('"') else error
        return ""

    def end(self) -> str:
        """Describe how the server ended; empty if it is running, or in a fork."""
        if os.getpid() != self._owner:
            return ""
        try:
            status = self.process.wait(DEATH_SECONDS)
        except subprocess.TimeoutExpired:
            return ""
        return f"the server ended with status {status}; start another with nsfl.local()" + (
            f". Its output:\n{said}" if (said := self.said()) else ""
        )

    def stop(self) -> None:
        """Stop the server and wait for its end."""
        if os.getpid() != self._owner:
            return
        assert self.process.stdin is not None
        self.process.stdin.close()  # this stops the server
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._output.close()
        self._needed.close()


def _binary() -> str:
    try:
        return binary()
    except FileNotFoundError as e:
        raise LocalError(str(e)) from e


def _new_key(command: str, environment: Mapping[str, str]) -> tuple[str, str]:
    """Create a key with all permissions, and its line for the server."""
    try:
        made = subprocess.run(
            [command, "serve", "key", "--role", "admin"],
            env=environment,
            capture_output=True,
            text=True,
        )
    except OSError as e:
        raise LocalError(
            f"{command} cannot be run: {e}; install a wheel for this machine, or set another "
            "binary in $NSFL_BIN"
        ) from e
    if made.returncode != 0:
        raise LocalError(f"{command} could not create a key: {made.stderr.strip()}")
    return made.stdout.strip(), made.stderr.strip().splitlines()[-1]
