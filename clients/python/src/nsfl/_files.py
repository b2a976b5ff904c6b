"""Files on their way to the server."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nsfl.models import FileLine

Content: TypeAlias = str | os.PathLike[str] | bytes | IO[bytes]
Sendable: TypeAlias = str | os.PathLike[str] | tuple[str, Content]
"""A file: its path, or its name and with it a path, bytes or an open file."""


@dataclass(frozen=True)
class Uploaded:
    """What came of files: how many documents are stored now, of how many files, how many of them
    have a passage longer than the encoder reads, and what was skipped and why, the first 1,000."""

    documents: int
    files: int
    cut: int
    skipped: list[FileLine]


def uploaded(lines: list[FileLine]) -> Uploaded:
    """What the lines of an answer tell."""
    done = lines[-1]
    skipped = [line for line in lines if line.type == "skipped"]
    return Uploaded(done.documents, done.files, done.cut, skipped)


class _Unopened:
    """A file that is open only while it is read, so that there can be any number of them."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def read(self, size: int) -> bytes:
        if self._file is None:
            self._file = open(self._path, "rb")  # noqa: SIM115  # until its end
        if not (read := self._file.read(size)):
            self.seek(0)
        return read

    def seek(self, offset: int) -> None:
        """Begin anew, which is the one place that is asked for."""
        if self._file is not None:
            self._file.close()
            self._file = None


def form(files: Sendable | Iterable[Sendable]) -> list[tuple[str, tuple[str, bytes | IO[bytes]]]]:
    """The parts of an upload. The server tells files by their names without folders."""
    given = [files] if isinstance(files, (str, os.PathLike, tuple)) else list(files)
    if not given:
        raise ValueError("there is no file to be sent")
    parts: dict[str, bytes | IO[bytes]] = {}
    for file in given:
        name, content = file if isinstance(file, tuple) else (os.fspath(file), file)
        name = Path(name).name
        if name in parts:
            raise ValueError(
                f"two files are called {name!r}; send one of them by another name, as "
                f"('another-{name}', path)"
            )
        parts[name] = _part(content)
    return [("file", part) for part in parts.items()]


def _part(content: Content) -> bytes | IO[bytes]:
    if isinstance(content, bytes):
        return content
    if not isinstance(content, (str, os.PathLike)):
        return content if content.seekable() else content.read()  # it may be sent again
    if Path(content).is_dir():
        raise IsADirectoryError(
            f"{os.fspath(content)} is a directory; name its files, such as "
            "sorted(Path(…).glob('*.pdf')), or use the command nsfl index"
        )
    if not Path(content).is_file():
        raise FileNotFoundError(f"there is no file {os.fspath(content)}")
    return _Unopened(content)  # type: ignore[return-value]  # httpx only reads and rewinds
