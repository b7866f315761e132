"""Settings of the site: `make docs` builds it from the Markdown pages of this repository, offline."""

from __future__ import annotations

import sys
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from docs.pages import citing, columns, commands, links, python, tutorials  # noqa: E402
from rainbow import __version__  # noqa: E402

project = "RAINBOW"
author = "The RAINBOW authors"
release = version = __version__
html_title = f"RAINBOW {release}"

# The repository is the source, so that a link between pages is the same here and where the repository is read.
root_doc = "docs/index"
include_patterns = [
    *("README.md", "CHANGELOG.md", "docs/*.md", "docs/lab/*.md", "docs/reference/**", "examples/*.md"),
    *("metrics/README.md", "analysis/README.md", "reports/README.md", "benchmarks/RESULTS.md", "native/README.md"),
]
# Run by myst-nb while the site is built; `tutorials` compares what they print.
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_output_stderr = "remove"

exclude_patterns = [".*", "docs/_build", "**/__pycache__"]
extensions = ["sphinx.ext.autodoc", "numpydoc", "myst_nb", "sphinx_copybutton"]

myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
numpydoc_show_class_members = False
numpydoc_validation_checks = {"GL03", "PR02"}  # signatures have the types; what belongs together is described together

html_theme = "pydata_sphinx_theme"
html_show_sourcelink = False
templates_path = ["templates"]
html_static_path = ["static"]
html_css_files = ["site.css"]
html_sidebars = {"**": ["sections"]}
html_theme_options = {
    "navbar_center": [],
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}

# What a newcomer searches for; the search puts such entries before words in a title.
SOUGHT = {"README": ("install", "installation"), "docs/own-files": ("own csv", "own file", "csv", "install")}


def add_sought(app: Sphinx, doctree: nodes.document) -> None:
    """Put what is searched for among the index entries of its page."""
    if words := SOUGHT.get(app.env.current_document.docname):
        doctree[0].insert(1, addnodes.index(entries=[("single", word, "", "main", None) for word in words]))


def setup(app: Sphinx) -> None:
    """Write what is made from the code, and check the links of the finished site."""
    folder = ROOT / "docs" / "reference"
    for page in (commands, columns, python, citing):
        page.write(folder)
    tutorials.connect(app)
    app.connect("doctree-read", add_sought)
    app.connect("build-finished", links.check)
