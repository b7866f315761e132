"""The learned metric on held-out outputs, with ceiling and best single metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from rainbow.base.lazy import pd
from rainbow.reports.figures import learned_figures as figures
from rainbow.reports.grid import SIGNIFICANT, Column, Grid, Measure, Row, colour_limit, declare_measures
from rainbow.reports.number_format import format_fixed
from rainbow.reports.overview.held_out import held_out_result, main_protocol, overall_rows
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_tables import SavedRow
from rainbow.reports.section import Figure, Section

AS_TABLE = "Dot plot; numbers in the next table."

FOREST_TITLE = "random forest over quantised scores of Novikova et al. (2017), same scores and folds"

_SUBJECT = "{protocol}, {rating}: "
_TEST = "against {best_metric}: t = {best_metric_t:fixed}, p = {best_metric_p:p}"
_CORRELATION = "r = {spearman:fixed3}, {interval:fixed}, n = {n:count}; "
LEARNED = Measure(
    "spearman",
    tip=_SUBJECT + _CORRELATION + _TEST,
    note="{range:fixed}",
    centre=0,
    label="RAINBOW",
    title="Spearman correlation of the predictions",
)
BEST = Measure(
    "best_metric_spearman",
    tip=_SUBJECT + _TEST,
    note="{best_metric}",
    centre=0,
    label="best metric",
    title="Spearman correlation of the best single metric",
)
CEILING = Measure(
    "ceiling",
    tip=_SUBJECT + "ceiling, {range[ceiling]:fixed}",
    note="{range[ceiling]:fixed}",
    reason="the ceiling is unknown",
    title="ceiling of any metric's correlation",
)
FOREST = Measure(
    "forest_spearman",
    tip=f"{_SUBJECT}{FOREST_TITLE}; RAINBOW against it: t = {{forest_t:fixed}}, p = {{forest_p:p}}",
    reason="the forest has no defined correlation",
    centre=0,
    label="forest of 2017",
    title=FOREST_TITLE,
)
PLAIN = declare_measures(
    ("pearson", "fixed", "Pearson", "Pearson correlation of the predictions"),
    ("mae", "fixed", "MAE", "mean absolute error"),
    ("constant_mae", "fixed", "constant", "mean absolute error of a constant"),
    ("rmse", "fixed", "RMSE", "root mean squared error"),
    ("constant_rmse", "fixed", "constant", "root mean squared error of a constant"),
    ("n", "count", "n", "outputs"),
    tip=_SUBJECT + "{title}",
)
PART = LEARNED._replace(
    tip=_CORRELATION + "best metric {best_metric} {best_metric_spearman:fixed}", absent="not evaluated"
)
IMPORTANCES = {
    "learned_importances": Measure(
        "importance",
        "fixed3",
        "{feature}: {importance:fixed3}, {interval:fixed3}",
        absent="not a feature here",
        label="fall",
        title="drop of the correlation when shuffled",
    ),
    "learned_elimination": Measure(
        "rank", "count", absent="not ranked", label="kept", title="rank in recursive elimination, 1 is kept longest"
    ),
}
AUDIT = (
    Measure("falls", "percent", note="{range:percent}", absent="not tried", title="share of outputs whose score drops"),
    Measure("mean_change", "precise", absent="not tried", label="mean change", title="mean change of the score"),
    Measure("n", "count", absent="not tried", title="outputs that could be perturbed this way"),
)

# Further figures, each of a table; where their caption names the protocol, of its rows with this protocol.
FIGURES = {
    "learned_predictions": (
        "predictions",
        "Predictions by rating (protocol {protocol}): medians, boxes with half of the outputs, whiskers over nearly "
        "all.",
        "Box plots of predictions by rating.",
        figures.prediction_figure,
    ),
    "learned_reliability": (
        "reliability",
        "Accuracy of the most probable point of the scale, by its probability (protocol {protocol}); dot size is the "
        "number of outputs; the dashed line is perfect calibration.",
        "Line plot; numbers in learned_reliability.csv.",
        figures.reliability_figure,
    ),
    "learned_importances": (
        "importances",
        "Drop of the correlation when a feature is shuffled among held-out outputs; the first fifteen.",
        AS_TABLE,
        figures.importance_figure,
    ),
    "learned_audit": (
        "audit",
        "Share of outputs whose score drops when they are perturbed, with 95 % intervals.",
        AS_TABLE,
        figures.audit_figure,
    ),
}


def section(saved: SavedAnalysis) -> Section:
    """Return protocols, predictions, importances and audit; nothing without a learned metric."""
    if "learned_protocols" not in saved.tables:
        return Section("learned", "RAINBOW", {})
    lines, protocol = overall_rows(saved, saved.tables["learned_protocols"]), main_protocol(saved)
    ratings = [rating for rating in saved.ratings if rating in set(lines["rating"])]
    data = {
        "presets": list(dict.fromkeys(lines["preset"])),
        "told": [sentence for rating in ratings if (sentence := _result_sentence(saved, lines, rating))],
        "protocols": _protocol_grid(saved, lines),
        "parts": _part_grid(saved, protocol, ratings),
        "importances": _importance_grid(saved, ratings),
        "audit": _audit_grid(saved, ratings),
    }
    return Section("learned", "RAINBOW", data, list(_figures(saved, lines, protocol, ratings)))


def _result_sentence(saved: SavedAnalysis, lines: pd.DataFrame, rating: str) -> str:
    """Return the weakest strict result next to the best single metric."""
    if (weakest := held_out_result(saved, rating)) is None:
        return ""
    line: Any = next(lines[(lines["rating"] == rating) & (lines["protocol"] == weakest.protocol)].itertuples())
    comparison = "not significantly different from"
    if line.best_metric_p < SIGNIFICANT:
        comparison = "better than" if line.best_metric_t > 0 else "worse than"
    best = f"{line.best_metric} ({format_fixed(line.best_metric_spearman)}), which was selected on these ratings"
    return f"{rating}: {weakest.r.text}, held out {weakest.protocol_phrase}; {comparison} {best}."


def _figures(saved: SavedAnalysis, lines: pd.DataFrame, protocol: str, ratings: Sequence[str]) -> Iterator[Figure]:
    yield Figure(
        "protocols",
        "Spearman correlation of held-out predictions with the ratings under every protocol, with 95 % intervals; the "
        "best single metric on the same outputs, turned so that higher is better; and the ceiling with its interval.",
        AS_TABLE,
        partial(figures.protocol_figure, lines, ratings, saved.higher_is_better),
    )
    for table, (name, caption, alternative, draw) in FIGURES.items():
        rows = saved.rows(table, **({"protocol": protocol} if "{protocol}" in caption else {}))
        if len(rows):
            drawn = (
                ratings if table != "learned_reliability" else [name for name in ratings if name in {*rows["rating"]}]
            )
            yield Figure(name, caption.format(protocol=protocol), alternative, partial(draw, rows, drawn))


def _protocol_grid(saved: SavedAnalysis, lines: pd.DataFrame) -> Grid:
    """Return model, best metric, ceiling and errors per protocol and rating."""
    limit = colour_limit([*lines["spearman"], *lines["best_metric_spearman"]])
    several = lines["preset"].nunique() > 1
    with_forest = "forest_spearman" in lines and lines["forest_spearman"].notna().any()
    measures = [BEST, CEILING, *([FOREST] if with_forest else []), *PLAIN]
    rows = []
    for line in saved.lines_of("learned_protocols", lines):
        name = f"{line.protocol} ({line.preset})" if several else str(line.protocol)
        mark = ("better" if line.best_metric_t > 0 else "worse") if line.best_metric_p < SIGNIFICANT else ""
        cells = [LEARNED.cell(line, limit, mark), *(measure.cell(line, limit) for measure in measures)]
        rows.append(Row(name, cells, str(line.rating)))
    spans = [("Spearman correlation", 3 + bool(with_forest)), ("predictions", len(PLAIN))]
    heads = [measure.head for measure in (LEARNED, *measures)]
    caption = "Protocols compared"
    return Grid("protocols-table", caption, heads, rows, limit, spans, corner="protocol", second="rating")


def _part_grid(saved: SavedAnalysis, protocol: str, ratings: Sequence[str]) -> Grid | None:
    """Return one protocol for every part of the outputs; None if only the whole is known."""
    lines = saved.lookup("learned_protocols", "dataset", "system", "rating", protocol=protocol)
    known = {key[:2] for key in lines}
    parts = [part for part in saved.parts if part in known]
    if len(parts) < 2:
        return None
    limit = colour_limit(line.spearman for line in lines.values())
    rows = [
        Row(saved.label(part), [PART.cell(lines.get((*part, rating)), limit) for rating in ratings]) for part in parts
    ]
    columns = [Column(rating, rating) for rating in ratings]
    caption = f"Spearman correlation of held-out predictions, protocol {protocol}"
    return Grid("learned-parts", caption, columns, rows, limit, corner="part")


def _importance_grid(saved: SavedAnalysis, ratings: Sequence[str]) -> Grid | None:
    """Return permutation importances and elimination ranks; None if unknown."""
    if "learned_importances" not in saved.tables:
        return None
    tables = [(measure, saved.lookup(table, "rating", "feature")) for table, measure in IMPORTANCES.items()]
    return _grid_by_rating("importances-table", "Feature importance", ratings, tables, "feature")


def _audit_grid(saved: SavedAnalysis, ratings: Sequence[str]) -> Grid | None:
    """Return how often the score drops per perturbation; None if unknown."""
    if "learned_audit" not in saved.tables:
        return None
    lines = saved.lookup("learned_audit", "rating", "kind")
    tables = [(measure, lines) for measure in AUDIT]
    return _grid_by_rating("audit-table", "Effect of perturbations on the score", ratings, tables, "fault")


def _grid_by_rating(
    name: str,
    caption: str,
    ratings: Sequence[str],
    tables: Sequence[tuple[Measure, dict[tuple[str, str], SavedRow]]],
    corner: str,
) -> Grid:
    """Return a row per feature or fault, and the same measures for every rating."""
    rows = [
        Row(entry, [measure.cell(lines.get((rating, entry))) for rating in ratings for measure, lines in tables])
        for entry in dict.fromkeys(entry for _, lines in tables for _, entry in lines)
    ]
    heads = [measure.head for measure, _ in tables]
    columns = [Column(head.label, f"{rating}, {head.title}") for rating in ratings for head in heads]
    spans = [(rating, len(heads)) for rating in ratings]
    return Grid(name, caption, columns, rows, spans=spans, corner=corner)
