"""The outputs over which people and a metric differ most."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from rainbow.reports.disagreement import disagreements
from rainbow.reports.number import Number, fixed, precise
from rainbow.reports.saved.saved_analysis import Saved

__all__ = ["Apart", "apart"]

SHOWN = 3
LONGEST = 160  # letters


class Apart(NamedTuple):
    """An output, how it was rated and scored, how many of a hundred outputs are worse by both, and where it opens."""

    output: str
    system: str
    rating: Number
    metric: Number
    people: Number
    machine: Number
    link: str

    @property
    def says(self) -> str:
        """Which of the two likes it."""
        return (
            "people like it, the metric does not"
            if self.people.value > self.machine.value
            else ("the metric likes it, people do not")
        )


def apart(saved: Saved, rating: str, metric: str) -> list[Apart]:
    """Return the outputs, each text once."""
    table = disagreements(saved.scores, metric, rating, saved.higher_is_better[metric])
    order = table["difference"].abs().sort_values(ascending=False, kind="stable").dropna().index
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
