"""Metrics against ratings: all correlations, the best per group, and intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from rainbow.reports.candidate_notes import candidate_notes, candidate_reasons
from rainbow.reports.figures.dot_plots import forest_plot
from rainbow.reports.grid import (
    SIGNIFICANT,
    Cell,
    Column,
    Grid,
    Row,
    colour_limit,
    correlation_cell,
    empty_cell,
    metric_row,
    significance_stars,
)
from rainbow.reports.orders import order_by_agreement
from rainbow.reports.saved.saved_analysis import ALL, Part, SavedAnalysis
from rainbow.reports.saved.saved_row import SavedRow
from rainbow.reports.section import Figure, Section
from rainbow.reports.sections.metric_cards import metric_cards

# Position of within-item correlations: a column next to the parts.
WITHIN = "within items"


class HeatColumn(NamedTuple):
    """A column of the heat map."""

    rating: str
    part: Part
    level: str


def section(saved: SavedAnalysis) -> Section:
    """Return a heat map of correlations, the best metrics, and a forest plot."""
    shown = order_by_agreement(saved)
    data = {
        "correlations": _heat_grid(saved, "correlations", shown),
        "further": _heat_grid(saved, "further", [name for name in saved.metrics if name not in shown]),
        "cards": metric_cards(saved),
        "best": _best_grid(saved),
        "clusters": list(_best_clusters(saved)),
        "view": saved.about.view,
    }
    drawn = saved.rows("correlations", level="pooled", **saved.all_outputs.filters)["r"].notna().any()
    return Section("metrics", "Metrics against ratings", data, [_forest_figure(saved)] if drawn else [])


def _forest_figure(saved: SavedAnalysis) -> Figure:
    return Figure(
        "forest",
        "Spearman correlation of every metric with each rating over all outputs, with 95 % intervals; dashed "
        "lines mark the ceiling. If lower is better for a metric, agreement means a negative correlation.",
        "Forest plot of the correlations of metrics with ratings; numbers in the table above.",
        partial(forest_plot, saved),
        inside=False,
    )


def _heat_columns(saved: SavedAnalysis) -> Iterator[HeatColumn]:
    for rating in saved.ratings:
        yield from (HeatColumn(rating, part, "pooled") for part in saved.parts)
        yield HeatColumn(rating, Part(ALL, ALL), "item")


def _column_label(saved: SavedAnalysis, place: HeatColumn) -> str:
    return WITHIN if place.level == "item" else saved.label(place.part)


def _heat_grid(saved: SavedAnalysis, name: str, metrics: Sequence[str]) -> Grid:
    table = saved.tables["correlations"]
    limit = colour_limit(table.loc[table["level"] == "pooled", "r"])
    places = list(_heat_columns(saved))
    columns = [_column_cells(saved, place, limit) for place in places]
    notes = candidate_notes(saved)
    rows = [
        metric_row(saved, metric, [column[metric] for column in columns], notes.get(metric, "")) for metric in metrics
    ]
    heads = [Column(_column_label(saved, place), f"{place.rating}, {_column_label(saved, place)}") for place in places]
    spans = [(rating, len(places) // len(saved.ratings)) for rating in saved.ratings]
    return Grid(name, "Spearman correlation of metrics with ratings", heads, rows, limit, spans)


def _column_cells(saved: SavedAnalysis, place: HeatColumn, limit: float) -> dict[str, Cell]:
    """Return the cells of a column."""
    rating, part, level = place
    lines = saved.lookup("correlations", "metric", rating=rating, level=level, **part.filters)
    tests = sum(line.r == line.r for line in lines.values())
    where = f"{rating}, {_column_label(saved, place)}"
    return {
        metric: correlation_cell(line, limit, f"{metric} and {where}", significance_stars(line.p, tests))
        for metric, line in lines.items()
    }


def _best_grid(saved: SavedAnalysis) -> Grid:
    """Return table 3 of the paper: the best metric of each group per rating and part."""
    lines = saved.lookup("best_metrics", "dataset", "system", "rating", "group", level="pooled")
    limit = colour_limit(line.r for line in lines.values())
    reasons = {rating: candidate_reasons(saved, rating) for rating in saved.ratings}
    rows = []
    for group in dict.fromkeys(saved.tables["best_metrics"]["group"]):
        for rating in saved.ratings:
            best = (lines.get((*part, rating, group)) for part in saved.parts)
            rows.append(Row(rating, [_best_cell(line, limit, reasons[rating]) for line in best], group))
    columns = [Column(saved.label(part), saved.label(part)) for part in saved.parts]
    return Grid("best", "The best metric of each group", columns, rows, limit, corner="rating")


def _best_cell(line: SavedRow | None, limit: float, reasons: Mapping[str, str]) -> Cell:
    if line is None or line.r != line.r:
        return empty_cell("no metric of the group has a correlation here")
    mark = "*" if line.p_selected < SIGNIFICANT and not reasons[line.metric] else ""
    cell = correlation_cell(line, limit, line.text("{metric}, best of {candidates:count}"), mark)
    corrected = line.text("; p corrected for the number of metrics in the group: {p_selected:.2g}")
    return cell._replace(tip=cell.tip + corrected, note=line.text("{metric}, p {p_selected:p_equation}"))


def _best_clusters(saved: SavedAnalysis) -> Iterator[tuple[str, str, list[str]]]:
    """Return for every rating the best metric and those not significantly worse."""
    for rating in saved.ratings:
        lines = saved.rows("metric_clusters", rating=rating, **saved.all_outputs.filters)
        if lines.empty:  # there is one metric
            continue
        lines = lines.sort_values("rank")
        first, *others = list(lines.loc[lines["cluster"] == 1, "metric"]) or [""]
        if first:
            yield rating, first, others
