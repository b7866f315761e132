"""The rule that decides whether a metric may be used for a rating; docs/verdicts.md explains it.

A column has four tests: agreement with the rating within systems; within inputs that have several outputs (systems
are fixed effects too); within systems with output length held fixed; and better agreement, on the mean of the first
two, than length has. The first p-value is corrected over all candidates, each other one over the candidates that are
within one standard error of passing the tests next to it. The largest of the four decides. A column whose mode covers
nine outputs of ten is not a candidate.

* green: a column has p < .02 in all four tests; the one with the highest agreement is named. "Not to compare systems"
  is added if its order of at least three system means is closer to the reverse of people's than four in five random
  orders.
* borderline: not green, and the smallest deciding p-value is at most .10.
* amber: neither, and a column orders the system means like the mean ratings, by permutation of systems, corrected,
  with p < .02 (up to .10: borderline). Three systems are too few, because their permutations allow no p-value below
  1/6.
* red, by the first reason that holds: all ratings equal (`constant`); fewer than 20 rated outputs (`too few`);
  agreement only in the wrong direction (`wrong way`); agreement within systems but not within inputs (`inputs`) or
  not beyond length (`length`); no agreement, with too few ratings to detect a correlation of .3 with 80 % power (`too
  few`), with raters who agree no better than chance (`raters`), or with neither (`nothing`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from statistics import NormalDist
from types import MappingProxyType
from typing import Any, Literal, get_args

from rainbow.analysis.checks.findings import join_listing
from rainbow.analysis.verdicts.candidate_columns import CANDIDATE, MINIMUM_RATED
from rainbow.analysis.verdicts.evidence import LITTLE, OPEN, POWER, SURE
from rainbow.base.formatting import format_count
from rainbow.base.lazy import pd
from rainbow.stats.estimation.sample_size import required_rows
from rainbow.stats.tidy_tables import tidy_table

Verdict = Literal["green", "borderline", "amber", "red"]
STATES: tuple[Verdict, ...] = get_args(Verdict)

WORTH = 0.3  # a correlation within systems that there should be ratings enough to find
FEWEST = 10  # rated outputs
STATED = 0.05  # p of what the reason for a red verdict states
FOLLOWS = 0.3  # least agreement of the length that is named if columns agree in the wrong direction
TIED = 0.9  # a column with this share of one value is as good as constant
# Below this an order of systems is called the reverse of people's: the normal quantile that chance gives one in five.
REVERSED = -0.84
ALIKE = 0.5  # below this two orders of systems are called other orders
NAMED = 3  # columns in a sentence

COLUMNS = (
    *("rating", "verdict", "metric", "headline", "because", "left_out", "cause", "closest", "p", "test", "sufficient"),
    *("agreement", "low", "high", "within_systems", "within_inputs", "between_systems", "length", "n", "needed"),
    *("inputs", "systems", "candidates"),
)


def decide_verdicts(evidence: pd.DataFrame, agreement: Mapping[str, float] = MappingProxyType({})) -> pd.DataFrame:
    """Return one verdict per rating, by the rule at the top of this file."""
    parts = evidence.groupby("rating", sort=False)
    rows = (_decide_verdict(str(rating), part, agreement.get(str(rating), math.nan)) for rating, part in parts)
    return tidy_table(rows, COLUMNS)


def single_rater_agreement(lines: pd.DataFrame) -> dict[str, float]:
    """Return the lower bound of single-rater agreement per rating."""
    single = lines[lines["measure"] == "ICC(1,1)"].dropna(subset="low")
    return dict(zip(single["rating"], single["low"], strict=True))


def _decide_verdict(rating: str, part: pd.DataFrame, agreement: float) -> dict[str, Any]:
    columns, facts = part[part["status"] == CANDIDATE], part.iloc[-1]
    able = columns[columns["tied"] < TIED]
    closest = _closest_column(able)
    result = {
        **{"rating": rating, "length": facts["agreement"], "candidates": len(columns), "needed": _needed_rows(facts)},
        **{name: int(facts[name]) for name in ("n", "inputs", "systems")},
        **{"tied": facts["tied"], "left_out": _excluded_columns(part), "closest": ""},
    }
    if closest is not None:
        result |= {"closest": closest["metric"], **{name: closest[name] for name in ("p", "test", "sufficient")}}
    if result["n"] < MINIMUM_RATED:
        return result | {"metric": ""} | _red_verdict(rating, columns, result, agreement, None)
    if (chosen := _best_column(able[able["p"] < SURE], "agreement")) is not None:
        return result | _verdict_name(chosen) | _green_verdict(rating, chosen, result)
    between = _best_column(columns[columns["p_between_systems"] <= OPEN], "between_systems")
    if closest is not None and closest["p"] <= OPEN:
        return result | _verdict_name(closest) | _borderline_verdict(rating, closest, result, between)
    if between is not None:
        return result | _verdict_name(between) | _systems_verdict(rating, between, result)
    known = {"metric": ""} if closest is None else _verdict_name(closest) | {"metric": ""}
    return result | known | _red_verdict(rating, columns, result, agreement, closest)


def _best_column(columns: pd.DataFrame, by: str) -> Any:
    known = columns.dropna(subset=by)
    places: Any = known.index
    return None if known.empty else known.loc[places[known[by].argmax()]]


def _closest_column(columns: pd.DataFrame) -> Any:
    """Return the column with the smallest deciding p-value; None if none agrees."""
    known = columns.dropna(subset=["p", "agreement"])
    return None if known.empty else known.sort_values(["p", "agreement"], ascending=[True, False]).iloc[0]


def _verdict_name(row: Any) -> dict[str, Any]:
    names = ("metric", "agreement", "low", "high", "within_systems", "within_inputs", "between_systems")
    return {name: row[name] for name in names}


def _excluded_columns(part: pd.DataFrame) -> str:
    """Name the columns that are not candidates, with the reason; empty if there are none."""
    sentences = []
    for status, (name, why) in _LEFT_OUT.items():
        lines = part[(part["status"] == status) & (part["n"] > 0)]
        if len(lines):
            names = [name(line) for line in lines.itertuples()]
            names = names if len(names) <= NAMED + 1 else [*names[:NAMED], f"{len(names) - NAMED} more"]
            sentences.append(f"{join_listing(names)}: {why(lines)}")
    return f"Excluded: {'; '.join(sentences)}." if sentences else ""


def _undirected_note(line: Any) -> str:
    if math.isnan(line.agreement):
        return str(line.metric)
    return f"{line.metric} ({abs(line.agreement):.2f} if {_direction_phrase(line.agreement)} is better)"


def _direction_phrase(agreement: float) -> str:
    return "higher" if agreement >= 0 else "lower"


def _confirm_note(lines: pd.DataFrame) -> str:
    name, agreement = lines["metric"].iloc[0], lines["agreement"].iloc[0]
    directions = (
        ["higher", "lower"] if math.isnan(agreement) or abs(agreement) < LITTLE else [_direction_phrase(agreement)]
    )
    return f"unknown direction; confirm with --score {' or '.join(f'{name}:{direction}' for direction in directions)}"


# By status: how a column is named, and why it is left out.
_LEFT_OUT: Mapping[str, tuple[Callable[[Any], str], Callable[[pd.DataFrame], str]]] = {
    "direction unknown": (_undirected_note, _confirm_note),
    "copy of the rating": (lambda line: str(line.metric), lambda lines: "a copy of the rating"),
    "too few rows": (lambda line: str(line.metric), lambda lines: "missing in more than half of the rated outputs"),
}


def _needed_rows(facts: Any) -> int | None:
    """Return the number of rated outputs needed to detect a correlation of .3."""
    threshold = facts["threshold"]
    if math.isnan(threshold) or facts["n"] <= facts["means"]:
        return None
    normal = NormalDist()

    def power(rows: int) -> float:
        return normal.cdf(math.atanh(WORTH) * math.sqrt(rows - 3) - threshold)

    needed = required_rows(power, POWER, FEWEST)
    return None if needed is None else math.ceil(needed * facts["n"] / (facts["n"] - facts["means"]))


def _green_verdict(rating: str, row: Any, facts: Mapping[str, Any]) -> dict[str, str]:
    length = _length_agreement(row)
    over = "" if length is None else f"that of output length ({length:.2f}) and than "
    because = (
        f"It ranks outputs the way people do: Spearman {_weakest_system(row)}, higher than {over}the best of "
        f"{facts['candidates']} columns by chance; {_row_count(row, facts)}."
    )
    headline = f"Use {row['metric']} for {rating}"
    if row["weakest"] < row["within_systems"] / 2:
        others = f"; below 0.1 within {row['weak_systems']:.0f} systems" if row["weak_systems"] > 1 else ""
        because += f" Weakest within the system {row['weakest_system']} ({row['weakest']:.2f}{others})."
    if facts["systems"] > 2 and row["between_systems"] < ALIKE:
        reverse = row["between_systems"] * math.sqrt(facts["systems"] - 1) < REVERSED
        headline += ", but not to compare systems" if reverse else ""
        order = f"systems differently from people (Spearman {row['between_systems']:.2f})."
        because += f" It orders the {facts['systems']} {order}"
    return {"verdict": "green", "headline": headline, "because": because}


def _length_agreement(row: Any) -> float | None:
    """Return the agreement of length alone on the same outputs; None if length is constant."""
    if math.isnan(row["over_length"]) or math.isclose(row["over_length"], row["agreement"]):
        return None
    return float(row["agreement"] - row["over_length"])


def _weakest_system(row: Any) -> str:
    inside = f"{row['within_systems']:.2f} within systems"
    return inside if math.isnan(row["within_inputs"]) else f"{inside}, {row['within_inputs']:.2f} within inputs"


def _row_count(row: Any, facts: Mapping[str, Any]) -> str:
    if row["n"] < facts["n"]:
        return f"{row['n']:,.0f} of {facts['n']:,} rated outputs have it"
    return f"{facts['n']:,} rated outputs"


def _borderline_verdict(rating: str, row: Any, facts: Mapping[str, Any], between: Any) -> dict[str, str]:
    because = (
        f"It may rank outputs the way people do (Spearman {_weakest_system(row)}; {_row_count(row, facts)}), "
        f"but the evidence is not conclusive (test of {row['test']}: {_format_p(row['p'])})."
        f"{_sufficient_phrase(row, facts)}"
    )
    if between is not None and between["p_between_systems"] < SURE:
        because += f" Systems can be compared with {between['metric']} ({between['between_systems']:.2f})."
    return {"verdict": "borderline", "headline": f"{row['metric']} for {rating}: borderline", "because": because}


def _systems_verdict(rating: str, row: Any, facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the verdict on a column that orders systems only: amber, or borderline."""
    systems, r = f"the {facts['systems']} systems", f"Spearman {row['between_systems']:.2f}"
    verdict, headline = "amber", f"Use {row['metric']} for {rating} only to compare systems"
    because = f"It orders {systems} almost as people do ({r})."
    if not (p := row["p_between_systems"]) < SURE:
        verdict, headline = "borderline", f"{row['metric']} for {rating}, only to compare systems: borderline"
        more = "more systems are needed for a decision"
        because = f"It may order {systems} the way people do ({r}, {_format_p(p)}); {more}."
    because += " No column passes the tests for single outputs: within systems, within inputs, beyond length."
    return {"verdict": verdict, "headline": headline, "because": because}


