"""What schemathesis has to know of JSON by lines."""

import json
from typing import Any

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def write(context: schemathesis.SerializationContext, value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


@schemathesis.deserializer("application/x-ndjson")
def read(context: schemathesis.DeserializationContext, response: schemathesis.Response) -> Any:
    """The last line, which tells how it ended."""
    return [json.loads(line) for line in response.text.splitlines()][-1]
