"""OpenAI's own package with this server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import openai
import pytest

import nsfl

TEXTS = ["a dog on a leash", "tax law", "déjà vu"]


def address_of(server: nsfl.Local) -> str:
    return f"{server.address}/v1"


@pytest.fixture
def client(server: nsfl.Local) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=address_of(server), api_key=server.key, max_retries=0) as client:
        yield client


def test_embeddings(client: openai.OpenAI) -> None:
    many = client.embeddings.create(model="builtin", input=TEXTS, encoding_format="float")
    assert many.model == "builtin"
    assert [e.index for e in many.data] == [0, 1, 2]
    assert many.usage.total_tokens == many.usage.prompt_tokens == 9
    # By default the package requests base64 and decodes it.
    coded = client.embeddings.create(model="builtin", input=TEXTS, dimensions=384)
    assert [e.embedding for e in coded.data] == [
        pytest.approx(e.embedding, abs=1e-7) for e in many.data
    ]
    one = client.embeddings.create(model="demo", input=TEXTS[1])
    assert one.data[0].embedding == pytest.approx(many.data[1].embedding, abs=1e-6)
    assert len(one.data[0].embedding) == 384


async def test_asynchronous(server: nsfl.Local) -> None:
    async with openai.AsyncOpenAI(base_url=address_of(server), api_key=server.key) as client:
        made = await client.embeddings.create(model="builtin", input=TEXTS)
        assert len(made.data) == 3
        assert [m.id async for m in client.models.list()] == ["builtin", "demo"]


def test_models(client: openai.OpenAI) -> None:
    assert [(m.id, m.owned_by) for m in client.models.list()] == [
        ("builtin", "encoder"),
        ("demo", "collection"),
    ]
    assert client.models.retrieve("demo").object == "model"


@pytest.mark.parametrize(
    ("request_", "field", "said"),
    [
        ({"model": "nope"}, "model", 'there is no model "nope"; GET /v1/models lists'),
        ({"model": ""}, "model", "there is no model"),
        ({"dimensions": 12}, "dimensions", "dimensions is 12; the model has 384"),
        ({"dimensions": 0}, "dimensions", "dimensions is 0; the model has 384"),
        ({"dimensions": "many"}, "dimensions", "a whole number is expected"),
        ({"encoding_format": "hex"}, "encoding_format", "it must be float or base64"),
        ({"input": []}, "input", "between 1 and 256"),
        ({"input": ["dog"] * 257}, "input", "input has 257 texts; between 1 and 256"),
        ({"input": ["dog", " "]}, "input", "text 1 of input is empty"),
        ({"input": [[1, 2]]}, "input", "tokens are not supported"),
        ({"extra_body": {"input_type": "song"}}, "input_type", "query, document or passage"),
        ({"extra_body": {"colour": 1}}, "colour", "unknown field"),
    ],
)
def test_mistakes(client: openai.OpenAI, request_: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(openai.APIStatusError) as caught:
        client.embeddings.create(**({"model": "builtin", "input": "dog"} | request_))
    error = caught.value
    unknown = "model" in request_
    assert type(error) is (openai.NotFoundError if unknown else openai.BadRequestError)
    assert (error.code, error.type, error.param) == (
        "not_found" if unknown else "invalid",
        "invalid_request_error",
        field,
    )
    assert said in error.message
    assert error.request_id


def test_unknown_model(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match='there is no model "no/pe"') as caught:
        client.models.retrieve("no/pe")
    assert caught.value.param == "model"


def test_wrong_key(server: nsfl.Local) -> None:
    with openai.OpenAI(base_url=address_of(server), api_key="nsfl_wrong") as client:
        with pytest.raises(openai.AuthenticationError, match="key") as caught:
            client.models.list()
    assert (caught.value.code, caught.value.type) == ("unauthorized", "authentication_error")
    assert caught.value.param is None


def test_busy() -> None:
    with nsfl.local(rate=1, burst=1) as server:
        with openai.OpenAI(base_url=address_of(server), api_key=server.key) as client:
            once = client.with_options(max_retries=0)
            with pytest.raises(openai.RateLimitError, match="slow down") as caught:
                [once.models.list() for _ in range(100)]
            assert (caught.value.code, caught.value.type) == ("busy", "rate_limit_error")
            assert caught.value.response.headers["Retry-After"] == "1"
            models = client.models.with_raw_response
            assert max(models.list().retries_taken for _ in range(3)) == 1
