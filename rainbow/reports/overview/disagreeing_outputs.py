"""Where people and a metric disagree: outputs in opposite halves, and the order of systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from rainbow.reports.disagreement import disagreements
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


SHOWN = 3
LONGEST = 160  # letters
MIDDLE = 50  # percentile


class DisagreeingOutput(NamedTuple):
    """An output with rating, score, their percentiles and its link."""

    output: str
    system: str
    rating: Number
    metric: Number
    people: Number
    machine: Number
    link: str

    @property
    def says(self) -> str:
        """Whether the metric or the raters rank the output in the upper half."""
        if self.people.value > MIDDLE:
            return "high rating, low score"
        return "high score, low rating"


def disagreeing_outputs(saved: SavedAnalysis, rating: str, metric: str) -> list[DisagreeingOutput]:
    """Return outputs in opposite halves of ratings and scores, largest difference first, without repeats."""
    table = disagreements(saved.scores, metric, rating, saved.higher_is_better[metric])
    table = table[(table["metric"] - MIDDLE) * (table["rating"] - MIDDLE) < 0]
    order = table["difference"].abs().sort_values(ascending=False, kind="stable").index
    texts = saved.scores["output"].loc[order].drop_duplicates()
    return [_disagreeing_output(saved, row, rating, metric, table.loc[row]) for row in texts.index[:SHOWN]]


def _disagreeing_output(saved: SavedAnalysis, row: int, rating: str, metric: str, places: Any) -> DisagreeingOutput:
    line: Any = saved.scores.loc[row]
    text = str(line["output"])
    place = saved.scores.index.get_loc(row)
    people, machine = (Number(float(places[name]), format_fixed(places[name], 0)) for name in ("rating", "metric"))
    return DisagreeingOutput(
        text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}…",
        str(line["system"]),
        Number(float(line[rating]), format_precise(line[rating]), f"scores:{row}:{rating}"),
        Number(float(line[metric]), format_precise(line[metric]), f"scores:{row}:{metric}"),
        people,
        machine,
        f"#utterances?{urlencode({'rating': rating, 'metric': metric, 'output': place})}",
    )
