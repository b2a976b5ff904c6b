"""Errors, one class for each code that the server gives a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from nsfl.models import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nsfl.models import Syntax


class NsflError(Exception):
    """Whatever goes wrong between this client and a server."""


class UnreachableError(NsflError):
    """The server cannot be reached, or the connection to it broke."""


class AnswerError(NsflError):
    """What answered does not speak as a server of nsfl does."""


class LocalError(NsflError):
    """A private server could not be started, or has ended."""


class ProblemError(NsflError):
    """The server refused a request. `code` says why for programs, `detail` for people."""

    by_code: ClassVar[dict[str, type[ProblemError]]] = {}

    def __init__(self, problem: Problem) -> None:
        self.code: str = problem.code
        self.status: int = problem.status
        self.detail: str = problem.detail
        self.request_id: str | None = problem.request_id
        self.syntax: Syntax | None = problem.syntax
        self.retry_after: str | None = None  # where the server says to come back, in seconds
        super().__init__(problem)

    def __init_subclass__(cls, *, code: str) -> None:
        ProblemError.by_code[code] = cls

    def __str__(self) -> str:
        return self.detail

    @staticmethod
    def of(problem: Problem) -> ProblemError:
        """The error of a problem; of a code that is not known here, this class itself."""
        return ProblemError.by_code.get(problem.code, ProblemError)(problem)


class QuerySyntaxError(ProblemError, code="syntax"):
    """The query is not a formula. `syntax` says where."""

    def __str__(self) -> str:
        return f"{self.detail}\n{self.syntax.caret}" if self.syntax else self.detail


class InvalidError(ProblemError, code="invalid"):
    """The request is not understood, or has no meaning."""


class UnauthorizedError(ProblemError, code="unauthorized"):
    """There is no key, or one that is unknown, revoked or expired."""

    def __str__(self) -> str:
        return f"{self.detail}; give one as key=…, or in $NSFL_KEY"


class ForbiddenError(ProblemError, code="forbidden"):
    """The key's role is not enough."""


class QuotaError(ProblemError, code="quota"):
    """The collection would hold more than it may; nothing of the batch was stored."""


class NotFoundError(ProblemError, code="not_found"):
    """There is no such collection, document or kept search."""

    @staticmethod
    def missing(detail: str) -> NotFoundError:
        """The error for what a lookup has not found."""
        return NotFoundError(
            Problem(title="Not Found", status=404, code="not_found", detail=detail)
        )


class MethodError(ProblemError, code="method"):
    """The path has other methods: client and server are of different versions."""


class ExistsError(ProblemError, code="exists"):
    """There is such a collection already."""


class GoneError(ProblemError, code="gone"):
    """The search was kept, and is not any more; search again."""


class TooLargeError(ProblemError, code="too_large"):
    """The body is above the server's limit; send less at once."""


class MediaTypeError(ProblemError, code="media_type"):
    """Another type of content is needed: client and server are of different versions."""


class ReadOnlyError(ProblemError, code="read_only"):
    """The collection can only be read: it is open for writing elsewhere, or is the demo."""


class BusyError(ProblemError, code="busy"):
    """Too much at once or too often, however often this client came back."""


class CancelledError(ProblemError, code="cancelled"):
    """The server saw the client go."""


class InternalError(ProblemError, code="internal"):
    """A fault of the server; its log has it under `request_id`."""


class EncoderError(ProblemError, code="encoder"):
    """The collection's encoder could not be asked."""


class UnavailableError(ProblemError, code="unavailable"):
    """The server is shutting down, or the collection cannot be opened."""


class TookTooLongError(ProblemError, code="timeout"):
    """The request took longer than its kind may."""


class FullError(ProblemError, code="full"):
    """No space is left on the server's disk."""


class Failed:
    """A document that was not stored: which one it was, counted from 0, its id, and why."""

    def __init__(self, index: int, id: str | None, error: ProblemError) -> None:
        self.index = index
        self.id = id
        self.error = error

    def __repr__(self) -> str:
        return f"Failed(index={self.index}, id={self.id!r}, error={str(self.error)!r})"


class NotStoredError(NsflError):
    """Some documents were not stored; all others were. `failed` has each of them."""

    def __init__(self, stored: int, failed: Sequence[Failed]) -> None:
        self.stored = stored
        self.failed = list(failed)
        super().__init__(stored, failed)

    def __str__(self) -> str:
        first = self.failed[0]
        which = f"number {first.index}" + (f", {first.id!r}" if first.id else "")
        return (
            f"{len(self.failed)} of {self.stored + len(self.failed)} documents were not stored; "
            f"the first of them, {which}: {first.error}"
        )
