"""The page that compares datasets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rainbow.reports.comparison_sections import best_metrics, changes, correlations, provenance, verdict_section
from rainbow.reports.comparison_sections.datasets import Datasets
from rainbow.reports.embedding import embed_tables, script_json
from rainbow.reports.number_format import format_count
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.saved.saved_analysis import SavedAnalysis


def make_comparison(saved: Sequence[SavedAnalysis], workers: int | None = 1) -> Page:
    """Return one page on several datasets; the first is the baseline."""
    names = [entry.name for entry in saved]
    if len({*names}) < max(2, len(names)):
        raise ValueError(f"{names[-1]} cannot be compared with itself: name another dataset")
    ratings, metrics = (
        [name for name in own[0] if all(name in other for other in own)]
        for own in ([entry.ratings for entry in saved], [entry.metrics for entry in saved])
    )
    if not ratings or not metrics:
        what = "rating" if metrics else "metric"
        raise ValueError(f"{', '.join(names)} have no common {what}: name datasets with the same ratings and metrics")
    datasets = Datasets([replace(entry, prefix=f"{entry.name}/") for entry in saved], ratings, metrics)
    result = changes.find_changes(datasets)
    sections = [
        verdict_section.section(datasets, result),
        correlations.section(datasets),
        best_metrics.section(datasets),
    ]
    if any(change.shared.inputs for change in result):
        sections.insert(1, changes.section(datasets, result))
    sections.append(provenance.section(datasets))
    facts = " · ".join(f"{entry.name}: {format_count(len(entry.scores))} outputs" for entry in saved)
    scripts = {"tables-data": embed_tables(provenance.downloadable_tables(datasets)), "browser-data": script_json(None)}
    title = f"{', '.join(names[:-1])} and {names[-1]}"
    return make_page("-and-".join(entry.page for entry in saved), title, facts, sections, scripts, workers)
