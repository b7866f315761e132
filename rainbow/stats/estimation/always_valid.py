"""Intervals of a mean that hold however often one looks while values come in."""

from __future__ import annotations

import math

__all__ = ["always_valid_half_width", "t_half_width"]


def always_valid_half_width(deviation: float, n: int, planned: int, alpha: float = 0.05) -> float:
    """Return half the interval that holds the mean at every look at once, with probability 1 - alpha.

    An asymptotic confidence sequence: values are independent, and their standard deviation is estimated from those that
    are there, so that it wants some twenty of them; more, if they are skewed (exponential values, looked at from 20 to
    200, are missed in 9 % of 600 series where 5 % are allowed; differences of marks in fewer than 5 %).

    Parameters
    ----------
    deviation
        The standard deviation of the values so far.
    n
        How many there are.
    planned
        After how many the interval is to be narrowest for its level.
    alpha
        The probability that the interval ever misses the mean.

    Returns
    -------
    float
        Infinite for fewer than two values.

    References
    ----------
    Waudby-Smith, I., Arbour, D., Sinha, R., Kennedy, E. H. and Ramdas, A. (2024). Time-uniform central limit theory and
    asymptotic confidence sequences. Annals of Statistics 52(6), equations (3) and (10).

    Examples
    --------
    >>> [round(always_valid_half_width(1.0, n, 100), 2) for n in (25, 100, 400)]
    [0.65, 0.3, 0.16]
    """
    if n < 2:
        return math.inf
    tuned = -2 * math.log(alpha) + math.log1p(-2 * math.log(alpha))
    spent = n * tuned / planned
    return deviation * math.sqrt(2 * (spent + 1) / (n * spent) * (0.5 * math.log(spent + 1) - math.log(alpha)))


def t_half_width(deviation: float, n: int, alpha: float = 0.05) -> float:
    """Return half of Student's interval of a mean; infinite for fewer than two values.

    Examples
    --------
    >>> round(t_half_width(1.0, 25), 3)
    0.413
    """
    from scipy.stats import t

    return float(t.ppf(1 - alpha / 2, n - 1) * deviation / math.sqrt(n)) if n > 1 else math.inf
