"""RAINBOW: the learned metric on outputs it has not seen, beside the ceiling and the best single metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from rainbow.reports.figures import learned as figures
from rainbow.reports.first.held_out import learned, main_protocol, whole
from rainbow.reports.grid import SIGNIFICANT, Cell, Column, Grid, Row, coloured, empty, limit_of
from rainbow.reports.number import NumberFormat, between, count, fixed, interval, p_value, percent, precise
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.section import Figure, Section

if TYPE_CHECKING:
    import pandas as pd

AS_TABLE = "Dot plot; the numbers are in the table that follows."

NO_ARROW = ("", "")

FOREST = "random forest over quantised scores of Novikova et al. (2017), same scores and folds"

# Heads of the audit, and what they are in full.
AUDIT = {
    "falls": "share of outputs whose score falls",
    "mean change": "mean change of the score",
    "n": "outputs that the fault could be put into",
}

# Column of the file, head, in full, and how it is printed.
PLAIN: tuple[tuple[str, str, str, NumberFormat], ...] = (
    ("pearson", "Pearson", "Pearson correlation of the predictions", fixed),
    ("mae", "MAE", "mean absolute error", fixed),
    ("constant_mae", "constant", "mean absolute error of a constant", fixed),
    ("rmse", "RMSE", "root mean squared error", fixed),
    ("constant_rmse", "constant", "root mean squared error of a constant", fixed),
    ("n", "n", "outputs", count),
)


def section(saved: Saved) -> Section:
    """Return protocols side by side, predictions against ratings, importances and the audit; nothing without one."""
    if "learned_protocols" not in saved.tables:
        return Section("learned", "RAINBOW", {})
    lines, protocol = whole(saved, saved.tables["learned_protocols"]), main_protocol(saved)
    ratings = [rating for rating in saved.ratings if rating in set(lines["rating"])]
    data = {
        "presets": list(dict.fromkeys(lines["preset"])),
        "told": [sentence for rating in ratings if (sentence := _told(saved, lines, rating))],
        "protocols": _protocols(saved, lines),
        "parts": _parts(saved, protocol, ratings),
        "importances": _importances(saved, ratings),
        "audit": _audits(saved, ratings),
    }
    return Section("learned", "RAINBOW", data, list(_figures(saved, lines, protocol, ratings)))


def _told(saved: Saved, lines: pd.DataFrame, rating: str) -> str:
    """Return how it does, beside the best single metric, under the strict protocol that it is weakest under."""
    if (weakest := learned(saved, rating)) is None:
        return ""
    line: Any = next(lines[(lines["rating"] == rating) & (lines["protocol"] == weakest.protocol)].itertuples())
    beside = "not told apart from"
    if line.best_metric_p < SIGNIFICANT:
        beside = "better than" if line.best_metric_t > 0 else "worse than"
    best = f"{line.best_metric} ({fixed(line.best_metric_spearman)}), which was chosen by these ratings"
    return f"{rating}: {weakest.r.text}, held out {weakest.held_out}; {beside} {best}."


def _figures(saved: Saved, lines: pd.DataFrame, protocol: str, ratings: Sequence[str]) -> Iterator[Figure]:
    yield Figure(
        "protocols",
        "Spearman correlation of held-out predictions with the ratings under every protocol, with 95 % intervals; the "
        "best single metric on the same outputs, turned so that higher is better; and the ceiling with its interval.",
        AS_TABLE,
        partial(figures.protocols, lines, ratings, saved.higher_is_better),
    )
    if len(rows := saved.rows("learned_predictions", protocol=protocol)):
        yield Figure(
            "predictions",
            f"What was predicted for outputs with each rating (protocol {protocol}): medians, boxes with half of the "
            "outputs, lines over nearly all.",
            "Box plots of predictions by rating.",
            partial(figures.predictions, rows, ratings),
        )
    if len(rows := saved.rows("learned_reliability", protocol=protocol)):
        yield Figure(
            "reliability",
            f"How often the most probable point of the scale was right, by its probability (protocol {protocol}); dots "
            "as large as outputs are many; on the dashed line probabilities hold.",
            "Line plot; the numbers are in learned_reliability.csv.",
            partial(figures.reliability, rows, [rating for rating in ratings if rating in set(rows["rating"])]),
        )
    if "learned_importances" in saved.tables:
        yield Figure(
            "importances",
            "By how much the correlation falls when a feature is shuffled among held-out outputs; the first fifteen.",
            AS_TABLE,
            partial(figures.importances, saved.tables["learned_importances"], ratings),
        )
    if "learned_audit" in saved.tables:
        yield Figure(
            "audit",
            "Share of outputs whose score falls when a fault is put into them, with 95 % intervals.",
            AS_TABLE,
            partial(figures.audit, saved.tables["learned_audit"], ratings),
        )


def _three(value: float) -> str:
    return fixed(value, 3)


def _protocols(saved: Saved, lines: pd.DataFrame) -> Grid:
    """Return a row per protocol and rating: model, best single metric, ceiling, errors."""
    limit = limit_of([*lines["spearman"], *lines["best_metric_spearman"]])
    several = lines["preset"].nunique() > 1
    beside = "forest_spearman" in lines and lines["forest_spearman"].notna().any()
    rows = []
    for line in lines.itertuples():
        name = f"{line.protocol} ({line.preset})" if several else str(line.protocol)
        forest = [_forest(saved, line, limit)] if beside else []
        cells = [*_correlations(saved, line, limit), *forest, *_plain(saved, line)]
        rows.append(Row(name, str(line.rating), NO_ARROW, cells))
    columns = [
        Column("RAINBOW", "Spearman correlation of the predictions"),
        Column("best metric", "Spearman correlation of the best single metric"),
        Column("ceiling", "the highest correlation that any metric could have"),
        *([Column("forest of 2017", FOREST)] if beside else []),
        *(Column(head, title) for _, head, title, _ in PLAIN),
    ]
    spans = [("Spearman correlation", 3 + bool(beside)), ("predictions", len(PLAIN))]
    return Grid(
        "protocols-table", "Protocols side by side", spans, columns, rows, limit, corner="protocol", second="rating"
    )


def _correlations(saved: Saved, line: Any, limit: float) -> Iterator[Cell]:
    number = partial(saved.number, "learned_protocols", line.Index)
    subject = f"{line.protocol}, {line.rating}"
    test = f"against {line.best_metric}: t = {fixed(line.best_metric_t)}, p = {p_value(line.best_metric_p)}"
    tip = f"{subject}: r = {fixed(line.spearman, 3)}, {interval(line.low, line.high)}, n = {count(line.n)}; {test}"
    style, mark = coloured(line.spearman, limit), ""
    if line.best_metric_p < SIGNIFICANT:
        mark = "better" if line.best_metric_t > 0 else "worse"
    yield Cell(number("spearman", fixed), style, mark, tip, between(line.low, line.high))
    style = coloured(line.best_metric_spearman, limit)
    yield Cell(number("best_metric_spearman", fixed), style, "", f"{subject}: {test}", str(line.best_metric))
    if line.ceiling == line.ceiling:
        bounds = between(line.ceiling_low, line.ceiling_high)
        yield Cell(number("ceiling", fixed), "", "", f"{subject}: ceiling, {bounds}", bounds)
    else:
        yield empty("the ceiling is not known")


def _forest(saved: Saved, line: Any, limit: float) -> Cell:
    if line.forest_spearman != line.forest_spearman:
        return empty("the forest gave no correlation")
    test = f"t = {fixed(line.forest_t)}, p = {p_value(line.forest_p)}"
    tip = f"{line.protocol}, {line.rating}: {FOREST}; RAINBOW against it: {test}"
    number = saved.number("learned_protocols", line.Index, "forest_spearman", fixed)
    return Cell(number, coloured(line.forest_spearman, limit), "", tip)


def _plain(saved: Saved, line: Any) -> Iterator[Cell]:
    number = partial(saved.number, "learned_protocols", line.Index)
    for name, _, title, form in PLAIN:
        yield Cell(number(name, form), tip=f"{line.protocol}, {line.rating}: {title}")


def _parts(saved: Saved, protocol: str, ratings: Sequence[str]) -> Grid | None:
    """Return one protocol for every part of the outputs, as table 5 of the paper; None if only the whole is known."""
    lines = saved.lookup("learned_protocols", "dataset", "system", "rating", protocol=protocol)
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
    return Grid("learned-parts", caption, [], columns, rows, limit, corner="part")


def _part(saved: Saved, line: Any, limit: float) -> Cell:
    if line is None:
        return empty("not evaluated")
    best = f"best metric {line.best_metric} {fixed(line.best_metric_spearman)}"
    tip = f"r = {fixed(line.spearman, 3)}, {interval(line.low, line.high)}, n = {count(line.n)}; {best}"
    number = saved.number("learned_protocols", line.Index, "spearman", fixed)
    return Cell(number, coloured(line.spearman, limit), "", tip, between(line.low, line.high))


def _importances(saved: Saved, ratings: Sequence[str]) -> Grid | None:
    """Return what shuffling every feature costs, and how long recursive elimination keeps it; None if not known."""
    if "learned_importances" not in saved.tables:
        return None
    shuffled = saved.lookup("learned_importances", "rating", "feature")
    eliminated = saved.lookup("learned_elimination", "rating", "feature")
    rows = []
    for feature in dict.fromkeys(feature for _, feature in [*shuffled, *eliminated]):
        cells: list[Cell] = []
        for rating in ratings:
            cells.append(_importance(saved, shuffled.get((rating, feature))))
            cells.append(_elimination(saved, eliminated.get((rating, feature))))
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
    return Cell(saved.number("learned_importances", line.Index, "importance", _three), tip=tip)


def _elimination(saved: Saved, line: Any) -> Cell:
    if line is None:
        return empty("not ranked")
    return Cell(saved.number("learned_elimination", line.Index, "rank", count))


def _audits(saved: Saved, ratings: Sequence[str]) -> Grid | None:
    """Return what happens to the score when faults are put into outputs; None if not known."""
    if "learned_audit" not in saved.tables:
        return None
    lines = saved.lookup("learned_audit", "rating", "kind")
    rows = [
        Row(kind, "", NO_ARROW, [cell for rating in ratings for cell in _audit(saved, lines.get((rating, kind)))])
        for kind in dict.fromkeys(saved.tables["learned_audit"]["kind"])
    ]
    columns = [Column(head, f"{rating}, {title}") for rating in ratings for head, title in AUDIT.items()]
    spans = [(rating, len(AUDIT)) for rating in ratings]
    caption = "What happens to the score when a fault is put in"
    return Grid("audit-table", caption, spans, columns, rows, corner="fault")


def _audit(saved: Saved, line: Any) -> list[Cell]:
    if line is None:
        return [empty("not tried")] * len(AUDIT)
    forms: dict[str, NumberFormat] = {"falls": percent, "mean_change": precise, "n": count}
    falls, *others = (saved.number("learned_audit", line.Index, name, form) for name, form in forms.items())
    return [Cell(falls, note=between(line.low, line.high, percent)), *(Cell(number) for number in others)]
