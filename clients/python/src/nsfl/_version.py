"""The version from the package's metadata."""

from importlib.metadata import version

__version__ = version("nsfl")
