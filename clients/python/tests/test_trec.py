"""nsfl's measures match trec_eval's, and other tools can read its runs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ir_measures
import pytest
import pytrec_eval
from ir_measures import AP, ScoredDoc

import nsfl
from nsfl import trec
from nsfl_command import binary

ROOT = Path(__file__).parent.parent.parent.parent
NEAR = 1e-6

Grades = dict[str, dict[str, int]]


def nsfl_json(*arguments: str | Path) -> Any:
    command = [binary(), *arguments]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def mean(values: Mapping[str, Mapping[str, float]], measure: str) -> float:
    return sum(v[measure] for v in values.values()) / len(values)


def demo_lines(name: str) -> list[dict[str, Any]]:
    text = (ROOT / "demo" / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def is_true(formula: str, labels: list[str]) -> bool:
    """Return whether a formula without parentheses holds for a document's labels."""
    return any(
        all(
            (part.removeprefix("NOT ").strip('"') in labels) != part.startswith("NOT ")
            for part in alternative.split(" AND ")
        )
        for alternative in formula.split(" OR ")
    )


def demo_queries() -> tuple[dict[str, str], Grades]:
    """Return the demo's queries, and the relevant documents according to its labels."""
    documents = demo_lines("corpus.jsonl")
    queries, qrels = {}, {}
    for query in demo_lines("queries.dev.jsonl"):
        queries[query["_id"]] = query["formula"]
        qrels[query["_id"]] = {
            d["_id"]: 1 for d in documents if is_true(query["truth"], d["labels"])
        }
    return queries, qrels


def test_figures_of_the_demo(tmp_path: Path) -> None:
    ours = nsfl_json(
        "eval", "--quiet", "--set=demo", "--methods=exact", "--json=-", "--run", tmp_path / "run"
    )["results"][0]
    _, qrels = demo_queries()
    with open(tmp_path / "run") as file:
        found = pytrec_eval.parse_run(file)
    theirs = pytrec_eval.RelevanceEvaluator(
        qrels, {"map_cut_100", "recall_20", "recall_100", "ndcg_cut_10"}
    ).evaluate(found)
    assert len(theirs) == len(qrels)
    for id, figures in ours["per_query"].items():
        assert figures["ap100_R"] == pytest.approx(theirs[id]["map_cut_100"], abs=NEAR), id
    assert ours["recall20"] == pytest.approx(mean(theirs, "recall_20"), abs=NEAR)
    assert ours["recall100"] == pytest.approx(mean(theirs, "recall_100"), abs=NEAR)
    assert ours["ndcg10"] == pytest.approx(mean(theirs, "ndcg_cut_10"), abs=NEAR)


def test_run(demo: nsfl.Collection, tmp_path: Path) -> None:
    queries, qrels = demo_queries()
    some = dict(list(queries.items())[:5])
    found = list(trec.run(demo, some, k=100, all_copies=True))
    judged = [ir_measures.Qrel(q, d, g) for q in some for d, g in qrels[q].items()]
    value = ir_measures.calc_aggregate([AP @ 100], judged, found)[AP @ 100]
    assert 0.3 < value < 1
    trec.write_run(tmp_path / "run", found)
    read = list(ir_measures.read_trec_run(str(tmp_path / "run")))  # type: ignore[no-untyped-call]
    assert ir_measures.calc_aggregate([AP @ 100], judged, read)[AP @ 100] == value
    with pytest.raises(ValueError, match="white space"):
        trec.write_run(tmp_path / "run", [ScoredDoc("1", "a b", 1.0)])
