"""Outputs that people place in one half and a metric in the other."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from rainbow.reports.disagreement import disagreements
from rainbow.reports.number import Number, fixed, precise
from rainbow.reports.saved.saved_analysis import Saved

SHOWN = 3
LONGEST = 160  # letters
MIDDLE = 50  # percentile


class Apart(NamedTuple):
    """An output, its rating and score, the percentile of each (ties share their mean rank), and its link."""

    output: str
    system: str
    rating: Number
    metric: Number
    people: Number
    machine: Number
    link: str

    @property
    def says(self) -> str:
        """Which of the two puts it in the upper half."""
        if self.people.value > MIDDLE:
            return "people like it, the metric does not"
        return "the metric likes it, people do not"


def apart(saved: Saved, rating: str, metric: str) -> list[Apart]:
    """Return the outputs in opposite halves of ratings and scores, the largest difference first, each text once."""
    table = disagreements(saved.scores, metric, rating, saved.higher_is_better[metric])
    table = table[(table["metric"] - MIDDLE) * (table["rating"] - MIDDLE) < 0]
    order = table["difference"].abs().sort_values(ascending=False, kind="stable").index
    texts = saved.scores["output"].loc[order].drop_duplicates()
    return [_apart(saved, row, rating, metric, table.loc[row]) for row in texts.index[:SHOWN]]


def _apart(saved: Saved, row: int, rating: str, metric: str, places: Any) -> Apart:
    line: Any = saved.scores.loc[row]
    text = str(line["output"])
    place = saved.scores.index.get_loc(row)
    people, machine = (Number(float(places[name]), fixed(places[name], 0)) for name in ("rating", "metric"))
    return Apart(
        text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}…",
        str(line["system"]),
        Number(float(line[rating]), precise(line[rating]), f"scores:{row}:{rating}"),
        Number(float(line[metric]), precise(line[metric]), f"scores:{row}:{metric}"),
        people,
        machine,
        f"#utterances?{urlencode({'rating': rating, 'metric': metric, 'output': place})}",
    )
