"""Number of rows a study needs to detect a difference of two means or correlations, and when it may stop."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, Random
from rainbow.base.lazy import scipy
from rainbow.stats.correlation.rank_influence import MidRanks, spearman_influence
from rainbow.stats.differences.jackknife_differences import jackknife_differences

# More rows than anybody has rated.
MAX_ROWS = 10_000_000
# Rows of all simulated studies together.
MAX_SIMULATED_ROWS = 5_000_000


def required_rows(power: Callable[[int], float], target_power: float, minimum: int = 2) -> int | None:
    """Return the smallest number of rows with the wanted power; None above ten million."""
    if not 0 < target_power < 1:
        raise ValueError(f"power is {target_power}: use a probability between 0 and 1, such as 0.8")
    high = minimum
    while power(high) < target_power:
        high *= 2
        if high > MAX_ROWS:
            return None
    low = max(minimum, high // 2)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle) >= target_power else (middle + 1, high)
    return low


def paired_t_power(difference: float, deviation: float, pairs: int, alpha: float = 0.05) -> float:
    """Return the power of a two-sided paired t-test for a mean difference."""
    if deviation == 0 or pairs < 2:
        return float(deviation == 0 and difference != 0 and pairs >= 2)
    limit, shift = scipy.stats.t.ppf(1 - alpha / 2, pairs - 1), abs(difference) / deviation * math.sqrt(pairs)
    tails = scipy.stats.nct.sf(limit, pairs - 1, shift), scipy.stats.nct.cdf(-limit, pairs - 1, shift)
    return float(np.nan_to_num(tails[0], nan=1.0) + np.nan_to_num(tails[1]))  # scipy has no number for the surest


def detectable_difference(deviation: float, pairs: int, power: float) -> float:
    """Return the smallest mean difference that a two-sided paired t-test finds with this power; NaN if undefined."""
    if not deviation > 0 or pairs < 2:
        return math.nan
    return float(
        scipy.optimize.brentq(lambda size: paired_t_power(size, deviation, pairs) - power, 0.0, 1000 * deviation)
    )


def interval_power(margin: float, deviation: float, pairs: int, alpha: float = 0.05) -> float:
    """Return the probability that a Student interval has a half-width of at most the margin.

    Source: Kupper, L. L. and Hafner, K. B. (1989). How appropriate are popular sample size formulas? American
    Statistician 43(2).
    """
    if deviation == 0 or pairs < 2:
        return float(deviation == 0 and pairs >= 2)
    widest = margin * math.sqrt(pairs) / scipy.stats.t.ppf(1 - alpha / 2, pairs - 1)
    return float(scipy.stats.chi2.cdf((pairs - 1) * (widest / deviation) ** 2, pairs - 1))


def simulated_interval_power(
    differences: ArrayLike, margin: float, deviation: float, pairs: int, *, times: int, alpha: float, rng: Random
) -> float:
    """Return the simulated share of intervals whose half-width is at most the margin."""
    limit = margin * math.sqrt(pairs) / float(scipy.stats.t.ppf(1 - alpha / 2, pairs - 1))
    drawn = _draw_pairs(differences, deviation, pairs, times, rng)
    return sum(bool(one.std(ddof=1) <= limit) for one in drawn) / times


def _draw_pairs(differences: ArrayLike, deviation: float, pairs: int, times: int, rng: Random) -> Iterator[FloatArray]:
    """Yield samples of the pilot differences, centred and scaled to a deviation."""
    pilot, generator = np.asarray(differences, dtype=float), np.random.default_rng(rng)
    spread = pilot.std()
    centred = (pilot - pilot.mean()) * (deviation / spread if spread > 0 else 0.0)
    for _ in range(times):
        yield generator.choice(centred, pairs)


def simulated_paired_t_power(
    differences: ArrayLike, shift: float, deviation: float, pairs: int, *, times: int, alpha: float, rng: Random
) -> float:
    """Return the simulated power of a paired t-test, resampling pilot differences.

    Shapes: differences (n,).
    """
    rejections, limit = 0, float(scipy.stats.t.ppf(1 - alpha / 2, pairs - 1))
    for centred in _draw_pairs(differences, deviation, pairs, times, rng):
        drawn = centred + shift
        error = drawn.std(ddof=1) / math.sqrt(pairs)
        rejections += bool(abs(drawn.mean()) > limit * error)
    return rejections / times


def jackknife_spread(r: float, r_other: float, r_between: float) -> float:
    """Return the standard error of a difference of Spearman correlations (Fisher's z) times sqrt(n)."""
    truth = np.array([[1, r_between, r], [r_between, 1, r_other], [r, r_other, 1]])
    if (rows := _draw_normal_rows(truth, 50_000, np.random.default_rng(1))) is None:
        return math.nan
    scores, rated = MidRanks(rows[:, :2].T), MidRanks(rows[:, 2:].T)
    result, influence = spearman_influence(scores, rated)
    weighted = influence / (1 - result**2)[:, None]
    return float((weighted[0] - weighted[1]).std())


def simulated_jackknife_power(correlations: FloatArray, rows: int, *, times: int, alpha: float, rng: Random) -> float:
    """Return the simulated power of the jackknife test of two metrics' correlations.

    Shapes: correlations (3, 3).
    """
    generator, rejections = np.random.default_rng(rng), 0
    times = max(20, min(times, MAX_SIMULATED_ROWS // rows))
    if rows > MAX_SIMULATED_ROWS // 50 or _draw_normal_rows(correlations, 1, generator) is None:
        return math.nan
    for _ in range(times):
        drawn = _draw_normal_rows(correlations, rows, generator)
        if drawn is not None:
            rejections += bool(jackknife_differences(drawn[:, :2], drawn[:, 2]).p[0, 1] < alpha)
    return rejections / times


def _draw_normal_rows(correlations: FloatArray, rows: int, rng: np.random.Generator) -> FloatArray | None:
    """Draw normal rows with the given Spearman correlations; None if impossible."""
    pearson = 2 * np.sin(np.pi / 6 * correlations)
    if np.linalg.eigvalsh(pearson)[0] <= 0:
        return None
    return np.asarray(rng.normal(size=(rows, len(pearson))) @ np.linalg.cholesky(pearson).T)


def always_valid_half_width(deviation: float, n: int, planned: int, alpha: float = 0.05) -> float:
    """Return the half-width of an interval valid at every look at once, at level 1 - alpha.

    Source: Waudby-Smith, I., Arbour, D., Sinha, R., Kennedy, E. H. and Ramdas, A. (2024). Time-uniform central limit
    theory and asymptotic confidence sequences. Annals of Statistics 52(6), equations (3) and (10).
    """
    if n < 2:
        return math.inf
    tuned = -2 * math.log(alpha) + math.log1p(-2 * math.log(alpha))
    spent = n * tuned / planned
    return deviation * math.sqrt(2 * (spent + 1) / (n * spent) * (0.5 * math.log(spent + 1) - math.log(alpha)))


def t_half_width(deviation: float, n: int, alpha: float = 0.05) -> float:
    """Return the half-width of Student's interval of a mean; infinite for fewer than two values."""
    return float(scipy.stats.t.ppf(1 - alpha / 2, n - 1) * deviation / math.sqrt(n)) if n > 1 else math.inf
