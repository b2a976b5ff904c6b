"""Puts a binary into a wheel. make_wheels.py sets the binary and the platform."""

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Carry(BuildHookInterface[Any]):
    """The hook that hatchling calls for each wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if path := os.environ.get("NSFL_WHEEL_BINARY"):
            build_data["force_include"][path] = f"nsfl/bin/{os.environ['NSFL_WHEEL_NAME']}"
            build_data["tag"] = os.environ["NSFL_WHEEL_TAG"]
            build_data["pure_python"] = False