def _red_verdict(
    rating: str, columns: pd.DataFrame, facts: Mapping[str, Any], agreement: float, closest: Any
) -> dict[str, str]:
    cause = _red_cause(columns, facts, agreement)
    because = _SAYS[cause](columns, facts)
    if closest is not None:
        because += (
            f" Closest: {closest['metric']}, agreement {closest['agreement']:.2f} "
            f"({closest['low']:.2f} to {closest['high']:.2f}); it fails the test of {closest['test']} "
            f"({_format_p(closest['p'])})."
            f"{_sufficient_phrase(closest, facts)}"
        )
    return {"verdict": "red", "headline": f"No metric here for {rating}", "cause": cause, "because": because}


def _sufficient_phrase(row: Any, facts: Mapping[str, Any]) -> str:
    """Return how many rated outputs would suffice at this agreement."""
    if math.isnan(row["sufficient"]) or row["agreement"] <= 0:
        return ""
    return (
        f" At this level of agreement, about {_round_up(max(row['sufficient'], facts['n'])):,} rated outputs "
        "would suffice."
    )


def _round_up(rows: float) -> int:
    """Round a number of rows up to two significant digits."""
    step = 10 ** max(0, math.floor(math.log10(rows)) - 1)
    return int(math.ceil(rows / step) * step)


