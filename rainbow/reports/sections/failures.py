"""Error analysis: where metrics fail, and a browser of outputs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from rainbow.corpus import rater_columns
from rainbow.reports.embedding import compress_json, slot_coverage
from rainbow.reports.figures.scatter import score_rating_scatter
from rainbow.reports.grid import Cell, Column, Grid, Measure, colour_limit, metric_row, significance_stars
from rainbow.reports.orders import order_by_agreement
from rainbow.reports.overview.disagreeing_outputs import describe_output, disagreements
from rainbow.reports.overview.page_verdicts import best_column
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_tables import SavedRow
from rainbow.reports.section import Figure, Section
from rainbow.text.languages.detection import ENGLISH

TITLES = {
    "bad-rating": "bad outputs against all others",
    "mr-type": "types of meaning representation",
    "length": "length of the output",
    "references": "number of references",
}

CORRELATION = Measure(
    "r",
    "signed",
    "{metric} and {rating}, {stratum}: r = {r:fixed3}, n = {n:count}, p = {p:p}",
    reason="{metric} and {rating}, {stratum}: no correlation: {reason}",
    centre=0,
)
DIFFERENCE = Measure(
    "difference",
    "signed",
    "{metric} and {rating}, {first} minus {second}: {difference:fixed3}, p = {p:p} (Fisher), {p_permutation:p} "
    "(permutation of the strata)",
    reason="{metric} and {rating}: no difference: {reason}",
)

# In what order the outputs come.
ORDERS = {
    "either": "largest disagreement",
    "above": "metric higher than people",
    "below": "metric lower than people",
    "worst": "lowest rating",
    "best": "highest rating",
    "data": "original order",
}

GENERAL_SCORE = "quality-fast"  # knows English only

# Outputs that are shown to readers without JavaScript.
SHOWN = 20


def section(saved: SavedAnalysis) -> Section:
    """Return correlations in strata of outputs, and a browser."""
    best = {rating: best_column(saved, rating) for rating in saved.ratings}
    known = {rating: metric for rating, metric in best.items() if metric}
    strata = [name for name in dict.fromkeys(saved.tables["strata"]["by"]) if name in TITLES]
    shown = next(iter(known.items()), None)
    data = {
        "strata": [(TITLES[by], _strata_grid(saved, by)) for by in strata],
        "browser": _browser_data(saved, best),
        "orders": ORDERS,
        "shown": shown,
        "worst": _largest_disagreements(saved, *shown) if shown else [],
    }
    figure = Figure(
        "scores-and-ratings",
        "Scores of the best metric for each rating, and the rating: each dot is an output, with jitter for "
        "ties; the line is the mean rating in bins of about equal size, with 95 % intervals.",
        f"Scatter plots of {', '.join(dict.fromkeys(known.values()))} and the ratings.",
        partial(score_rating_scatter, saved, known),
        inside=False,
    )
    return Section("failures", "Where metrics fail", data, [figure] * bool(known))


def _strata_grid(saved: SavedAnalysis, by: str) -> Grid:
    """Return the correlations in each stratum, and the difference of two."""
    table = saved.rows("strata", by=by)
    limit, tests = colour_limit(table["r"]), len(saved.metrics)
    columns: list[Mapping[str, Cell]] = []
    heads: list[Column] = []
    spans: list[tuple[str, int]] = []
    for rating in saved.ratings:
        names = list(dict.fromkeys(table.loc[table["rating"] == rating, "stratum"]))
        for name in names:
            lines = saved.lookup("strata", "metric", by=by, rating=rating, stratum=name)
            columns.append(
                {metric: _marked_cell(CORRELATION, line, tests, line.p, limit) for metric, line in lines.items()}
            )
            heads.append(Column(name, f"{rating}, {name}"))
        if len(names) == 2:
            lines = saved.lookup("stratum_differences", "metric", by=by, rating=rating)
            columns.append(
                {metric: _marked_cell(DIFFERENCE, line, tests, line.p_permutation) for metric, line in lines.items()}
            )
            heads.append(Column("difference", f"{rating}, {names[0]} minus {names[1]}"))
        spans.append((rating, len(names) + (len(names) == 2)))
    rows = [metric_row(saved, metric, [column[metric] for column in columns]) for metric in order_by_agreement(saved)]
    return Grid(f"strata-{by}", f"Spearman correlation by {TITLES[by]}", heads, rows, limit, spans)


def _marked_cell(measure: Measure, line: SavedRow, tests: int, p: float, limit: float = 1.0) -> Cell:
    return measure.cell(line, limit, significance_stars(p, tests))


def _browser_data(saved: SavedAnalysis, best: dict[str, str]) -> dict[str, Any]:
    """Return what the browser needs in addition to the score table."""
    # How values are worded is known in English only.
    has_slots = "slots_realised" in saved.metrics and bool(saved.scores["slots_realised"].notna().any())
    return {
        "name": saved.name,
        "file": f"metrics/{saved.name}.csv",
        "ratings": saved.ratings,
        "metrics": [{"name": name, "lower": saved.higher_is_better[name] is False} for name in saved.metrics],
        "best": {rating: metric or saved.metrics[0] for rating, metric in best.items()},
        "raters": {rating: rater_columns(saved.scores, rating) for rating in saved.ratings},
        "slots": compress_json(slot_coverage(saved.scores)) if has_slots else None,
        "scorer": GENERAL_SCORE
        if saved.about.language == ENGLISH
        else next(filter(None, best.values()), saved.metrics[0]),
        "changes": next((name for name in saved.by_file if name.endswith("/word_changes.csv")), None),
    }


def _largest_disagreements(saved: SavedAnalysis, rating: str, metric: str) -> list[dict[str, Any]]:
    table = disagreements(saved, rating, metric).dropna().head(SHOWN)
    return [describe_output(saved, rating, metric, places) for _, places in table.iterrows()]
