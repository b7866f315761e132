"""Chart of the ten columns that agree best with a rating, with reference lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from rainbow.analysis.verdicts.candidate_columns import CANDIDATE, LENGTH
from rainbow.base.lazy import pd
from rainbow.metrics.contract.metric_card import plain_sentence, short_name
from rainbow.reports.grid import SIGNIFICANT
from rainbow.reports.number_format import Number, format_count, format_fixed
from rainbow.reports.orders import oriented_r
from rainbow.reports.overview.held_out import held_out_result
from rainbow.reports.overview.page_verdicts import PageVerdict
from rainbow.reports.saved.saved_analysis import SavedAnalysis

SHOWN = 10
NAMED = 6  # columns that point the wrong way


class ChartRow(NamedTuple):
    """A column's agreement with interval, and over all outputs; positions in percent of the scale."""

    metric: str
    name: str  # in plain words
    says: str  # what it says of an output
    number: Number
    at: float
    low: float
    high: float
    overall: float | None  # the correlation over all outputs
    chosen: bool
    way: str  # higher or lower; empty where the direction is known
    rows: str  # how many of the rated outputs have it; empty where all do


class ReferenceLine(NamedTuple):
    """A reference line across all rows."""

    kind: str  # length, learned or ceiling
    name: str
    number: Number
    interval: str  # as shown after the number
    at: float


class AgreementChart(NamedTuple):
    """The whole chart."""

    rungs: Sequence[ChartRow]
    lines: Sequence[ReferenceLine]
    ticks: Sequence[tuple[str, float]]
    wrong: Sequence[str]  # columns that agree the wrong way round, the worst first
    more_wrong: int
    overall: bool  # whether there are systems to be mixed


def agreement_chart(saved: SavedAnalysis, verdict: PageVerdict) -> AgreementChart:
    """Return the chart of one rating; empty if no column agrees."""
    table = saved.rows("evidence", rating=verdict.rating)
    known = table[table["status"] == CANDIDATE].dropna(subset="agreement")
    best = known.nlargest(SHOWN, "agreement", keep="first")
    if verdict.metric and verdict.metric not in {*best["metric"]}:  # chosen for the order of systems
        best = pd.concat([best.head(SHOWN - 1), known[known["metric"] == verdict.metric]])
    best = pd.concat([best, _orient_unknown(table)])
    overall = _overall_correlations(saved, verdict.rating) if len(best) and best["systems"].iloc[0] > 1 else {}
    marks = _reference_lines(saved, verdict.rating)
    ends = [
        *best["agreement"],  # of few outputs there are no intervals
        *best["low"],
        *best["high"],
        *(number.value for _, _, number, _ in marks),
        *map(_overall_agreement(overall), best["metric"]),
    ]
    low, high = _axis_range([end for end in ends if not math.isnan(end)])

    def place(value: float) -> float:
        return round(100 * (value - low) / (high - low), 1)

    rows: Any = best.itertuples()
    return AgreementChart(
        [_chart_row(saved, line, verdict, overall.get(line.metric), place) for line in rows],
        [ReferenceLine(*mark, place(mark[2].value)) for mark in marks],
        [(format_fixed(tick, 1), place(tick)) for tick in _axis_ticks(low, high)],
        *_wrong_direction(saved, verdict.rating, set(best.loc[best["low"] > 0, "metric"])),
        bool(overall),
    )


def _orient_unknown(table: pd.DataFrame) -> pd.DataFrame:
    """Orient columns of unknown direction to correlate positively with ratings."""
    lines = table[table["status"] == "direction unknown"].dropna(subset="agreement")
    low, high = lines["low"], lines["high"]
    right = lines["agreement"] >= 0
    turned = lines.assign(low=low.where(right, -high), high=high.where(right, -low), agreement=lines["agreement"].abs())
    return turned.nlargest(SHOWN, "agreement")


