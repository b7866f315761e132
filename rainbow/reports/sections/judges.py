"""Judges on trial: whether a score could stand for a rater, what it must beat, and what it favours."""

from __future__ import annotations

import math
from typing import Any

from rainbow.reports.grid import Cell, Column, Grid, Row, coloured, empty
from rainbow.reports.number import NumberFormat, between, count, fixed, interval, percent, signed
from rainbow.reports.saved.saved_analysis import ALL, Saved
from rainbow.reports.section import Section

# An advantage this far from one half, and a bias this far from none, has the colour at the end of the scale.
LIMIT = 0.5

TITLE = "Could a score stand for a rater?"

RATES: dict[str, tuple[str, NumberFormat]] = {
    "winning_rate": ("share of raters that it could replace (half of them: it passes)", percent),
    "advantage": ("how often it is at least as near to the other raters as one of them is", percent),
    "spearman": ("Spearman correlation with the mean of the other raters", signed),
    "spearman_rater": ("the same, of a rater", signed),
    "rmse": ("root mean square difference to the mean of the other raters", fixed),
    "rmse_rater": ("the same, of a rater", fixed),
}
LABELS = ("raters won", "advantage", "Spearman", "of a rater", "RMSE", "of a rater")
BIASES = {
    "length": "correlation with the number of words, minus that of people",
    "verbosity": "how often the longer of two outputs that people rate alike comes first, minus one half",
}


def section(saved: Saved) -> Section:
    """Return the alternative annotator test, biases and preferred systems; nothing where no score was named."""
    lines = saved.rows("alternative_annotators", dataset=saved.whole.dataset)
    tested = lines[lines["rater"] == ALL] if len(lines) else lines
    if not (len(tested) and (tested["kind"] == "score").any()):
        return Section("judges", TITLE, {})
    grids = [_test(saved, tested[tested["rating"] == rating], rating) for rating in saved.ratings]
    known = tested[tested["passes"] != ""]
    data = {
        "tests": [grid for grid in grids if grid.rows],
        "epsilon": fixed(tested["epsilon"].iloc[0]),
        "constants": _passed(known, "constant"),
        "reasons": sorted({f"{line.metric}: {line.reason}" for line in tested.itertuples() if _beware(line)}),
        "biases": _biases(saved),
        "systems": _systems(saved),
    }
    return Section("judges", TITLE, data)


def _beware(line: Any) -> bool:
    """Return whether a line was not tested, or its scores are in another unit."""
    return math.isnan(line.winning_rate) or "outside" in line.reason


def _passed(known: Any, kind: str) -> list[str]:
    return [line.rating for line in known.itertuples() if line.kind == kind and line.passes == "True"]


def _test(saved: Saved, lines: Any, rating: str) -> Grid:
    rows = [
        Row(line.metric, line.kind, ("", ""), [_rate(saved, line, name) for name in RATES])
        for line in lines.itertuples()
        if line.winning_rate == line.winning_rate
    ]
    columns = [Column(label, title) for label, (title, _) in zip(LABELS, RATES.values(), strict=True)]
    caption = f"In the place of a rater of {rating}"
    return Grid(f"judges-{rating}", caption, [], columns, rows, corner="stands for it", second="what it is")


def _rate(saved: Saved, line: Any, name: str) -> Cell:
    title, form = RATES[name]
    if getattr(line, name) != getattr(line, name):
        return empty(f"{line.metric}: {line.reason}")
    tip = f"{line.metric} for {line.rating}: {title}; n = {count(line.n)}"
    style = coloured(line.advantage - 0.5, LIMIT) if name == "advantage" else ""
    return Cell(saved.number("alternative_annotators", line.Index, name, form), style, tip=tip)


def _biases(saved: Saved) -> Grid | None:
    """Return how far each score follows the length of outputs, beyond what people do; None where nothing is known."""
    lines = saved.lookup("score_biases", "rating", "metric", "bias", dataset=saved.whole.dataset)
    pairs = {key[:2]: line.kind for key, line in lines.items()}
    rows = [
        Row(metric, f"{rating} ({kind})", ("", ""), [_bias(saved, lines[rating, metric, bias]) for bias in BIASES])
        for (rating, metric), kind in pairs.items()
    ]
    columns = [Column(bias, title) for bias, title in BIASES.items()]
    caption = "Length: what scores favour beyond what people do, with 95 % intervals"
    return Grid("biases", caption, [], columns, rows, corner="score", second="stands for") if rows else None


def _bias(saved: Saved, line: Any) -> Cell:
    if line.excess != line.excess:
        return empty(f"{line.metric}: {line.reason}")
    number = saved.number("score_biases", line.Index, "excess", signed)
    tip = (
        f"{line.metric}, {line.bias}: {signed(line.value)}, people {signed(line.people)}, n = {count(line.n)}; "
        f"difference {interval(line.low, line.high, signed)}"
    )
    return Cell(number, coloured(line.excess, LIMIT), tip=tip, note=between(line.low, line.high, signed))


def _systems(saved: Saved) -> Grid | None:
    """Return how much more each score gives a system than people do; None where no score stands for a rating."""
    lines = saved.lookup("system_preferences", "dataset", "system", "rating", "metric")
    systems, scores = ([*dict.fromkeys(key[place] for key in lines)] for place in (slice(0, 2), slice(2, 4)))
    rows = [
        Row(system, dataset, ("", ""), [_preference(saved, lines.get((*where, *score))) for score in scores])
        for where in systems
        for dataset, system in [where]
    ]
    columns = [Column(metric, f"{metric}, which stands for {rating}") for rating, metric in scores]
    caption = "Points that a score gives a system beyond what people give it, compared with the other systems"
    return Grid("preferences", caption, [], columns, rows, corner="system", second="dataset") if rows else None


def _preference(saved: Saved, line: Any) -> Cell:
    if line is None or line.preference != line.preference:
        return empty(str(line.reason) if line else "not measured")
    number = saved.number("system_preferences", line.Index, "preference", signed)
    tip = (
        f"{line.system} is number {count(line.rank_rating)} for people and number {count(line.rank_score)} for "
        f"{line.metric}; pairs of systems in people's order: {percent(line.order)}, without {line.system} "
        f"{percent(line.order_without)}; {interval(line.low, line.high, signed)}"
    )
    ranks = f"{between(line.low, line.high, signed)}; {count(line.rank_rating)} → {count(line.rank_score)}"
    return Cell(number, tip=tip, note=ranks)
