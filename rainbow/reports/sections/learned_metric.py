"""The learned metric on held-out outputs, with ceiling and best single metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from rainbow.reports.figures import learned_figures as figures
from rainbow.reports.grid import SIGNIFICANT, Cell, Column, Grid, Row, colour_class, colour_limit, empty_cell
from rainbow.reports.number_format import (
    NumberFormat,
    format_count,
    format_fixed,
    format_interval,
    format_p_value,
    format_percent,
    format_precise,
    format_range,
)
from rainbow.reports.overview.held_out import held_out_result, main_protocol, overall_rows
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.section import Figure, Section

if TYPE_CHECKING:
    import pandas as pd

AS_TABLE = "Dot plot; numbers in the next table."

NO_ARROW = ("", "")

FOREST = "random forest over quantised scores of Novikova et al. (2017), same scores and folds"

# Heads of the audit, and what they are in full.
AUDIT = {
    "falls": "share of outputs whose score drops",
    "mean change": "mean change of the score",
    "n": "outputs that could be perturbed this way",
}

# Column of the file, head, in full, and how it is printed.
PLAIN: tuple[tuple[str, str, str, NumberFormat], ...] = (
    ("pearson", "Pearson", "Pearson correlation of the predictions", format_fixed),
    ("mae", "MAE", "mean absolute error", format_fixed),
    ("constant_mae", "constant", "mean absolute error of a constant", format_fixed),
    ("rmse", "RMSE", "root mean squared error", format_fixed),
    ("constant_rmse", "constant", "root mean squared error of a constant", format_fixed),
    ("n", "n", "outputs", format_count),
)


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
    if len(rows := saved.rows("learned_predictions", protocol=protocol)):
        yield Figure(
            "predictions",
            (
                f"Predictions by rating (protocol {protocol}): medians, boxes with half of the outputs, whiskers over "
                "nearly all."
            ),
            "Box plots of predictions by rating.",
            partial(figures.prediction_figure, rows, ratings),
        )
    if len(rows := saved.rows("learned_reliability", protocol=protocol)):
        yield Figure(
            "reliability",
            (
                f"Accuracy of the most probable point of the scale, by its probability (protocol {protocol}); dot "
                "size is the number of outputs; the dashed line is perfect calibration."
            ),
            "Line plot; numbers in learned_reliability.csv.",
            partial(figures.reliability_figure, rows, [rating for rating in ratings if rating in set(rows["rating"])]),
        )
    if "learned_importances" in saved.tables:
        yield Figure(
            "importances",
            "Drop of the correlation when a feature is shuffled among held-out outputs; the first fifteen.",
            AS_TABLE,
            partial(figures.importance_figure, saved.tables["learned_importances"], ratings),
        )
    if "learned_audit" in saved.tables:
        yield Figure(
            "audit",
            "Share of outputs whose score drops when they are perturbed, with 95 % intervals.",
            AS_TABLE,
            partial(figures.audit_figure, saved.tables["learned_audit"], ratings),
        )


def _format_three(value: float) -> str:
    return format_fixed(value, 3)


def _protocol_grid(saved: SavedAnalysis, lines: pd.DataFrame) -> Grid:
    """Return model, best metric, ceiling and errors per protocol and rating."""
    limit = colour_limit([*lines["spearman"], *lines["best_metric_spearman"]])
    several = lines["preset"].nunique() > 1
    with_forest = "forest_spearman" in lines and lines["forest_spearman"].notna().any()
    rows = []
    for line in lines.itertuples():
        name = f"{line.protocol} ({line.preset})" if several else str(line.protocol)
        forest = [_forest_cells(saved, line, limit)] if with_forest else []
        cells = [*_correlation_cells(saved, line, limit), *forest, *_plain_cells(saved, line)]
        rows.append(Row(name, str(line.rating), NO_ARROW, cells))
    columns = [
        Column("RAINBOW", "Spearman correlation of the predictions"),
        Column("best metric", "Spearman correlation of the best single metric"),
        Column("ceiling", "ceiling of any metric's correlation"),
        *([Column("forest of 2017", FOREST)] if with_forest else []),
        *(Column(head, title) for _, head, title, _ in PLAIN),
    ]
    spans = [("Spearman correlation", 3 + bool(with_forest)), ("predictions", len(PLAIN))]
    return Grid(
        "protocols-table", "Protocols compared", spans, columns, rows, limit, corner="protocol", second="rating"
    )


def _correlation_cells(saved: SavedAnalysis, line: Any, limit: float) -> Iterator[Cell]:
    number = partial(saved.number, "learned_protocols", line.Index)
    subject = f"{line.protocol}, {line.rating}"
    test = (
        f"against {line.best_metric}: t = {format_fixed(line.best_metric_t)}, p = {format_p_value(line.best_metric_p)}"
    )
    tip = (
        f"{subject}: r = {format_fixed(line.spearman, 3)}, {format_interval(line.low, line.high)}, n = "
        f"{format_count(line.n)}; {test}"
    )
    style, mark = colour_class(line.spearman, limit), ""
    if line.best_metric_p < SIGNIFICANT:
        mark = "better" if line.best_metric_t > 0 else "worse"
    yield Cell(number("spearman", format_fixed), style, mark, tip, format_range(line.low, line.high))
    style = colour_class(line.best_metric_spearman, limit)
    yield Cell(number("best_metric_spearman", format_fixed), style, "", f"{subject}: {test}", str(line.best_metric))
    if line.ceiling == line.ceiling:
        bounds = format_range(line.ceiling_low, line.ceiling_high)
        yield Cell(number("ceiling", format_fixed), "", "", f"{subject}: ceiling, {bounds}", bounds)
    else:
        yield empty_cell("the ceiling is unknown")


def _forest_cells(saved: SavedAnalysis, line: Any, limit: float) -> Cell:
    if line.forest_spearman != line.forest_spearman:
        return empty_cell("the forest has no defined correlation")
    test = f"t = {format_fixed(line.forest_t)}, p = {format_p_value(line.forest_p)}"
    tip = f"{line.protocol}, {line.rating}: {FOREST}; RAINBOW against it: {test}"
    number = saved.number("learned_protocols", line.Index, "forest_spearman", format_fixed)
    return Cell(number, colour_class(line.forest_spearman, limit), "", tip)


def _plain_cells(saved: SavedAnalysis, line: Any) -> Iterator[Cell]:
    number = partial(saved.number, "learned_protocols", line.Index)
    for name, _, title, form in PLAIN:
        yield Cell(number(name, form), tip=f"{line.protocol}, {line.rating}: {title}")


def _part_grid(saved: SavedAnalysis, protocol: str, ratings: Sequence[str]) -> Grid | None:
    """Return one protocol for every part of the outputs; None if only the whole is known."""
    lines = saved.lookup("learned_protocols", "dataset", "system", "rating", protocol=protocol)
    known = {key[:2] for key in lines}
    parts = [part for part in saved.parts if part in known]
    if len(parts) < 2:
        return None
    limit = colour_limit(line.spearman for line in lines.values())
    rows = [
        Row(
            saved.label(part),
            "",
            NO_ARROW,
            [_part_cells(saved, lines.get((*part, rating)), limit) for rating in ratings],
        )
        for part in parts
    ]
    columns = [Column(rating, rating) for rating in ratings]
    caption = f"Spearman correlation of held-out predictions, protocol {protocol}"
    return Grid("learned-parts", caption, [], columns, rows, limit, corner="part")


def _part_cells(saved: SavedAnalysis, line: Any, limit: float) -> Cell:
    if line is None:
        return empty_cell("not evaluated")
    best = f"best metric {line.best_metric} {format_fixed(line.best_metric_spearman)}"
    tip = (
        f"r = {format_fixed(line.spearman, 3)}, {format_interval(line.low, line.high)}, n = "
        f"{format_count(line.n)}; {best}"
    )
    number = saved.number("learned_protocols", line.Index, "spearman", format_fixed)
    return Cell(number, colour_class(line.spearman, limit), "", tip, format_range(line.low, line.high))


def _importance_grid(saved: SavedAnalysis, ratings: Sequence[str]) -> Grid | None:
    """Return permutation importances and elimination ranks; None if unknown."""
    if "learned_importances" not in saved.tables:
        return None
    shuffled = saved.lookup("learned_importances", "rating", "feature")
    eliminated = saved.lookup("learned_elimination", "rating", "feature")
    rows = []
    for feature in dict.fromkeys(feature for _, feature in [*shuffled, *eliminated]):
        cells: list[Cell] = []
        for rating in ratings:
            cells.append(_importance_cell(saved, shuffled.get((rating, feature))))
            cells.append(_elimination_cell(saved, eliminated.get((rating, feature))))
        rows.append(Row(feature, "", NO_ARROW, cells))
    heads = {
        "fall": "drop of the correlation when shuffled",
        "kept": "rank in recursive elimination, 1 is kept longest",
    }
    columns = [Column(head, f"{rating}, {title}") for rating in ratings for head, title in heads.items()]
    spans = [(rating, len(heads)) for rating in ratings]
    return Grid("importances-table", "Feature importance", spans, columns, rows, corner="feature")


def _importance_cell(saved: SavedAnalysis, line: Any) -> Cell:
    if line is None:
        return empty_cell("not a feature here")
    tip = f"{line.feature}: {_format_three(line.importance)}, {format_interval(line.low, line.high, _format_three)}"
    return Cell(saved.number("learned_importances", line.Index, "importance", _format_three), tip=tip)


def _elimination_cell(saved: SavedAnalysis, line: Any) -> Cell:
    if line is None:
        return empty_cell("not ranked")
    return Cell(saved.number("learned_elimination", line.Index, "rank", format_count))


def _audit_grid(saved: SavedAnalysis, ratings: Sequence[str]) -> Grid | None:
    """Return how often the score drops per perturbation; None if unknown."""
    if "learned_audit" not in saved.tables:
        return None
    lines = saved.lookup("learned_audit", "rating", "kind")
    rows = [
        Row(kind, "", NO_ARROW, [cell for rating in ratings for cell in _audit_cell(saved, lines.get((rating, kind)))])
        for kind in dict.fromkeys(saved.tables["learned_audit"]["kind"])
    ]
    columns = [Column(head, f"{rating}, {title}") for rating in ratings for head, title in AUDIT.items()]
    spans = [(rating, len(AUDIT)) for rating in ratings]
    caption = "Effect of perturbations on the score"
    return Grid("audit-table", caption, spans, columns, rows, corner="fault")


def _audit_cell(saved: SavedAnalysis, line: Any) -> list[Cell]:
    if line is None:
        return [empty_cell("not tried")] * len(AUDIT)
    forms: dict[str, NumberFormat] = {"falls": format_percent, "mean_change": format_precise, "n": format_count}
    falls, *others = (saved.number("learned_audit", line.Index, name, form) for name, form in forms.items())
    return [Cell(falls, note=format_range(line.low, line.high, format_percent)), *(Cell(number) for number in others)]
