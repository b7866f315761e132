"""Chart of the ten columns that agree best with a rating, with reference lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

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


def agreement_chart(saved: SavedAnalysis, verdict: PageVerdict) -> dict[str, Any]:
    """Return the chart of one rating, with positions in percent of the scale; empty if no column agrees."""
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
        *(mark["number"].value for mark in marks),
        *(overall.get(metric, math.nan) for metric in best["metric"]),
    ]
    low, high = _axis_range([end for end in ends if not math.isnan(end)])

    def place(value: float) -> float:
        return round(100 * (value - low) / (high - low), 1)

    rows: Any = best.itertuples()
    wrong = _wrong_direction(saved, verdict.rating, set(best.loc[best["low"] > 0, "metric"]))
    return {
        "rungs": [_chart_row(saved, line, verdict, overall.get(line.metric), place) for line in rows],
        "lines": [mark | {"at": place(mark["number"].value)} for mark in marks],
        "ticks": [(format_fixed(tick, 1), place(tick)) for tick in _axis_ticks(low, high)],
        "wrong": wrong[:NAMED],
        "more_wrong": max(0, len(wrong) - NAMED),
        "overall": bool(overall),  # whether there are systems to be mixed
    }


def _orient_unknown(table: pd.DataFrame) -> pd.DataFrame:
    """Orient columns of unknown direction to correlate positively with ratings."""
    lines = table[table["status"] == "direction unknown"].dropna(subset="agreement")
    low, high = lines["low"], lines["high"]
    right = lines["agreement"] >= 0
    turned = lines.assign(low=low.where(right, -high), high=high.where(right, -low), agreement=lines["agreement"].abs())
    return turned.nlargest(SHOWN, "agreement")


def _chart_row(
    saved: SavedAnalysis, line: Any, verdict: PageVerdict, overall: float | None, place: Any
) -> dict[str, Any]:
    """Return the agreement of a column with its interval, and over all outputs."""
    number = saved.number("evidence", line.Index, "agreement", format_fixed)
    direction = "" if line.status == CANDIDATE else "lower" if number.value < 0 else "higher"
    if direction == "lower":
        number = Number(-number.value, format_fixed(-number.value))
    known = overall is not None and not math.isnan(overall)
    return {
        "metric": line.metric,
        "name": short_name(line.metric),
        "says": plain_sentence(line.metric),
        "number": number,
        "at": place(line.agreement),
        "low": place(line.low),
        "high": place(line.high),
        "overall": place(overall) if known and not direction else None,
        "chosen": line.metric == verdict.metric,
        "way": direction,  # empty where the direction is known
        "rows": f"{format_count(line.n)} of {format_count(verdict.n.value)} outputs"
        if line.n < verdict.n.value
        else "",
    }


def _overall_correlations(saved: SavedAnalysis, rating: str) -> dict[str, float]:
    """Return the correlation of every column over all outputs, oriented so that higher is better."""
    lines = saved.rows("correlations", level="pooled", rating=rating, **saved.all_outputs.filters)
    return dict(zip(lines["metric"], oriented_r(saved, lines), strict=True))


def _reference_lines(saved: SavedAnalysis, rating: str) -> list[dict[str, Any]]:
    """Return the reference lines across all rows: output length, a learned score, the ceiling."""
    results: list[dict[str, Any]] = []

    def add(kind: str, name: str, number: Number, interval: str = "") -> None:
        results.append({"kind": kind, "name": name, "number": number, "interval": interval})

    lengths = saved.rows("evidence", rating=rating, metric=LENGTH).dropna(subset="agreement")
    if len(lengths):
        value = saved.number("evidence", lengths.index[0], "agreement", format_fixed).value
        sign = "longer is better" if value > 0 else "shorter is better"
        add("length", f"length, {sign}", Number(abs(value), format_fixed(abs(value))))
    if model := held_out_result(saved, rating):
        add("learned", f"learned score, held out {model.protocol_phrase}, over all outputs", model.r)
    for known in saved.summary["ceilings"]:
        lines = saved.lines("ceilings", rating=rating, measure=known["measure"])
        if known["rating"] == rating and lines:
            number, ends = lines[0].number("estimate", format_fixed), lines[0].text(" ({low:fixed} to {high:fixed})")
            add("ceiling", "rater ceiling, over all outputs", number, ends)
            break
    return results


def _axis_range(ends: Sequence[float]) -> tuple[float, float]:
    low, high = min([0.0, *ends]), max([0.3, *ends])
    return math.floor(low * 10) / 10, min(1.0, math.ceil(high * 10) / 10)


def _axis_ticks(low: float, high: float) -> list[float]:
    step = 0.1 if high - low <= 0.6 else 0.2
    first = math.ceil(low / step - 1e-9)
    return [place * step for place in range(first, math.floor(high / step + 1e-9) + 1)]


def _wrong_direction(saved: SavedAnalysis, rating: str, right: set[str]) -> list[str]:
    """Return the columns that agree in the wrong direction, the worst first."""
    lines = saved.rows("correlations", level="pooled", rating=rating, **saved.all_outputs.filters)
    signs = oriented_r(saved, lines) / lines["r"]
    highest = lines["high"].where(signs > 0, -lines["low"])
    overall = dict(zip(lines["metric"], highest.where(signs.notna()), strict=True))
    within = saved.rows("evidence", rating=rating)
    inside = set(within.loc[within["p_wrong_way"] < SIGNIFICANT, "metric"]) if len(within) else set()
    results = sorted((end, name) for name, end in overall.items() if (end < 0 or name in inside) and name not in right)
    return [name for _, name in results]
