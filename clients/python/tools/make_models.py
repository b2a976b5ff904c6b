"""Writes src/nsfl/models.py from the API description: python tools/make_models.py BINARY.

Responses become pydantic models, requests become typed dictionaries. To add a field of the server
to the client, run this again.
"""

import json
import keyword
import subprocess
import sys
import textwrap
import urllib.request
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent.parent / "src" / "nsfl" / "models.py"

HEADER = '''"""The types of requests and responses. Made by tools/make_models.py; do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from pydantic import Field

from nsfl._model import Model
'''

# Python 3.10 lacks these.
REQUIRED = """
if TYPE_CHECKING:
    from typing_extensions import Required
"""

# Models refer to later ones, and are complete only at the end.
FOOTER = """

for _model in Model.__subclasses__():
    _model.model_rebuild()
"""

# Names that are clearer in Python; all others are the server's.
NAMES = {
    "Build": "Version",
    "ClauseObject": "Clause",
    "Collection": "CollectionInfo",
    "Explain": "ExplainOptions",
    "Field": "MetadataField",
    "Model": "ModelInfo",
    "NewCollection": "CollectionOptions",
    "PlanRequest": "PlanOptions",
    "ParseRequest": "ParseOptions",
    "ScreeningSettings": "ScreeningInfo",
    "Search": "SearchOptions",
    "VectorRequest": "VectorOptions",
}

# The client turns these requests into arguments.
ARGUMENTS = {
    "ExplainOptions": {"id", "query"},
    "CollectionOptions": {"name"},
    "PlanOptions": {"query"},
    "ParseOptions": {"query"},
    "SearchOptions": {"query"},
    "VectorOptions": {"query"},
}

# Schemas that the client does not need, or defines by hand.
LEFT_OUT = {
    "Coefficient",
    "EmbeddingRequest",
    "IDs",
    "NewDecision",
    "NewScreening",
    "NextRecord",
    "Restoring",
    "SourceNotes",
    "Upload",
}

Schema = dict[str, Any]


def named(schema: Schema) -> str:
    name: str = schema["$ref"].rsplit("/", 1)[-1]
    return NAMES.get(name, name)


def kinds(schema: Schema) -> list[str]:
    kind = schema.get("type", [])
    return [k for k in ([kind] if isinstance(kind, str) else kind) if k != "null"]


def type_of(schema: Schema, sent: bool) -> str:
    """Return the type of a value that is sent or received."""
    if "$ref" in schema:
        return named(schema)
    if "oneOf" in schema:
        choices = (s for s in schema["oneOf"] if s.get("type") != "null")
        return " | ".join(dict.fromkeys(type_of(s, sent) for s in choices))
    if "enum" in schema:
        # A newer server may return values that are unknown here.
        words = ", ".join(json.dumps(word) for word in schema["enum"] if word is not None)
        return f"Literal[{words}]" if sent else "str"
    if schema.get("format") == "date-time":
        return "datetime"
    match kinds(schema):
        case ["string"]:
            return "str"
        case ["integer"]:
            return "int"
        case ["number"]:
            return "float"
        case ["boolean"]:
            return "bool"
        case ["array"]:
            return f"{'Sequence' if sent else 'list'}[{type_of(schema['items'], sent)}]"
        case ["object"]:
            return f"{'Mapping' if sent else 'dict'}[str, {values_of(schema, sent)}]"
    return "Any"


def values_of(schema: Schema, sent: bool) -> str:
    values = list(schema.get("properties", {}).values())
    if isinstance(schema.get("additionalProperties"), dict):
        values.append(schema["additionalProperties"])
    return " | ".join(dict.fromkeys(type_of(v, sent) for v in values)) or "Any"


def reached(schema: Any, schemas: Schema, into: set[str]) -> set[str]:
    """Return the names of all schemas that one refers to, directly or indirectly."""
    if isinstance(schema, dict):
        name = str(schema.get("$ref", "")).rsplit("/", 1)[-1]
        if name in schemas and name not in into:
            into.add(name)
            reached(schemas[name], schemas, into)
        for part in schema.values():
            reached(part, schemas, into)
    elif isinstance(schema, list):
        for part in schema:
            reached(part, schemas, into)
    return into


def told(schema: Schema) -> str:
    text = schema.get("description", "")
    if not text:
        return ""
    text = text[0].upper() + text[1:].rstrip(".") + "."
    lines = textwrap.wrap(f'"""{text}"""', 96)
    return "".join(f"    {line}\n" for line in lines)


def default_of(kind: str) -> str:
    if kind.startswith("list["):
        return f"{kind} = []"
    if kind.startswith("dict["):
        return f"{kind} = {{}}"
    return f"{kind} | None = None"


def aliased(field: str, kind: str) -> str:
    """Append _ to a field name that is reserved in Python."""
    if not keyword.iskeyword(field) and field not in (
        "bool",
        "dict",
        "float",
        "int",
        "list",
        "str",
    ):
        return f"{field}: {kind}"
    kind, _, default = kind.partition(" = ")
    default = f"default={default}, " if default else ""
    return f'{field}_: {kind} = Field({default}alias="{field}")'


def received(name: str, schema: Schema) -> str:
    required = set(schema.get("required", []))
    body = ""
    # Fields with a default come last.
    for field, s in sorted(schema["properties"].items(), key=lambda p: p[0] not in required):
        kind = type_of(s, sent=False)
        if field not in required or "null" in s.get("type", []):
            kind = default_of(kind)
        body += f"    {aliased(field, kind)}\n{told(s)}"
    return f"class {name}(Model):\n{body}"


def sent(name: str, schema: Schema) -> str:
    apart = ARGUMENTS.get(name, set())
    required = schema.get("required", [])
    body = ""
    for field, s in schema["properties"].items():
        if field not in apart:
            kind = type_of(s, sent=True)
            if field in required:
                kind = f"Required[{kind}]"
            body += f"    {field}: {kind}\n{told(s)}"
    return f"class {name}(TypedDict, total=False):\n{body}"


def written(document: Schema) -> str:
    """Return the module for an API description."""
    schemas = document["components"]["schemas"]
    answers: set[str] = set()
    for path in document["paths"].values():
        for operation in path.values():
            reached(operation["responses"], schemas, answers)
    text = HEADER + REQUIRED
    for key, schema in sorted(schemas.items(), key=lambda p: NAMES.get(p[0], p[0])):
        if key not in LEFT_OUT:
            make = received if key in answers else sent
            text += "\n\n" + make(NAMES.get(key, key), schema)
    if "Required[" not in text:
        text = text.replace("TYPE_CHECKING, ", "").replace(REQUIRED, "")
    return text + FOOTER


def described(binary: str) -> Schema:
    """Return the API description of a server of this binary."""
    with subprocess.Popen(
        [binary, "serve", "--demo", "--listen=127.0.0.1:0", "--log=off", "--until-eof"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().removeprefix("nsfl serves ").partition(";")[0]
        with urllib.request.urlopen(address + "/openapi.json") as answer:
            document: Schema = json.load(answer)
        server.communicate()
    return document


if __name__ == "__main__":
    TARGET.write_text(written(described(sys.argv[1])), encoding="utf-8")
