"""The page on the systems of a dataset."""

from __future__ import annotations

from collections.abc import Callable

from rainbow.reports.embedding import embed_tables, script_json
from rainbow.reports.number_format import format_count
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.pages.provenance import systems_provenance, systems_tables
from rainbow.reports.saved.saved_systems import SavedSystems
from rainbow.reports.section import Section
from rainbow.reports.system_sections import (
    answer_section,
    corpus_metrics,
    output_browser,
    rankings,
    similarity,
    slot_errors,
    text_statistics,
)

# In the order in which they are read; one about a table that was not made is left out.
SECTIONS: dict[str, Callable[[SavedSystems], Section]] = {
    "corpus_metrics": corpus_metrics.section,
    "rankings": rankings.section,
    "slot_errors": slot_errors.section,
    "textual": text_statistics.section,
    "similarity": similarity.section,
    output_browser.OUTPUTS: output_browser.section,
}


def make_systems_page(saved: SavedSystems, workers: int | None = 1) -> Page:
    """Return the page on the systems of a dataset as one HTML file."""
    middle = [section(saved) for table, section in SECTIONS.items() if table in saved.tables]
    sections = [answer_section.section(saved), *middle, systems_provenance(saved)]
    browser = next((section.data["browser"] for section in sections if section.name == "systems-outputs"), None)
    scripts = {"browser-data": script_json(browser), "tables-data": embed_tables(systems_tables(saved))}
    title = f"Systems of {saved.name}"
    return make_page(f"{saved.page}-systems", title, _page_facts(saved), sections, scripts, workers)


def _page_facts(saved: SavedSystems) -> str:
    table = saved.tables["corpus_metrics"]
    items = sum(int(saved.rows("corpus_metrics", **part.filters)["n"].iloc[0]) for part in saved.parts)
    facts = [f"{table['system'].nunique()} systems", f"{format_count(items)} inputs"]
    if len(saved.parts) > 1:
        facts.append(f"{len(saved.parts)} datasets")
    if "rankings" in saved.tables:
        facts.append(f"judged by people for {', '.join(dict.fromkeys(saved.tables['rankings']['rating']))}")
    return " · ".join(facts)
