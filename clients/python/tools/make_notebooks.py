"""Executes the notebooks of examples/ and keeps what they show: python tools/make_notebooks.py."""

from pathlib import Path

import matplotlib.font_manager  # noqa: F401  # says that it looks for fonts, once on a machine
import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[3] / "examples" / "notebooks"

# Nothing of the machine or the time.
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def executed(path: Path) -> nbformat.NotebookNode:
    """The notebook with the outputs that it has today."""
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        coalesce_streams=True,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(path.parent)}},
        timeout=300,
    ).execute()
    notebook.metadata = METADATA
    for cell in notebook.cells:
        cell.metadata.clear()
    return notebook


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.ipynb")):
        nbformat.write(executed(path), path)
