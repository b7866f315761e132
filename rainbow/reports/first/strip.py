"""The systems in people's order, beside the order of a metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rainbow.reports.number import Number, fixed, precise
from rainbow.reports.saved.saved_analysis import Part, Saved


class Place(NamedTuple):
    """A system: its mean rating, the metric's mean, and its place in both orders, from 1."""

    system: str
    people: Number
    metric: Number
    rank: int
    rank_metric: int

    @property
    def arrow(self) -> str:
        """Which way the metric moves it; nothing where both orders agree."""
        return "" if self.rank == self.rank_metric else "up" if self.rank_metric < self.rank else "down"


def strip(saved: Saved, rating: str, metric: str) -> list[Place]:
    """Return the systems, the best by people first; none where there is one, or no metric has a mean for all."""
    lines: Any = saved.rows("systems", column=rating).dropna(subset="mean").itertuples()
    scored = saved.lookup("systems", "dataset", "system", column=metric)
    pairs = [(line, scored[line.dataset, line.system]) for line in lines if (line.dataset, line.system) in scored]
    pairs = [pair for pair in pairs if pair[1].mean == pair[1].mean]
    if len(pairs) < 2:
        return []
    sign = 1.0 if saved.higher_is_better[metric] is False else -1.0
    people, machine = _ranks([-line.mean for line, _ in pairs]), _ranks([sign * line.mean for _, line in pairs])
    places = [
        Place(
            saved.label(Part(line.dataset, line.system)),
            saved.number("systems", line.Index, "mean", fixed),
            saved.number("systems", other.Index, "mean", precise),
            *ranks,
        )
        for (line, other), *ranks in zip(pairs, people, machine, strict=True)
    ]
    return sorted(places, key=lambda place: place.rank)


def _ranks(values: Sequence[float]) -> list[int]:
    return [1 + sum(other < value for other in values) for value in values]
