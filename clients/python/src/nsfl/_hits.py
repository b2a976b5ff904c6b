"""A hit in the terms that frameworks share: a text, and metadata beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nsfl.models import Hit


# A chain asks in a person's words, and reads what it gets as a whole.
DEFAULTS: dict[str, Any] = {"nl": "auto", "text": "passage"}


def text_of(hit: Hit) -> str:
    """All of the document where that was asked for, else the passage that matched."""
    return hit.text or hit.snippet.text


def metadata_of(hit: Hit) -> dict[str, Any]:
    """The document's own fields, and what the search knows where they do not say it."""
    known = {"title": hit.title, "score": hit.score, "rank": hit.rank}
    if hit.probability is not None:
        known["probability"] = hit.probability
    return {**{name: value for name, value in known.items() if value is not None}, **hit.metadata}
