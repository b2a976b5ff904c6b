"""Private servers and their client."""

from __future__ import annotations

import os
import tempfile
import weakref
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from nsfl._pace import Retry
from nsfl._server import Server
from nsfl._sync.client import Client
from nsfl._sync.http import Http
from nsfl.errors import LocalError, ProblemError, UnreachableError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import httpx

Setting: TypeAlias = str | int | bool | list[str]


class _Http(Http):
    """The connection to a private server. The server lives as long as its client or a collection of
    it is in use."""

    def __init__(self, server: Server, timeout: float, retry: Retry) -> None:
        super().__init__(server.address, server.key, timeout, retry, None)
        self.server = server
        self.stop = weakref.finalize(self, _end, self._connections, server)

    def send(self, *arguments: Any, **request: Any) -> Any:
        try:
            return super().send(*arguments, **request)
        except UnreachableError as e:
            if end := self.server.end():
                raise LocalError(end) from e
            raise
        except ProblemError as e:
            if e.status >= 500 and (why := self.server.why(e.request_id)) not in e.detail:
                e.detail = f"{e.detail}: {why}"
            raise


class Local(Client):
    """A private server and its client, started by `local`. The server stops with `close`, at the
    end of a with block, when neither the client nor a collection of it is in use, and with this
    process, however that ends."""

    _http: _Http

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        settings: Mapping[str, Setting],
        *,
        timeout: float = 120,
        retry: Retry | None = None,
        variables: Mapping[str, str] | None = None,
        needed: ExitStack | None = None,
    ) -> None:
        needed = needed or ExitStack()
        arguments = [f"--collections={_folder(path, needed)}"]
        for name, given in settings.items():
            for value in given if isinstance(given, list) else [given]:
                text = str(value).lower() if isinstance(value, bool) else str(value)
                arguments.append(f"--{name.replace('_', '-')}={text}")
        server = Server(arguments, variables or {}, needed)
        self._http = _Http(server, timeout, retry or Retry())

    def __reduce__(self) -> tuple[Any, ...]:
        # The server belongs to this process; others only connect to it.
        return _asking, (self._http,)

    @property
    def pid(self) -> int:
        """The id of the server's process."""
        return self._http.server.process.pid

    @property
    def problems(self) -> str:
        """The last lines of the server's log, which lists problems."""
        return self._http.server.said()

    def close(self) -> None:
        """Stop the server. Collections under a path persist."""
        self._http.stop()


def local(
    path: str | os.PathLike[str] | None = None,
    *,
    demo: bool = False,
    timeout: float = 120,
    retry: Retry | None = None,
    **settings: Setting,
) -> Local:
    """Start a private server for the collections in a directory, creating it if necessary.

    Without a path the collections are in a temporary directory and are deleted with the server.
    With `demo` there is also the built-in collection, demo. `timeout` and `retry` are those of
    Client; settings are those of nsfl serve, such as search_time="5s". Repeatable settings, such as
    store, accept a list. Any number of servers can run at once.
    """
    return Local(path, {"demo": demo, **settings}, timeout=timeout, retry=retry)


def _folder(path: str | os.PathLike[str] | None, needed: ExitStack) -> str:
    if path is None:
        return needed.enter_context(tempfile.TemporaryDirectory(prefix="nsfl-"))
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise LocalError(f"cannot create the directory for collections: {e}") from e
    return os.fspath(path)


def _end(connections: httpx.Client, server: Server) -> None:
    connections.close()
    server.stop()


def _asking(http: Http) -> Client:
    client = Client.__new__(Client)
    client._http = http
    return client
