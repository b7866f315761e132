"""The first section: verdicts per dataset, and what changed."""

from __future__ import annotations

from collections.abc import Sequence

from rainbow.reports.comparison_sections.changes import Change
from rainbow.reports.comparison_sections.datasets import Datasets
from rainbow.reports.overview.page_verdicts import page_verdicts
from rainbow.reports.section import Section


def section(datasets: Datasets, changes: Sequence[Change]) -> Section:
    """Return the verdict on each rating per dataset, and `changes` in words."""
    sides = [{ruling.rating: ruling for ruling in page_verdicts(saved)} for saved in datasets.saved]
    data = {
        "names": datasets.names,
        "rulings": [(rating, [side[rating] for side in sides]) for rating in datasets.ratings],
        "told": [_common_verdict(rating, [side[rating].metric for side in sides]) for rating in datasets.ratings],
        "changes": changes,
    }
    return Section("comparison-answer", "Answer", data)


def _common_verdict(rating: str, metrics: Sequence[str]) -> str:
    """Return a sentence on whether one metric can be used for all datasets."""
    chosen = [metric for metric in metrics if metric]
    if not chosen:
        return f"For {rating}, no metric can be used on any of these datasets."
    if len(chosen) < len(metrics):
        return f"For {rating}, a metric can be used on {len(chosen)} of these {len(metrics)} datasets."
    if len({*chosen}) == 1:
        return f"For {rating}, {chosen[0]} can be used on all of these datasets."
    return f"For {rating}, every dataset has a usable metric, but not the same one."
