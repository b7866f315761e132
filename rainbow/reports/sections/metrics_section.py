"""Metrics against ratings: all correlations, the best per group, and intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from rainbow.analysis.verdicts.candidate_columns import CANDIDATE, COVERED
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
from rainbow.reports.number_format import format_percent
from rainbow.reports.orders import order_by_agreement
from rainbow.reports.saved.saved_analysis import ALL, Part, SavedAnalysis
from rainbow.reports.saved.saved_tables import SavedRow
from rainbow.reports.section import Figure, Section
from rainbow.reports.sections.metric_cards import metric_cards

# Position of within-item correlations: a column next to the parts.
WITHIN = "within items"


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
    figure = Figure(
        "forest",
        "Spearman correlation of every metric with each rating over all outputs, with 95 % intervals; dashed "
        "lines mark the ceiling. If lower is better for a metric, agreement means a negative correlation.",
        "Forest plot of the correlations of metrics with ratings; numbers in the table above.",
        partial(forest_plot, saved),
        inside=False,
    )
    return Section("metrics", "Metrics against ratings", data, [figure] if drawn else [])


def _heat_grid(saved: SavedAnalysis, name: str, metrics: Sequence[str]) -> Grid:
    table = saved.tables["correlations"]
    limit = colour_limit(table.loc[table["level"] == "pooled", "r"])
    parts = [(saved.label(part), "pooled", part) for part in saved.parts]
    parts.append((WITHIN, "item", Part(ALL, ALL)))
    heads, columns = [], []
    for rating in saved.ratings:
        for label, level, part in parts:
            heads.append(Column(label, f"{rating}, {label}"))
            lines = saved.lookup("correlations", "metric", rating=rating, level=level, **part.filters)
            columns.append(_column_cells(heads[-1].title, lines, limit))
    notes = candidate_notes(saved)
    rows = [
        metric_row(saved, metric, [column[metric] for column in columns], notes.get(metric, "")) for metric in metrics
    ]
    spans = [(rating, len(parts)) for rating in saved.ratings]
    return Grid(name, "Spearman correlation of metrics with ratings", heads, rows, limit, spans)


def _column_cells(where: str, lines: Mapping[str, SavedRow], limit: float) -> dict[str, Cell]:
    """Return the cells of a column by metric."""
    tests = sum(line.r == line.r for line in lines.values())
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


def candidate_notes(saved: SavedAnalysis) -> dict[str, str]:
    """Return a short note for each column that is not a candidate for every rating."""
    notes: dict[str, dict[str, list[str]]] = {metric: {} for metric in saved.metrics}  # ratings by metric and reason
    for rating in saved.ratings:
        for metric, reason in candidate_reasons(saved, rating).items():
            if reason:
                notes[metric].setdefault(reason, []).append(rating)
    return {
        metric: "; ".join(
            f"not a candidate{'' if len(names) == len(saved.ratings) else ' for ' + ', '.join(names)}: {reason}"
            for reason, names in reasons.items()
        )
        for metric, reasons in notes.items()
        if reasons
    }


def candidate_reasons(saved: SavedAnalysis, rating: str) -> dict[str, str]:
    """Return the reason of every column; empty for a candidate, and if no verdict was sought."""
    if "evidence" not in saved.tables:
        return dict.fromkeys(saved.metrics, "")
    lines = saved.rows("evidence", rating=rating)
    known = dict(zip(lines["metric"], lines["status"], strict=True))
    rated = saved.scores.loc[saved.scores[rating].notna()]
    return {
        metric: known[metric].replace(CANDIDATE, "")
        if metric in known
        else _absence_reason(saved.higher_is_better[metric], float(rated[metric].isna().mean()))
        for metric in saved.metrics
    }


def _absence_reason(higher_is_better: bool | None, missing: float) -> str:
    """Return why a column is absent from the evidence."""
    if higher_is_better is None:
        return "no direction"
    return f"missing in {format_percent(missing)} of rated outputs" if missing > 1 - COVERED else "not compared"
