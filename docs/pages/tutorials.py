"""Tutorials are run while the site is built, and what they print is compared with what stands in them."""

from __future__ import annotations

import difflib
import os

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from examples.tutorial import FOLDER, cells, surroundings, without_printed

NOTEBOOK = "---\nfile_format: mystnb\n"


def connect(app: Sphinx) -> None:
    """Have pages prepared before they are read, and compared afterwards."""
    os.environ.update(surroundings())
    app.connect("source-read", _prepare)
    app.connect("doctree-read", _compare)


def _prepare(app: Sphinx, page: str, source: list[str]) -> None:
    if source[0].startswith(NOTEBOOK):
        source[0] = without_printed(source[0])


def _compare(app: Sphinx, tree: nodes.document) -> None:
    folder, _, page = app.env.docname.rpartition("/")
    if folder != FOLDER.name:
        return
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    printed = [_printed(cell) for cell in tree.findall(nodes.container) if cell.get("nb_element") == "cell_code"]
    stored = [cell.printed for cell in cells(text)]
    if text.startswith(NOTEBOOK) and printed != stored:
        lines = difflib.unified_diff(
            "".join(stored).splitlines(), "".join(printed).splitlines(), page, "now", lineterm=""
        )
        raise ExtensionError("\n".join(["a tutorial prints something else than it says", *lines]))


def _printed(cell: nodes.container) -> str:
    """Return the text that a cell printed."""
    blocks = [block for block in cell.findall(nodes.literal_block) if "stream" in block.get("classes", ())]
    return "".join(f"{line.rstrip()}\n" for block in blocks for line in block.astext().splitlines())
