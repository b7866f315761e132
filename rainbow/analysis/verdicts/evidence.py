"""Evidence for verdicts: agreement within systems, within inputs and beyond length."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.analysis.checks.copies import is_rating_copied, merge_rated_units
from rainbow.analysis.verdicts.candidate_columns import CANDIDATE, LENGTH, candidate_status
from rainbow.base.arrays import BoolArray, FloatArray, IntArray
from rainbow.base.lazy import pd
from rainbow.corpus.text_profile import text_lengths
from rainbow.metrics.contract.metric_card import LEARNED
from rainbow.metrics.contract.registry import all_columns
from rainbow.scoring.table_cells import item_numbers, orient_metrics
from rainbow.stats.correlation.within_strata import (
    Terms,
    WithinCorrelations,
    baseline_differences,
    max_test,
    resampled_correlations,
    within_strata,
)
from rainbow.stats.order.system_order import order_test
from rainbow.stats.tidy_tables import require_columns

# Only columns this many standard errors above 0 in the other tests are compared with length. Testing all columns would
# correct for choices that nobody makes; testing only the significant ones would ignore an earlier selection.
LIKELY = 1.0
# Fewest rated outputs for which a system is examined alone, and the agreement below which a column is weak.
EACH, LITTLE = 20, 0.1
# Within inputs nothing is tested with fewer outputs than these beyond one for each input and system.
FEWEST = 20
# p of a test that is passed; up to the second number it is open.
SURE, OPEN = 0.02, 0.10
# Draws for a verdict, at least; ten times as many where the deciding p is near its bounds.
DRAWS, NEAR, MORE = 1000, (0.005, 0.2), 10
# The share of studies that should find a column of this agreement.
POWER = 0.8

# The tests of a column, in the order in which they are named, by the columns that hold their p.
TESTS = {
    "p_within_systems": "agreement within systems",
    "p_within_inputs": "agreement within inputs",
    "p_beyond_length": "agreement beyond length",
    "p_over_length": "advantage over length",
}

COLUMNS = (
    *("rating", "metric", "status", "agreement", "low", "high", "within_systems", "p_within_systems", "p_wrong_way"),
    *("within_inputs", "p_within_inputs", "beyond_length", "p_beyond_length", "over_length", "p_over_length"),
    *("p", "test", "sufficient", "between_systems", "p_between_systems", "p_least", "threshold", "n", "inputs"),
    *("systems", "means", "tied", "weakest_system", "weakest", "weak_systems", "draws"),
)


class _Rated(NamedTuple):
    """Rated outputs of one rating."""

    scores: FloatArray
    baselines: IntArray
    rated: FloatArray
    systems: IntArray
    inputs: IntArray
    datasets: NDArray[Any]

    @property
    def compared(self) -> int:
        """Number of columns without those for length."""
        return len(self.baselines)


def gather_evidence(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    ratings: Sequence[str],
    higher_is_better: Mapping[str, bool | None],
    *,
    external: Collection[str] = (),
    undirected: Collection[str] = (),
    resamples: int = DRAWS,
    seed: int | Sequence[int] = 2017,
) -> pd.DataFrame:
    """Return the evidence on every candidate column of a rating, with output length last."""
    require_columns(frame, ["dataset", "system", "item", "output", *metrics, *ratings])
    known = [name for name in _sort_columns(metrics) if higher_is_better[name] is not None or name in undirected]
    directions = {name: True if name in undirected else higher_is_better[name] for name in known}
    turned, draws = orient_metrics(frame, known, directions), max(resamples, DRAWS)
    parts = []
    for rating in ratings:
        rows = turned[turned[rating].notna()]
        rows = merge_rated_units(rows, known, rating) if is_rating_copied(rows, rating) else rows
        status = candidate_status(rows, known, rating, external, undirected)
        names = sorted(known, key=lambda name: status[name] != CANDIDATE)  # candidates first
        tested = sum(status[name] == CANDIDATE for name in names)
        seeds = [*np.atleast_1d(seed), *rating.encode()]
        result: dict[str, Any] = {"test": "", **dict.fromkeys(("inputs", "systems", "means", "draws"), 0)}
        if len(rows):
            result = _evidence_columns(_rated_rows(rows, names, rating), tested, draws, seeds)
        result = {**result, **_system_details(rows, names, rating), "n": [*rows[names].notna().sum(), len(rows)]}
        heads = {"rating": rating, "metric": [*names, LENGTH], "status": [*(status[name] for name in names), LENGTH]}
        parts.append(pd.DataFrame(heads | result, columns=list(COLUMNS)))
    return pd.concat(parts, ignore_index=True)


def _sort_columns(metrics: Sequence[str]) -> list[str]:
    """Return columns in registry order, then external ones, the learned score last."""
    places = {name: place for place, name in enumerate(all_columns())}
    return sorted(metrics, key=lambda name: (name.startswith(LEARNED), places.get(name, len(places))))


def _rated_rows(rows: pd.DataFrame, names: Sequence[str], rating: str) -> _Rated:
    length = text_lengths(rows["output"].tolist())
    scores = rows[list(names)].to_numpy(dtype=float)
    gaps, places = np.unique(np.isnan(scores), axis=1, return_inverse=True)
    whole: BoolArray = ~np.asarray(gaps.any(axis=0))
    partial = np.where(gaps[:, ~whole], np.nan, length[:, None])
    last = scores.shape[1] + partial.shape[1]
    homes = np.full(len(whole), last)
    homes[~whole] = scores.shape[1] + np.arange(partial.shape[1])
    return _Rated(
        np.column_stack([scores, partial, length]),
        homes[places.ravel()].astype(int),
        rows[rating].to_numpy(dtype=float),
        np.asarray(rows.groupby(["dataset", "system"], sort=False, observed=True).ngroup()),
        item_numbers(rows),
        rows["dataset"].to_numpy(),
    )


class _CorrelationSet(NamedTuple):
    """The correlations behind every verdict, each for all columns."""

    agreement: Mapping[str, WithinCorrelations]  # whose mean is the agreement
    beyond_length: WithinCorrelations
    means: int

    @property
    def tests(self) -> dict[str, WithinCorrelations]:
        return {**self.agreement, "beyond_length": self.beyond_length}


def _evidence_columns(rated: _Rated, tested: int, draws: int, seeds: Sequence[int]) -> dict[str, Any]:
    """Return the statistics of the table; the last element of each array is for output length."""
    sides = _correlation_set(rated)
    over = baseline_differences([*sides.agreement.values()], rated.baselines)
    decided, drawn = _decide(rated, sides, over, tested, draws, seeds), draws
    if _needs_more_draws(decided, np.mean([side.r for side in sides.agreement.values()], axis=0)):
        drawn = MORE * draws
        decided = _decide(rated, sides, over, tested, drawn, seeds)
    correlations = {name: side.r for name, side in sides.tests.items()}
    correlations |= _mean_agreement([*sides.agreement.values()], draws, np.random.default_rng([*seeds, 1]))
    own = {name: np.append(values[: rated.compared], values[-1]) for name, values in correlations.items()}
    own["beyond_length"][-1] = np.nan
    counts = {"inputs": _count_labels(rated.inputs), "systems": _count_labels(rated.systems)}
    over_length = np.append(over.statistic, np.nan)
    return {**own, "over_length": over_length, **decided, **counts, "means": sides.means, "draws": drawn}


def _correlation_set(rated: _Rated) -> _CorrelationSet:
    scores, _, marks, systems, inputs, _ = rated
    agreement, means = {"within_systems": within_strata(scores, marks, systems, inputs)}, _count_labels(systems)
    if len(marks) - _count_labels(inputs) - means >= FEWEST:
        agreement["within_inputs"] = within_strata(scores, marks, systems, inputs, across=True)
        means += _count_labels(inputs)
    beyond = within_strata(scores, marks, systems, inputs, held=scores[:, -1])
    return _CorrelationSet(agreement, beyond, means)


def _decide(
    rated: _Rated, sides: _CorrelationSet, over: Terms, tested: int, draws: int, seeds: Sequence[int]
) -> dict[str, Any]:
    """Return the p-value of every test of the first `tested` columns, and the deciding test."""
    rng = np.random.default_rng(seeds)
    terms = [_first_terms(part, tested) for part in (*(side.terms for side in sides.tests.values()), over)]
    result = _correct_tests(terms, draws, rng)
    p = dict(zip([*(f"p_{name}" for name in sides.tests), "p_over_length"], result.above, strict=True))
    largest, test = _largest_p(p)
    further = rated.compared + 1 - tested

    def padded(values: FloatArray) -> FloatArray:
        return np.append(values, np.full(further, np.nan))

    return {
        **{name: padded(values) for name, values in {**p, "p": largest, "p_wrong_way": result.below[0]}.items()},
        "test": [*test, *([""] * further)],
        "sufficient": padded(_sufficient_rows(result, len(rated.rated))),
        "threshold": result.threshold[0, 0] if tested else np.nan,
        **_system_correlations(rated, tested, draws, rng, padded),
    }


class _Corrected(NamedTuple):
    """Tests of columns, corrected for multiplicity; arrays of shape (tests, k)."""

    standardised: FloatArray
    above: FloatArray
    below: FloatArray
    threshold: FloatArray


def _correct_tests(terms: Sequence[Terms], draws: int, rng: np.random.Generator) -> _Corrected:
    """Correct the first test over all columns, and the others over columns they can still reject."""
    whole = max_test(terms, draws, rng, SURE)
    passed = np.nan_to_num(whole.standardised[:-1]) > LIKELY
    likely = np.array([passed[np.arange(len(passed)) != place].all(axis=0) for place in range(len(terms))])
    likely[0] = False
    limited = [
        Terms(np.where(own, term.statistic, np.nan), term.parts) for own, term in zip(likely, terms, strict=True)
    ]
    among = max_test(limited, draws, rng, SURE)
    return _Corrected(
        whole.standardised,
        np.where(likely, among.above, whole.above),
        whole.below,
        np.where(likely, among.threshold[:, None], whole.threshold[:, None]),
    )


def _first_terms(terms: Terms, count: int) -> Terms:
    return Terms(terms.statistic[:count], terms.parts[:, :count])


def _largest_p(p: Mapping[str, FloatArray]) -> tuple[FloatArray, list[str]]:
    """Return the largest p-value of each column and its test; 1 if a test is missing."""
    table = np.array([np.nan_to_num(values, nan=1.0) for values in p.values()])
    return table.max(axis=0), [TESTS[[*p][place]] for place in table.argmax(axis=0)] if table.shape[1] else []


def _needs_more_draws(decided: Mapping[str, Any], agreement: FloatArray) -> bool:
    """Return whether more draws could change the verdict."""
    p, between = decided["p"], decided["p_between_systems"]
    passed = np.where(p < SURE, np.append(agreement[: len(p) - 1], np.nan), np.nan)
    least = np.nanmax(passed) if (~np.isnan(passed)).any() else -np.inf
    near = [(NEAR[0] <= values) & (values <= NEAR[1]) for values in (p, between)]
    open_outputs = near[0] & (np.append(agreement[: len(p) - 1], np.nan) >= least)
    undecided = bool(np.isneginf(least) and near[1].any())
    return bool(open_outputs.any()) or undecided


def _sufficient_rows(corrected: _Corrected, rows: int) -> FloatArray:
    """Return the number of rows needed to pass every test with 80 % power at this effect."""
    known = np.nan_to_num(corrected.standardised) > 0
    wanted = corrected.threshold + NormalDist().inv_cdf(POWER)
    times = np.where(known, (wanted / np.where(known, corrected.standardised, 1.0)) ** 2, np.nan)
    return np.ceil(rows * times.max(axis=0)) if times.size else np.empty(0)


def _mean_agreement(
    sides: Sequence[WithinCorrelations], resamples: int, rng: np.random.Generator
) -> dict[str, FloatArray]:
    """Return the mean of the correlations within systems and within inputs, with its interval."""
    seed = int(rng.integers(2**62))  # the same inputs are drawn for both
    drawn = np.mean([resampled_correlations(side, resamples, seed) for side in sides], axis=0)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return {"agreement": np.mean([side.r for side in sides], axis=0), "low": low, "high": high}


def _system_correlations(
    rated: _Rated, tested: int, draws: int, rng: np.random.Generator, padded: Any
) -> dict[str, FloatArray | float]:
    """Return correlations of system means, ranked within each dataset."""
    systems = _count_labels(rated.systems)
    if systems < 2:
        return dict.fromkeys(("between_systems", "p_between_systems"), padded(np.full(tested, np.nan)))
    scores = rated.scores[:, :tested]
    there, groups = ~np.isnan(scores), np.arange(systems)[:, None] == rated.systems
    counts = np.where(groups @ there, groups @ there, np.nan)
    means = groups @ np.where(there, scores, 0.0) / counts
    marks = groups @ (there * rated.rated[:, None]) / counts
    datasets = [rated.datasets[group][0] for group in groups]
    order = order_test(means, marks, np.unique(datasets, return_inverse=True)[1], draws, rng)
    return {"between_systems": padded(order.r), "p_between_systems": padded(order.p), "p_least": order.least}


def _system_details(rows: pd.DataFrame, names: Sequence[str], rating: str) -> dict[str, Any]:
    """Return how often each column takes its mode, and the system in which it agrees least."""
    groups = rows.groupby(["dataset", "system"], sort=False, observed=True)
    within = {system: part for (_, system), part in groups if len(part) >= EACH}
    ranks = [part[[rating, *names]].rank() for part in within.values()]
    table = np.array([part[list(names)].corrwith(part[rating]).fillna(0) for part in ranks])
    known = len(within) > 1 and bool(names)
    least = table.argmin(axis=0) if known else ()
    return {
        "tied": [rows[name].value_counts(normalize=True).max() for name in (*names, rating)],
        "weakest_system": [*(str([*within][place]) for place in least), ""] if known else "",
        "weakest": np.append(table.min(axis=0), np.nan) if known else np.nan,
        "weak_systems": np.append((table < LITTLE).sum(axis=0), np.nan) if known else 0,
    }


def _count_labels(labels: IntArray) -> int:
    return int(labels.max(initial=-1)) + 1
