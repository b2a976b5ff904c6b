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
    """Retrieves documents of a collection by formulas or plain language.

    `options` are those of Collection.search, such as filter or min_probability; arguments of invoke
    override them. The content of a document is the passage that matched, or the whole text with
    text="all".
    """

    collection: Collection
    k: int = 10
    options: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def from_pgvector(
        cls, store: VectorStore, *, address: str | None = None, k: int = 10, **options: Any
    ) -> Self:
        """Return a retriever for an existing PGVector or PGVectorStore of langchain-postgres.

        A private server reads the store's table, and never writes to it. Queries are encoded by the
        store's own embeddings. Documents added to the store later are found, too. The server stops
        with the retriever. `address` is the address of the database, if the store's engine was not
        created from one; options are those of Collection.search.
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
