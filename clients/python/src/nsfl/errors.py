"""Errors, with one class for each error code of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from nsfl.models import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nsfl.models import Syntax


class NsflError(Exception):
    """Base class of all errors of this package."""


class UnreachableError(NsflError):
    """The server cannot be reached, or the connection to it broke."""


class AnswerError(NsflError):
    """The response is not that of an nsfl server."""


class LocalError(NsflError):
    """A private server could not be started, or has ended."""


class ProblemError(NsflError):
    """The server refused a request. `code` is the reason for programs, `detail` for people."""

    by_code: ClassVar[dict[str, type[ProblemError]]] = {}

    def __init__(self, problem: Problem) -> None:
        self.code: str = problem.code
        self.status: int = problem.status
        self.detail: str = problem.detail
        self.request_id: str | None = problem.request_id
        self.syntax: Syntax | None = problem.syntax
        self.retry_after: str | None = None  # the server's Retry-After header
        super().__init__(problem)

    def __init_subclass__(cls, *, code: str) -> None:
        ProblemError.by_code[code] = cls

    def __str__(self) -> str:
        return self.detail

    @staticmethod
    def of(problem: Problem) -> ProblemError:
        """Return the error for a problem, a plain ProblemError if its code is unknown."""
        return ProblemError.by_code.get(problem.code, ProblemError)(problem)


class QuerySyntaxError(ProblemError, code="syntax"):
    """The query is not a valid formula. `syntax` has the position."""

    def __str__(self) -> str:
        return f"{self.detail}\n{self.syntax.caret}" if self.syntax else self.detail


class InvalidError(ProblemError, code="invalid"):
    """The request is invalid."""


class UnauthorizedError(ProblemError, code="unauthorized"):
    """The key is missing, unknown, revoked or expired."""

    def __str__(self) -> str:
        return f"{self.detail}; give one as key=…, or in $NSFL_KEY"


class ForbiddenError(ProblemError, code="forbidden"):
    """The key lacks the required role."""


class QuotaError(ProblemError, code="quota"):
    """The collection would exceed its quota; nothing of the batch was stored."""


class NotFoundError(ProblemError, code="not_found"):
    """No such collection, document or path."""

    @staticmethod
    def missing(detail: str) -> NotFoundError:
        """Return the error for a failed lookup."""
        return NotFoundError(
            Problem(title="Not Found", status=404, code="not_found", detail=detail)
        )


class MethodError(ProblemError, code="method"):
    """The path does not support the method: client and server versions differ."""


class ExistsError(ProblemError, code="exists"):
    """The collection already exists."""


class GoneError(ProblemError, code="gone"):
    """The file of the document has changed or cannot be read; index it again."""


class TooLargeError(ProblemError, code="too_large"):
    """The body exceeds the server's limit; send less at once."""


class MediaTypeError(ProblemError, code="media_type"):
    """The content type is not supported: client and server versions differ."""


class ReadOnlyError(ProblemError, code="read_only"):
    """The collection is read-only: it is open for writing elsewhere, or is the demo."""


class BusyError(ProblemError, code="busy"):
    """The server is busy or the rate limit was exceeded, even after retries."""


class CancelledError(ProblemError, code="cancelled"):
    """The client disconnected."""


class InternalError(ProblemError, code="internal"):
    """A server error; look for `request_id` in the server's log."""


class EncoderError(ProblemError, code="encoder"):
    """The collection's encoder failed."""


class UnavailableError(ProblemError, code="unavailable"):
    """The server is shutting down, or the collection cannot be opened."""


class TookTooLongError(ProblemError, code="timeout"):
    """The request exceeded its time limit."""


class FullError(ProblemError, code="full"):
    """No space is left on the server's disk."""


class Failed:
    """A document that was not stored: its index from 0, its id, and the error."""

    def __init__(self, index: int, id: str | None, error: ProblemError) -> None:
        self.index = index
        self.id = id
        self.error = error

    def __repr__(self) -> str:
        return f"Failed(index={self.index}, id={self.id!r}, error={str(self.error)!r})"


class NotStoredError(NsflError):
    """Some documents were not stored; all others were. `failed` lists them."""

    def __init__(self, stored: int, failed: Sequence[Failed]) -> None:
        self.stored = stored
        self.failed = list(failed)
        super().__init__(stored, failed)

    def __str__(self) -> str:
        first = self.failed[0]
        which = f"number {first.index}" + (f", {first.id!r}" if first.id else "")
        return (
            f"{len(self.failed)} of {self.stored + len(self.failed)} documents were not stored; "
            f"the first is {which}: {first.error}"
        )
