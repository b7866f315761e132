"""The recommended score of each rating, and from how many ratings learning pays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from rainbow.learned.protocols.learning_curve import pays_from
from rainbow.reports.figures.learned_figures import curve_figure
from rainbow.reports.grid import Cell, Column, Grid, Row, colour_class, colour_limit, empty_cell
from rainbow.reports.number_format import format_count, format_fixed, format_interval, format_range, format_signed
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.section import Figure, Section

NO_ARROW = ("", "")
DIFFERENCES = {"over_single": "less the best single column", "over_length": "less length"}


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
    return Section("recommended", "Recommended score", data, list(_figures(saved, drawn)))


def _figures(saved: SavedAnalysis, ratings: Sequence[str]) -> Iterator[Figure]:
    if ratings:
        yield Figure(
            "learning-curve",
            "Spearman correlation on held-out inputs by the number of rated outputs that were learned from: means over "
            "random subsets of inputs, with the middle 80 % of the subsets for the combination.",
            "Line plot; numbers in the next table.",
            partial(curve_figure, saved.rows("learned_curve"), ratings),
        )


def _pays_sentence(rating: str, lines: Any) -> str:
    """Return from how many ratings the combination is the best choice."""
    size = pays_from(lines)
    if size is None:
        most = int(lines["rated"].max())
        return f"{rating}: up to {format_count(most)} rated outputs, another score agrees better on average."
    return f"{rating}: from {format_count(size)} rated outputs on, the combination agrees best on average."


def _score_grid(saved: SavedAnalysis, ratings: Sequence[str]) -> Grid:
    """Return the agreement of every score, and its differences to the best single column and to length."""
    lines: list[Any] = [line for line in saved.rows("learned_recommended").itertuples() if line.rating in ratings]
    limit = colour_limit(line.spearman for line in lines)
    rows = [
        Row(line.score, str(line.rating), NO_ARROW, _score_cells(saved, line, limit), _columns_note(line))
        for line in lines
    ]
    columns = [
        Column("Spearman", "Spearman correlation on held-out inputs"),
        *(Column(name, name) for name in DIFFERENCES.values()),
    ]
    return Grid(
        "recommended-table", "Scores on held-out inputs", [], columns, rows, limit, corner="score", second="rating"
    )


def _columns_note(line: Any) -> str:
    return f"recommended: {line.columns}" if line.use == "True" else str(line.columns)


def _score_cells(saved: SavedAnalysis, line: Any, limit: float) -> list[Cell]:
    number = partial(saved.number, "learned_recommended", line.Index)
    tip = f"{line.rating}, {line.score}: {format_interval(line.low, line.high)}, n = {format_count(line.n)}"
    ends = format_range(line.low, line.high)
    cells = [Cell(number("spearman", format_fixed), colour_class(line.spearman, limit), "", tip, ends)]
    for name, title in DIFFERENCES.items():
        low, high = getattr(line, f"{name}_low"), getattr(line, f"{name}_high")
        same = low == high == 0
        tip = f"{line.rating}, {line.score} {title}: {format_interval(low, high)}"
        cells.append(
            empty_cell("the same score")
            if same
            else Cell(number(name, format_signed), "", "", tip, format_range(low, high))
        )
    return cells


def _curve_grid(saved: SavedAnalysis, ratings: Sequence[str]) -> Grid:
    """Return the mean agreement by the number of rated outputs."""
    lines = saved.lookup("learned_curve", "rating", "score", "rated")
    sizes = sorted({size for _, _, size in lines})
    limit = colour_limit(line.spearman for line in lines.values())
    scores = dict.fromkeys((rating, score) for rating, score, _ in lines if rating in ratings)
    rows = [
        Row(score, rating, NO_ARROW, [_curve_cell(saved, lines.get((rating, score, size)), limit) for size in sizes])
        for rating, score in scores
    ]
    columns = [Column(format_count(size), f"{format_count(size)} rated outputs") for size in sizes]
    spans = [("rated outputs", len(sizes))]
    return Grid(
        "curve-table", "Agreement by number of ratings", spans, columns, rows, limit, corner="score", second="rating"
    )


def _curve_cell(saved: SavedAnalysis, line: Any, limit: float) -> Cell:
    if line is None:
        return empty_cell("too few rated outputs")
    ends = format_range(line.low, line.high)
    tip = f"{line.rating}, {line.score}: mean of {format_count(line.draws)} subsets; middle 80 %: {ends}"
    number = saved.number("learned_curve", line.Index, "spearman", format_fixed)
    return Cell(number, colour_class(line.spearman, limit), "", tip)
