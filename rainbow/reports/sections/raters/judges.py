"""Scores that stand for a rating: annotator test, baselines and biases."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rainbow.reports.grid import Cell, Column, Grid, Measure, Row, declare_measures
from rainbow.reports.number_format import format_fixed
from rainbow.reports.saved.saved_analysis import ALL, SavedAnalysis
from rainbow.reports.saved.saved_tables import SavedRow
from rainbow.reports.section import Section
from rainbow.reports.sections.raters.judge_labels import judge_labels

# An advantage this far from one half, and a bias this far from none, has the colour at the end of the scale.
LIMIT = 0.5

TITLE = "Could a score replace a rater?"

RATES = [
    measure._replace(centre=0.5) if measure.column == "advantage" else measure
    for measure in declare_measures(
        (
            *("winning_rate", "percent", "raters won"),
            "share of raters that it could replace (it passes with half of them)",
        ),
        ("advantage", "percent", "advantage", "how often it is at least as close to the other raters as a rater is"),
        ("spearman", "signed", "Spearman", "Spearman correlation with the mean of the other raters"),
        ("spearman_rater", "signed", "of a rater", "the same for a rater"),
        ("rmse", "fixed", "RMSE", "root mean squared difference from the mean of the other raters"),
        ("rmse_rater", "fixed", "of a rater", "the same for a rater"),
        tip="{metric} for {rating}: {title}; n = {n:count}",
        reason="{metric}: {reason}",
    )
]
BIASES = {
    "length": "correlation with the number of words, minus that of the ratings",
    "verbosity": "how often the longer of two outputs with equal ratings scores higher, minus one half",
}
BIAS = Measure(
    "excess",
    "signed",
    "{metric}, {bias}: {value:signed}, people {people:signed}, n = {n:count}; difference {interval:signed}",
    note="{range:signed}",
    reason="{metric}: {reason}",
    centre=0,
)
PREFERENCE = Measure(
    "preference",
    "signed",
    "{system} is ranked {rank_rating:count} by people and {rank_score:count} by {metric}; pairs of systems in people's "
    "order: {order:percent}, without {system} {order_without:percent}; {interval:signed}",
    note="{range:signed}; {rank_rating:count} → {rank_score:count}{named}",
    reason="{reason}",
)


def section(saved: SavedAnalysis) -> Section:
    """Return the alternative annotator test, biases and preferences; nothing if no score stands for a rating."""
    lines = saved.lines("alternative_annotators", dataset=saved.all_outputs.dataset)
    tested = [line for line in lines if line.rater == ALL]
    if not any(line.kind == "score" for line in tested):
        return Section("judges", TITLE, {})
    grids = [_test_grid(tested, rating) for rating in saved.ratings]
    data = {
        "tests": [grid for grid in grids if grid.rows],
        "epsilon": format_fixed(tested[0].epsilon),
        "constants": [line.rating for line in tested if line.kind == "constant" and line.passes == "True"],
        "reasons": sorted({f"{line.metric}: {line.reason}" for line in tested if _needs_warning(line)}),
        "biases": _bias_grid(saved),
        "systems": _preference_grid(saved),
        "labels": judge_labels(saved),
    }
    return Section("judges", TITLE, data)


def _needs_warning(line: SavedRow) -> bool:
    """Return whether a row was not tested, or its scores are in another unit."""
    return math.isnan(line.winning_rate) or "outside" in line.reason


def _test_grid(lines: Sequence[SavedRow], rating: str) -> Grid:
    rows = [
        Row(line.metric, [measure.cell(line, LIMIT) for measure in RATES], line.kind)
        for line in lines
        if line.rating == rating and not math.isnan(line.winning_rate)
    ]
    columns = [measure.head for measure in RATES]
    caption = f"Replacing a rater of {rating}"
    return Grid(f"judges-{rating}", caption, columns, rows, corner="predicts", second="description")


def _bias_grid(saved: SavedAnalysis) -> Grid | None:
    """Return how much each score favours length beyond people's ratings; None if unknown."""
    lines = saved.lookup("score_biases", "rating", "metric", "bias", dataset=saved.all_outputs.dataset)
    pairs = {key[:2]: line.kind for key, line in lines.items()}
    rows = [
        Row(metric, [BIAS.cell(lines[rating, metric, bias], LIMIT) for bias in BIASES], f"{rating} ({kind})")
        for (rating, metric), kind in pairs.items()
    ]
    columns = [Column(bias, title) for bias, title in BIASES.items()]
    caption = "Length: preference of scores beyond that of people, with 95 % intervals"
    return Grid("biases", caption, columns, rows, corner="score", second="stands for") if rows else None


def _preference_grid(saved: SavedAnalysis) -> Grid | None:
    """Return how much more each score favours a system than people do; None without such scores."""
    lines = saved.lookup("system_preferences", "dataset", "system", "rating", "metric")
    systems, scores = ([*dict.fromkeys(key[place] for key in lines)] for place in (slice(0, 2), slice(2, 4)))
    rows = [
        Row(system, [_preference_cell(lines.get((dataset, system, *score))) for score in scores], dataset)
        for dataset, system in systems
    ]
    columns = [Column(metric, f"{metric}, which predicts {rating}") for rating, metric in scores]
    caption = "Points that a score gives a system beyond people's ratings, relative to the other systems"
    return Grid("preferences", caption, columns, rows, corner="system", second="dataset") if rows else None


def _preference_cell(line: SavedRow | None) -> Cell:
    return PREFERENCE.cell(line, named=f"; {line.family} by name" if line and line.family else "")
