"""What a verdict rests on: how far columns agree with a rating within systems, within inputs, beyond length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.scoring.cells import item_numbers, oriented
from rainbow.stats.correlation.within_strata import Terms, Within, best_of, differences, resampled, within_strata
from rainbow.stats.order.best_order import best_order
from rainbow.stats.tidy import require

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COVERED", "LENGTH", "evidence"]

# Which column is better than length is asked of those that lie so many errors above 0 in the other questions. Of all, a
# choice would be paid for that nobody makes; of those that passed, it would have been made already.
LIKELY = 1.0
# A column is a candidate where it is known for so large a share of the rated outputs.
COVERED = 0.9
# What the length of the output alone is called.
LENGTH = "length in words"
# A system is looked into by itself from so many rated outputs on; a column says little where it agrees less than that.
EACH, LITTLE = 20, 0.1
# Within inputs nothing is tested with fewer outputs than these beyond one for each input and system.
FEWEST = 20

COLUMNS = (
    *("rating", "metric", "agreement", "low", "high", "within_systems", "p_within_systems", "p_wrong_way"),
    *("within_inputs", "p_within_inputs", "beyond_length", "p_beyond_length", "over_length", "p_over_length"),
    *("between_systems", "p_between_systems", "p_least", "threshold", "n", "inputs", "systems", "means"),
    *("tied", "weakest_system", "weakest", "weak_systems"),
)


# What is found where nothing is rated.
_NOTHING: dict[str, Any] = dict.fromkeys(("n", "inputs", "systems", "means"), 0)


class _Rated(NamedTuple):
    """The rated outputs: scores (the length of the output last), ratings, and where each row belongs."""

    scores: FloatArray
    rated: FloatArray
    systems: IntArray
    inputs: IntArray
    datasets: NDArray[Any]


def evidence(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    ratings: Sequence[str],
    higher_is_better: Mapping[str, bool | None],
    *,
    resamples: int = 1000,
    seed: int | Sequence[int] = 2017,
) -> pd.DataFrame:
    """Return what is known of every column that may be used for a rating, the length of the output last.

    Candidates are columns with a direction, turned so that higher is better, that nine tenths of the rated outputs
    have. All correlations are of ranks within systems, or within inputs, pooled over these. All p are one-sided and
    corrected for having chosen among the candidates: the first three together, as they are three questions,
    `p_over_length` for the choice among those that lie an error above 0 in each of these.

    Parameters
    ----------
    frame
        A row per output, with columns `dataset`, `system`, `item`, `output` and those named next.
    metrics, ratings
        Columns of the table.
    higher_is_better
        Direction of every metric.
    resamples
        Draws of signs, items and orders of systems.
    seed
        Of all that is drawn.

    Returns
    -------
    DataFrame
        A row per rating and candidate: `agreement`, the mean of `within_systems` and `within_inputs` (which holds
        systems fixed too; of the first alone where inputs have too few outputs), with its 95 % interval `low`, `high`
        (inputs drawn again); both with their p, and `p_wrong_way`, of agreeing the other way round within systems;
        `beyond_length`: within systems, the length of the output held fixed, and its p; `over_length`: `agreement`
        minus that of the length, and its p (of columns that may be chosen); `between_systems`: over means of
        systems, and its p; `p_least`: the smallest that this p could be; `threshold`: what a standardised sum must
        exceed; `n`, `inputs`, `systems`, and `means`: how many means of systems and inputs are taken away; `tied`: the
        share of outputs that have the most usual value; the system of 20 outputs or more within which the column agrees
        least, its correlation there (0 where all its scores are alike), and within how many it is below .1.

    Raises
    ------
    ValueError
        If a column or a direction is missing.

    Examples
    --------
    >>> import rainbow
    >>> demo = rainbow.load_dataset("demo").take(range(300))
    >>> frame = demo.frame.join(rainbow.score_corpus(demo, ["slots", "len"]))
    >>> better = {"slots_realised": True, "slots_missing": False, "len": None}
    >>> found = evidence(frame, list(better), ["quality"], better, resamples=200)
    >>> found[["metric", "within_systems", "p_within_systems"]].round(2).values.tolist()
    [['slots_realised', 0.33, 0.0], ['slots_missing', 0.33, 0.0], ['length in words', -0.09, nan]]
    """
    import pandas as pd

    require(frame, ["dataset", "system", "item", "output", *metrics, *ratings])
    known = [name for name in metrics if higher_is_better[name] is not None]
    turned = oriented(frame, known, higher_is_better)
    parts = []
    for rating in ratings:
        rows = turned[turned[rating].notna()]
        names = [name for name in known if rows[name].notna().mean() >= COVERED]
        generator = np.random.default_rng([*np.atleast_1d(seed), *rating.encode()])
        found = _found(_rated(rows, names, rating), resamples, generator) if len(rows) else _NOTHING
        found = {**found, **_each_system(rows, names, rating)}
        parts.append(pd.DataFrame({"rating": rating, "metric": [*names, LENGTH], **found}, columns=list(COLUMNS)))
    return pd.concat(parts, ignore_index=True)


def _rated(rows: pd.DataFrame, names: Sequence[str], rating: str) -> _Rated:
    length = np.array([float(len(text.split())) for text in rows["output"]])
    return _Rated(
        np.column_stack([rows[names].to_numpy(dtype=float), length]),
        rows[rating].to_numpy(dtype=float),
        np.asarray(rows.groupby(["dataset", "system"], sort=False, observed=True).ngroup()),
        item_numbers(rows),
        rows["dataset"].to_numpy(),
    )


def _found(rated: _Rated, resamples: int, rng: np.random.Generator) -> dict[str, Any]:
    """Return every column of the table but the names; arrays with the length of the output last."""
    scores, marks, systems, inputs, _ = rated
    sides = {"within_systems": within_strata(scores, marks, systems, inputs)}
    means = _count(systems)
    if len(marks) - _count(inputs) - means >= FEWEST:
        sides["within_inputs"] = within_strata(scores, marks, systems, inputs, across=True)
        means += _count(inputs)
    beyond = within_strata(scores, marks, systems, inputs, held=scores[:, -1])
    asked = sides | {"beyond_length": beyond}
    best = best_of([_candidates(side.terms) for side in asked.values()], resamples, rng)
    over = differences(list(sides.values()))
    likely = Terms(np.where((best.standardised > LIKELY).all(axis=0), over.statistic, np.nan), over.parts)
    return {
        **{name: side.r for name, side in sides.items()},
        **{f"p_{name}": _padded(p) for name, p in zip(asked, best.above, strict=True)},
        **_agreement(list(sides.values()), resamples, rng),
        **{"beyond_length": _padded(beyond.r[:-1]), "over_length": _padded(over.statistic)},
        "p_over_length": _padded(best_of([likely], resamples, rng).above[0]),
        **_between_systems(rated, resamples, rng),
        **{
            "p_wrong_way": _padded(best.below[0]),
            "threshold": best.threshold,
            "n": len(marks),
            "inputs": _count(inputs),
            "means": means,
        },
    }


def _agreement(sides: Sequence[Within], resamples: int, rng: np.random.Generator) -> dict[str, FloatArray]:
    """Return the mean of the correlations within systems and within inputs, with its interval."""
    seed = int(rng.integers(2**62))  # the same inputs are drawn for both
    drawn = np.mean([resampled(side, resamples, seed) for side in sides], axis=0)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return {"agreement": np.mean([side.r for side in sides], axis=0), "low": low, "high": high}


def _between_systems(rated: _Rated, resamples: int, rng: np.random.Generator) -> dict[str, Any]:
    """Return the correlations of means of systems, ranked within each dataset."""
    groups = [rated.systems == place for place in range(_count(rated.systems))]
    means = np.array([np.nanmean(np.column_stack([rated.scores, rated.rated])[group], axis=0) for group in groups])
    if len(groups) < 2:
        return {"between_systems": np.nan, "p_between_systems": np.nan, "p_least": np.nan, "systems": len(groups)}
    datasets = [rated.datasets[group][0] for group in groups]
    order = best_order(means[:, :-2], means[:, -1], np.unique(datasets, return_inverse=True)[1], resamples, rng)
    r, p = _padded(order.r), _padded(order.p)
    return {"between_systems": r, "p_between_systems": p, "p_least": order.least, "systems": len(groups)}


def _each_system(rows: pd.DataFrame, names: Sequence[str], rating: str) -> dict[str, Any]:
    """Return how often every column has its most usual value, and within which system it agrees least."""
    groups = rows.groupby(["dataset", "system"], sort=False, observed=True)
    within = {system: part for (_, system), part in groups if len(part) >= EACH}
    ranks = [part[[rating, *names]].rank() for part in within.values()]
    table = np.array([part[names].corrwith(part[rating]).fillna(0) for part in ranks])
    known = len(within) > 1 and bool(names)
    least = table.argmin(axis=0) if known else ()
    return {
        "tied": [*(rows[name].value_counts(normalize=True).iloc[0] for name in names), np.nan],
        "weakest_system": [*(str([*within][place]) for place in least), ""] if known else "",
        "weakest": _padded(table.min(axis=0)) if known else np.nan,
        "weak_systems": _padded((table < LITTLE).sum(axis=0)) if known else 0,
    }


def _count(labels: IntArray) -> int:
    return int(labels.max(initial=-1)) + 1


def _candidates(terms: Terms) -> Terms:
    """Leave the length of the output out, which is no candidate."""
    return Terms(terms.statistic[:-1], terms.parts[:, :-1])


def _padded(values: FloatArray) -> FloatArray:
    return np.append(values, np.nan)
