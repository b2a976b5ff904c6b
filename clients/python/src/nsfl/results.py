"""Search results."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, overload

from nsfl.frames import needed
from nsfl.models import Answer, Explanation, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas
    import polars


class Results(Answer):
    """The response to a search: a sequence of hits, best first, and details of the search."""

    def __iter__(self) -> Iterator[Hit]:  # type: ignore[override]  # BaseModel's has the fields
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __bool__(self) -> bool:
        return bool(self.hits)

    @overload
    def __getitem__(self, at: int) -> Hit: ...
    @overload
    def __getitem__(self, at: slice) -> list[Hit]: ...
    def __getitem__(self, at: int | slice) -> Hit | list[Hit]:
        return self.hits[at]

    def rows(self) -> list[dict[str, Any]]:
        """Return the hits as flat rows. A metadata field whose name clashes with a column gets the
        prefix metadata."""
        rows = []
        for hit in self.hits:
            row: dict[str, Any] = {
                "rank": hit.rank,
                "id": hit.id,
                "score": hit.score,
                "probability": hit.probability,
                "title": hit.title,
                "text": hit.snippet.text,
            }
            fields = {f"metadata.{n}" if n in row else n: v for n, v in hit.metadata.items()}
            rows.append(row | fields)
        return rows

    def explanations(self) -> list[dict[str, Any]]:
        """Return the explanations of scores as flat rows. A score is the sum of vectors and words;
        S are similarities, Δ the contributions of fusions, gate and penalty those of negated atoms,
        words the lexical scores of atoms, floor the noise floors that applied."""
        rows = []
        for hit in self.hits:
            if not (why := hit.explanation):
                continue
            vectors = why.words.vectors if why.words else hit.score
            row: dict[str, Any] = {
                "rank": hit.rank,
                "id": hit.id,
                "document": hit.title or hit.snippet.text,
                "score": hit.score,
                "vectors": vectors,
                "words": hit.score - vectors,
                "floor": ", ".join(_floors(why)),
            }
            atoms = why.words.atoms if why.words else []
            rows.append(row | _parts(why) | {f"words {a.formula}": a.value for a in atoms})
        if self.hits and not rows:
            raise ValueError("the results have no explanations: search with explain=True")
        return rows

    def to_pandas(self) -> pandas.DataFrame:
        """Return the hits as a pandas DataFrame."""
        return needed("pandas").DataFrame(self.rows())  # type: ignore[no-any-return]

    def to_polars(self) -> polars.DataFrame:
        """Return the hits as a polars DataFrame."""
        return needed("polars").DataFrame(  # type: ignore[no-any-return]
            self.rows(), infer_schema_length=None, strict=False
        )

    def __repr__(self) -> str:
        return f"Results({self.formula!r}, {len(self)} of {self.ranked} ranked)"

    def __str__(self) -> str:
        lines = [f"{self.formula}  {self.filter or ''}".rstrip()]
        for hit in self.hits:
            title = hit.title or hit.snippet.text
            lines.append(f"{hit.rank:3d}  {hit.score:+.3f}  {' '.join(title.split())[:80]}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Render the results in a notebook."""
        compared = any(hit.plain_rank for hit in self.hits)
        rows = ""
        for hit in self.hits:
            title = f"<b>{escape(hit.title)}</b><br>" if hit.title else ""
            chance = f"{hit.probability:.0%}" if hit.probability is not None else ""
            plain = f"<td>{hit.plain_rank or ''}</td>" if compared else ""
            rows += (
                f"<tr><td>{hit.rank}</td>{plain}<td>{hit.score:+.3f}</td><td>{chance}</td>"
                f'<td style="text-align:left">{title}{escape(hit.snippet.text)}</td></tr>'
            )
        plain = "<th>plain</th>" if compared else ""
        head = f"<tr><th></th>{plain}<th>score</th><th>relevant</th><th></th></tr>"
        return f"<p><code>{escape(self.formula)}</code></p><table>{head}{rows}</table>"


def _parts(of: Explanation) -> dict[str, float]:
    """Return the parts of a score, innermost first."""
    row: dict[str, float] = {}
    for part in of.parts:
        row |= _parts(part)
    row |= {f"S {s.formula}": s.value for s in of.similarities if not s.scored}
    row |= {f"Δ {delta.of}": delta.value for delta in of.deltas if delta.used}
    for gate in of.gates:
        row |= {f"gate {gate.of}": gate.value, f"penalty {gate.of}": gate.penalty}
    return row


def _floors(of: Explanation) -> list[str]:
    """Return the noise floors that applied, and to which parts."""
    own = [f"{gate.floor} of {gate.of}" for gate in of.gates if gate.floor]
    if of.floor and not own:
        own = [f"{of.floor} of {of.formula}"]
    return [floor for part in of.parts for floor in _floors(part)] + own
