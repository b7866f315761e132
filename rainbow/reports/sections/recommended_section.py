"""The recommended score of each rating, and from how many ratings learning pays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from rainbow.learned.protocols.learning_curve import pays_from
from rainbow.reports.figures.learned_figures import curve_figure
from rainbow.reports.grid import Cell, Column, Grid, Measure, Row, colour_limit, empty_cell
from rainbow.reports.number_format import format_count
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_tables import SavedRow
from rainbow.reports.section import Figure, Section

_SUBJECT = "{rating}, {score}"
AGREEMENT = Measure(
    "spearman",
    tip=_SUBJECT + ": {interval:fixed}, n = {n:count}",
    note="{range:fixed}",
    centre=0,
    label="Spearman",
    title="Spearman correlation on held-out inputs",
)
DIFFERENCES = {
    column: Measure(
        column,
        "signed",
        f"{_SUBJECT} {label}: {{interval[{column}]:fixed}}",
        note=f"{{range[{column}]:fixed}}",
        label=label,
    )
    for column, label in {"over_single": "less the best single column", "over_length": "less length"}.items()
}
CURVE = Measure(
    "spearman",
    tip=_SUBJECT + ": mean of {draws:count} subsets; middle 80 %: {range:fixed}",
    absent="too few rated outputs",
    centre=0,
)


def section(saved: SavedAnalysis) -> Section:
    """Return what to use for every rating; nothing without a recommendation."""
    table = saved.rows("learned_recommended")
    ratings = [rating for rating in saved.ratings if len(table) and rating in set(table["rating"])]
    if not ratings:
        return Section("recommended", "Recommended score", {})
    advice = {rating: table[table["rating"] == rating].iloc[0] for rating in ratings}
    measured = [rating for rating in ratings if not advice[rating]["reason"]]
    curve = saved.rows("learned_curve")
    drawn = [rating for rating in measured if len(curve) and rating in set(curve["rating"])]
    data = {
        "advice": [(rating, line["advice"], line["command"]) for rating, line in advice.items()],
        "scores": _score_grid(saved, measured) if measured else None,
        "curve": _curve_grid(saved, drawn) if drawn else None,
        "pays": [_pays_sentence(rating, curve[curve["rating"] == rating]) for rating in drawn],
    }
    figure = Figure(
        "learning-curve",
        "Spearman correlation on held-out inputs by the number of rated outputs that were learned from: means over "
        "random subsets of inputs, with the middle 80 % of the subsets for the combination.",
        "Line plot; numbers in the next table.",
        partial(curve_figure, curve, drawn),
    )
    return Section("recommended", "Recommended score", data, [figure] if drawn else [])


def _pays_sentence(rating: str, lines: Any) -> str:
    """Return from how many ratings the combination is the best choice."""
    size = pays_from(lines)
    if size is None:
        most = int(lines["rated"].max())
        return f"{rating}: up to {format_count(most)} rated outputs, another score agrees better on average."
    return f"{rating}: from {format_count(size)} rated outputs on, the combination agrees best on average."


def _score_grid(saved: SavedAnalysis, ratings: Sequence[str]) -> Grid:
    """Return the agreement of every score, and its differences to the best single column and to length."""
    lines = [line for line in saved.lines("learned_recommended") if line.rating in ratings]
    limit = colour_limit(line.spearman for line in lines)
    rows = [
        Row(
            line.score,
            [AGREEMENT.cell(line, limit), *(_difference_cell(line, name) for name in DIFFERENCES)],
            str(line.rating),
            note=f"recommended: {line.columns}" if line.use == "True" else str(line.columns),
        )
        for line in lines
    ]
    columns = [measure.head for measure in (AGREEMENT, *DIFFERENCES.values())]
    caption = "Scores on held-out inputs"
    return Grid("recommended-table", caption, columns, rows, limit, corner="score", second="rating")


def _difference_cell(line: SavedRow, name: str) -> Cell:
    same = getattr(line, f"{name}_low") == getattr(line, f"{name}_high") == 0
    return empty_cell("the same score") if same else DIFFERENCES[name].cell(line)


def _curve_grid(saved: SavedAnalysis, ratings: Sequence[str]) -> Grid:
    """Return the mean agreement by the number of rated outputs."""
    lines = saved.lookup("learned_curve", "rating", "score", "rated")
    sizes = sorted({size for _, _, size in lines})
    limit = colour_limit(line.spearman for line in lines.values())
    scores = dict.fromkeys((rating, score) for rating, score, _ in lines if rating in ratings)
    rows = [
        Row(score, [CURVE.cell(lines.get((rating, score, size)), limit) for size in sizes], rating)
        for rating, score in scores
    ]
    columns = [Column(format_count(size), f"{format_count(size)} rated outputs") for size in sizes]
    spans = [("rated outputs", len(sizes))]
    caption = "Agreement by number of ratings"
    return Grid("curve-table", caption, columns, rows, limit, spans, corner="score", second="rating")
