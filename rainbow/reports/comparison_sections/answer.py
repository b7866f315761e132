"""Answer first: what to trust on each dataset and on all, and what changed from the first to the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rainbow.reports.comparison_sections.changes import Change
from rainbow.reports.comparison_sections.datasets import Datasets
from rainbow.reports.number import Number, fixed
from rainbow.reports.section import Section
from rainbow.reports.trusted import trusted

__all__ = ["section"]


class Common(NamedTuple):
    """The metric whose worst correlation of all is best, with its correlations."""

    rating: str
    metric: str
    lower_is_better: bool
    numbers: list[Number]


def section(datasets: Datasets, changes: Sequence[Change]) -> Section:
    """Return what to trust for each rating, and `changes` in words."""
    sides = [{choice.rating: choice for choice in trusted(saved)} for saved in datasets.saved]
    data = {
        "names": datasets.names,
        "all_of_them": datasets.all_of_them,
        "choices": [(rating, [side[rating] for side in sides]) for rating in datasets.ratings],
        "common": [common for rating in datasets.ratings if (common := _common(datasets, rating))],
        "changes": changes,
    }
    return Section("comparison-answer", "Answer first", data)


def _common(datasets: Datasets, rating: str) -> Common | None:
    sides = [datasets.lines(saved, rating) for saved in datasets.saved]
    found: list[tuple[float, Common]] = []
    for metric in datasets.metrics:
        better, lines = datasets.first.higher_is_better[metric], [side[metric] for side in sides]
        if better is not None and all(line.r == line.r for line in lines):
            numbers = [
                saved.number("correlations", line.Index, "r", fixed)
                for saved, line in zip(datasets.saved, lines, strict=True)
            ]
            worst = min(line.r if better else -line.r for line in lines)
            found.append((worst, Common(rating, metric, not better, numbers)))
    return max(found, key=lambda entry: entry[0])[1] if found else None
