"""Assembly of sections and figures into one HTML file."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow._version import __version__
from rainbow.base.files import write_bytes, write_text
from rainbow.base.workers import in_order
from rainbow.reports.colours import stylesheet
from rainbow.reports.embedding import cell_details, find_grids, script_json
from rainbow.reports.figures.render import RenderedFigure, inline_svg, render_figure
from rainbow.reports.section import Section

if TYPE_CHECKING:
    from jinja2 import Environment

# Parts of the page's script, each uses those before it.
SCRIPT = ("page", "tables", "figures", "why", "scatter", "outputs")
# Figures for which it pays to start a process: it needs as long to begin as two or three of them.
EACH = 6


class Page(NamedTuple):
    """A page with its name and figures by name."""

    name: str
    html: str
    figures: Mapping[str, RenderedFigure]


class WrittenPage(NamedTuple):
    """A written page: path, size in bytes, and figure files."""

    path: Path
    size: int
    figures: list[Path]


def make_page(
    name: str, title: str, facts: str, sections: Sequence[Section], scripts: Mapping[str, str], workers: int | None = 1
) -> Page:
    """Return a self-contained page."""
    from markupsafe import Markup

    figures = [figure for section in sections for figure in section.figures]
    used = max(1, min(workers or min(os.cpu_count() or 1, len(figures) // EACH), len(figures)))
    drawn = dict(zip([figure.name for figure in figures], in_order(render_figure, figures, used), strict=True))
    script = _page_script()
    held = script_json(cell_details(find_grids([section.data for section in sections])))
    html = (
        _template_environment()
        .get_template("page.html")
        .render(
            title=title,
            facts=facts,
            tabs=_group_tabs(sections),
            drawn=_page_figures(name, sections, drawn),
            scripts={name: Markup(content) for name, content in {**scripts, "cells-data": held}.items()},
            colours=Markup(stylesheet()),
            stylesheet=Markup(_read_asset("report.css")),
            script=Markup(script),
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            version=__version__,
        )
    )
    return Page(name, html, drawn)


def _group_tabs(sections: Sequence[Section]) -> list[tuple[str, list[Section]]]:
    """Group neighbouring sections that share a tab."""
    tabs: list[tuple[str, list[Section]]] = []
    for section in sections:
        name = section.tab or section.title
        if not tabs or tabs[-1][0] != name:
            tabs.append((name, []))
        tabs[-1][1].append(section)
    return tabs


def write_page(page: Page, folder: Path) -> WrittenPage:
    """Write a page to ``folder/NAME.html`` and its figures to ``folder/NAME/``."""
    path = write_text(folder / f"{page.name}.html", page.html)
    figures = {
        folder / page.name / f"{figure}.{form}": content
        for figure, drawn in page.figures.items()
        for form, content in drawn._asdict().items()
    }
    for file, content in figures.items():
        write_bytes(file, content)
    return WrittenPage(path, path.stat().st_size, [*figures])


def _page_figures(
    name: str, sections: Iterable[Section], drawn: Mapping[str, RenderedFigure]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the numbered figures of every section; without a drawing if only the files of a figure are linked."""
    from markupsafe import Markup

    shown: dict[str, dict[str, dict[str, Any]]] = {}
    number = 0
    for section in sections:
        shown[section.name] = {}
        for figure in section.figures:
            number += figure.inside
            svg = Markup(inline_svg(drawn[figure.name].svg, figure) if figure.inside else "")
            about = {"number": number, "svg": svg, "caption": figure.caption, "folder": name}
            shown[section.name][figure.name] = about
    return shown


@cache
def _template_environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("rainbow.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _page_script() -> str:
    """Return all scripts of the page as one, without comments."""
    parts = re.sub(r"(?m)^ *//.*\n", "", "".join(_read_asset(f"script/{part}.js") for part in SCRIPT))
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


@cache
def _read_asset(name: str) -> str:
    return files("rainbow.reports").joinpath(name).read_text(encoding="utf-8")
