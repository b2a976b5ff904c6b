"""The first example of the README prints the output shown below it."""

import re
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_first_search(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    said = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
    exec(code[0], {})
    assert capsys.readouterr().out == said[0]


def test_formulas_print_as_the_table_says() -> None:
    rows = re.findall(r"^\| `(.*)` \| `(.*)` \|$", README, re.MULTILINE)
    assert len(rows) >= 6
    for python, language in rows:
        names: dict[str, object] = {}
        exec("from nsfl import *", names)
        assert str(eval(python.replace(r"\|", "|"), names)) == language