def _format_p(value: float) -> str:
    return f"p = {value:.3f}" if value >= 0.001 else "p < 0.001"


def _red_cause(columns: pd.DataFrame, facts: Mapping[str, Any], agreement: float) -> str:
    if facts["tied"] == 1:
        return "constant"
    if facts["n"] < MINIMUM_RATED:
        return "too few"
    within = columns["p_within_systems"] < STATED
    if not within.any() and (columns["p_wrong_way"] < STATED).any():
        return "wrong way"
    if within.any():
        inputs = columns["p_within_inputs"]
        return "length" if inputs.isna().all() or (within & (inputs < STATED)).any() else "inputs"
    if facts["needed"] is None or facts["n"] < facts["needed"]:
        return "too few"
    return "raters" if agreement <= 0 else "nothing"


def _wrong_direction_cause(columns: pd.DataFrame, facts: Mapping[str, Any]) -> str:
    names = columns.loc[columns["p_wrong_way"] < STATED].sort_values("within_systems")["metric"].tolist()
    others = f" and {len(names) - NAMED} others" if len(names) > NAMED else ""
    agree = "agrees" if len(names) == 1 else "agree"
    named = f"{', '.join(names[:NAMED])}{others} {agree}"
    length = abs(facts["length"])
    follow = f" Output length alone has {length:.2f}." if length >= FOLLOWS else ""
    return f"Within systems, {named} with people in the wrong direction, and no column in the right one.{follow}"


