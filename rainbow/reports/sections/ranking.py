"""Ranking accuracy of metrics within inputs."""

from __future__ import annotations

from rainbow.reports.grid import Cell, Column, Grid, Measure, metric_row, significance_stars
from rainbow.reports.orders import order_by_agreement
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_systems import ComparedDataset
from rainbow.reports.section import Section

# Distance from chance at the end of the colour scale.
LIMIT = 0.2

COLUMNS = {
    "raw": "raw scores",
    "raw chance": "chance, raw scores",
    "quantised": "scores quantised to the rating scale",
    "quantised chance": "chance, quantised scores",
    "calibrated": "ties for small differences, with the threshold that maximises accuracy",
    "two-way": "without pairs that people tie",
}

_REASON = "{metric} and {rating}: {reason}"
_RANKED = (
    "{metric} and {rating}, {scores} scores: {accuracy:percent} of {pairs:count} pairs, chance {chance:percent}, "
    "p = {p_permutation:p} ({permutations:count} permutations); the metric ties {metric_ties:percent}, people "
    "{rating_ties:percent}"
)
_PAIRS = "{metric} and {rating}: {accuracy:percent} of {pairs:count} pairs, "
ACCURACY = Measure("accuracy", "share", _RANKED, reason=_REASON, centre="chance")
CHANCE = Measure("chance", "share", _RANKED, reason=_REASON)
OTHERS = {
    "tie_calibrated_accuracy": Measure("accuracy", "share", _PAIRS + "epsilon {epsilon:digits3}", reason=_REASON),
    "two_way_accuracy": Measure("accuracy", "share", _PAIRS + "p = {p:p}", reason=_REASON),
}


def section(saved: SavedAnalysis) -> Section:
    """Return accuracy and chance level of every metric, raw and quantised."""
    table = saved.tables["ranking"]
    measured = set(table.loc[table["accuracy"].notna(), "dataset"])
    parts = [part for part in saved.by_dataset if part.filters["dataset"] in measured]
    grids = {f"ranking{part.suffix}": _accuracy_grid(saved, part) for part in parts}
    return Section("ranking", "Ranking", {"grids": grids} if grids else {})


def _accuracy_grid(saved: SavedAnalysis, part: ComparedDataset) -> Grid:
    ranked = saved.lookup("ranking", "scores", "rating", "metric", **part.filters)
    others = {table: saved.lookup(table, "rating", "metric", **part.filters) for table in OTHERS}
    rows = []
    for metric in order_by_agreement(saved):
        cells: list[Cell] = []
        for rating in saved.ratings:
            for scores in ("raw", "quantised"):
                line = ranked.get((scores, rating, metric))
                mark = significance_stars(line.p_permutation, len(saved.metrics)) if line else ""
                cells += [ACCURACY.cell(line, LIMIT, mark), CHANCE.cell(line)]
            cells += [measure.cell(others[table].get((rating, metric))) for table, measure in OTHERS.items()]
        rows.append(metric_row(saved, metric, cells))
    heads = [
        Column(name.split()[-1], f"{rating}, {title}") for rating in saved.ratings for name, title in COLUMNS.items()
    ]
    spans = [(rating, len(COLUMNS)) for rating in saved.ratings]
    caption = "Pairs ordered like the ratings, %" + (f", {part.label}" if part.label else "")
    return Grid(f"ranking{part.suffix}-table", caption, heads, rows, spans=spans)
