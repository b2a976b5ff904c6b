"""What schemathesis needs to know about this API in addition to its description."""

import json
from typing import Any

import schemathesis

LISTS = ["must", "should", "must_not", "minimum_should_match"]


@schemathesis.hook
def before_load_schema(context: schemathesis.HookContext, raw_schema: dict[str, Any]) -> None:
    """A query must have only one form: searches use formulas, and plan uses lists."""
    schemas = raw_schema["components"]["schemas"]
    for request in ("Search", "Explain", "VectorRequest"):
        schema = schemas[request]
        for form in (*LISTS, "positive", "negative"):
            del schema["properties"][form]
        schema["required"] = [*schema.get("required", []), "query"]
    for form in ("query", "positive", "negative"):
        del schemas["PlanRequest"]["properties"][form]
    schemas["Explain"]["properties"]["id"] = {"enum": ["dog", "cat"]}


@schemathesis.serializer("application/x-ndjson")
def write(context: schemathesis.SerializationContext, value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


@schemathesis.deserializer("application/x-ndjson")
def read(context: schemathesis.DeserializationContext, response: schemathesis.Response) -> Any:
    """Return the last line, which has the outcome."""
    return [json.loads(line) for line in response.text.splitlines()][-1]
