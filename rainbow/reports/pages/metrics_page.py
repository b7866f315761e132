"""The report of one dataset, with ratings or without."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rainbow.reports.embedding import embed_tables, script_json
from rainbow.reports.number_format import format_count
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.pages.provenance import metrics_provenance, metrics_tables
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.section import Section
from rainbow.reports.sections import (
    data_section,
    failures,
    learned_metric,
    metric_comparison,
    metrics_section,
    ranking,
    rated_systems,
    recommended_section,
    scores_section,
    search_section,
    verdict_section,
)
from rainbow.reports.sections.raters import error_spans, judges

# The tabs in the order in which a researcher asks, each with its sections.
SECTIONS: dict[str, tuple[Callable[[SavedAnalysis], Section], ...]] = {
    "Answer": (verdict_section.section, recommended_section.section),
    "Outputs": (failures.section, error_spans.section),
    "Metrics": (metrics_section.section, metric_comparison.section, ranking.section),
    "Systems": (rated_systems.section,),
    "Learned": (learned_metric.section, search_section.section),
    "Checks": (data_section.section, judges.section),
    "Methods": (metrics_provenance,),
}


def make_report(saved: SavedAnalysis, workers: int | None = 1) -> Page:
    """Return the report of a dataset as one HTML file from saved tables."""
    made = [section(saved)._replace(tab=tab) for tab, several in SECTIONS.items() for section in several]
    sections = [section for section in made if section.data]
    browser = next(section.data["browser"] for section in sections if section.name == "failures")
    scripts = {"browser-data": script_json(browser), "tables-data": embed_tables(metrics_tables(saved))}
    systems = saved.summary["systems"]
    metrics = [metric for metric in saved.metrics if saved.scores[metric].notna().any()]
    facts = [
        f"{format_count(len(saved.scores))} outputs",
        f"{format_count(saved.summary['items'])} items",
        f"{len(systems)} systems" if len(systems) > 1 else f"1 system ({systems[0]})" if systems[0] else "",
        f"{len(metrics)} metric{'s' * (len(metrics) != 1)}",
        f"rated for {', '.join(saved.ratings)}",
    ]
    return make_page(saved.page, saved.name, " · ".join(filter(None, facts)), sections, scripts, workers)


def make_scores_page(
    saved: SavedAnalysis, done: Sequence[str], left: Sequence[tuple[str, str]], taken: Sequence[tuple[str, ...]]
) -> Page:
    """Return the page of outputs without ratings as one HTML file."""
    sections = [scores_section.section(saved, done, left, taken), metrics_provenance(saved)]
    scripts = {"tables-data": embed_tables(metrics_tables(saved))}
    return make_page(saved.page, saved.name, _score_facts(saved), sections, scripts)


def _score_facts(saved: SavedAnalysis) -> str:
    if not len(saved.scores):
        ranked = saved.tables.get("preferences")
        return "no outputs" if ranked is None else f"{format_count(len(ranked))} systems, compared by people"
    systems = saved.summary["systems"]
    outputs, columns = f"{format_count(len(saved.scores))} outputs", f"{format_count(len(saved.metrics))} columns"
    return " · ".join([outputs, *([f"{len(systems)} systems"] if len(systems) > 1 else []), columns, "not rated"])
