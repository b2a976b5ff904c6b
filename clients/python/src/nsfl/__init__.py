"""Boolean search over embeddings that works: the client for nsfl servers.

    with nsfl.local(demo=True) as server:
        print(server.collection("demo").search("dog AND NOT ball", k=3))

nsfl.local() starts a private server; Client and AsyncClient connect to a running one. Formulas can
be written in Python, as A("dog") & ~A("ball"). Errors are NsflErrors. The types of requests and
responses are in nsfl.models.
"""

from nsfl._async.client import AsyncClient
from nsfl._async.collection import AsyncCollection
from nsfl._async.screening import AsyncScreening
from nsfl._files import Uploaded
from nsfl._local import Local, local
from nsfl._pace import Retry
from nsfl._sync.client import Client
from nsfl._sync.collection import Collection
from nsfl._sync.screening import Screening
from nsfl._version import __version__
from nsfl.errors import (
    AnswerError,
    BusyError,
    CancelledError,
    EncoderError,
    ExistsError,
    Failed,
    ForbiddenError,
    FullError,
    GoneError,
    InternalError,
    InvalidError,
    LocalError,
    MediaTypeError,
    MethodError,
    NotFoundError,
    NotStoredError,
    NsflError,
    ProblemError,
    QuerySyntaxError,
    QuotaError,
    ReadOnlyError,
    TookTooLongError,
    TooLargeError,
    UnauthorizedError,
    UnavailableError,
    UnreachableError,
)
from nsfl.formula import A, Formula, all_of, any_of, at_least, example, field, like, says
from nsfl.models import Document, Hit
from nsfl.results import Results
from nsfl_command import binary

__all__ = [
    "A",
    "AnswerError",
    "AsyncClient",
    "AsyncCollection",
    "AsyncScreening",
    "BusyError",
    "CancelledError",
    "Client",
    "Collection",
    "Document",
    "EncoderError",
    "ExistsError",
    "Failed",
    "ForbiddenError",
    "Formula",
    "FullError",
    "GoneError",
    "Hit",
    "InternalError",
    "InvalidError",
    "Local",
    "LocalError",
    "MediaTypeError",
    "MethodError",
    "NotFoundError",
    "NotStoredError",
    "NsflError",
    "ProblemError",
    "QuerySyntaxError",
    "QuotaError",
    "ReadOnlyError",
    "Results",
    "Retry",
    "Screening",
    "TooLargeError",
    "TookTooLongError",
    "UnauthorizedError",
    "UnavailableError",
    "UnreachableError",
    "Uploaded",
    "__version__",
    "all_of",
    "any_of",
    "at_least",
    "binary",
    "example",
    "field",
    "like",
    "local",
    "says",
]
