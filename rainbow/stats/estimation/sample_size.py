"""How many rows a study needs to tell two means, or two correlations, apart."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, Random
from rainbow.stats.correlation.correlation import MINIMUM_ROWS
from rainbow.stats.differences.dependent_correlations import williams_test

__all__ = ["paired_t_power", "rows_needed", "simulated_paired_t", "simulated_williams", "williams_power"]

# More rows than anybody has rated.
MOST_ROWS = 10_000_000


def rows_needed(power: Callable[[int], float], wanted: float, least: int = 2) -> int | None:
    """Return the smallest number of rows whose power is at least the wanted one; None beyond ten millions.

    Parameters
    ----------
    power
        Of so many rows; it must not fall as they grow.
    wanted
        Between 0 and 1.
    least
        The fewest rows that have a power.

    Raises
    ------
    ValueError
        If the wanted power lies outside 0 to 1.

    Examples
    --------
    >>> rows_needed(lambda n: paired_t_power(0.5, 1.0, n), 0.8)
    34
    """
    if not 0 < wanted < 1:
        raise ValueError(f"power is {wanted}: give a probability between 0 and 1, such as 0.8")
    high = least
    while power(high) < wanted:
        high *= 2
        if high > MOST_ROWS:
            return None
    low = max(least, high // 2)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle) >= wanted else (middle + 1, high)
    return low


def paired_t_power(difference: float, deviation: float, pairs: int, alpha: float = 0.05) -> float:
    """Return the probability that a two-sided paired t-test finds a mean difference.

    Parameters
    ----------
    difference
        The true mean difference.
    deviation
        The standard deviation of the differences of pairs.
    pairs
        How many there are.
    alpha
        The level of the test.

    Examples
    --------
    >>> round(paired_t_power(0.5, 1.0, 34), 3)
    0.808
    """
    from scipy.stats import nct, t

    if deviation == 0 or pairs < 2:
        return float(deviation == 0 and difference != 0 and pairs >= 2)
    limit, shift = t.ppf(1 - alpha / 2, pairs - 1), abs(difference) / deviation * math.sqrt(pairs)
    tails = nct.sf(limit, pairs - 1, shift), nct.cdf(-limit, pairs - 1, shift)
    return float(np.nan_to_num(tails[0], nan=1.0) + np.nan_to_num(tails[1]))  # scipy has no number for the surest


def simulated_paired_t(
    differences: ArrayLike, shift: float, deviation: float, pairs: int, *, times: int, alpha: float, rng: Random
) -> float:
    """Return how often a paired t-test finds a shift, with pairs drawn from those of a pilot.

    Parameters
    ----------
    differences
        Of the pairs of the pilot, shape (n,). They are centred and brought to the deviation; their shape stays.
    shift, deviation
        Mean and standard deviation of what is drawn.
    pairs
        Drawn each time.
    times
        Studies that are simulated.
    alpha, rng
        The level of the test; a generator or a seed.

    Examples
    --------
    >>> pilot = np.random.default_rng(1).normal(size=100)
    >>> found = simulated_paired_t(pilot, 0.5, 1.0, 34, times=2000, alpha=0.05, rng=1)
    >>> abs(found - paired_t_power(0.5, 1.0, 34)) < 0.03
    True
    """
    from scipy.stats import t

    pilot = np.asarray(differences, dtype=float)
    spread = pilot.std()
    centred = (pilot - pilot.mean()) * (deviation / spread if spread > 0 else 0.0)
    generator, found = np.random.default_rng(rng), 0
    limit = float(t.ppf(1 - alpha / 2, pairs - 1))
    for _ in range(times):
        drawn = generator.choice(centred, pairs) + shift
        error = drawn.std(ddof=1) / math.sqrt(pairs)
        found += bool(abs(drawn.mean()) > limit * error)
    return found / times


def williams_power(r: float, r_other: float, r_between: float, rows: int, alpha: float = 0.05) -> float:
    """Return about how probable it is that Williams' test finds that two metrics correlate differently with ratings.

    Parameters
    ----------
    r, r_other, r_between
        The true correlations, as :func:`~rainbow.stats.differences.dependent_correlations.williams_test` takes them.
    rows
        Rated outputs.
    alpha
        The level of the test.

    Notes
    -----
    The difference of the correlations is taken to be normal with the variance of Pearson and Filon (1898); the test
    divides it by the standard error that holds where they are equal.

    References
    ----------
    Pearson, K. and Filon, L. (1898). On the probable errors of frequency constants and on the influence of random
    selection on variation and correlation. Philosophical Transactions of the Royal Society A 191.

    Examples
    --------
    >>> round(williams_power(0.4, 0.3, 0.5, 600), 2)
    0.76
    """
    from scipy.stats import norm, t

    if rows < MINIMUM_ROWS:
        return 0.0
    expected, gap = abs(float(williams_test(r, r_other, r_between, rows).statistic)), abs(r - r_other)
    if math.isnan(expected) or gap == 0:
        return 0.0
    limit, error = float(t.ppf(1 - alpha / 2, rows - 3)) * gap / expected, _error(r, r_other, r_between, rows)
    return float(norm.sf((limit - gap) / error))


def _error(r: float, s: float, b: float, rows: int) -> float:
    """Return the standard error of the difference of two correlations with the same ratings."""
    together = (b - r * s / 2) * (1 - r**2 - s**2 - b**2) + b**3
    return math.sqrt(((1 - r**2) ** 2 + (1 - s**2) ** 2 - 2 * together) / rows)


def simulated_williams(correlations: FloatArray, rows: int, *, times: int, alpha: float, rng: Random) -> float:
    """Return how often Williams' test finds that the first of two metrics correlates differently with ratings.

    Parameters
    ----------
    correlations
        Of first metric, second metric and rating, shape (3, 3): the population that is drawn from is normal.
    rows, times, alpha, rng
        Rows of a study, studies, the level of the test; a generator or a seed.

    Examples
    --------
    >>> truth = np.array([[1, 0.5, 0.4], [0.5, 1, 0.3], [0.4, 0.3, 1]])
    >>> found = simulated_williams(truth, 600, times=2000, alpha=0.05, rng=1)
    >>> abs(found - williams_power(0.4, 0.3, 0.5, 600)) < 0.03
    True
    """
    from scipy.stats import wishart

    drawn = wishart(df=rows - 1, scale=correlations).rvs(times, random_state=np.random.default_rng(rng))
    deviations = np.sqrt(np.diagonal(drawn, axis1=1, axis2=2))
    found = np.clip(drawn / deviations[:, :, None] / deviations[:, None, :], -1, 1)
    tested = williams_test(found[:, 0, 2], found[:, 1, 2], found[:, 0, 1], np.full(times, rows))
    return float(np.mean(np.asarray(tested.p) < alpha))
