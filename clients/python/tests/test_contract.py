"""The server conforms to its API description: valid and invalid requests generated from it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nsfl

HERE = Path(__file__).parent / "contract"


def test_contract(tmp_path: Path) -> None:
    with nsfl.local(tmp_path / "collections", backup_to=str(tmp_path / "backups")) as server:
        server.create("spare")
        server.create("gone")
        notes = server.create("notes")
        notes.add(
            [
                {"id": "dog", "text": "A dog on a leash", "metadata": {"year": 2015}},
                {"id": "cat", "title": "Cats", "text": "A cat sleeps on a laptop"},
            ]
        )
        assert server.key
        run = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli"),
                *("--config-file", HERE / "schemathesis.toml"),
                *("run", f"{server.address}/openapi.json"),
                *("--phases", "examples,coverage,fuzzing", "--max-examples", "40"),
                *("--warnings", "off", "--no-color"),
            ],
            cwd=tmp_path,  # it writes its findings here
            env=os.environ | {"NSFL_KEY": server.key, "PYTHONPATH": str(HERE)},
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stdout + run.stderr
