"""What a verdict rests on: how far columns agree with a rating within systems, within inputs, beyond length."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.analysis.checks.copied_marks import is_copied, whole_rows
from rainbow.analysis.verdicts.candidates import CANDIDATE, LENGTH, candidate_status
from rainbow.base.arrays import BoolArray, FloatArray, IntArray
from rainbow.corpus.text_profile import text_lengths
from rainbow.metrics.contract.facts import LEARNED
from rainbow.metrics.contract.registry import all_columns
from rainbow.scoring.cells import item_numbers, oriented
from rainbow.stats.correlation.within_strata import (
    Terms,
    Within,
    best_of,
    differences,
    resampled,
    within_strata,
)
from rainbow.stats.order.best_order import best_order
from rainbow.stats.tidy import require

if TYPE_CHECKING:
    import pandas as pd

# Which column is better than length is asked of those that lie so many errors above 0 in the other questions. Of all, a
# choice would be paid for that nobody makes; of those that passed, it would have been made already.
LIKELY = 1.0
# A system is looked into by itself from so many rated outputs on; a column says little where it agrees less than that.
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
    """The rated outputs of one rating."""

    scores: FloatArray
    baselines: IntArray
    rated: FloatArray
    systems: IntArray
    inputs: IntArray
    datasets: NDArray[Any]

    @property
    def compared(self) -> int:
        """The number of columns, without those of the length."""
        return len(self.baselines)


def evidence(
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
    """Return what is known of every column that may be used for a rating, the length of the output last."""
    import pandas as pd

    require(frame, ["dataset", "system", "item", "output", *metrics, *ratings])
    known = [name for name in _in_order(metrics) if higher_is_better[name] is not None or name in undirected]
    directions = {name: True if name in undirected else higher_is_better[name] for name in known}
    turned, draws = oriented(frame, known, directions), max(resamples, DRAWS)
    parts = []
    for rating in ratings:
        rows = turned[turned[rating].notna()]
        rows = whole_rows(rows, known, rating) if is_copied(rows, rating) else rows
        status = candidate_status(rows, known, rating, external, undirected)
        names = sorted(known, key=lambda name: status[name] != CANDIDATE)  # candidates first
        tested = sum(status[name] == CANDIDATE for name in names)
        seeds = [*np.atleast_1d(seed), *rating.encode()]
        found = _found(_rated(rows, names, rating), tested, draws, seeds) if len(rows) else _nothing(len(names))
        found = {**found, **_each_system(rows, names, rating), "n": [*rows[names].notna().sum(), len(rows)]}
        heads = {"rating": rating, "metric": [*names, LENGTH], "status": [*(status[name] for name in names), LENGTH]}
        parts.append(pd.DataFrame(heads | found, columns=list(COLUMNS)))
    return pd.concat(parts, ignore_index=True)


def _in_order(metrics: Sequence[str]) -> list[str]:
    """Return columns in the order of the registry, then external ones, the learned score last."""
    places = {name: place for place, name in enumerate(all_columns())}
    return sorted(metrics, key=lambda name: (name.startswith(LEARNED), places.get(name, len(places))))


def _nothing(columns: int) -> dict[str, Any]:
    """Return what is found where nothing is rated."""
    return {"test": [""] * (columns + 1), **dict.fromkeys(("inputs", "systems", "means", "draws"), 0)}


def _rated(rows: pd.DataFrame, names: Sequence[str], rating: str) -> _Rated:
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


class _Sides(NamedTuple):
    """The correlations that every verdict looks at, each of all columns."""

    agreement: Mapping[str, Within]  # whose mean is the agreement
    beyond_length: Within
    means: int

    @property
    def tests(self) -> dict[str, Within]:
        return {**self.agreement, "beyond_length": self.beyond_length}


def _found(rated: _Rated, tested: int, draws: int, seeds: Sequence[int]) -> dict[str, Any]:
    """Return every column of the table but names and counts; arrays with the length of the output last."""
    sides = _sides(rated)
    over = differences([*sides.agreement.values()], rated.baselines)
    decided, drawn = _decided(rated, sides, over, tested, draws, seeds), draws
    if _is_near(decided, np.mean([side.r for side in sides.agreement.values()], axis=0)):
        drawn = MORE * draws
        decided = _decided(rated, sides, over, tested, drawn, seeds)
    correlations = {name: side.r for name, side in sides.tests.items()}
    correlations |= _agreement([*sides.agreement.values()], draws, np.random.default_rng([*seeds, 1]))
    own = {name: np.append(values[: rated.compared], values[-1]) for name, values in correlations.items()}
    own["beyond_length"][-1] = np.nan
    return {
        **own,
        **{"over_length": np.append(over.statistic, np.nan), **decided},
        **{"inputs": _count(rated.inputs), "systems": _count(rated.systems), "means": sides.means, "draws": drawn},
    }


def _sides(rated: _Rated) -> _Sides:
    scores, _, marks, systems, inputs, _ = rated
    agreement, means = {"within_systems": within_strata(scores, marks, systems, inputs)}, _count(systems)
    if len(marks) - _count(inputs) - means >= FEWEST:
        agreement["within_inputs"] = within_strata(scores, marks, systems, inputs, across=True)
        means += _count(inputs)
    beyond = within_strata(scores, marks, systems, inputs, held=scores[:, -1])
    return _Sides(agreement, beyond, means)


def _decided(
    rated: _Rated, sides: _Sides, over: Terms, tested: int, draws: int, seeds: Sequence[int]
) -> dict[str, Any]:
    """Return the p-value of every test of the first `tested` columns, and the test that decides."""
    rng = np.random.default_rng(seeds)
    terms = [_first(part, tested) for part in (*(side.terms for side in sides.tests.values()), over)]
    found = _corrected(terms, draws, rng)
    p = dict(zip([*(f"p_{name}" for name in sides.tests), "p_over_length"], found.above, strict=True))
    largest, test = _largest(p)
    further = rated.compared + 1 - tested

    def padded(values: FloatArray) -> FloatArray:
        return np.append(values, np.full(further, np.nan))

    return {
        **{name: padded(values) for name, values in {**p, "p": largest, "p_wrong_way": found.below[0]}.items()},
        "test": [*test, *([""] * further)],
        "sufficient": padded(_sufficient(found, len(rated.rated))),
        "threshold": found.threshold[0, 0] if tested else np.nan,
        **_between_systems(rated, tested, draws, rng, padded),
    }


class _Corrected(NamedTuple):
    """Tests of columns, the first by itself and the others as further questions; each of shape (tests, k)."""

    standardised: FloatArray
    above: FloatArray
    below: FloatArray
    threshold: FloatArray


def _corrected(terms: Sequence[Terms], draws: int, rng: np.random.Generator) -> _Corrected:
    """Correct the first test for the choice among all columns, and each other among those that it could still stop."""
    whole = best_of(terms, draws, rng, SURE)
    passed = np.nan_to_num(whole.standardised[:-1]) > LIKELY
    likely = np.array([passed[np.arange(len(passed)) != place].all(axis=0) for place in range(len(terms))])
    likely[0] = False
    limited = [
        Terms(np.where(own, term.statistic, np.nan), term.parts) for own, term in zip(likely, terms, strict=True)
    ]
    among = best_of(limited, draws, rng, SURE)
    return _Corrected(
        whole.standardised,
        np.where(likely, among.above, whole.above),
        whole.below,
        np.where(likely, among.threshold[:, None], whole.threshold[:, None]),
    )


def _first(terms: Terms, count: int) -> Terms:
    return Terms(terms.statistic[:count], terms.parts[:, :count])


def _largest(p: Mapping[str, FloatArray]) -> tuple[FloatArray, list[str]]:
    """Return the largest p of each column, and the test that has it; 1 where a test has none."""
    table = np.array([np.nan_to_num(values, nan=1.0) for values in p.values()])
    return table.max(axis=0), [TESTS[[*p][place]] for place in table.argmax(axis=0)] if table.shape[1] else []


def _is_near(decided: Mapping[str, Any], agreement: FloatArray) -> bool:
    """Return whether more draws could change the verdict: of the columns that agree at least as well as the best."""
    p, between = decided["p"], decided["p_between_systems"]
    passed = np.where(p < SURE, np.append(agreement[: len(p) - 1], np.nan), np.nan)
    least = np.nanmax(passed) if (~np.isnan(passed)).any() else -np.inf
    near = [(NEAR[0] <= values) & (values <= NEAR[1]) for values in (p, between)]
    open_outputs = near[0] & (np.append(agreement[: len(p) - 1], np.nan) >= least)
    undecided = bool(np.isneginf(least) and near[1].any())
    return bool(open_outputs.any()) or undecided


def _sufficient(found: _Corrected, rows: int) -> FloatArray:
    """Return how many rows would pass every test in four of five studies, if its statistic is as large as here."""
    known = np.nan_to_num(found.standardised) > 0
    wanted = found.threshold + NormalDist().inv_cdf(POWER)
    times = np.where(known, (wanted / np.where(known, found.standardised, 1.0)) ** 2, np.nan)
    return np.ceil(rows * times.max(axis=0)) if times.size else np.empty(0)


def _agreement(sides: Sequence[Within], resamples: int, rng: np.random.Generator) -> dict[str, FloatArray]:
    """Return the mean of the correlations within systems and within inputs, with its interval."""
    seed = int(rng.integers(2**62))  # the same inputs are drawn for both
    drawn = np.mean([resampled(side, resamples, seed) for side in sides], axis=0)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return {"agreement": np.mean([side.r for side in sides], axis=0), "low": low, "high": high}


def _between_systems(
    rated: _Rated, tested: int, draws: int, rng: np.random.Generator, padded: Any
) -> dict[str, FloatArray | float]:
    """Return the correlations of means of systems, over the rows that each column has, ranked within each dataset."""
    systems = _count(rated.systems)
    if systems < 2:
        return dict.fromkeys(("between_systems", "p_between_systems"), padded(np.full(tested, np.nan)))
    scores = rated.scores[:, :tested]
    there, groups = ~np.isnan(scores), np.arange(systems)[:, None] == rated.systems
    counts = np.where(groups @ there, groups @ there, np.nan)
    means = groups @ np.where(there, scores, 0.0) / counts
    marks = groups @ (there * rated.rated[:, None]) / counts
    datasets = [rated.datasets[group][0] for group in groups]
    order = best_order(means, marks, np.unique(datasets, return_inverse=True)[1], draws, rng)
    return {"between_systems": padded(order.r), "p_between_systems": padded(order.p), "p_least": order.least}


def _each_system(rows: pd.DataFrame, names: Sequence[str], rating: str) -> dict[str, Any]:
    """Return how often every column has its most usual value, and within which system it agrees least."""
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


def _count(labels: IntArray) -> int:
    return int(labels.max(initial=-1)) + 1