def _overall_agreement(overall: dict[str, float]) -> Any:
    return lambda metric: overall.get(metric, math.nan)


def _chart_row(saved: SavedAnalysis, line: Any, verdict: PageVerdict, overall: float | None, place: Any) -> ChartRow:
    number = saved.number("evidence", line.Index, "agreement", format_fixed)
    direction = "" if line.status == CANDIDATE else "lower" if number.value < 0 else "higher"
    if direction == "lower":
        number = Number(-number.value, format_fixed(-number.value))
    known = overall is not None and not math.isnan(overall)
    return ChartRow(
        line.metric,
        short_name(line.metric),
        plain_sentence(line.metric),
        number,
        place(line.agreement),
        place(line.low),
        place(line.high),
        place(overall) if known and not direction else None,
        line.metric == verdict.metric,
        direction,
        f"{format_count(line.n)} of {format_count(verdict.n.value)} outputs" if line.n < verdict.n.value else "",
    )


def _overall_correlations(saved: SavedAnalysis, rating: str) -> dict[str, float]:
    """Return the correlation of every column over all outputs, oriented so that higher is better."""
    lines = saved.rows("correlations", level="pooled", rating=rating, **saved.all_outputs.filters)
    return dict(zip(lines["metric"], oriented_r(saved, lines), strict=True))


def _reference_lines(saved: SavedAnalysis, rating: str) -> list[tuple[str, str, Number, str]]:
    """Return the reference lines: output length, a learned score, the ceiling."""
    results: list[tuple[str, str, Number, str]] = []
    lengths = saved.rows("evidence", rating=rating, metric=LENGTH).dropna(subset="agreement")
    if len(lengths):
        number = saved.number("evidence", lengths.index[0], "agreement", format_fixed)
        sign = "longer is better" if number.value > 0 else "shorter is better"
        results.append(("length", f"length, {sign}", Number(abs(number.value), format_fixed(abs(number.value))), ""))
    if model := held_out_result(saved, rating):
        results.append(("learned", f"learned score, held out {model.protocol_phrase}, over all outputs", model.r, ""))
    for known in saved.summary["ceilings"]:
        rows = saved.rows("ceilings", rating=rating, measure=known["measure"])
        if known["rating"] == rating and len(rows):
            low, high = (format_fixed(float(rows[end].iloc[0])) for end in ("low", "high"))
            number = saved.number("ceilings", rows.index[0], "estimate", format_fixed)
            results.append(("ceiling", "rater ceiling, over all outputs", number, f" ({low} to {high})"))
            break
    return results


def _axis_range(ends: Sequence[float]) -> tuple[float, float]:
    low, high = min([0.0, *ends]), max([0.3, *ends])
    return math.floor(low * 10) / 10, min(1.0, math.ceil(high * 10) / 10)


def _axis_ticks(low: float, high: float) -> list[float]:
    step = 0.1 if high - low <= 0.6 else 0.2
    first = math.ceil(low / step - 1e-9)
    return [place * step for place in range(first, math.floor(high / step + 1e-9) + 1)]


def _wrong_direction(saved: SavedAnalysis, rating: str, right: set[str]) -> tuple[list[str], int]:
    """Return columns that agree in the wrong direction, and the number of further ones."""
    lines = saved.rows("correlations", level="pooled", rating=rating, **saved.all_outputs.filters)
    signs = oriented_r(saved, lines) / lines["r"]
    highest = lines["high"].where(signs > 0, -lines["low"])
    overall = dict(zip(lines["metric"], highest.where(signs.notna()), strict=True))
    within = saved.rows("evidence", rating=rating)
    inside = set(within.loc[within["p_wrong_way"] < SIGNIFICANT, "metric"]) if len(within) else set()
    results = sorted((end, name) for name, end in overall.items() if (end < 0 or name in inside) and name not in right)
    return [name for _, name in results[:NAMED]], max(0, len(results) - NAMED)
