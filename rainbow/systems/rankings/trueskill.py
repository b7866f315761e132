"""TrueSkill: what one comparison of two systems says about the skill of both."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray

__all__ = ["Skills", "TrueSkill", "challenge_settings"]


_ROOT_2_PI = math.sqrt(2 * math.pi)


class Skills(NamedTuple):
    """Beliefs about the skill of systems: normal distributions.

    Attributes
    ----------
    mean
        Higher is better.
    variance
        Above 0; in the same shape.
    """

    mean: FloatArray
    variance: FloatArray


@dataclass(frozen=True)
class TrueSkill:
    """What is believed of a system that nobody has seen, and how a comparison changes it.

    The quality of an output is its system's skill plus normal noise with standard deviation `beta`. A pair is a draw
    where two qualities differ by less than a margin, chosen so that equally skilled systems draw with
    `draw_probability`. After a comparison each of the two skills has the mean and the variance that Bayes' rule gives
    (exact for two players: no approximation is involved but that the skill stays normal).

    Parameters
    ----------
    mu, sigma
        Mean and standard deviation of the skill of an unseen system.
    beta
        The noise of a single output, in the same units.
    tau
        By how much (standard deviation) a skill drifts from one comparison to the next. The usual value for players,
        who learn, is ``25 / 300``; systems do not, hence 0.
    draw_probability
        Of equally skilled systems, between 0 and 1.

    Raises
    ------
    ValueError
        If a standard deviation is not above 0 (tau: is below 0), or the draw probability is not between 0 and 1.

    References
    ----------
    Herbrich, R., Minka, T. and Graepel, T. (2006). TrueSkill: a Bayesian skill rating system. NIPS.

    Examples
    --------
    >>> winner, loser = TrueSkill(tau=25 / 300).update(*TrueSkill().unseen(2), 1)
    >>> winner.mean.round(3).item(), loser.mean.round(3).item()
    (29.396, 20.604)
    """

    mu: float = 25.0
    sigma: float = 25 / 3
    beta: float = 25 / 6
    tau: float = 0.0
    draw_probability: float = 0.1

    def __post_init__(self) -> None:
        if not (self.sigma > 0 and self.beta > 0 and self.tau >= 0):
            raise ValueError(f"sigma {self.sigma}, beta {self.beta}, tau {self.tau}: sigma and beta are above 0")
        if not 0 < self.draw_probability < 1:
            raise ValueError(f"a draw probability of {self.draw_probability}: give a number between 0 and 1")

    @property
    def draw_margin(self) -> float:
        """How far apart two outputs' qualities may be and still be a draw: ``beta sqrt(2) Phi^-1((p + 1) / 2)``."""
        from scipy.special import ndtri

        return float(ndtri((self.draw_probability + 1) / 2) * math.sqrt(2) * self.beta)

    def unseen(self, n: int) -> tuple[Skills, ...]:
        """Return the belief about each of n systems before anything is compared."""
        return tuple(Skills(np.array(float(self.mu)), np.array(float(self.sigma) ** 2)) for _ in range(n))

    def update(self, first: Skills, second: Skills, outcome: ArrayLike) -> tuple[Skills, Skills]:
        """Return the two beliefs after a comparison, elementwise.

        Parameters
        ----------
        first, second
            Beliefs about the systems that are compared, in shapes that broadcast.
        outcome
            1 where the first was better, -1 where the second was, 0 for a draw.
        """
        result = np.asarray(outcome)
        variances = first.variance + self.tau**2, second.variance + self.tau**2
        total = 2 * self.beta**2 + variances[0] + variances[1]
        scale = np.sqrt(total)
        sign = np.where(result < 0, -1.0, 1.0)
        shift, shrinkage = _moments(sign * (first.mean - second.mean) / scale, self.draw_margin / scale, result == 0)
        push = sign * shift / scale
        # Between 0 and 1 but for rounding, which outgrows it where a surprise is large beyond sense.
        shrinkage = np.clip(shrinkage, 0.0, 1.0)
        return (
            Skills(first.mean + variances[0] * push, variances[0] * (1 - variances[0] / total * shrinkage)),
            Skills(second.mean - variances[1] * push, variances[1] * (1 - variances[1] / total * shrinkage)),
        )


def challenge_settings(comparisons: int) -> TrueSkill:
    """Return the settings with which the E2E challenge (and, before, machine translation) ran TrueSkill.

    mu 0, sigma .5, tau 0, draw probability .25, and a noise that grows with the number of comparisons,
    ``beta = sigma N / 40`` with ``N = comparisons + 1``, so that every run ends with beliefs that are still wide.
    Skills are then on a scale of its own, which cannot be compared between sets of judgements.

    References
    ----------
    Sakaguchi, K., Post, M. and Van Durme, B. (2014). Efficient elicitation of annotations for human evaluation of
    machine translation. WMT.

    Examples
    --------
    >>> challenge_settings(29_790).beta
    372.3875
    """
    sigma = 0.5
    return TrueSkill(mu=0.0, sigma=sigma, beta=sigma * (comparisons + 1) / 40, draw_probability=0.25)


def _moments(t: FloatArray, margin: FloatArray, draw: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    """Return by how much a comparison moves a mean (v) and shrinks a variance (w), in units of the difference's noise.

    The truncated normal distribution of the difference has these moments: cut below the margin after a win, on both
    sides of it after a draw. All ratios are taken of logarithms, so that surprising outcomes do not divide 0 by 0.
    """
    from scipy.special import log_ndtr

    size = np.abs(t)
    lower = np.where(draw, margin - size, t - margin)
    logarithm = log_ndtr(lower)
    hazard = np.exp(-lower * lower / 2 - logarithm) / _ROOT_2_PI
    won, won_shrinkage = hazard, hazard * (hazard + lower)
    if not draw.any():
        return won, won_shrinkage
    upper = -margin - size
    # The density at the far margin over that at the near one, and the share of the near tail between them.
    far = np.exp(-2 * margin * size)
    between = np.where(draw, -np.expm1(log_ndtr(upper) - logarithm), 1.0)
    drawn = -hazard * (1 - far) / between
    drawn_shrinkage = drawn**2 + hazard * (lower - upper * far) / between
    return np.where(draw, np.where(t < 0, -drawn, drawn), won), np.where(draw, drawn_shrinkage, won_shrinkage)
