"""Haystack: a collection as a component. pip install 'nsfl[haystack]'."""

from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict
from haystack.utils import Secret, deserialize_secrets_inplace

from nsfl._hits import DEFAULTS, metadata_of, text_of
from nsfl._sync.client import Client


@component
class NsflRetriever:
    """Retrieves documents of a collection by formulas or plain language.

    It stores the server's address and where the key is kept, so a pipeline can be saved. `options`
    are those of Collection.search. The content of a document is the passage that matched, or the
    whole text with text="all".
    """

    def __init__(
        self,
        collection: str,
        *,
        address: str = "http://127.0.0.1:7700",
        key: Secret = Secret.from_env_var("NSFL_KEY", strict=False),  # noqa: B008  # as in other components
        top_k: int = 10,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.collection = collection
        self.address = address
        self.key = key
        self.top_k = top_k
        self.options = options or {}
        self._client: Client | None = None

    def close(self) -> None:
        """Close the connections; the next run opens them again."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def to_dict(self) -> dict[str, Any]:
        """Serialize the component."""
        return default_to_dict(
            self,
            collection=self.collection,
            address=self.address,
            key=self.key.to_dict(),
            top_k=self.top_k,
            options=self.options,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "NsflRetriever":
        """Deserialize the component."""
        deserialize_secrets_inplace(data["init_parameters"], keys=["key"])
        return default_from_dict(cls, data)

    @component.output_types(documents=list[Document])
    def run(
        self, query: str, top_k: int | None = None, options: dict[str, Any] | None = None
    ) -> dict[str, list[Document]]:
        """Return the documents for a query; top_k and options override the component's."""
        if self._client is None:
            self._client = Client(self.address, key=self.key.resolve_value())
        wanted = {**DEFAULTS, "k": top_k or self.top_k, **self.options, **(options or {})}
        results = self._client.collection(self.collection).search(query, **wanted)
        return {
            "documents": [
                Document(id=hit.id, content=text_of(hit), meta=metadata_of(hit), score=hit.score)
                for hit in results
            ]
        }
