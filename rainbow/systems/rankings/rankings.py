"""Rankings of systems from human judgements of their outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.base.lazy import pd, scipy
from rainbow.corpus.judgements import validate_judgements
from rainbow.stats.tidy_tables import tidy_table
from rainbow.systems.rankings.bradley_terry import fit_bradley_terry
from rainbow.systems.rankings.comparisons import (
    Comparisons,
    count_outcomes,
    linked_systems,
    select_comparisons,
    system_comparisons,
)
from rainbow.systems.rankings.trueskill import TrueSkill, challenge_runs, resampled_runs

# Strengths that differ by less differ by rounding alone.
DECIMALS = 9

RankingMethod = Literal["trueskill", "bradley-terry", "challenge"]

# The column of the strength, and the usual number of runs.
METHODS: dict[str, tuple[str, int]] = {
    "trueskill": ("trueskill", 200),
    "bradley-terry": ("bradley_terry", 1000),
    "challenge": ("trueskill", 200),
}
# Fewer have too few different resamples to say anything.
_MIN_UNITS = 4
# TrueSkill has no margin without draws, and nothing to learn where all are.
_DRAW_SHARES = (0.001, 0.99)

_UNLINKED_REASON = "no comparison links it to the largest group of compared systems"
_NO_COMPARISON_REASON = (
    "no two systems were judged together: set within to what groups comparisons, e.g. ('rater',), or () for whole items"
)


class _Ranked(NamedTuple):
    """Strength of each system, in total and per resample, and the reason if they are undefined."""

    strength: FloatArray
    runs: FloatArray
    reason: str | None


def rank_systems(
    judgements: pd.DataFrame,
    *,
    method: RankingMethod = "trueskill",
    within: Sequence[str] = ("judgement",),
    runs: int | None = None,
    rng: Random = None,
) -> pd.DataFrame:
    """Rank systems by each criterion, with rank ranges and clusters.

    Source: Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of end-to-end natural
    language generation: the E2E NLG challenge. Computer Speech & Language 59, table 11.
    """
    if method not in get_args(RankingMethod):
        raise ValueError(f"unknown method {method!r}: choose from {', '.join(get_args(RankingMethod))}")
    column, usual = METHODS[method]
    times = usual if runs is None else runs
    if times < 1:
        raise ValueError(f"{times} runs: use at least 1, better {usual}")
    table = validate_judgements(judgements)
    # One seed for all, so that no criterion depends on those before it.
    seed = int(np.random.default_rng(rng).integers(2**62))
    lines: list[dict[str, Any]] = []
    for criterion, part in table.groupby("criterion", sort=False, observed=True):
        result = system_comparisons(part, within=within)
        linked = linked_systems(result)
        among = select_comparisons(result, linked)
        ranked = _rank_method(among, method, times, np.random.default_rng(seed))
        head = {"rating": criterion, "method": method}
        lines += [head | line for line in [*_ranking_lines(among, ranked, column), *_unlinked_lines(result, linked)]]
    columns = ["rating", "cluster", column, "rank_from", "rank_to", "system", "low", "high", "comparisons", "method"]
    whole = dict.fromkeys(["cluster", "rank_from", "rank_to", "comparisons"], "Int64")
    return tidy_table(lines, [*columns, "reason"]).astype(whole)


def _unlinked_lines(comparisons: Comparisons, linked: NDArray[np.bool_]) -> list[dict[str, Any]]:
    """Return a line for each system that cannot be ranked with the others."""
    counts = _count_comparisons(comparisons)
    return [
        {"system": comparisons.systems[place], "comparisons": counts[place], "reason": _UNLINKED_REASON}
        for place in np.flatnonzero(~linked)
    ]


def _count_comparisons(comparisons: Comparisons) -> NDArray[np.intp]:
    """Return the number of comparisons of each system."""
    return np.bincount(np.r_[comparisons.first, comparisons.second], minlength=len(comparisons.systems))


def _rank_method(comparisons: Comparisons, method: str, runs: int, rng: np.random.Generator) -> _Ranked:
    if not len(comparisons.first):
        nothing = np.full((1, len(comparisons.systems)), np.nan)
        return _Ranked(nothing[0], nothing, _NO_COMPARISON_REASON)
    if method == "challenge":
        result = challenge_runs(comparisons, runs, rng)
        return _Ranked(result.mean(axis=0), result, None)
    units = int(comparisons.unit.max()) + 1
    reason = None if units >= _MIN_UNITS else f"{units} units to resample: at least {_MIN_UNITS} are needed"
    weights = rng.multinomial(units, np.full(units, 1 / units), size=runs).astype(float)
    if method == "bradley-terry":
        strength = fit_bradley_terry(*count_outcomes(comparisons)).strength[0]
        return _Ranked(strength, fit_bradley_terry(*count_outcomes(comparisons, weights)).strength, reason)
    draws = float(np.clip((comparisons.outcome == 0).mean(), *_DRAW_SHARES))
    chosen = TrueSkill(draw_probability=draws)
    result = resampled_runs(comparisons, chosen, weights, rng)
    # Comparisons say nothing of the level of all systems together, which drifts from run to run.
    result += chosen.mu - result.mean(axis=1, keepdims=True)
    return _Ranked(result.mean(axis=0), result, reason)


def _ranking_lines(comparisons: Comparisons, ranked: _Ranked, column: str) -> list[dict[str, Any]]:
    """Return a line for each system, the best first."""
    known: dict[str, NDArray[Any]] = {
        "system": np.array(comparisons.systems, dtype=object),
        column: ranked.strength,
        "comparisons": _count_comparisons(comparisons),
    }
    if ranked.reason is None:
        ranges = compute_rank_ranges(ranked.runs)
        low, high = np.quantile(ranked.runs, [0.025, 0.975], axis=0)
        known |= ranges._asdict() | {"cluster": rank_clusters(ranges), "low": low, "high": high}
    order = np.argsort(-ranked.strength.round(DECIMALS), kind="stable")
    return [{name: values[place] for name, values in known.items()} | {"reason": ranked.reason} for place in order]


class RankRanges(NamedTuple):
    """Rank ranges of systems, 1 being the best, each of shape (systems,)."""

    rank_from: IntArray  # the best and the worst rank of a system over the runs, the rarest left out
    rank_to: IntArray  # the best and the worst rank of a system over the runs, the rarest left out


def compute_rank_ranges(strengths: ArrayLike, *, confidence: float = 0.95) -> RankRanges:
    """Return the range of ranks of each system over most runs."""
    table = np.asarray(strengths, dtype=float).round(DECIMALS)
    if table.ndim != 2 or not len(table):
        raise ValueError(f"strengths of shape {table.shape}: use a row per run and a column per system")
    if not 0 < confidence <= 1:
        raise ValueError(f"a confidence of {confidence}: use a number above 0 and at most 1, e.g. .95")
    ranks = scipy.stats.rankdata(-table, method="min", axis=1).astype(np.int64)
    tail = (1 - confidence) / 2
    # The mean of two neighbouring ranks would be no rank.
    low, high = np.quantile(ranks, [tail, 1 - tail], axis=0, method="inverted_cdf")
    return RankRanges(low.astype(np.int64), high.astype(np.int64))


def rank_clusters(ranges: RankRanges) -> IntArray:
    """Return the cluster of each system, 1 being the best; ranges never cross clusters.

    Source: Bojar, O. et al. (2014). Findings of the 2014 workshop on statistical machine translation. WMT.
    """
    order = np.lexsort((ranges.rank_to, ranges.rank_from))
    reach = np.maximum.accumulate(ranges.rank_to[order])
    begins = np.ones(len(order), dtype=np.int64)
    begins[1:] = ranges.rank_from[order][1:] > reach[:-1]
    clusters = np.empty_like(begins)
    clusters[order] = begins.cumsum()
    return clusters
