"""The version to build, set by make_wheels.py; a checkout has none."""

import os

__version__ = os.environ.get("NSFL_WHEEL_VERSION", "0.0.0.dev0")
