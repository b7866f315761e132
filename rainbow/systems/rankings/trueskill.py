"""TrueSkill: skill updates after comparisons, and parallel runs with comparisons in different orders."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import scipy
from rainbow.systems.rankings.comparisons import Comparisons, count_outcomes

_ROOT_2_PI = math.sqrt(2 * math.pi)


class Skills(NamedTuple):
    """Normal beliefs about the skill of systems."""

    mean: FloatArray  # higher is better
    variance: FloatArray  # above 0; in the same shape


@dataclass(frozen=True)
class TrueSkill:
    """Settings of TrueSkill: the prior belief about a system, and the update noise.

    Source: Herbrich, R., Minka, T. and Graepel, T. (2006). TrueSkill: a Bayesian skill rating system. NIPS.
    """

    mu: float = 25.0
    sigma: float = 25 / 3
    beta: float = 25 / 6
    tau: float = 0.0
    draw_probability: float = 0.1

    def __post_init__(self) -> None:
        if not (self.sigma > 0 and self.beta > 0 and self.tau >= 0):
            raise ValueError(f"sigma {self.sigma}, beta {self.beta}, tau {self.tau}: sigma and beta must be positive")
        if not 0 < self.draw_probability < 1:
            raise ValueError(f"a draw probability of {self.draw_probability}: use a number between 0 and 1")

    @property
    def draw_margin(self) -> float:
        """Maximum quality difference of a draw: ``beta sqrt(2) Phi^-1((p + 1) / 2)``."""
        return float(scipy.special.ndtri((self.draw_probability + 1) / 2) * math.sqrt(2) * self.beta)

    def prior(self, n: int) -> tuple[Skills, ...]:
        """Return the prior belief about n systems."""
        return tuple(Skills(np.array(float(self.mu)), np.array(float(self.sigma) ** 2)) for _ in range(n))

    def update(self, first: Skills, second: Skills, outcome: ArrayLike) -> tuple[Skills, Skills]:
        """Return both beliefs after a comparison, elementwise."""
        result = np.asarray(outcome)
        variances = first.variance + self.tau**2, second.variance + self.tau**2
        total = 2 * self.beta**2 + variances[0] + variances[1]
        scale = np.sqrt(total)
        sign = np.where(result < 0, -1.0, 1.0)
        shift, shrinkage = _update_factors(
            sign * (first.mean - second.mean) / scale, self.draw_margin / scale, result == 0
        )
        push = sign * shift / scale
        # Between 0 and 1 but for rounding, which outgrows it where a surprise is large beyond sense.
        shrinkage = np.clip(shrinkage, 0.0, 1.0)
        return (
            Skills(first.mean + variances[0] * push, variances[0] * (1 - variances[0] / total * shrinkage)),
            Skills(second.mean - variances[1] * push, variances[1] * (1 - variances[1] / total * shrinkage)),
        )


def challenge_settings(comparisons: int) -> TrueSkill:
    """Return the TrueSkill settings of the E2E challenge (and, before, machine translation).

    Source: Sakaguchi, K., Post, M. and Van Durme, B. (2014). Efficient elicitation of annotations for human evaluation
    of machine translation. WMT.
    """
    sigma = 0.5
    return TrueSkill(mu=0.0, sigma=sigma, beta=sigma * (comparisons + 1) / 40, draw_probability=0.25)


def _update_factors(t: FloatArray, margin: FloatArray, draw: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    """Return the mean shift (v) and variance reduction (w), in units of the difference's noise."""
    size = np.abs(t)
    lower = np.where(draw, margin - size, t - margin)
    logarithm = scipy.special.log_ndtr(lower)
    hazard = np.exp(-lower * lower / 2 - logarithm) / _ROOT_2_PI
    won, won_shrinkage = hazard, hazard * (hazard + lower)
    if not draw.any():
        return won, won_shrinkage
    upper = -margin - size
    # The density at the far margin over that at the near one, and the share of the near tail between them.
    far = np.exp(-2 * margin * size)
    between = np.where(draw, -np.expm1(scipy.special.log_ndtr(upper) - logarithm), 1.0)
    drawn = -hazard * (1 - far) / between
    drawn_shrinkage = drawn**2 + hazard * (lower - upper * far) / between
    return np.where(draw, np.where(t < 0, -drawn, drawn), won), np.where(draw, drawn_shrinkage, won_shrinkage)


