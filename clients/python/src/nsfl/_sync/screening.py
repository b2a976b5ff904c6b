"""A screening: decisions about which documents of a collection a review includes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

from nsfl.models import DecisionAnswer, ScreeningRecord, ScreeningState

if TYPE_CHECKING:
    from nsfl._sync.http import Http


class Screening:
    """A screening. People who decide at the same time never get the same record.

    `person` says who decides. It defaults to the note of the key; a server without keys needs it.
    """

    def __init__(self, http: Http, collection: str, name: str) -> None:
        self._http = http
        self.name = name
        self._path = f"{collection}/screenings/{quote(name, safe='')}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def state(self) -> ScreeningState:
        """Return the formula, the counts, and whether enough has been read."""
        return self._http.ask(ScreeningState, "GET", self._path)

    def next(self, *, person: str | None = None, sample: bool = False) -> ScreeningRecord:
        """Reserve the next record for a person: the likeliest unread one, or with `sample` a random
        one. Its `record` is None if every record is read or reserved for somebody else."""
        body = {"person": person, "sample": sample}
        return self._http.ask(ScreeningRecord, "POST", f"{self._path}/next", json=body)

    def decide(
        self,
        record: str,
        label: Literal["include", "exclude", "unsure"],
        *,
        person: str | None = None,
        reason: str | None = None,
        sample: bool = False,
    ) -> DecisionAnswer:
        """Store a decision about the record with this id. It is on disk afterwards."""
        return self._decide(
            record=record, label=label, person=person, reason=reason, sample=sample
        )

    def undo(self, record: str | None = None, *, person: str | None = None) -> DecisionAnswer:
        """Take back the person's decision about a record, or the last one."""
        return self._decide(record=record, label="undone", person=person)

    def export(self, format: Literal["csv", "ris", "svg", "md"] = "csv") -> str:
        """Return all records as CSV, the included ones as RIS, the PRISMA flow as SVG, or the
        search appendix as Markdown."""
        path = f"{self._path}/export?format={quote(format)}"
        return self._http.send(bytes.decode, "GET", path)

    def _decide(self, **body: Any) -> DecisionAnswer:
        return self._http.ask(
            DecisionAnswer, "POST", f"{self._path}/decisions", repeatable=False, json=body
        )
