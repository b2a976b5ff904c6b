"""Executes the notebooks of examples/ and keeps what they show: python tools/make_notebooks.py."""

import base64
import os
import tempfile
from pathlib import Path

import matplotlib.font_manager  # which looks for fonts, once on a machine, and says so
import nbformat
from nbclient import NotebookClient

REPOSITORY = Path(__file__).parents[3]
FOLDER = REPOSITORY / "examples" / "notebooks"
PICTURE = REPOSITORY / "doc" / "img" / "notebook.png"

# Nothing of the machine or the time.
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def executed(path: Path, cache: Path) -> nbformat.NotebookNode:
    """The notebook with the outputs that it has today. The cache is one of their own, since that
    of the user may have vectors of another processor."""
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
    """The one that README shows: the first of the first search, as it is kept."""
    notebook = nbformat.read(FOLDER / "first-search.ipynb", as_version=4)
    outputs = [o.get("data", {}) for cell in notebook.cells for o in cell.get("outputs", [])]
    return base64.b64decode(next(data["image/png"] for data in outputs if "image/png" in data))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        for path in sorted(FOLDER.glob("*.ipynb")):
            nbformat.write(executed(path, Path(cache)), path)
    PICTURE.write_bytes(picture())
