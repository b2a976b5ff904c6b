"""Generated files are up to date."""

import re
from pathlib import Path

import httpx
import make_models
import make_sync

import nsfl
from nsfl.errors import ProblemError

CLIENT = Path(__file__).parent.parent


def test_sync_is_made_from_async() -> None:
    for path, text in make_sync.made().items():
        assert path.read_text(encoding="utf-8") == text, "run make generate"


def test_models_are_the_servers(server: nsfl.Local) -> None:
    document = httpx.get(server.address + "/openapi.json", trust_env=False).json()
    assert make_models.TARGET.read_text(encoding="utf-8") == make_models.written(document), (
        "the API has changed: run make generate"
    )


def test_every_code_has_a_class() -> None:
    source = (CLIENT.parent.parent / "server" / "problem.go").read_text(encoding="utf-8")
    statuses = source.partition("var statuses = ")[2].partition("\n}")[0]
    codes = set(re.findall(r'"(\w+)": \d+', statuses))
    assert codes == set(ProblemError.by_code)
