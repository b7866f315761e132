"""Judges with labels: agreement next to a constant, wrong labels with their texts, and what a new prompt changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rainbow.analysis.judges.judge_agreement import CONSTANT, JUDGE, RATER
from rainbow.analysis.judges.judge_sentences import label_sentences
from rainbow.reports.grid import Cell, Column, Grid, Row, empty_cell
from rainbow.reports.number_format import (
    NumberFormat,
    format_count,
    format_fixed,
    format_interval,
    format_p_value,
    format_percent,
    format_range,
)
from rainbow.reports.saved.saved_analysis import SavedAnalysis

SHOWN = 10  # outputs of each list
SIGNIFICANT = 0.05

OVERALL: dict[str, tuple[str, str, NumberFormat]] = {
    "accuracy": ("accuracy", "share of outputs with the label that people give", format_percent),
    "over_constant": ("over constant", "accuracy minus that of always giving the commonest label", format_percent),
    "kappa": ("kappa", "Cohen's kappa: agreement beyond chance", format_fixed),
    "balanced_accuracy": ("balanced accuracy", "mean recall of the labels", format_percent),
    "macro_f1": ("macro F1", "mean F1 of the labels", format_fixed),
}
PER_LABEL: dict[str, tuple[str, str, NumberFormat]] = {
    "share_people": ("people", "share of outputs to which people give the label (base rate)", format_percent),
    "share_judge": ("judge", "share of outputs to which the judge gives the label", format_percent),
    "share_difference": ("difference", "share of the judge minus that of people", format_percent),
    "recall": ("recall", "of the outputs with this label of people, how many the judge finds", format_percent),
    "precision": ("precision", "of the outputs with this label of the judge, how many people label so", format_percent),
    "f1": ("F1", "harmonic mean of precision and recall", format_fixed),
}


class OutputList(NamedTuple):
    """Some outputs of a table."""

    table: str
    caption: str
    columns: tuple[str, ...]  # heads of the columns after the output and the input
    lines: Sequence[tuple[Any, tuple[str, ...]]]  # rows, and their cells under these heads


def judge_labels(saved: SavedAnalysis) -> dict[str, Any]:
    """Return what the template shows about judges with labels; empty without them."""
    lines = saved.rows("judge_agreement", dataset=saved.all_outputs.dataset)
    if not len(lines):
        return {}
    return {
        "sentences": label_sentences(saved.tables),
        "reasons": _excluded(lines),
        "grids": [_overall_grid(saved, lines), _label_grid(saved, lines), *_rate_grids(saved)],
        "errors": [*_error_lists(saved), *_changed_lists(saved)],
    }


def _groups(table: Any, columns: str | list[str]) -> Any:
    """Return the parts of a table with equal values; none of a table that is not saved."""
    return table.groupby(columns, sort=False) if len(table) else ()


def _excluded(lines: Any) -> list[str]:
    judges = lines[(lines["kind"] == JUDGE) & (lines["measure"] == "accuracy") & (lines["reason"] != "")]
    return [f"{line.metric}: {line.reason}" for line in judges.itertuples()]


def _overall_grid(saved: SavedAnalysis, lines: Any) -> Grid:
    rows: dict[tuple[str, ...], Row] = {}  # judges of the same outputs share the constant and the rater
    for (rating, metric, kind), part in _groups(lines[lines["label"] == ""], ["rating", "metric", "kind"]):
        cells = {line.measure: line for line in part.itertuples()}
        constant = f"always '{part['predicts'].iloc[0]}'"
        name = {JUDGE: metric, CONSTANT: constant, RATER: "a rater, others"}.get(kind, f"{metric}, others")
        shown = [_cell(saved, cells.get(key), OVERALL[key][2]) for key in OVERALL]
        row = Row(name, rating, ("", ""), shown, f"n = {format_count(part['n'].iloc[0])}")
        rows.setdefault((name, rating, row.note, *(cell.number.text for cell in shown)), row)
    columns = [Column(label, title) for label, title, _ in OVERALL.values()]
    caption = "Agreement of judges with the labels of people, next to a constant, with 95 % intervals"
    return Grid("judge-agreement", caption, [], columns, [*rows.values()], corner="judge", second="labels")


def _label_grid(saved: SavedAnalysis, lines: Any) -> Grid:
    judges = lines[(lines["kind"] == JUDGE) & (lines["label"] != "")]
    rows = []
    for (metric, label), part in _groups(judges, ["metric", "label"]):
        cells = {line.measure: line for line in part.itertuples()}
        rows.append(Row(metric, label, ("", ""), [_cell(saved, cells[key], PER_LABEL[key][2]) for key in PER_LABEL]))
    columns = [Column(label, title) for label, title, _ in PER_LABEL.values()]
    caption = "Each label: base rates, and how often the judge finds it, with 95 % intervals"
    return Grid("judge-labels", caption, [], columns, rows, corner="judge", second="label")


def _cell(saved: SavedAnalysis, line: Any, form: NumberFormat) -> Cell:
    if line is None or line.value != line.value:
        return empty_cell(str(line.reason) if line else "not measured")
    tip = f"{line.metric}, {line.kind}: {line.measure}; {format_interval(line.low, line.high, form)}"
    number = saved.number("judge_agreement", line.Index, "value", form)
    return Cell(number, tip=tip, note=format_range(line.low, line.high, form))


def _rate_grids(saved: SavedAnalysis) -> Iterator[Grid]:
    """Yield the error rates of each judge by length and by system."""
    table = saved.rows("judge_error_rates")
    for by, part in _groups(table, "by"):
        lines = {(line.metric, line.error, line.group): line for line in part.itertuples()}
        judges, groups = dict.fromkeys(key[:2] for key in lines), dict.fromkeys(key[2] for key in lines)
        rows = [
            Row(group, "", ("", ""), [_rate_cell(saved, lines.get((*judge, group))) for judge in judges])
            for group in groups
        ]
        columns = [Column(f"{metric}: {error}", f"{metric}: {error}") for metric, error in judges]
        caption = f"Error rates by {by}, with 95 % intervals; * differs from the other outputs (p < 0.05, Holm)"
        yield Grid(f"error-rates-{by}", caption, [], columns, rows, corner=by)


def _rate_cell(saved: SavedAnalysis, line: Any) -> Cell:
    if line is None:
        return empty_cell("no output")
    tip = (
        f"{line.error} on {format_count(line.n)} outputs; other outputs: {format_percent(line.rate_others)}, "
        f"p = {format_p_value(line.p_holm)}"
    )
    number = saved.number("judge_error_rates", line.Index, "rate", format_percent)
    mark = "*" if line.p_holm < SIGNIFICANT else ""
    ends = f"{format_range(line.low, line.high, format_percent)}; " if line.low == line.low else ""
    return Cell(number, "", mark, tip, f"{ends}n = {format_count(line.n)}")


def _error_lists(saved: SavedAnalysis) -> Iterator[OutputList]:
    table = saved.rows("judge_errors")
    for (metric, error), part in _groups(table, ["metric", "error"]):
        heads = ("people", metric, *(["answer"] if (part["answer"] != "").any() else []))
        lines = [(line, (line.people, line.judge, line.answer)[: len(heads)]) for line in part.head(SHOWN).itertuples()]
        yield OutputList("judge_errors", f"{metric}: {error}, {len(lines)} of {format_count(len(part))}", heads, lines)


def _changed_lists(saved: SavedAnalysis) -> Iterator[OutputList]:
    table = saved.rows("changed_labels")
    for (first, second), part in _groups(table, ["first", "second"]):
        lines = [(line, (line.people, line.label_first, line.label_second)) for line in part.head(SHOWN).itertuples()]
        caption = f"{first} and {second}: different labels, {len(lines)} of {format_count(len(part))}"
        yield OutputList("changed_labels", caption, ("people", first, second), lines)
