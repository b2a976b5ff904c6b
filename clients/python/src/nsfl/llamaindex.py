"""LlamaIndex: a collection as a retriever. pip install 'nsfl[llamaindex]'."""

from typing import Any

from llama_index.core.callbacks import CallbackManager
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from nsfl._hits import DEFAULTS, metadata_of, text_of
from nsfl._sync.collection import Collection


class NsflRetriever(BaseRetriever):
    """Retrieves nodes of a collection by formulas or plain language. Options are those of
    Collection.search. A node is the passage that matched, or the whole document with
    text="all"."""

    def __init__(
        self,
        collection: Collection,
        *,
        k: int = 10,
        callback_manager: CallbackManager | None = None,
        **options: Any,
    ) -> None:
        super().__init__(callback_manager=callback_manager)
        self._collection = collection
        self._options = {**DEFAULTS, "k": k, **options}

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        results = self._collection.search(query_bundle.query_str, **self._options)
        return [
            NodeWithScore(
                node=TextNode(id_=hit.id, text=text_of(hit), metadata=metadata_of(hit)),
                score=hit.score,
            )
            for hit in results
        ]
