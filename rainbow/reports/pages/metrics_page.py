"""The report of one dataset: its sections in the order in which a researcher asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rainbow.base.files import write_atomically
from rainbow.reports.figures.render import Drawn
from rainbow.reports.number import count
from rainbow.reports.pages.embedding import embedded, script_json
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.section import Section
from rainbow.reports.sections import answer, between, data, ensemble, failures, making, metrics, ranking, systems

__all__ = ["SECTIONS", "Written", "make_report", "write_page", "write_report"]

# In the order in which they are read.
SECTIONS: tuple[Callable[[Saved], Section], ...] = (
    answer.section,
    data.section,
    metrics.section,
    between.section,
    ranking.section,
    failures.section,
    systems.section,
    ensemble.section,
    making.section,
)


class Written(NamedTuple):
    """A report that was written: the page, its size in bytes, and the files of its figures."""

    path: Path
    size: int
    figures: list[Path]


def make_report(saved: Saved, workers: int = 1) -> Page:
    """Return the report of a dataset as one HTML file; nothing is computed anew.

    Parameters
    ----------
    saved
        What :func:`~rainbow.reports.saved.saved_analysis.load_saved` read.
    workers
        How many processes draw the figures.
    """
    sections = [section(saved) for section in SECTIONS]
    browser = next(section.data["browser"] for section in sections if section.name == "failures")
    scripts = {"browser-data": script_json(browser), "tables-data": embedded(making.downloads(saved))}
    return make_page(saved.name, saved.name, _facts(saved), sections, scripts, workers)


def _facts(saved: Saved) -> str:
    systems, metrics, ratings = saved.summary["systems"], saved.metrics, saved.ratings
    parts = [
        f"{count(len(saved.scores))} outputs",
        f"{count(saved.summary['items'])} items",
        f"{len(systems)} systems" if len(systems) > 1 else f"1 system ({systems[0]})",
        f"{len(metrics)} metrics",
        f"rated for {', '.join(ratings)}",
    ]
    return " · ".join(parts)


def write_report(saved: Saved, folder: Path, workers: int = 1) -> Written:
    """Write the report of a dataset to ``folder/NAME.html`` and its figures to ``folder/NAME/``."""
    return write_page(make_report(saved, workers), saved.name, folder)


def write_page(page: Page, name: str, folder: Path) -> Written:
    """Write a page and its figures."""
    path = write_atomically(folder / f"{name}.html", partial(_write, page.html.encode("utf-8", "backslashreplace")))
    figures = [file for figure, drawn in page.figures.items() for file in _write_figure(folder / name / figure, drawn)]
    return Written(path, path.stat().st_size, figures)


def _write_figure(path: Path, drawn: Drawn) -> list[Path]:
    formats: Mapping[str, bytes] = {"svg": drawn.svg, "pdf": drawn.pdf}
    return [
        write_atomically(path.with_name(f"{path.name}.{form}"), partial(_write, content))
        for form, content in formats.items()
    ]


def _write(content: bytes, path: Path) -> None:
    path.write_bytes(content)
