"""Executes the notebooks of examples/ and stores their outputs: python tools/make_notebooks.py."""

import base64
import os
import tempfile
from pathlib import Path

import matplotlib.font_manager  # the first import on a machine searches for fonts and logs it
import nbformat
from nbclient import NotebookClient

REPOSITORY = Path(__file__).parents[3]
FOLDER = REPOSITORY / "examples" / "notebooks"
PICTURE = REPOSITORY / "doc" / "img" / "notebook.png"

# Metadata without traces of the machine or the time.
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def executed(path: Path, cache: Path) -> nbformat.NotebookNode:
    """Execute a notebook. It uses its own cache, since the user's may have vectors from another
    processor."""
    environment = {
        **os.environ,
        "XDG_CACHE_HOME": str(cache),
        "NSFL_CACHE": str(cache / "vectors"),
        "MPLCONFIGDIR": matplotlib.get_cachedir(),
    }
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        coalesce_streams=True,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(path.parent)}},
        timeout=300,
    ).execute(env=environment)
    notebook.metadata = METADATA
    for cell in notebook.cells:
        cell.metadata.clear()
    return notebook


def picture() -> bytes:
    """Return the picture in the README: the first one of the first-search notebook."""
    notebook = nbformat.read(FOLDER / "first-search.ipynb", as_version=4)
    outputs = [o.get("data", {}) for cell in notebook.cells for o in cell.get("outputs", [])]
    return base64.b64decode(next(data["image/png"] for data in outputs if "image/png" in data))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        for path in sorted(FOLDER.glob("*.ipynb")):
            nbformat.write(executed(path, Path(cache)), path)
    PICTURE.write_bytes(picture())
