"""Answer first: the verdicts on each dataset, and what changed from the first to the others."""

from __future__ import annotations

from collections.abc import Sequence

from rainbow.reports.comparison_sections.changes import Change
from rainbow.reports.comparison_sections.datasets import Datasets
from rainbow.reports.first.rulings import rulings
from rainbow.reports.section import Section

__all__ = ["section"]


def section(datasets: Datasets, changes: Sequence[Change]) -> Section:
    """Return the verdict on each rating, dataset by dataset, and `changes` in words."""
    sides = [{ruling.rating: ruling for ruling in rulings(saved)} for saved in datasets.saved]
    data = {
        "names": datasets.names,
        "rulings": [(rating, [side[rating] for side in sides]) for rating in datasets.ratings],
        "alike": [rating for rating in datasets.ratings if _alike([side[rating].metric for side in sides])],
        "changes": changes,
    }
    return Section("comparison-answer", "Answer", data)


def _alike(metrics: Sequence[str]) -> bool:
    """Return whether one metric may be used everywhere."""
    return len({*metrics}) == 1 and metrics[0] != ""
