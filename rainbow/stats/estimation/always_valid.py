"""Confidence intervals of a mean that stay valid under continuous monitoring."""

from __future__ import annotations

import math

from rainbow.base.lazy import scipy


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
