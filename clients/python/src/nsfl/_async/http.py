"""Requests, responses and retries."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any, TypeVar

import httpx
from pydantic import ValidationError

from nsfl._addresses import is_loopback
from nsfl._model import Model
from nsfl._pace import Pace, Retry
from nsfl._version import __version__
from nsfl.errors import AnswerError, NsflError, ProblemError, UnreachableError
from nsfl.models import BulkLine, FileLine, Problem

if TYPE_CHECKING:
    from collections.abc import Callable

M = TypeVar("M", bound=Model)
L = TypeVar("L", BulkLine, FileLine)
T = TypeVar("T")

KEY_VARIABLE = "NSFL_KEY"
MAX_ANSWER = 256 << 20  # bytes


class AsyncHttp:
    """The connection to one server, shared by all parts of the client."""

    def __init__(
        self,
        address: str,
        key: str | None,
        timeout: float,
        retry: Retry,
        http: httpx.AsyncClient | None,
    ) -> None:
        self.address = address.rstrip("/")
        self.key = key if key is not None else os.environ.get(KEY_VARIABLE)
        self._timeout = timeout
        self._retry = retry
        self._given = http
        self._connections = http or self._connect()
        self._process = os.getpid()
        self._headers = {"User-Agent": f"nsfl-python/{__version__}"}
        if self.key:
            self._headers["Authorization"] = f"Bearer {self.key}"

    def _connect(self) -> httpx.AsyncClient:
        # Do not use a proxy for this machine itself.
        return httpx.AsyncClient(trust_env=not is_loopback(self.address))

    def _connected(self) -> httpx.AsyncClient:
        if self._process != os.getpid() and self._given is None:
            # After a fork, the open connections belong to the parent.
            self._connections, self._process = self._connect(), os.getpid()
        if self._connections.is_closed:
            raise NsflError(f"the client of {self.address} is closed; create another")
        return self._connections

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the address of the server; another process opens its own connections."""
        if self._given is not None:
            raise TypeError("a client with http=… cannot be pickled; create one in each process")
        return AsyncHttp, (self.address, self.key, self._timeout, self._retry, None)

    async def close(self) -> None:
        await self._connections.aclose()

    async def ask(self, into: type[M], method: str, path: str, **request: Any) -> M:
        """Send a request and parse the response as a model."""
        return await self.send(lambda content: self._read(into, content), method, path, **request)

    async def tell(self, method: str, path: str, **request: Any) -> None:
        """Send a request with an empty response."""
        await self.send(lambda content: None, method, path, **request)

    async def lines(self, into: type[L], path: str, **request: Any) -> list[L]:
        """Send a request and parse the lines of the response; the last one summarizes."""
        return await self.send(lambda content: self._lines(into, content), "POST", path, **request)

    async def send(
        self,
        read: Callable[[bytes], T],
        method: str,
        path: str,
        *,
        repeatable: bool = True,
        headers: dict[str, str] | None = None,
        timeout: float | None = None,
        **request: Any,
    ) -> T:
        """Send a request, and retry it when the server says to come back. A request that is not
        repeatable is not retried after a broken connection, since it may have been carried out."""
        pace = Pace(self._retry)
        while True:
            try:
                async with self._connected().stream(
                    method,
                    self.address + path,
                    headers={**self._headers, **(headers or {})},
                    timeout=httpx.Timeout(timeout or self._timeout, connect=10),
                    **request,
                ) as response:
                    content = await self._content(response)
                if response.status_code >= 300:
                    raise self._refusal(response, content)
                return read(content)
            except (httpx.InvalidURL, httpx.UnsupportedProtocol) as e:
                raise UnreachableError(
                    f"{self.address} is not a valid address: {e}; write http://HOST:PORT"
                ) from e
            except (httpx.ConnectError, httpx.ConnectTimeout) as e:
                raise UnreachableError(
                    f"no server at {self.address} ({e}); start a server with nsfl serve, "
                    "or use nsfl.local()"
                ) from e
            except httpx.TimeoutException as e:
                raise UnreachableError(
                    f"{self.address} did not answer in time; request less at once, "
                    "or raise timeout=…"
                ) from e
            except httpx.TransportError as e:
                pause = pace.pause(None) if repeatable else None
                if pause is None:
                    raise UnreachableError(f"the connection to {self.address} broke: {e}") from e
            except ProblemError as e:
                pause = pace.pause(e.retry_after) if e.retry_after is not None else None
                if pause is None:
                    raise
            await asyncio.sleep(pause)

    async def _content(self, response: httpx.Response) -> bytes:
        """Read an answer, unless it is larger than any that a server of nsfl gives."""
        content = bytearray()
        async for part in response.aiter_bytes():
            content += part
            if len(content) > MAX_ANSWER:
                raise AnswerError(
                    f"the answer of {self.address} has more than {MAX_ANSWER} bytes; "
                    "ask for less at once"
                )
        return bytes(content)

    def _refusal(self, response: httpx.Response, content: bytes) -> ProblemError | AnswerError:
        if response.headers.get("Content-Type", "").startswith("application/problem+json"):
            error = ProblemError.of(self._read(Problem, content))
            error.retry_after = response.headers.get("Retry-After")
            return error
        return AnswerError(
            f"{self.address} answered {response.status_code} {response.reason_phrase}; "
            "is it an nsfl server?"
        )

    def _lines(self, into: type[L], content: bytes) -> list[L]:
        lines = [self._read(into, line) for line in content.split(b"\n") if line]
        if not lines or lines[-1].type != "done":
            raise httpx.ReadError("the response ends too early")
        if not lines[-1].ok and lines[-1].error:
            error = ProblemError.of(lines[-1].error)
            if error.status in (429, 503):
                error.retry_after = ""  # a stream has no Retry-After header
            raise error
        return lines

    def _read(self, into: type[M], content: bytes) -> M:
        try:
            return into.model_validate_json(content)
        except ValidationError as e:
            raise AnswerError(
                f"cannot parse the response of {self.address}; is it an nsfl server "
                f"of version {__version__} or later? {e}"
            ) from e