def _too_few_cause(columns: pd.DataFrame, facts: Mapping[str, Any]) -> str:
    rows, verb = format_count(facts["n"], "rated output"), "is" if facts["n"] == 1 else "are"
    if facts["needed"] is None or math.isnan(facts["needed"]):
        return f"{rows} of {format_count(facts['systems'], 'system')} {verb} too few for tests within systems."
    return f"{rows} {verb} too few: detecting a correlation of {WORTH} within systems needs about {facts['needed']:,}."


def _input_cause(columns: pd.DataFrame, facts: Mapping[str, Any]) -> str:
    best = _best_column(columns[columns["p_within_systems"] < STATED], "within_systems")
    return (
        f"{best['metric']} ranks inputs ({best['within_systems']:.2f} within systems), but not "
        f"outputs for one input ({best['within_inputs']:.2f}, no higher than the best of "
        f"{len(columns)} by chance)."
    )


def _length_cause(columns: pd.DataFrame, facts: Mapping[str, Any]) -> str:
    best = _best_column(columns[columns["p_within_systems"] < STATED], "agreement")
    return (
        f"No column ranks outputs better than output length does: {best['metric']} "
        f"{best['agreement']:.2f}, length {_length_agreement(best) or 0.0:.2f}."
    )


_SAYS: Mapping[str, Callable[[pd.DataFrame, Mapping[str, Any]], str]] = {
    "constant": lambda columns, facts: f"All {facts['n']:,} ratings are equal, so nothing can agree with them.",
    "raters": lambda columns, facts: (
        "Raters agree with each other no better than chance, so no metric can agree with them."
    ),
    "nothing": lambda columns, facts: (
        f"Within systems, no column agrees with people better than the best of {len(columns)} does by chance."
    ),
    **{"wrong way": _wrong_direction_cause, "too few": _too_few_cause, "inputs": _input_cause, "length": _length_cause},
}
