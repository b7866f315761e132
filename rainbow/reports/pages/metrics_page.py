"""The report of one dataset: its sections in the order in which a researcher asks."""

from __future__ import annotations

from collections.abc import Callable

from rainbow.reports.embedding import embedded, script_json
from rainbow.reports.number import count
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.section import Section
from rainbow.reports.sections import (
    answer,
    between,
    data,
    failures,
    judges,
    learned_metric,
    making,
    metrics,
    ranking,
    rated_systems,
    search,
)

# The tabs in the order in which a researcher asks, each with its sections.
SECTIONS: dict[str, tuple[Callable[[Saved], Section], ...]] = {
    "Answer": (answer.section,),
    "Outputs": (failures.section,),
    "Metrics": (metrics.section, between.section, ranking.section),
    "Systems": (rated_systems.section,),
    "Learned": (learned_metric.section, search.section),
    "Checks": (data.section, judges.section),
    "Methods": (making.section,),
}


def make_report(saved: Saved, workers: int | None = 1) -> Page:
    """Return the report of a dataset as one HTML file; nothing is computed anew."""
    made = [section(saved)._replace(tab=tab) for tab, several in SECTIONS.items() for section in several]
    sections = [section for section in made if section.data]
    browser = next(section.data["browser"] for section in sections if section.name == "failures")
    scripts = {"browser-data": script_json(browser), "tables-data": embedded(making.downloads(saved))}
    return make_page(saved.page, saved.name, _facts(saved), sections, scripts, workers)


def _facts(saved: Saved) -> str:
    systems, metrics, ratings = saved.summary["systems"], saved.metrics, saved.ratings
    named = f"{len(systems)} systems" if len(systems) > 1 else f"1 system ({systems[0]})"
    parts = [
        f"{count(len(saved.scores))} outputs",
        f"{count(saved.summary['items'])} items",
        *([named] if any(systems) else []),
        f"{len(metrics)} metrics",
        f"rated for {', '.join(ratings)}",
    ]
    return " · ".join(parts)
