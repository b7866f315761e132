"""The page on the systems of a dataset: its sections in the order in which a researcher asks."""

from __future__ import annotations

from collections.abc import Callable

from rainbow.reports.embedding import embedded, script_json
from rainbow.reports.number import count
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.saved.saved_systems import SavedSystems
from rainbow.reports.section import Section
from rainbow.reports.system_sections import (
    answer,
    corpus_metrics,
    making,
    outputs,
    rankings,
    similarity,
    slot_errors,
    textual,
)

# In the order in which they are read; one about a table that was not made is left out.
SECTIONS: dict[str, Callable[[SavedSystems], Section]] = {
    "corpus_metrics": corpus_metrics.section,
    "rankings": rankings.section,
    "slot_errors": slot_errors.section,
    "textual": textual.section,
    "similarity": similarity.section,
    outputs.OUTPUTS: outputs.section,
}


def make_systems_page(saved: SavedSystems, workers: int | None = 1) -> Page:
    """Return the page on the systems of a dataset as one HTML file; nothing is computed anew but one correlation."""
    middle = [section(saved) for table, section in SECTIONS.items() if table in saved.tables]
    sections = [answer.section(saved), *middle, making.section(saved)]
    browser = next((section.data["browser"] for section in sections if section.name == "systems-outputs"), None)
    scripts = {"browser-data": script_json(browser), "tables-data": embedded(making.downloads(saved))}
    return make_page(f"{saved.page}-systems", f"Systems of {saved.name}", _facts(saved), sections, scripts, workers)


def _facts(saved: SavedSystems) -> str:
    table = saved.tables["corpus_metrics"]
    parts = [saved.rows("corpus_metrics", **part.wanted) for part in saved.parts]
    items = sum(int(part["n"].iloc[0]) for part in parts)
    facts = [f"{table['system'].nunique()} systems", f"{count(items)} inputs"]
    if len(parts) > 1:
        facts.append(f"{len(parts)} datasets")
    if "rankings" in saved.tables:
        facts.append(f"judged by people for {', '.join(dict.fromkeys(saved.tables['rankings']['rating']))}")
    return " · ".join(facts)
