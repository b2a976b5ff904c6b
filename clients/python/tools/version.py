"""The version of what is built: make_wheels.py is told it, a checkout has none."""

import os

__version__ = os.environ.get("NSFL_WHEEL_VERSION", "0.0.0.dev0")
