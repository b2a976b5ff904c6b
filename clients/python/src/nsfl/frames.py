"""Optional support for pandas and polars DataFrames."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def needed(module: str) -> Any:
    """Import an optional dependency."""
    try:
        return importlib.import_module(module)
    except ImportError as e:
        raise ImportError(f"this requires {module}: pip install 'nsfl[{module}]'") from e


def documents_of(
    frame: Any,
    *,
    text: str | None,
    title: str | None,
    id: str | None,
    metadata: Sequence[str] | None,
) -> Iterator[dict[str, Any]]:
    """Convert the rows of a frame to documents. Wrong column names fail immediately."""
    columns = [str(column) for column in frame.columns]
    own = {"text": text, "title": title, "id": id}
    if text is None and title is None:
        raise ValueError("give the column with the text as text=…, or with the title as title=…")
    for name in [*own.values(), *(metadata or [])]:
        if name is not None and name not in columns:
            raise ValueError(f"no column {name!r}; the columns are {', '.join(columns)}")
    kept = [c for c in columns if c not in own.values()] if metadata is None else list(metadata)
    return _documents(frame, columns, own, kept)


def _documents(
    frame: Any, columns: list[str], own: dict[str, str | None], kept: list[str]
) -> Iterator[dict[str, Any]]:
    is_polars = hasattr(frame, "iter_rows")
    rows = frame.iter_rows() if is_polars else frame.itertuples(index=False, name=None)
    for row in rows:
        cells = {c: value for c, value in zip(columns, row, strict=True) if not _is_empty(value)}
        document: dict[str, Any] = {
            name: str(cells[column]) for name, column in own.items() if column in cells
        }
        if fields := {column: cells[column] for column in kept if column in cells}:
            document["metadata"] = fields
        yield document


def _is_empty(value: Any) -> bool:
    """Return whether a cell is None, NaN, NaT or NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value
