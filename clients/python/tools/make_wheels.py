"""Builds wheels that include the binary.

    python tools/make_wheels.py --version 0.1.0 --out DIR PLATFORM=BINARY…

PLATFORM is one of Go's, such as linux-amd64. The binaries are static, so one for Linux works with
glibc and musl. The same binary always gives the same wheel.
"""

import argparse
import os
import sys
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parent.parent

# The minimum versions that Go supports.
TAGS = {
    "linux-amd64": "manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin-amd64": "macosx_12_0_x86_64",
    "darwin-arm64": "macosx_12_0_arm64",
    "windows-amd64": "win_amd64",
    "windows-arm64": "win_arm64",
}

# Magic numbers of executables.
MAGIC = {"linux": b"\x7fELF", "darwin": b"\xcf\xfa\xed\xfe", "windows": b"MZ"}


def make(version: str, platform: str, binary: Path, out: Path) -> Path:
    """One wheel."""
    if platform not in TAGS:
        sys.exit(f"unknown platform {platform}; use one of {', '.join(TAGS)}")
    system = platform.partition("-")[0]
    if not binary.read_bytes().startswith(MAGIC[system]):
        sys.exit(f"{binary} is not a program for {system}")
    os.environ["NSFL_WHEEL_VERSION"] = version
    os.environ["NSFL_WHEEL_BINARY"] = str(binary.resolve())
    os.environ["NSFL_WHEEL_NAME"] = "nsfl.exe" if system == "windows" else "nsfl"
    os.environ["NSFL_WHEEL_TAG"] = f"py3-none-{TAGS[platform]}"
    [made] = WheelBuilder(str(ROOT)).build(directory=str(out), versions=["standard"])
    return Path(made)


def main() -> None:
    parser = argparse.ArgumentParser(description="Builds wheels that include the binary.")
    parser.add_argument("--version", required=True, help="such as 0.1.0 or 0.1.0rc1")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the wheels")
    parser.add_argument("binaries", nargs="+", metavar="PLATFORM=BINARY")
    arguments = parser.parse_args()
    for given in arguments.binaries:
        platform, _, path = given.partition("=")
        if not path:
            parser.error(f"{given} has no binary: write {platform}=PATH")
        print(make(arguments.version, platform, Path(path), arguments.out))


if __name__ == "__main__":
    main()
