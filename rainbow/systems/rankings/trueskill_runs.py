"""Parallel runs of TrueSkill, each with the comparisons in a different order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.systems.rankings.comparisons import Comparisons, count_outcomes
from rainbow.systems.rankings.trueskill import Skills, TrueSkill, challenge_settings


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
