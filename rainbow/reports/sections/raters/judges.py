"""Scores that stand for a rating: annotator test, baselines and biases."""

from __future__ import annotations

import math
from typing import Any

from rainbow.reports.grid import Cell, Column, Grid, Row, colour_class, empty_cell
from rainbow.reports.number_format import (
    NumberFormat,
    format_count,
    format_fixed,
    format_interval,
    format_percent,
    format_range,
    format_signed,
)
from rainbow.reports.saved.saved_analysis import ALL, SavedAnalysis
from rainbow.reports.section import Section
from rainbow.reports.sections.raters.judge_labels import judge_labels

# An advantage this far from one half, and a bias this far from none, has the colour at the end of the scale.
LIMIT = 0.5

TITLE = "Could a score replace a rater?"

RATES: dict[str, tuple[str, NumberFormat]] = {
    "winning_rate": ("share of raters that it could replace (it passes with half of them)", format_percent),
    "advantage": ("how often it is at least as close to the other raters as a rater is", format_percent),
    "spearman": ("Spearman correlation with the mean of the other raters", format_signed),
    "spearman_rater": ("the same for a rater", format_signed),
    "rmse": ("root mean squared difference from the mean of the other raters", format_fixed),
    "rmse_rater": ("the same for a rater", format_fixed),
}
LABELS = ("raters won", "advantage", "Spearman", "of a rater", "RMSE", "of a rater")
BIASES = {
    "length": "correlation with the number of words, minus that of the ratings",
    "verbosity": "how often the longer of two outputs with equal ratings scores higher, minus one half",
}


def section(saved: SavedAnalysis) -> Section:
    """Return the alternative annotator test, biases and preferences; nothing if no score stands for a rating."""
    lines = saved.rows("alternative_annotators", dataset=saved.all_outputs.dataset)
    tested = lines[lines["rater"] == ALL] if len(lines) else lines
    if not (len(tested) and (tested["kind"] == "score").any()):
        return Section("judges", TITLE, {})
    grids = [_test_grid(saved, tested[tested["rating"] == rating], rating) for rating in saved.ratings]
    known = tested[tested["passes"] != ""]
    data = {
        "tests": [grid for grid in grids if grid.rows],
        "epsilon": format_fixed(tested["epsilon"].iloc[0]),
        "constants": _pass_text(known, "constant"),
        "reasons": sorted({f"{line.metric}: {line.reason}" for line in tested.itertuples() if _needs_warning(line)}),
        "biases": _bias_grid(saved),
        "systems": _preference_grid(saved),
        "labels": judge_labels(saved),
    }
    return Section("judges", TITLE, data)


def _needs_warning(line: Any) -> bool:
    """Return whether a row was not tested, or its scores are in another unit."""
    return math.isnan(line.winning_rate) or "outside" in line.reason


def _pass_text(known: Any, kind: str) -> list[str]:
    return [line.rating for line in known.itertuples() if line.kind == kind and line.passes == "True"]


def _test_grid(saved: SavedAnalysis, lines: Any, rating: str) -> Grid:
    rows = [
        Row(line.metric, line.kind, ("", ""), [_rate_cell(saved, line, name) for name in RATES])
        for line in lines.itertuples()
        if line.winning_rate == line.winning_rate
    ]
    columns = [Column(label, title) for label, (title, _) in zip(LABELS, RATES.values(), strict=True)]
    caption = f"Replacing a rater of {rating}"
    return Grid(f"judges-{rating}", caption, [], columns, rows, corner="predicts", second="description")


def _rate_cell(saved: SavedAnalysis, line: Any, name: str) -> Cell:
    title, form = RATES[name]
    if getattr(line, name) != getattr(line, name):
        return empty_cell(f"{line.metric}: {line.reason}")
    tip = f"{line.metric} for {line.rating}: {title}; n = {format_count(line.n)}"
    style = colour_class(line.advantage - 0.5, LIMIT) if name == "advantage" else ""
    return Cell(saved.number("alternative_annotators", line.Index, name, form), style, tip=tip)


def _bias_grid(saved: SavedAnalysis) -> Grid | None:
    """Return how much each score favours length beyond people's ratings; None if unknown."""
    lines = saved.lookup("score_biases", "rating", "metric", "bias", dataset=saved.all_outputs.dataset)
    pairs = {key[:2]: line.kind for key, line in lines.items()}
    rows = [
        Row(metric, f"{rating} ({kind})", ("", ""), [_bias_cell(saved, lines[rating, metric, bias]) for bias in BIASES])
        for (rating, metric), kind in pairs.items()
    ]
    columns = [Column(bias, title) for bias, title in BIASES.items()]
    caption = "Length: preference of scores beyond that of people, with 95 % intervals"
    return Grid("biases", caption, [], columns, rows, corner="score", second="stands for") if rows else None


def _bias_cell(saved: SavedAnalysis, line: Any) -> Cell:
    if line.excess != line.excess:
        return empty_cell(f"{line.metric}: {line.reason}")
    number = saved.number("score_biases", line.Index, "excess", format_signed)
    tip = (
        f"{line.metric}, {line.bias}: {format_signed(line.value)}, people {format_signed(line.people)}, n = "
        f"{format_count(line.n)}; "
        f"difference {format_interval(line.low, line.high, format_signed)}"
    )
    return Cell(
        number, colour_class(line.excess, LIMIT), tip=tip, note=format_range(line.low, line.high, format_signed)
    )


def _preference_grid(saved: SavedAnalysis) -> Grid | None:
    """Return how much more each score favours a system than people do; None without such scores."""
    lines = saved.lookup("system_preferences", "dataset", "system", "rating", "metric")
    systems, scores = ([*dict.fromkeys(key[place] for key in lines)] for place in (slice(0, 2), slice(2, 4)))
    rows = [
        Row(system, dataset, ("", ""), [_preference_cell(saved, lines.get((*where, *score))) for score in scores])
        for where in systems
        for dataset, system in [where]
    ]
    columns = [Column(metric, f"{metric}, which predicts {rating}") for rating, metric in scores]
    caption = "Points that a score gives a system beyond people's ratings, relative to the other systems"
    return Grid("preferences", caption, [], columns, rows, corner="system", second="dataset") if rows else None


def _preference_cell(saved: SavedAnalysis, line: Any) -> Cell:
    if line is None or line.preference != line.preference:
        return empty_cell(str(line.reason) if line else "not measured")
    number = saved.number("system_preferences", line.Index, "preference", format_signed)
    tip = (
        f"{line.system} is ranked {format_count(line.rank_rating)} by people and "
        f"{format_count(line.rank_score)} by {line.metric}; pairs of systems in people's order: "
        f"{format_percent(line.order)}, without {line.system} {format_percent(line.order_without)}; "
        f"{format_interval(line.low, line.high, format_signed)}"
    )
    ranks = (
        f"{format_range(line.low, line.high, format_signed)}; {format_count(line.rank_rating)} → "
        f"{format_count(line.rank_score)}"
    )
    family = f"; {line.family} by name" if line.family else ""
    return Cell(number, tip=tip, note=ranks + family)
