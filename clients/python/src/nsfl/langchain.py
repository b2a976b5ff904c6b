"""LangChain: a collection as a retriever. pip install 'nsfl[langchain]'."""

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from pydantic import Field
from typing_extensions import Self

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

    @classmethod
    def from_pgvector(
        cls, store: VectorStore, *, address: str | None = None, k: int = 10, **options: Any
    ) -> Self:
        """A retriever over a PGVector or PGVectorStore of langchain-postgres, as it is.

        A private server reads the store's table, and never writes to it; queries are encoded by
        the store's own embeddings. What is added to the store later is found too. The server ends
        with the retriever. `address` is that of the database, where the store's engine was not
        made from one; options are those of Collection.search.
        """
        from nsfl._pgvector import NAME, attached

        return cls(collection=attached(store, address).collection(NAME), k=k, options=options)

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
