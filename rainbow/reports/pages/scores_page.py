"""The page of outputs without ratings."""

from __future__ import annotations

from collections.abc import Sequence

from rainbow.reports.embedding import embed_tables
from rainbow.reports.number_format import format_count
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.sections import provenance, scores_section


def make_scores_page(
    saved: SavedAnalysis, done: Sequence[str], left: Sequence[tuple[str, str]], taken: Sequence[tuple[str, ...]]
) -> Page:
    """Return the page as one HTML file."""
    sections = [scores_section.section(saved, done, left, taken), provenance.section(saved)]
    scripts = {"tables-data": embed_tables(provenance.downloadable_tables(saved))}
    return make_page(saved.page, saved.name, _page_facts(saved), sections, scripts)


def _page_facts(saved: SavedAnalysis) -> str:
    if not len(saved.scores):
        ranked = saved.tables.get("preferences")
        return "no outputs" if ranked is None else f"{format_count(len(ranked))} systems, compared by people"
    systems = saved.summary["systems"]
    outputs, columns = f"{format_count(len(saved.scores))} outputs", f"{format_count(len(saved.metrics))} columns"
    return " · ".join([outputs, *([f"{len(systems)} systems"] if len(systems) > 1 else []), columns, "not rated"])
