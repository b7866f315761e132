"""The tables of the learned metric."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rainbow.reports.grid import Cell, Column, Grid, Row, coloured, empty, limit_of, stars
from rainbow.reports.number import Form, Number, count, fixed, interval, p_value, percent, precise
from rainbow.reports.saved.saved_analysis import Saved

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["audit_grid", "importance_grid", "part_grid", "protocol_grid"]

NO_ARROW = ("", "")

# Heads of the audit, and what they are in full.
AUDIT = {
    "falls": "share of outputs whose score falls",
    "mean change": "mean change of the score",
    "n": "outputs that the fault could be put into",
}

# Column of the file, head, in full, and how it is printed.
PLAIN: tuple[tuple[str, str, str, Form], ...] = (
    ("pearson", "Pearson", "Pearson correlation of the predictions", fixed),
    ("mae", "MAE", "mean absolute error", fixed),
    ("constant_mae", "constant", "mean absolute error of a constant", fixed),
    ("rmse", "RMSE", "root mean squared error", fixed),
    ("constant_rmse", "constant", "root mean squared error of a constant", fixed),
    ("n", "n", "outputs", count),
)


def _three(value: float) -> str:
    return fixed(value, 3)


def _between(low: float, high: float, form: Form = fixed) -> str:
    return f"{form(low)} to {form(high)}"


def protocol_grid(saved: Saved, lines: pd.DataFrame) -> Grid:
    """Return a row per protocol and rating: model, best single metric, ceiling, errors."""
    limit = limit_of([*lines["spearman"], *lines["best_metric_spearman"]])
    several = lines["preset"].nunique() > 1
    rows = [
        Row(f"{line.protocol} ({line.preset})" if several else str(line.protocol), str(line.rating), NO_ARROW, cells)
        for line in lines.itertuples()
        for cells in [[*_correlations(saved, line, limit), *_plain(saved, line)]]
    ]
    columns = [
        Column("RAINBOW", "Spearman correlation of the predictions"),
        Column("best metric", "Spearman correlation of the best single metric"),
        Column("ceiling", "the highest correlation that any metric could have"),
        *(Column(head, title) for _, head, title, _ in PLAIN),
    ]
    spans = [("Spearman correlation", 3), ("predictions", len(PLAIN))]
    return Grid(
        "protocols-table", "Protocols side by side", spans, columns, rows, limit, corner="protocol", second="rating"
    )


def _correlations(saved: Saved, line: Any, limit: float) -> Iterator[Cell]:
    number = _reader(saved, line)
    subject = f"{line.protocol}, {line.rating}"
    test = f"against {line.best_metric}: Williams' t = {fixed(line.williams_t)}, p = {p_value(line.williams_p)}"
    tip = f"{subject}: r = {fixed(line.spearman, 3)}, {interval(line.low, line.high)}, n = {count(line.n)}; {test}"
    style, mark = coloured(line.spearman, limit), stars(line.williams_p, 1)[:1]
    yield Cell(number("spearman", fixed), style, mark, tip, _between(line.low, line.high))
    style = coloured(line.best_metric_spearman, limit)
    yield Cell(number("best_metric_spearman", fixed), style, "", f"{subject}: {test}", str(line.best_metric))
    if line.ceiling == line.ceiling:
        bounds = _between(line.ceiling_low, line.ceiling_high)
        yield Cell(number("ceiling", fixed), "", "", f"{subject}: ceiling, {bounds}", bounds)
    else:
        yield empty("the ceiling is not known")


def _plain(saved: Saved, line: Any) -> Iterator[Cell]:
    number = _reader(saved, line)
    for name, _, title, form in PLAIN:
        yield Cell(number(name, form), tip=f"{line.protocol}, {line.rating}: {title}")


def _reader(saved: Saved, line: Any) -> Callable[[str, Form], Number]:
    """Return what reads a column of one row of ``ensemble_protocols.csv``."""
    return lambda column, form: saved.number("ensemble_protocols", line.Index, column, form)


def part_grid(saved: Saved, protocol: str, ratings: Sequence[str]) -> Grid | None:
    """Return one protocol for every part of the outputs, as table 5 of the paper; None if only the whole is known."""
    lines = saved.lookup("ensemble_protocols", "dataset", "system", "rating", protocol=protocol)
    known = {key[:2] for key in lines}
    parts = [part for part in saved.parts if part in known]
    if len(parts) < 2:
        return None
    limit = limit_of(line.spearman for line in lines.values())
    rows = [
        Row(saved.label(part), "", NO_ARROW, [_part(saved, lines.get((*part, rating)), limit) for rating in ratings])
        for part in parts
    ]
    columns = [Column(rating, rating) for rating in ratings]
    caption = f"Spearman correlation of held-out predictions, protocol {protocol}"
    return Grid("ensemble-parts", caption, [], columns, rows, limit, corner="part")


def _part(saved: Saved, line: Any, limit: float) -> Cell:
    if line is None:
        return empty("not evaluated")
    best = f"best metric {line.best_metric} {fixed(line.best_metric_spearman)}"
    tip = f"r = {fixed(line.spearman, 3)}, {interval(line.low, line.high)}, n = {count(line.n)}; {best}"
    number = saved.number("ensemble_protocols", line.Index, "spearman", fixed)
    return Cell(number, coloured(line.spearman, limit), "", tip, _between(line.low, line.high))


def importance_grid(saved: Saved, ratings: Sequence[str]) -> Grid | None:
    """Return what shuffling every feature costs, and how long recursive elimination keeps it; None if not known."""
    if "ensemble_importances" not in saved.tables:
        return None
    shuffled = saved.lookup("ensemble_importances", "rating", "feature")
    eliminated = saved.lookup("ensemble_elimination", "rating", "feature")
    rows = []
    for feature in dict.fromkeys(feature for _, feature in [*shuffled, *eliminated]):
        cells = [
            cell
            for rating in ratings
            for cell in (
                _importance(saved, shuffled.get((rating, feature))),
                _elimination(saved, eliminated.get((rating, feature))),
            )
        ]
        rows.append(Row(feature, "", NO_ARROW, cells))
    heads = {
        "fall": "fall of the correlation when shuffled",
        "kept": "rank in recursive elimination, 1 is kept longest",
    }
    columns = [Column(head, f"{rating}, {title}") for rating in ratings for head, title in heads.items()]
    spans = [(rating, len(heads)) for rating in ratings]
    return Grid("importances-table", "What the predictions rest on", spans, columns, rows, corner="feature")


def _importance(saved: Saved, line: Any) -> Cell:
    if line is None:
        return empty("not a feature here")
    tip = f"{line.feature}: {_three(line.importance)}, {interval(line.low, line.high, _three)}"
    return Cell(saved.number("ensemble_importances", line.Index, "importance", _three), tip=tip)


def _elimination(saved: Saved, line: Any) -> Cell:
    return (
        empty("not ranked") if line is None else Cell(saved.number("ensemble_elimination", line.Index, "rank", count))
    )


def audit_grid(saved: Saved, ratings: Sequence[str]) -> Grid | None:
    """Return what happens to the score when faults are put into outputs; None if not known."""
    if "ensemble_audit" not in saved.tables:
        return None
    lines = saved.lookup("ensemble_audit", "rating", "kind")
    rows = [
        Row(kind, "", NO_ARROW, [cell for rating in ratings for cell in _audit(saved, lines.get((rating, kind)))])
        for kind in dict.fromkeys(saved.tables["ensemble_audit"]["kind"])
    ]
    columns = [Column(head, f"{rating}, {title}") for rating in ratings for head, title in AUDIT.items()]
    spans = [(rating, len(AUDIT)) for rating in ratings]
    caption = "What happens to the score when a fault is put in"
    return Grid("audit-table", caption, spans, columns, rows, corner="fault")


def _audit(saved: Saved, line: Any) -> list[Cell]:
    if line is None:
        return [empty("not tried")] * len(AUDIT)
    forms: dict[str, Form] = {"falls": percent, "mean_change": precise, "n": count}
    falls, *others = (saved.number("ensemble_audit", line.Index, name, form) for name, form in forms.items())
    return [Cell(falls, note=_between(line.low, line.high, percent)), *(Cell(number) for number in others)]
