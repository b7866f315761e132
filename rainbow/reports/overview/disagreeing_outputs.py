"""Where people and a metric disagree: outputs in opposite halves, and the order of systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.lazy import pd
from rainbow.reports.number_format import Number, format_fixed, format_precise
from rainbow.reports.saved.saved_analysis import Part, SavedAnalysis

SHOWN = 3
LONGEST = 160  # letters
MIDDLE = 50  # percentile


def system_order(saved: SavedAnalysis, rating: str, metric: str) -> list[dict[str, Any]]:
    """Return the systems, best by people first; empty for one system or without a complete metric."""
    lines: Any = saved.rows("systems", column=rating).dropna(subset="mean").itertuples()
    scored = saved.lookup("systems", "dataset", "system", column=metric)
    pairs = [(line, scored[line.dataset, line.system]) for line in lines if (line.dataset, line.system) in scored]
    pairs = [pair for pair in pairs if pair[1].mean == pair[1].mean]
    if len(pairs) < 2:
        return []
    people = [saved.number("systems", line.Index, "mean", format_fixed) for line, _ in pairs]
    scores = [saved.number("systems", line.Index, "mean", format_precise) for _, line in pairs]
    lower = saved.higher_is_better[metric] is False
    ranks = rank_descending(people)
    ranks_metric = rank_descending([number._replace(value=-number.value) for number in scores] if lower else scores)
    places = [
        {
            "system": saved.label(Part(line.dataset, line.system)),
            "people": people[place],
            "metric": scores[place],
            "rank": ranks[place],
            "rank_metric": ranks_metric[place],
            # in which direction the metric moves the system
            "arrow": ""
            if ranks[place] == ranks_metric[place]
            else "up"
            if ranks_metric[place] < ranks[place]
            else "down",
        }
        for place, (line, _) in enumerate(pairs)
    ]
    return sorted(places, key=lambda place: place["rank"])


def rank_descending(numbers: Sequence[Number]) -> list[int]:
    """Return the rank of every number, 1 for the largest; equal numbers share the better rank."""
    return [1 + sum(other.value > number.value for other in numbers) for number in numbers]


def percentiles(values: ArrayLike) -> NDArray[np.float64]:
    """Return the percentile of every value, 100 (rank - 1/2) / n; ties share one, NaN stays NaN.

    Shapes: values (n,).
    """
    numbers = pd.Series(np.asarray(values, dtype=float))
    return np.asarray(100 * (numbers.rank() - 0.5) / max(1, numbers.count()), dtype=np.float64)


def disagreements(saved: SavedAnalysis, rating: str, metric: str) -> pd.DataFrame:
    """Return the percentiles of the score and rating of every output, and their difference, the largest first."""
    both = saved.scores[[metric, rating]].astype(float)
    both = both.where(both.notna().all(axis=1))
    turn = -1.0 if saved.higher_is_better[metric] is False else 1.0
    sides = {"metric": percentiles(turn * both[metric]), "rating": percentiles(both[rating])}
    table = pd.DataFrame(sides, saved.scores.index)
    table = table.assign(difference=table["metric"] - table["rating"])
    return table.sort_values("difference", ascending=False, kind="stable", key=abs)


def describe_output(saved: SavedAnalysis, rating: str, metric: str, places: Any) -> dict[str, Any]:
    """Return an output with its rating and score, and their percentiles from a row of :func:`disagreements`."""
    row = places.name
    line: Any = saved.scores.loc[row]
    values = {"rating": float(line[rating]), "metric": float(line[metric])}
    sources = {"rating": f"scores:{row}:{rating}", "metric": f"scores:{row}:{metric}"}
    return {
        "id": str(line.get("id", row)),
        "system": str(line["system"]),
        "mr": str(line["mr"] or ""),
        "output": str(line["output"]),
        "references": tuple(line["references"]),
        **{name: Number(value, format_precise(value), sources[name]) for name, value in values.items()},
        "percentiles": {name: Number(float(places[name]), format_fixed(places[name], 0)) for name in values},
    }


def disagreeing_outputs(saved: SavedAnalysis, rating: str, metric: str) -> list[dict[str, Any]]:
    """Return outputs in opposite halves of ratings and scores, largest difference first, without repeats."""
    table = disagreements(saved, rating, metric)
    table = table[(table["metric"] - MIDDLE) * (table["rating"] - MIDDLE) < 0]
    texts = saved.scores["output"].loc[table.index].drop_duplicates()
    return [_disagreeing_output(saved, rating, metric, table.loc[row]) for row in texts.index[:SHOWN]]


def _disagreeing_output(saved: SavedAnalysis, rating: str, metric: str, places: Any) -> dict[str, Any]:
    output = describe_output(saved, rating, metric, places)
    text, higher = output["output"], places["rating"] > MIDDLE
    address = {"rating": rating, "metric": metric, "output": saved.scores.index.get_loc(places.name)}
    return output | {
        "output": text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}…",
        "says": "high rating, low score" if higher else "high score, low rating",
        "link": f"#utterances?{urlencode(address)}",
    }
