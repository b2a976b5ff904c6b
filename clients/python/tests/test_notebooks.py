"""The notebooks of examples/ run, and their outputs match the committed ones."""

import math
import re
from collections import Counter
from itertools import zip_longest
from pathlib import Path

import make_notebooks
import nbformat
import pytest

NOTEBOOKS = sorted(make_notebooks.FOLDER.glob("*.ipynb"))
NUMBER = re.compile(r"[-−+]?\d+\.\d+(?: ?%)?|\d+ ?%")


def test_there_are_some() -> None:
    assert len(NOTEBOOKS) == 4


def test_picture() -> None:
    assert make_notebooks.picture() == make_notebooks.PICTURE.read_bytes(), "run make notebooks"


def test_what_differs() -> None:
    assert differences("1 cat 0.52 2  dog 0.51", "1 dog  0.52 2 cat 0.51") == []
    assert differences("97%", "96%") == []
    for kept, now in [("0.52", "0.62"), ("97%", "90%"), ("photo-016", "photo-017"), ("1", "2")]:
        assert differences(kept, now)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_shows_what_was_kept(path: Path, cache: Path) -> None:
    kept = nbformat.read(path, as_version=4)
    assert kept.metadata == make_notebooks.METADATA
    now = make_notebooks.executed(path, cache)
    different = []
    for one, other in zip(kept.cells, now.cells, strict=True):
        assert one.metadata == {}
        assert one.get("execution_count") == other.get("execution_count"), one.source
        kept_texts, now_texts = shown(one), shown(other)
        assert kept_texts.keys() == now_texts.keys(), one.source
        for key, text in kept_texts.items():
            if not key.endswith("image/png"):
                different += differences(text, now_texts[key])
    assert not different, "run make notebooks, and read them: " + " ".join(different)


def shown(cell: nbformat.NotebookNode) -> dict[str, str]:
    """Return the outputs of a cell by position and type."""
    texts: dict[str, str] = {}
    for at, output in enumerate(cell.get("outputs", [])):
        if output.output_type == "stream":
            texts[f"{at} {output.name}"] = output.text
        for kind, text in output.get("data", {}).items():
            texts[f"{at} {kind}"] = text
    return texts


def differences(kept: str, now: str) -> list[str]:
    """Return the words and numbers of one text that the other lacks. Processors differ in the last
    digits of scores, so nearly equal results may change places."""
    one, other = Counter(words(kept)), Counter(words(now))
    different = [*(one - other), *(other - one)]
    for a, b in zip_longest(numbers(kept), numbers(now), fillvalue=math.nan):
        if not math.isclose(a, b, rel_tol=0.02, abs_tol=0.02):
            different += [str(a), str(b)]
    return different


def words(text: str) -> list[str]:
    return NUMBER.sub("", text).replace(">", "> ").replace("<", " <").split()


def numbers(text: str) -> list[float]:
    return sorted(
        float(number.replace("−", "-").rstrip("% ")) / (100 if number.endswith("%") else 1)
        for number in NUMBER.findall(text)
    )
