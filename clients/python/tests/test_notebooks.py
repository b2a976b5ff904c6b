"""The notebooks of examples/ run, and what they show is what they were kept with."""

import math
import re
from pathlib import Path

import make_notebooks
import nbformat
import pytest

NOTEBOOKS = sorted(make_notebooks.FOLDER.glob("*.ipynb"))
# Processors differ in the last digits of a score. Widths of columns follow the digits.
NUMBER = re.compile(r"[-−+]?\d+\.\d+(?: ?%)?|\d+ ?%")


def test_numbers_that_differ() -> None:
    assert_same("a 0.52  b", "a  0.51 b")
    assert_same("97%", "96%")
    for kept, now in [("0.52", "0.62"), ("97%", "90%"), ("photo-016", "photo-017"), ("1", "2")]:
        with pytest.raises(AssertionError):
            assert_same(kept, now)


def test_there_are_some() -> None:
    assert len(NOTEBOOKS) == 4


def test_picture() -> None:
    assert make_notebooks.picture() == make_notebooks.PICTURE.read_bytes(), "run make notebooks"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_shows_what_was_kept(path: Path) -> None:
    kept = nbformat.read(path, as_version=4)
    assert kept.metadata == make_notebooks.METADATA
    now = make_notebooks.executed(path)
    for one, other in zip(kept.cells, now.cells, strict=True):
        assert one.metadata == {}
        assert one.get("execution_count") == other.get("execution_count"), one.source
        kept_texts, now_texts = shown(one), shown(other)
        assert kept_texts.keys() == now_texts.keys(), one.source
        for key, text in kept_texts.items():
            if not key.endswith("image/png"):
                assert_same(text, now_texts[key])


def shown(cell: nbformat.NotebookNode) -> dict[str, str]:
    """What a cell shows, by the place and the kind of each output."""
    texts: dict[str, str] = {}
    for at, output in enumerate(cell.get("outputs", [])):
        if output.output_type == "stream":
            texts[f"{at} {output.name}"] = output.text
        for kind, text in output.get("data", {}).items():
            texts[f"{at} {kind}"] = text
    return texts


def assert_same(kept: str, now: str) -> None:
    kept, now = " ".join(kept.split()), " ".join(now.split())
    assert NUMBER.sub("#", kept) == NUMBER.sub("#", now), "run make notebooks, and read them"
    for one, other in zip(NUMBER.findall(kept), NUMBER.findall(now), strict=True):
        assert math.isclose(value(one), value(other), rel_tol=0.02, abs_tol=0.02), (one, other)


def value(number: str) -> float:
    digits = number.replace("−", "-").rstrip("% ")
    return float(digits) / (100 if number.endswith("%") else 1)
