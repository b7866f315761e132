"""Datasets side by side: what to trust on each, which correlations differ, and what changed for the same inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rainbow.reports.comparison_sections import answer, best, changes, correlations, making
from rainbow.reports.comparison_sections.datasets import Datasets
from rainbow.reports.embedding import embedded, script_json
from rainbow.reports.number import count
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.saved.saved_analysis import Saved


def make_comparison(saved: Sequence[Saved], workers: int | None = 1) -> Page:
    """Return one page on several datasets: the first is what the others are compared with."""
    names = [entry.name for entry in saved]
    if len({*names}) < max(2, len(names)):
        raise ValueError(f"{names[-1]} cannot be compared with itself: name another dataset")
    ratings, metrics = (
        [name for name in own[0] if all(name in other for other in own)]
        for own in ([entry.ratings for entry in saved], [entry.metrics for entry in saved])
    )
    if not ratings or not metrics:
        what = "rating" if metrics else "metric"
        raise ValueError(f"{', '.join(names)} have no {what} in common: name datasets that were rated and scored alike")
    datasets = Datasets([replace(entry, prefix=f"{entry.name}/") for entry in saved], ratings, metrics)
    found = changes.changes(datasets)
    sections = [answer.section(datasets, found), correlations.section(datasets), best.section(datasets)]
    if any(change.shared.inputs for change in found):
        sections.insert(1, changes.section(datasets, found))
    sections.append(making.section(datasets))
    facts = " · ".join(f"{entry.name}: {count(len(entry.scores))} outputs" for entry in saved)
    scripts = {"tables-data": embedded(making.downloads(datasets)), "browser-data": script_json(None)}
    title = f"{', '.join(names[:-1])} and {names[-1]}"
    return make_page("-and-".join(entry.page for entry in saved), title, facts, sections, scripts, workers)
