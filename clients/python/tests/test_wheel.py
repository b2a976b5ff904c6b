"""The wheel for this machine, installed into a fresh environment and used."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import make_wheels
import pytest
from test_local import ended
from uv import find_uv_bin

import nsfl_command

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the binary under test is one for Linux"
)

MACHINE = {"x86_64": "linux-amd64", "aarch64": "linux-arm64"}

SEARCH = """
import nsfl
with nsfl.local(demo=True) as server:
    print(server.collection("demo").search("dog AND NOT ball", k=1)[0].title)
"""

KILL = """
import nsfl
server = nsfl.local()
print(server.pid, flush=True)
input()
"""


def clean() -> dict[str, str]:
    """Return an environment without variables that point to another binary."""
    return {n: v for n, v in os.environ.items() if not n.startswith(("NSFL_", "PYTHON"))}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    binary, out = Path(nsfl_command.binary()), tmp_path_factory.mktemp("wheel")
    return make_wheels.make("0.1.0", MACHINE[platform.machine()], binary, out)


def environment(wheel: Path, folder: Path, python: str) -> Path:
    """Install only the wheel and its dependencies, and return the folder of programs."""
    uv = [find_uv_bin(), "--quiet", "--no-python-downloads"]
    subprocess.run([*uv, "venv", "--python", python, folder], check=True, env=clean())
    install = [*uv, "pip", "install", "--python", str(folder), str(wheel)]
    subprocess.run(install, check=True, env=clean())
    return folder / "bin"


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment(wheel, tmp_path_factory.mktemp("own") / "venv", sys.executable)


def output(*command: str | Path) -> str:
    return subprocess.run(
        command, check=True, env=clean(), stdout=subprocess.PIPE, text=True, cwd="/"
    ).stdout


def test_command(installed: Path) -> None:
    assert output(installed / "nsfl", "--version").startswith("nsfl version ")
    assert "A Dog Named Subpoena" in output(
        installed / "nsfl", "search", "--demo", "-k", "1", "dog AND NOT ball"
    )
    wrong = subprocess.run([installed / "nsfl", "nonsense"], env=clean(), capture_output=True)
    assert wrong.returncode == 2


def test_version(installed: Path) -> None:
    assert output(installed / "python", "-c", "import nsfl; print(nsfl.__version__)") == "0.1.0\n"


def test_local(installed: Path) -> None:
    assert output(installed / "python", "-c", SEARCH) == "A Dog Named Subpoena\n"


@pytest.mark.parametrize("version", ["3.10", "3.12", "3.13"])
def test_versions_of_python(wheel: Path, tmp_path: Path, version: str) -> None:
    """Test other installed Python versions; mypy checks that nothing newer than the oldest
    supported version is used."""
    find = [find_uv_bin(), "python", "find", "--no-python-downloads", version]
    found = subprocess.run(find, env=clean(), capture_output=True, text=True).stdout.strip()
    pyenv = Path.home().glob(f".pyenv/versions/{version}.*/bin/python")
    if not (interpreter := found or next(map(str, pyenv), "")):
        pytest.skip(f"Python {version} is not installed")
    python = environment(wheel, tmp_path / "venv", interpreter) / "python"
    assert output(python, "--version").startswith(f"Python {version}.")
    assert output(python, "-W", "error", "-c", SEARCH) == "A Dog Named Subpoena\n"


def test_kill_leaves_nothing_behind(installed: Path) -> None:
    process = subprocess.Popen(
        [installed / "python", "-c", KILL],
        env=clean(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        carried = installed.parent / "lib"
        assert Path(f"/proc/{pid}/exe").resolve().is_relative_to(carried.resolve())
        process.send_signal(signal.SIGKILL)
    assert ended(pid)


def test_platforms(tmp_path: Path) -> None:
    for name, tag in make_wheels.TAGS.items():
        system = name.partition("-")[0]
        binary = tmp_path / name
        binary.write_bytes(make_wheels.MAGIC[system] + b" and so on")
        made = make_wheels.make("0.2.0rc1", name, binary, tmp_path)
        assert made.name == f"nsfl-0.2.0rc1-py3-none-{tag}.whl"
        carried = "nsfl/bin/nsfl.exe" if system == "windows" else "nsfl/bin/nsfl"
        assert carried in zipfile.ZipFile(made).namelist()
        again = make_wheels.make("0.2.0rc1", name, binary, tmp_path / "again")
        assert again.read_bytes() == made.read_bytes()
    with pytest.raises(SystemExit, match="not a program for windows"):
        make_wheels.make("0.2.0", "windows-amd64", tmp_path / "linux-amd64", tmp_path)
    with pytest.raises(SystemExit, match="unknown platform plan9-386"):
        make_wheels.make("0.2.0", "plan9-386", tmp_path / "linux-amd64", tmp_path)
