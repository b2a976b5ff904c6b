"""Retrievers of frameworks, with the real packages."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyterrier as pt
import pytest
from haystack import Pipeline
from haystack.utils import Secret
from langchain_core.documents import Document
from langchain_tests.integration_tests import RetrieversIntegrationTests
from llama_index.core.schema import QueryBundle

import nsfl
from nsfl.haystack import NsflRetriever as HaystackRetriever
from nsfl.langchain import NsflRetriever as LangChainRetriever
from nsfl.llamaindex import NsflRetriever as LlamaIndexRetriever
from nsfl.pyterrier import NsflTransformer

QUERY = "dog AND NOT ball"
FIRST = "film-051"


class TestLangChainStandard(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def served(self, demo: nsfl.Collection) -> None:
        self.demo = demo

    @property
    def retriever_constructor(self) -> type[LangChainRetriever]:
        return LangChainRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"collection": self.demo}

    @property
    def retriever_query_example(self) -> str:
        return "dogs without balls"


def test_langchain(photos: nsfl.Collection) -> None:
    retriever = LangChainRetriever(collection=photos, k=1, options={"text": "all"})
    [found] = retriever.invoke("dogs without leashes")
    assert isinstance(found, Document)
    assert (found.id, found.page_content) == ("beach", "A dog runs along the beach")
    assert found.metadata["year"] == 2016
    assert found.metadata["rank"] == 1
    assert retriever.invoke("cat", filter={"year": 2011})[0].id == "leash"


def test_llamaindex(demo: nsfl.Collection) -> None:
    retriever = LlamaIndexRetriever(demo, k=2)
    nodes = retriever.retrieve(QUERY)
    assert [n.node.node_id for n in nodes] == [h.id for h in demo.search(QUERY, k=2)]
    assert nodes[0].node.get_content()
    assert nodes[0].score is not None
    assert retriever.retrieve(QueryBundle(QUERY))[0].node.node_id == FIRST


def test_haystack(server: nsfl.Local, monkeypatch: pytest.MonkeyPatch) -> None:
    assert server.key is not None
    monkeypatch.setenv("MY_KEY", server.key)
    retriever = HaystackRetriever(
        "demo", address=server.address, key=Secret.from_env_var("MY_KEY"), top_k=3
    )
    pipeline = Pipeline()
    pipeline.add_component("nsfl", retriever)
    saved = pipeline.dumps()
    assert server.key not in saved
    again = Pipeline.loads(saved, allowed_modules=["nsfl.haystack"])
    for each in (pipeline, again):
        documents = each.run({"nsfl": {"query": QUERY}})["nsfl"]["documents"]
        assert len(documents) == 3
        assert documents[0].id == FIRST
        component = each.get_component("nsfl")
        assert isinstance(component, HaystackRetriever)
        component.close()
    assert len(retriever.run(QUERY, top_k=1)["documents"]) == 1
    retriever.close()


def test_pyterrier(demo: nsfl.Collection) -> None:
    transformer = NsflTransformer(demo, k=5)
    found = transformer.search(QUERY)
    assert list(found["docno"]) == [h.id for h in demo.search(QUERY, k=5)]
    assert list(found["rank"]) == [0, 1, 2, 3, 4]
    topics = pd.DataFrame({"qid": ["1", "2"], "query": ["cat", QUERY]})
    assert list((transformer % 2).transform(topics)["qid"]) == ["1", "1", "2", "2"]
    qrels = pd.DataFrame({"qid": ["2"], "docno": [FIRST], "label": [1]})
    report = pt.Experiment([transformer], topics[1:], qrels, ["recip_rank"])
    assert report["recip_rank"][0] == 1.0
    assert pt.inspect.transformer_inputs(transformer) == [["qid", "query"]]
    columns = pt.inspect.transformer_outputs(transformer, ["qid", "query", "more"])
    assert columns == ["qid", "query", "more", "docno", "score", "rank"]
