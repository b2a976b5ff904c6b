from __future__ import annotations

import datetime
import sys
from typing import Any

import numpy
import pandas
import polars
import pytest
from conftest import PHOTOS

import nsfl

COLUMNS = {
    "key": [1, 2, 3],
    "body": ["A dog on a leash", "A dog on the beach", None],
    "name": [None, "Beach", "Sunset"],
    "year": [2011.0, None, 2020.0],
    "day": [datetime.date(2020, 1, 2), None, None],
    "tags": [["a", "b"], ["c"], []],
}


@pytest.mark.parametrize("library", [pandas, polars])
def test_add(empty: nsfl.Collection, library: Any) -> None:
    frame = library.DataFrame(COLUMNS)
    assert empty.add_frame(frame, text="body", title="name", id="key") == 3
    one, two, three = (empty.get(id) for id in "123")
    assert (one.text, one.title) == ("A dog on a leash", None)
    assert one.metadata["year"] == 2011
    assert one.metadata["day"].startswith("2020-01-02")
    assert one.metadata["tags"] == ["a", "b"]
    assert two.metadata == {"tags": ["c"]}
    assert (three.text, three.title) == (None, "Sunset")


def test_add_some_columns(empty: nsfl.Collection) -> None:
    frame = pandas.DataFrame({"t": ["x"], "n": [numpy.int64(3)], "left": ["out"]})
    empty.add_frame(frame, text="t", metadata=["n"])
    assert [d.metadata for d in empty] == [{"n": 3}]
    with pytest.raises(ValueError, match="no column 'm'; the columns are t, n, left"):
        empty.add_frame(frame, text="t", metadata=["m"])
    with pytest.raises(ValueError, match="text="):
        empty.add_frame(frame)


def test_results(photos: nsfl.Collection) -> None:
    results = photos.search("dog", all=True)
    for frame in (results.to_pandas(), results.to_polars()):
        assert list(frame["id"]) == [hit.id for hit in results]
        assert list(frame["year"])[:2] == [hit.metadata["year"] for hit in results[:2]]
        assert len(frame) == len(PHOTOS)
    photos.add({"id": "odd", "text": "A dog", "metadata": {"rank": "high"}})
    assert photos.search("dog", k=1).rows()[0]["metadata.rank"] == "high"


def test_html(empty: nsfl.Collection) -> None:
    empty.add({"title": "<b>bold", "text": "A dog & a cat <script>"})
    shown = empty.search("dog AND NOT '<i>'")._repr_html_()
    for escaped in ("&lt;b&gt;bold", "A dog &amp; a cat &lt;script&gt;", "&lt;i&gt;"):
        assert escaped in shown
    assert "<th>plain</th>" not in shown
    assert "<th>plain</th>" in empty.search("dog", compare=True)._repr_html_()


def test_explanations(demo: nsfl.Collection) -> None:
    query = "(dog OR cat) AND beach AND NOT ball"
    for row in demo.search(query, k=5, explain=True).explanations():
        assert row["score"] == pytest.approx(row["vectors"] + row["words"])
        assert {"S dog AND beach", "gate ball", "penalty ball", "words cat"} <= set(row)
    first = demo.search("dog AND NOT ball", k=1, explain=True).explanations()[0]
    assert first["vectors"] == pytest.approx(first["S dog"] - first["penalty ball"])
    assert first["penalty ball"] == pytest.approx(first["gate ball"] * first["Δ ball"])
    rows = demo.search("lamp OR candle", k=30, explain=True).explanations()
    assert "departure of lamp OR candle" in {row["floor"] for row in rows}
    assert demo.search("zzz kind:none", explain=True).explanations() == []
    with pytest.raises(ValueError, match="explain=True"):
        demo.search("dog").explanations()


def test_without_the_library(demo: nsfl.Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match=r"pip install 'nsfl\[polars\]'"):
        demo.search("dog", k=1).to_polars()
