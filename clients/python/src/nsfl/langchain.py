"""LangChain: a collection as a retriever. pip install 'nsfl[langchain]'."""

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from nsfl._hits import DEFAULTS, metadata_of, text_of
from nsfl._sync.collection import Collection


class NsflRetriever(BaseRetriever):
    """Documents of a collection, by formulas or plain language.

    `options` are those of Collection.search, such as filter or min_probability; with
    text="all" a document is whole, else it is the passage that matched. What is given to invoke
    goes before them.
    """

    collection: Collection
    k: int = 10
    options: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **options: Any
    ) -> list[Document]:
        results = self.collection.search(
            query, **{**DEFAULTS, "k": self.k, **self.options, **options}
        )
        return [
            Document(id=hit.id, page_content=text_of(hit), metadata=metadata_of(hit))
            for hit in results
        ]
