"""Hits as text and metadata, the form that frameworks share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nsfl.models import Hit


# Chains read the whole text of a result.
DEFAULTS: dict[str, Any] = {"text": "passage"}


def text_of(hit: Hit) -> str:
    """Return the whole text if it was requested, otherwise the passage that matched."""
    return hit.text or hit.snippet.text


def metadata_of(hit: Hit) -> dict[str, Any]:
    """Return the document's metadata, plus title, score and rank unless it has them."""
    known = {"title": hit.title, "score": hit.score, "rank": hit.rank}
    if hit.probability is not None:
        known["probability"] = hit.probability
    return {**{name: value for name, value in known.items() if value is not None}, **hit.metadata}
