"""Writes src/nsfl/_sync from src/nsfl/_async: python tools/make_sync.py."""

import re
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "nsfl"

# Longer patterns come first.
WORDS = {
    "tools/make_sync.py generates nsfl._sync from this": "Made by tools/make_sync.py; do not edit",
    "async def": "def",
    "async for": "for",
    "async with": "with",
    "await ": "",
    "import asyncio": "import time",
    "asyncio.sleep": "time.sleep",
    "httpx.AsyncClient": "httpx.Client",
    "nsfl._async": "nsfl._sync",
    "AsyncClient": "Client",
    "AsyncScreening": "Screening",
    "AsyncCollection": "Collection",
    "AsyncDocuments": "Documents",
    "AsyncHttp": "Http",
    "AsyncIterator": "Iterator",
    " | AsyncIterable[Storable]": "",
    "AsyncIterable, ": "",
    "aclose": "close",
    "aiter_bytes": "iter_bytes",
    "aeach": "each",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "__aiter__": "__iter__",
}
PATTERN = re.compile("|".join(map(re.escape, WORDS)))


def made() -> dict[Path, str]:
    """Return the generated files and their contents."""
    return {
        PACKAGE / "_sync" / source.name: PATTERN.sub(
            lambda m: WORDS[m.group()], source.read_text(encoding="utf-8")
        )
        for source in sorted((PACKAGE / "_async").glob("*.py"))
    }


if __name__ == "__main__":
    for path, text in made().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
