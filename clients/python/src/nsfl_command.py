"""The command nsfl: the binary included in a wheel.

It is not part of the package nsfl, whose imports take longer than most searches.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAME = "nsfl.exe" if sys.platform == "win32" else "nsfl"


def binary() -> str:
    """Return the path of the binary: $NSFL_BIN, in the package, or on the path."""
    if named := os.environ.get("NSFL_BIN"):
        return named
    carried = Path(__file__).parent / "nsfl" / "bin" / NAME
    if carried.exists():
        return str(carried)
    # This script itself may be on the path under the same name.
    own = Path(sys.argv[0]).resolve()
    if sys.platform == "win32":
        own = own.with_suffix(".exe")
    for folder in filter(None, os.environ.get("PATH", "").split(os.pathsep)):
        found = shutil.which(NAME, path=folder)
        if found and Path(found).resolve() != own:
            return found
    raise FileNotFoundError(
        "the nsfl binary was not found: this package was installed from source; "
        "install a wheel, put nsfl on the path, or set $NSFL_BIN"
    )


def main() -> None:
    """Replace this process by the binary, or run it if the system cannot."""
    try:
        command = [binary(), *sys.argv[1:]]
    except FileNotFoundError as e:
        sys.exit(f"nsfl: {e}")
    if sys.platform == "win32":
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)
