"""The page of outputs that nobody rated."""

from __future__ import annotations

from collections.abc import Sequence

from rainbow.reports.embedding import embedded
from rainbow.reports.number import count
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.sections import making, scored


def make_scores_page(
    saved: Saved, done: Sequence[str], left: Sequence[tuple[str, str]], taken: Sequence[tuple[str, ...]]
) -> Page:
    """Return the page as one HTML file."""
    sections = [scored.section(saved, done, left, taken), making.section(saved)]
    scripts = {"tables-data": embedded(making.downloads(saved))}
    return make_page(saved.page, saved.name, _facts(saved), sections, scripts)


def _facts(saved: Saved) -> str:
    if not len(saved.scores):
        ranked = saved.tables.get("preferences")
        return "no outputs" if ranked is None else f"{count(len(ranked))} systems, compared by people"
    systems = saved.summary["systems"]
    outputs, columns = f"{count(len(saved.scores))} outputs", f"{count(len(saved.metrics))} columns"
    return " · ".join([outputs, *([f"{len(systems)} systems"] if len(systems) > 1 else []), columns, "not rated"])
