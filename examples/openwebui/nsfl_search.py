"""
title: nsfl
author: The nsfl authors
author_url: https://github.com/nsfl-go/nsfl
description: Search documents by meaning, with AND, OR and NOT that hold.
required_open_webui_version: 0.5.0
requirements: httpx
version: 0.1.0
licence: Apache-2.0
"""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

import httpx
from pydantic import BaseModel, Field

Emitter = Callable[[dict[str, Any]], Awaitable[None]]


class Tools:
    class Valves(BaseModel):
        server: str = Field("http://127.0.0.1:7700", description="Address of nsfl serve")
        key: str = Field("", description="Key with the role read, if the server has keys")
        collection: str = Field("demo", description="Collection to search")
        results: int = Field(5, description="Number of documents to show", ge=1, le=50)
        seconds: float = Field(30, description="Timeout in seconds", gt=0)

    def __init__(self) -> None:
        self.valves = self.Valves()
        self.citation = False  # the tool cites each document itself

    async def search_documents(self, query: str, __event_emitter__: Emitter | None = None) -> str:
        """
        Search the user's documents by a formula. Adjacent words are one topic; combine topics
        with AND, OR and AND NOT in capitals, and group with parentheses: (beach OR lake) AND
        sunset AND NOT people. Fields are hard conditions: year:>=2015, kind:photo. Use NOT for
        anything the user does not want; do not just leave it out.

        :param query: the formula, such as: dog AND NOT leash
        """
        body = {"query": query, "k": self.valves.results}
        answer, problem = await self._ask("POST", "search", body)
        if problem:
            return problem
        lines = []
        for hit in answer["hits"] or []:
            title = hit.get("title") or hit["id"]
            passage = (hit.get("snippet") or {}).get("text", "")
            lines.append(f"[{hit['id']}] {title}\n{passage}")
            if __event_emitter__:
                source = {"name": title, "id": hit["id"]}
                metadata = [{"source": hit["id"], "score": hit["score"]}]
                data = {"document": [passage], "metadata": metadata, "source": source}
                await __event_emitter__({"type": "citation", "data": data})
        return "\n\n".join(lines) or "No documents found. Use fewer conditions, or other words."

    async def read_document(self, id: str) -> str:
        """
        Read the whole text of a document found by a search.

        :param id: the id in brackets before the title
        """
        answer, problem = await self._ask("GET", f"documents/{quote(id, safe='')}")
        return problem or answer.get("text") or "The document has no text."

    async def _ask(self, method: str, path: str, body: object = None) -> tuple[dict[str, Any], str]:
        """Return the server's response, or a message for the model."""
        valves = self.valves
        url = f"{valves.server.rstrip('/')}/v1/collections/{quote(valves.collection, safe='')}/{path}"
        headers = {"Authorization": f"Bearer {valves.key}"} if valves.key else {}
        try:
            async with httpx.AsyncClient(timeout=valves.seconds, headers=headers) as client:
                response = await client.request(method, url, json=body)
            answer = response.json()
        except (httpx.HTTPError, ValueError) as e:
            return {}, f"cannot reach nsfl at {valves.server}: {e or type(e).__name__}"
        if response.is_success:
            return answer, ""
        return {}, f"nsfl refused the request: {answer.get('detail') or response.reason_phrase}"
