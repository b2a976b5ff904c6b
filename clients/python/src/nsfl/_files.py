"""Uploading of files."""

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
"""A file: a path, or a pair of a name and a path, bytes or an open file."""


@dataclass(frozen=True)
class Uploaded:
    """The result of an upload: the number of documents stored and of files, the number of documents
    with a passage longer than the encoder's limit, and the first 1,000 skipped files."""

    documents: int
    files: int
    cut: int
    skipped: list[FileLine]


def uploaded(lines: list[FileLine]) -> Uploaded:
    """Summarize the lines of a response."""
    done = lines[-1]
    skipped = [line for line in lines if line.type == "skipped"]
    return Uploaded(done.documents, done.files, done.cut, skipped)


class _Unopened:
    """A file that is open only while it is read, to allow any number of files."""

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
        """Rewind to the beginning, the only offset that is used."""
        if self._file is not None:
            self._file.close()
            self._file = None


def form(files: Sendable | Iterable[Sendable]) -> list[tuple[str, tuple[str, bytes | IO[bytes]]]]:
    """Return the parts of an upload. The server identifies files by name, without folders."""
    given = [files] if isinstance(files, (str, os.PathLike, tuple)) else list(files)
    if not given:
        raise ValueError("no files to send")
    parts: dict[str, bytes | IO[bytes]] = {}
    for file in given:
        name, content = file if isinstance(file, tuple) else (os.fspath(file), file)
        name = Path(name).name
        if name in parts:
            raise ValueError(
                f"two files are named {name!r}; send one under another name, as "
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
            f"{os.fspath(content)} is a directory; give its files, such as "
            "sorted(Path(…).glob('*.pdf')), or use the command nsfl index"
        )
    if not Path(content).is_file():
        raise FileNotFoundError(f"no file {os.fspath(content)}")
    return _Unopened(content)  # type: ignore[return-value]  # httpx only reads and rewinds
