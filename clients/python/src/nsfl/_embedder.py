"""A model in this process, as the encoder of a private server."""

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

# Prefixes that tell queries from documents, which some models encode differently.
QUERY, DOCUMENT = "query:", "document:"
STOP_SECONDS = 0.1  # how often it checks whether to stop
ALIKE = 0.9999  # cosine above which two vectors count as the same


class Embedder:
    """Serves LangChain embeddings on a local address with OpenAI's API."""

    def __init__(self, embeddings: Embeddings) -> None:
        self.key = secrets.token_urlsafe()
        self._embeddings = embeddings
        self._one_at_a_time = threading.Lock()  # not all models are thread-safe
        one, [other] = embeddings.embed_query(QUERY), embeddings.embed_documents([QUERY])
        self.dimension = len(one)
        self._alike = _cosine(one, other) > ALIKE
        self._listening = _Listening(self)
        threading.Thread(
            target=self._listening.serve_forever, args=[STOP_SECONDS], daemon=True
        ).start()

    @property
    def word(self) -> str:
        """The encoder name for the server."""
        model = quote(type(self._embeddings).__name__, safe="")
        prefixes = f"query={QUERY}&document={DOCUMENT}&passage={DOCUMENT}"
        return f"http://127.0.0.1:{self._listening.server_port}/v1?{prefixes}#{model}"

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Encode texts, which are all queries or all documents."""
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
        """Ignore a server that no longer waits for its response."""


class _Request(BaseHTTPRequestHandler):
    server: _Listening

    def do_POST(self) -> None:
        embedder = self.server.embedder
        if not hmac.compare_digest(self.headers.get("Authorization", ""), f"Bearer {embedder.key}"):
            return self._refuse(401, "only the private server may use this")
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
        """Do not log requests."""


def _plain(text: str) -> str:
    for prefix in (QUERY, DOCUMENT):
        if text.startswith(prefix):
            return text[len(prefix) :]
    return text


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    lengths = math.hypot(*a) * math.hypot(*b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0
