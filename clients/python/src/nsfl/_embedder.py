"""A model that lives in this process, as an encoder for a private server."""

from __future__ import annotations

import hmac
import json
import math
import secrets
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.embeddings import Embeddings
    from typing_extensions import Self

# By these the server tells queries from documents, which not all models encode alike.
QUERY, DOCUMENT = "query:", "document:"
STOP_SECONDS = 0.1  # in which it sees that it is to end
ALIKE = 0.9999  # the cosine from which on two vectors are the same


class Embedder:
    """Embeddings of LangChain behind an address of this machine, in OpenAI's form."""

    def __init__(self, embeddings: Embeddings) -> None:
        self.key = secrets.token_urlsafe()
        self._embeddings = embeddings
        self._one_at_a_time = threading.Lock()  # not all models can be used by several threads
        one, [other] = embeddings.embed_query(QUERY), embeddings.embed_documents([QUERY])
        self.dimension = len(one)
        self._alike = _cosine(one, other) > ALIKE
        self._listening = _Listening(self)
        threading.Thread(
            target=self._listening.serve_forever, args=[STOP_SECONDS], daemon=True
        ).start()

    @property
    def word(self) -> str:
        """The encoder, as the server calls it."""
        model = quote(type(self._embeddings).__name__, safe="")
        prefixes = f"query={QUERY}&document={DOCUMENT}&passage={DOCUMENT}"
        return f"http://127.0.0.1:{self._listening.server_port}/v1?{prefixes}#{model}"

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors of texts, all of them queries or all documents."""
        with self._one_at_a_time:
            plain = [_plain(text) for text in texts]
            if self._alike or texts[0].startswith(DOCUMENT):
                found = self._embeddings.embed_documents(plain)
            else:
                found = [self._embeddings.embed_query(text) for text in plain]
        return [[float(x) for x in vector] for vector in found]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.shutdown()
        self._listening.server_close()


class _Listening(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.embedder = embedder

    def handle_error(self, *_: object) -> None:
        """A server that does not wait for its answer any more is no error."""


class _Request(BaseHTTPRequestHandler):
    server: _Listening

    def do_POST(self) -> None:
        embedder = self.server.embedder
        if not hmac.compare_digest(self.headers.get("Authorization", ""), f"Bearer {embedder.key}"):
            return self._refuse(401, "this is for one server alone")
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            vectors = embedder.vectors(body["input"])
        except Exception as e:  # whatever a model may raise
            return self._refuse(422, f"{type(e).__name__}: {e}")
        data = [{"index": i, "embedding": vector} for i, vector in enumerate(vectors)]
        return self._answer(200, {"data": data})

    def _refuse(self, status: int, message: str) -> None:
        self._answer(status, {"error": {"message": message}})

    def _answer(self, status: int, answer: dict[str, Any]) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Requests are not logged."""


def _plain(text: str) -> str:
    for prefix in (QUERY, DOCUMENT):
        if text.startswith(prefix):
            return text[len(prefix) :]
    return text


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    lengths = math.hypot(*a) * math.hypot(*b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0
