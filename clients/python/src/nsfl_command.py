"""The command nsfl: the binary that a wheel carries.

It is no part of the package nsfl, whose imports would take longer than most searches.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAME = "nsfl.exe" if sys.platform == "win32" else "nsfl"


def binary() -> str:
    """Where the binary is: $NSFL_BIN, in the package, or on the path."""
    if named := os.environ.get("NSFL_BIN"):
        return named
    carried = Path(__file__).parent / "nsfl" / "bin" / NAME
    if carried.exists():
        return str(carried)
    # This command itself may be on the path, under the same name.
    own = Path(sys.argv[0]).resolve().parent
    folders = os.environ.get("PATH", "").split(os.pathsep)
    others = os.pathsep.join(f for f in folders if f and Path(f).resolve() != own)
    if found := shutil.which(NAME, path=others):
        return found
    raise FileNotFoundError(
        "the binary of nsfl is not there: this package was installed from its source; "
        "install a wheel, put nsfl on the path, or name it in $NSFL_BIN"
    )


def main() -> None:
    """Become the binary, or where a system has no such thing run it."""
    try:
        command = [binary(), *sys.argv[1:]]
    except FileNotFoundError as e:
        sys.exit(f"nsfl: {e}")
    if sys.platform == "win32":
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)
