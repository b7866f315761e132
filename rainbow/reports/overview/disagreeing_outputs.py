"""Outputs that people and a metric place in opposite halves."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from rainbow.reports.disagreement import disagreements
from rainbow.reports.number_format import Number, format_fixed, format_precise
from rainbow.reports.saved.saved_analysis import SavedAnalysis

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
