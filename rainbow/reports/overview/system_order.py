"""Systems in the order of people and of a metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rainbow.reports.number_format import Number, format_fixed, format_precise
from rainbow.reports.saved.saved_analysis import Part, SavedAnalysis


class SystemPlace(NamedTuple):
    """A system with mean rating, mean score, and its rank by each."""

    system: str
    people: Number
    metric: Number
    rank: int
    rank_metric: int

    @property
    def arrow(self) -> str:
        """Direction in which the metric moves the system; empty if ranks agree."""
        return "" if self.rank == self.rank_metric else "up" if self.rank_metric < self.rank else "down"


def system_order(saved: SavedAnalysis, rating: str, metric: str) -> list[SystemPlace]:
    """Return the systems, best by people first; empty for one system or without a complete metric."""
    lines: Any = saved.rows("systems", column=rating).dropna(subset="mean").itertuples()
    scored = saved.lookup("systems", "dataset", "system", column=metric)
    pairs = [(line, scored[line.dataset, line.system]) for line in lines if (line.dataset, line.system) in scored]
    pairs = [pair for pair in pairs if pair[1].mean == pair[1].mean]
    if len(pairs) < 2:
        return []
    sign = 1.0 if saved.higher_is_better[metric] is False else -1.0
    people, machine = (
        _mean_ranks([-line.mean for line, _ in pairs]),
        _mean_ranks([sign * line.mean for _, line in pairs]),
    )
    places = [
        SystemPlace(
            saved.label(Part(line.dataset, line.system)),
            saved.number("systems", line.Index, "mean", format_fixed),
            saved.number("systems", other.Index, "mean", format_precise),
            *ranks,
        )
        for (line, other), *ranks in zip(pairs, people, machine, strict=True)
    ]
    return sorted(places, key=lambda place: place.rank)


def _mean_ranks(values: Sequence[float]) -> list[int]:
    return [1 + sum(other < value for other in values) for value in values]