def challenge_runs(comparisons: Comparisons, runs: int, rng: np.random.Generator) -> FloatArray:
    """Return the final skills of each run of the E2E challenge's procedure, shape (runs, systems).

    Source: Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of end-to-end natural
    language generation: the E2E NLG challenge. Computer Speech & Language 59, section 7. Sakaguchi, K., Post, M. and
    Van Durme, B. (2014). Efficient elicitation of annotations for human evaluation of machine translation. WMT.
    """
    won, not_lost, compared = _outcome_shares(comparisons)
    steps, everyone = len(comparisons.first) + 1, np.arange(runs)
    settings = challenge_settings(steps - 1)
    mean = np.full((runs, len(won)), float(settings.mu))
    variance = np.full_like(mean, settings.sigma**2)
    for _ in range(steps):
        first = variance.argmax(axis=1)
        near = np.exp(-np.abs(mean - mean[everyone, first][:, None])) * compared[first]
        second = _draw_column(near, rng)
        chance = rng.random(runs)
        outcome = np.where(chance < won[first, second], 1, np.where(chance < not_lost[first, second], 0, -1))
        _update_beliefs(settings, mean, variance, (everyone, first), (everyone, second), outcome)
    return mean


def resampled_runs(
    comparisons: Comparisons, settings: TrueSkill, weights: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Return the final skills after all comparisons in random orders, shape (runs, systems).

    Shapes: weights (runs, units).
    """
    orders = [rng.permutation(np.repeat(np.arange(len(row)), row)) for row in weights.astype(int)[:, comparisons.unit]]
    # The longest runs come first, so that those that have ended are the last ones.
    by_length = sorted(range(len(orders)), key=lambda run: -len(orders[run]))
    lengths = np.array([len(orders[run]) for run in by_length])
    mean = np.full((len(orders), len(comparisons.systems)), float(settings.mu))
    variance = np.full_like(mean, settings.sigma**2)
    steps = np.zeros((int(lengths.max(initial=0)), len(orders)), dtype=np.intp)
    for place, run in enumerate(by_length):
        steps[: lengths[place], place] = orders[run]
    for step, seen in enumerate(steps):
        active = np.arange(np.count_nonzero(lengths > step))
        seen = seen[active]
        first, second = comparisons.first[seen], comparisons.second[seen]
        _update_beliefs(settings, mean, variance, (active, first), (active, second), comparisons.outcome[seen])
    return mean[np.argsort(by_length)]


def _outcome_shares(comparisons: Comparisons) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """Return the first system's win rate and win-or-tie rate for each pair."""
    wins, draws = (table[0] for table in count_outcomes(comparisons))
    total = wins + wins.T + draws
    compared = total > 0
    total = np.where(compared, total, 1.0)
    return wins / total, (wins + draws) / total, compared


def _draw_column(weights: FloatArray, rng: np.random.Generator) -> IntArray:
    """Draw a column for each row with probability proportional to its weight."""
    through = weights.cumsum(axis=1)
    # A chance below 1, so that places of weight 0 at the end are never drawn; <= passes over those at the beginning.
    return np.asarray((through <= (rng.random(len(weights)) * through[:, -1])[:, None]).sum(axis=1))


def _update_beliefs(
    settings: TrueSkill,
    mean: FloatArray,
    variance: FloatArray,
    first: tuple[IntArray, IntArray],
    second: tuple[IntArray, IntArray],
    outcome: IntArray | NDArray[np.int8],
) -> None:
    """Update the beliefs of all runs in place."""
    before = Skills(mean[first], variance[first]), Skills(mean[second], variance[second])
    for place, after in zip((first, second), settings.update(*before, outcome), strict=True):
        mean[place], variance[place] = after
