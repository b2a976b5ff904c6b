"""Writes src/nsfl/models.py from the description of the API: python tools/make_models.py BINARY.

Answers become pydantic models, requests become typed dictionaries. A field that the server
gets is so in Python by running this again, and nowhere else.
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

HEADER = '''"""What is sent and what is answered. Made by tools/make_models.py; do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from pydantic import Field

from nsfl._model import Model
'''

# Python 3.10 has none of its own.
REQUIRED = """
if TYPE_CHECKING:
    from typing_extensions import Required
"""

# They refer to those below them, and are complete only now.
FOOTER = """

for _model in Model.__subclasses__():
    _model.model_rebuild()
"""

# Names that say more to who reads Python; all others are the server's.
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
    "Rerank": "RankOptions",
    "Search": "SearchOptions",
    "VectorRequest": "VectorOptions",
}

# Of these requests the client makes arguments of their own.
ARGUMENTS = {
    "ExplainOptions": {"id", "query"},
    "CollectionOptions": {"name"},
    "PlanOptions": {"query"},
    "ParseOptions": {"query"},
    "RankOptions": {"search"},
    "SearchOptions": {"query"},
    "VectorOptions": {"query"},
}

# What the client has no use for, or makes by hand.
LEFT_OUT = {"Coefficient", "EmbeddingRequest", "IDs", "Restoring", "SourceNotes", "Upload"}

Schema = dict[str, Any]


def named(schema: Schema) -> str:
    name: str = schema["$ref"].rsplit("/", 1)[-1]
    return NAMES.get(name, name)


def kinds(schema: Schema) -> list[str]:
    kind = schema.get("type", [])
    return [k for k in ([kind] if isinstance(kind, str) else kind) if k != "null"]


def type_of(schema: Schema, sent: bool) -> str:
    """The type of a value, which is sent or received."""
    if "$ref" in schema:
        return named(schema)
    if "oneOf" in schema:
        choices = (s for s in schema["oneOf"] if s.get("type") != "null")
        return " | ".join(dict.fromkeys(type_of(s, sent) for s in choices))
    if "enum" in schema:
        # What a newer server answers need not be among those known here.
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
    """The names of all schemas that one refers to, however deep."""
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
    """A field whose name Python needs for something else has a _ behind it."""
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
    # Those with a default come last.
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
    """The module for a description of the API."""
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
    """The description that a server of this binary gives of itself."""
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
