"""Retries of requests, with scripted responses."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import httpx
import pytest

import nsfl

if TYPE_CHECKING:
    from collections.abc import Iterator

BUSY = {"title": "Too Many Requests", "status": 429, "code": "busy", "detail": "too much at once"}
DOWN = {"title": "Unavailable", "status": 503, "code": "unavailable", "detail": "try again"}
DONE = b'{"type": "done", "line": 1, "documents": 1, "failed": 0, "cut": 0, "ok": true}\n'
EMPTY: dict[str, list[str]] = {"collections": []}


def refused(problem: dict[str, object], after: str | None = None) -> httpx.Response:
    headers = {"Content-Type": "application/problem+json"}
    if after:
        headers["Retry-After"] = after
    return httpx.Response(int(str(problem["status"])), json=problem, headers=headers)


class Script:
    """A server with a list of responses."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, *answers: httpx.Response | Exception
    ) -> None:
        self.answers = list(answers)
        self.bodies: list[bytes] = []
        self.pauses: list[float] = []
        monkeypatch.setattr(time, "sleep", self.pauses.append)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.bodies.append(request.content)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def client(self, retry: nsfl.Retry | None = None) -> nsfl.Client:
        return nsfl.Client(retry=retry, http=httpx.Client(transport=httpx.MockTransport(self)))


def test_comes_back_when_the_server_says(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [refused(BUSY, "7"), refused(DOWN, "1"), refused(BUSY, "soon")]
    script = Script(monkeypatch, *answers, httpx.Response(200, json=EMPTY))
    assert script.client().collections() == []
    assert script.pauses[:2] == [7, 1]
    assert 0 < script.pauses[2] <= 0.8


def test_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script(monkeypatch, *[refused(BUSY, "1") for _ in range(4)])
    with pytest.raises(nsfl.BusyError):
        script.client(nsfl.Retry(times=3)).collections()
    assert len(script.pauses) == 3

    script = Script(monkeypatch, refused(BUSY, "7"), refused(BUSY, "7"))
    with pytest.raises(nsfl.BusyError):
        script.client(nsfl.Retry(patience=10)).collections()
    assert script.pauses == [7]


def test_other_refusals_are_final(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = {"title": "Not Found", "status": 404, "code": "not_found", "detail": "no"}
    with pytest.raises(nsfl.NotFoundError):
        Script(monkeypatch, refused(problem)).client().collections()
    with pytest.raises(nsfl.UnavailableError):  # permanently
        Script(monkeypatch, refused(DOWN)).client().collections()
    with pytest.raises(nsfl.ProblemError):  # from a newer server
        Script(monkeypatch, refused({**problem, "code": "new"})).client().collections()


def test_broken_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = httpx.RemoteProtocolError("gone")
    script = Script(monkeypatch, broken, httpx.Response(200, json=EMPTY))
    assert script.client().collections() == []
    script = Script(monkeypatch, broken)
    with pytest.raises(nsfl.UnreachableError):  # the request may have been carried out
        script.client().create("notes")


def test_a_batch_is_sent_again_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_off = httpx.Response(200, content=b'{"type": "stored", "line": 1, "documents": 1,')
    early = httpx.Response(200, content=DONE.replace(b"done", b"stored"))
    late = DONE.replace(b"true", b'false, "error": ' + httpx.Response(503, json=DOWN).content)
    script = Script(
        monkeypatch, early, httpx.Response(200, content=late), httpx.Response(200, content=DONE)
    )
    assert script.client().collection("notes").add(iter(["a text"])) == 1
    assert script.bodies == [b'{"text": "a text"}\n'] * 3
    with pytest.raises(nsfl.AnswerError):
        Script(monkeypatch, cut_off).client().collection("notes").add("a text")


def test_not_a_server_of_nsfl(monkeypatch: pytest.MonkeyPatch) -> None:
    for answer in (httpx.Response(404, text="<html>"), httpx.Response(200, text="<html>")):
        with pytest.raises(nsfl.AnswerError, match="is it an nsfl server"):
            Script(monkeypatch, answer).client().collections()


def test_large_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer without end is not read to its end."""
    read = 0

    class Endless(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            nonlocal read
            while True:
                read += 1
                yield b" " * 1000

    monkeypatch.setattr("nsfl._sync.http.MAX_ANSWER", 10_000)
    script = Script(monkeypatch, httpx.Response(200, stream=Endless()))
    with pytest.raises(nsfl.AnswerError, match="more than 10000 bytes"):
        script.client().collections()
    assert read < 20
