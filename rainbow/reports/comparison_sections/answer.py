"""Answer first: the verdicts on each dataset, and what changed from the first to the others."""

from __future__ import annotations

from collections.abc import Sequence

from rainbow.reports.comparison_sections.changes import Change
from rainbow.reports.comparison_sections.datasets import Datasets
from rainbow.reports.first.rulings import rulings
from rainbow.reports.section import Section


def section(datasets: Datasets, changes: Sequence[Change]) -> Section:
    """Return the verdict on each rating, dataset by dataset, and `changes` in words."""
    sides = [{ruling.rating: ruling for ruling in rulings(saved)} for saved in datasets.saved]
    data = {
        "names": datasets.names,
        "rulings": [(rating, [side[rating] for side in sides]) for rating in datasets.ratings],
        "told": [_told(rating, [side[rating].metric for side in sides]) for rating in datasets.ratings],
        "changes": changes,
    }
    return Section("comparison-answer", "Answer", data)


def _told(rating: str, metrics: Sequence[str]) -> str:
    """Return in a sentence whether one metric may be used everywhere."""
    chosen = [metric for metric in metrics if metric]
    if not chosen:
        return f"For {rating} no metric may be used on any of these."
    if len(chosen) < len(metrics):
        return f"For {rating} a metric may be used on {len(chosen)} of these {len(metrics)}."
    if len({*chosen}) == 1:
        return f"For {rating} {chosen[0]} may be used on all of these."
    return f"For {rating} each has a metric that may be used, but not the same one."
