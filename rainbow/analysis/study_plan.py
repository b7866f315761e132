"""Sample size of a study, from a pilot."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, Random
from rainbow.base.lazy import pd
from rainbow.corpus import rater_columns
from rainbow.scoring.table_cells import orient_metrics
from rainbow.stats.agreement.intraclass import intraclass, spearman_brown
from rainbow.stats.correlation.correlation import correlation_matrix
from rainbow.stats.estimation.sample_size import (
    interval_power,
    jackknife_spread,
    paired_t_power,
    required_rows,
    simulated_interval_power,
    simulated_jackknife_power,
    simulated_paired_t_power,
)
from rainbow.stats.tidy_tables import require_columns, tidy_table

# Numbers of raters per output in a plan.
RATERS = (1, 2, 3, 5, 10)

# Minimum number of outputs in a pilot.
FEWEST = 10

COLUMNS = (
    *("rating", "question", "difference", "raters", "items", "outputs", "ratings", "ceiling", "power", "simulated"),
    *("n_pilot", "reason"),
)


class Requirements(NamedTuple):
    """Requirements of a study."""

    power: float = 0.8  # probability of detecting the difference
    alpha: float = 0.05  # significance level of the two-sided test
    times: int = 1000  # simulated studies per row of the plan


DEFAULTS = Requirements()


class _Pilot(NamedTuple):
    """Estimates from a pilot: system differences per item and variance components."""

    differences: FloatArray
    true_variance: float
    noise: float
    single_reliability: float


def plan_for_systems(
    frame: pd.DataFrame,
    rating: str,
    *,
    difference: float | None = None,
    margin: float | None = None,
    raters: Sequence[int] = RATERS,
    requirements: Requirements = DEFAULTS,
    rng: Random = None,
) -> pd.DataFrame:
    """Return the number of inputs needed to detect or measure a difference between two systems.

    Both systems answer the same inputs, each output gets the same number of ratings, and the differences are tested
    with a paired t-test. Their variance has two sources, estimated from the pilot: systems differ more on some inputs
    than on others, and raters disagree. More raters reduce only the second.

    Parameters
    ----------
    frame : DataFrame
        The pilot, with at least two systems: one row per output, with columns `dataset`, `system`, `item`, and
        quality_1, quality_2, ... for single raters.
    rating : str
        Column of the rating.
    difference : float, optional
        Difference to detect, in rating points; by default a twentieth of the range of the ratings.
    margin : float, optional
        Half-width of the confidence interval, in rating points; replaces `difference`.
    raters : sequence of int
        Numbers of raters per output, one row each.
    requirements : Requirements
        Power, significance level and number of simulated studies.
    rng : Generator or int
        Random generator or seed.

    Returns
    -------
    DataFrame
        Columns: rating, question, difference, raters, items (inputs), outputs (two per input), ratings (outputs times
        raters), ceiling (highest correlation of a metric with the mean of that many raters), power, simulated (power in
        studies simulated from the pilot), n_pilot (differences of two systems on an input), reason. With `margin`,
        `difference` is the margin and `power` the probability that the interval is no wider.

    Raises
    ------
    ValueError
        If a column is missing, or the power is not between 0 and 1.

    Examples
    --------
    >>> import rainbow
    >>> demo = rainbow.load_dataset("demo").frame
    >>> plan_for_systems(demo, "quality", rng=1)[["raters", "items", "ratings", "power"]].round(2)
       raters  items  ratings  power
    0       1    358      716    0.8
    1       2    220      880    0.8
    2       3    174     1044    0.8
    3       5    137     1370    0.8
    4      10    109     2180    0.8
    """
    require_columns(frame, ["dataset", "system", "item", rating])
    pilot = _estimate_pilot(frame, rating)
    question = "two systems" if margin is None else "interval of two systems"
    heads = {"rating": rating, "question": question, "n_pilot": len(pilot.differences)}
    known = frame[rating].dropna()
    gap = (known.max() - known.min()) / 20 if difference is None and len(known) else difference
    gap = gap if margin is None else margin
    reason = None if gap else "all ratings are equal, or the difference is 0"
    if len(pilot.differences) < FEWEST:
        pairs = len(pilot.differences)
        reason = f"the pilot has {pairs} inputs with rated outputs of two systems: {FEWEST} are needed"
    if reason:
        return tidy_table([heads | {"difference": gap, "reason": reason}], COLUMNS)
    seed = int(np.random.default_rng(rng).integers(2**62))
    numbers = raters if pilot.noise == pilot.noise else [0]
    lines = [_system_row(pilot, float(gap or 0), n, requirements, seed, is_known=margin is None) for n in numbers]
    return tidy_table([{**heads, "difference": gap, **line} for line in lines], COLUMNS)


def _system_row(
    pilot: _Pilot, gap: float, raters: int, requirements: Requirements, seed: int, *, is_known: bool
) -> dict[str, Any]:
    """Return the row for a difference to detect, or for an interval half-width."""
    power, simulate = (
        (paired_t_power, simulated_paired_t_power) if is_known else (interval_power, simulated_interval_power)
    )
    deviation = math.sqrt(pilot.true_variance + (2 * pilot.noise / raters if raters else 0.0))
    needed = required_rows(lambda n: power(gap, deviation, n, requirements.alpha), requirements.power)
    reason = None if raters else "no columns of single raters: assumes the pilot's number of raters"
    if needed is None:
        return {"raters": raters or None, "reason": "more than ten million inputs"}
    simulated = simulate(
        pilot.differences, gap, deviation, needed, times=requirements.times, alpha=requirements.alpha, rng=seed
    )
    return {
        **{"raters": raters or None, "items": needed, "outputs": 2 * needed, "ratings": 2 * needed * max(1, raters)},
        **{"ceiling": _reliability_ceiling(pilot.single_reliability, raters), "simulated": simulated, "reason": reason},
        "power": power(gap, deviation, needed, requirements.alpha),
    }


def _estimate_pilot(frame: pd.DataFrame, rating: str) -> _Pilot:
    """Split the variance of the differences into rater variance and the rest."""
    columns = rater_columns(frame, rating)
    marks = frame[columns if len(columns) > 1 else [rating]].to_numpy(dtype=float, na_value=np.nan)
    there = ~np.isnan(marks)
    counts = there.sum(axis=1)
    rows = frame[counts > 0].assign(_mean=np.nansum(marks, axis=1)[counts > 0] / counts[counts > 0])
    by_item = rows.pivot_table(index=["dataset", "item"], columns="system", values="_mean", sort=False).to_numpy()
    pairs = [by_item[:, one] - by_item[:, other] for one, other in combinations(range(by_item.shape[1]), 2)]
    centred = [pair[~np.isnan(pair)] - np.nanmean(pair) for pair in pairs if (~np.isnan(pair)).sum() > 1]
    differences = np.concatenate(centred) if centred else np.empty(0)
    spread = float((differences**2).sum()) / (len(differences) - len(centred)) if len(differences) else math.nan
    several = counts > 1
    if not several.any():
        return _Pilot(differences, spread, math.nan, math.nan)
    noise = float(np.nanvar(marks[several], axis=1, ddof=1).mean())
    per_output = float(np.mean(1 / counts[counts > 0]))
    single = intraclass(frame[columns], "1,1").estimate
    return _Pilot(differences, max(0.0, spread - 2 * noise * per_output), noise, single)


def plan_for_metrics(
    frame: pd.DataFrame,
    rating: str,
    metrics: tuple[str, str],
    higher_is_better: Mapping[str, bool | None],
    *,
    raters: Sequence[int] = RATERS,
    requirements: Requirements = DEFAULTS,
    rng: Random = None,
) -> pd.DataFrame:
    """Return the number of rated outputs needed to distinguish the correlations of two metrics."""
    require_columns(frame, ["dataset", "item", rating, *metrics])
    rows = orient_metrics(frame, metrics, higher_is_better).dropna(subset=[rating, *metrics])
    heads = {"rating": rating, "question": " and ".join(metrics), "n_pilot": len(rows)}
    if len(rows) < FEWEST:
        reason = f"the pilot has {len(rows)} outputs with the rating and both scores: {FEWEST} are needed"
        return tidy_table([heads | {"reason": reason}], COLUMNS)
    columns = rater_columns(rows, rating)
    marks = rows[columns].to_numpy(dtype=float, na_value=np.nan)
    single = intraclass(rows[columns], "1,1").estimate if len(columns) > 1 else math.nan
    table = rows[[*metrics, rating]].to_numpy(dtype=float)
    truth = correlation_matrix(table, table)
    per_item = len(rows) / rows.groupby(["dataset", "item"]).ngroups
    given = float((~np.isnan(marks)).sum(axis=1).mean()) if single > 0 else math.nan
    seed = int(np.random.default_rng(rng).integers(2**62))
    of = partial(_metric_row, truth, single, given, requirements=requirements, seed=seed)
    lines: list[dict[str, Any]] = [heads | of(count) for count in (raters if single > 0 else [0])]
    items = ({"items": math.ceil(line["outputs"] / per_item)} if "outputs" in line else {} for line in lines)
    return tidy_table(map(operator.or_, lines, items), COLUMNS)


def _metric_row(
    truth: FloatArray, single: float, agreement: float, raters: int, *, requirements: Requirements, seed: int
) -> dict[str, Any]:
    correlations = truth.copy()
    if raters:
        factor = math.sqrt(spearman_brown(single, raters) / spearman_brown(single, agreement))
        correlations[2, :2] = correlations[:2, 2] = np.clip(correlations[2, :2] * factor, -0.99, 0.99)
    r, other, between = correlations[0, 2], correlations[1, 2], correlations[0, 1]
    heads: dict[str, Any] = {
        "raters": raters or None,
        "difference": float(r - other),
        "ceiling": _reliability_ceiling(single, raters),
        "reason": None if raters else "agreement of single raters unknown: assumes the pilot's number of raters",
    }
    gap, spread = math.atanh(r) - math.atanh(other), jackknife_spread(r, other, between)
    if math.isnan(spread):
        return heads | {"reason": "such correlations are impossible"}
    needed = required_rows(
        lambda n: paired_t_power(gap, spread, n, requirements.alpha), requirements.power, minimum=FEWEST
    )
    if needed is None:
        return heads | {"reason": "more than ten million outputs"}
    simulated = simulated_jackknife_power(
        correlations, needed, times=requirements.times, alpha=requirements.alpha, rng=seed
    )
    power = paired_t_power(gap, spread, needed, requirements.alpha)
    return heads | {"outputs": needed, "ratings": needed * max(1, raters), "power": power, "simulated": simulated}


def _reliability_ceiling(single: float, raters: int) -> float:
    return math.sqrt(spearman_brown(single, raters)) if single > 0 and raters else math.nan
