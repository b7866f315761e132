import math

import numpy as np
import pytest

from rainbow.systems.rankings.comparisons import Comparisons
from rainbow.systems.rankings.trueskill import TrueSkill, challenge_settings
from rainbow.systems.rankings.trueskill_runs import challenge_runs, resampled_runs


@pytest.fixture
def comparisons() -> Comparisons:
    rng = np.random.default_rng(5)
    first, second = rng.integers(4, size=80), rng.integers(1, 4, size=80)
    outcome = rng.choice([-1, 0, 1, 1], size=80).astype(np.int8)
    return Comparisons((*"ABCD",), first, (first + second) % 4, outcome, np.arange(80) // 4)


def slow_challenge(comparisons: Comparisons, rng: np.random.Generator) -> list[float]:
    """Run the challenge's procedure once, one step after the other, with the comparisons stored by pair."""
    stored: dict[tuple[int, int], list[int]] = {}
    for one, other, sign in zip(*comparisons[1:4], strict=True):
        stored.setdefault((one, other), []).append(int(sign))
        stored.setdefault((other, one), []).append(-int(sign))
    settings = challenge_settings(len(comparisons.first))
    skills = [*settings.prior(len(comparisons.systems))]
    for _ in range(len(comparisons.first) + 1):
        first = max(range(len(skills)), key=lambda system: skills[system].variance)
        partners = [system for system in range(len(skills)) if (first, system) in stored]
        weights = [math.exp(-abs(skills[first].mean - skills[system].mean)) for system in partners]
        through, target = np.cumsum(weights), rng.random(1)[0]
        second = partners[int(np.searchsorted(through, target * through[-1], side="right"))]
        outcomes = sorted(stored[first, second], reverse=True)
        outcome = outcomes[int(rng.random(1)[0] * len(outcomes))]
        skills[first], skills[second] = settings.update(skills[first], skills[second], outcome)
    return [float(skill.mean) for skill in skills]


def test_runs_of_the_challenge_are_those_of_a_slow_twin(comparisons):
    for seed in range(5):
        fast = challenge_runs(comparisons, 1, np.random.default_rng(seed))[0]
        assert fast == pytest.approx(slow_challenge(comparisons, np.random.default_rng(seed)), abs=1e-12)


def test_systems_that_were_never_compared_are_never_drawn_together():
    # B beats both others always, and these were not compared: C, which only loses, cannot gain from A.
    first, second = np.array([1] * 20 + [1] * 20), np.array([0] * 20 + [2] * 20)
    found = Comparisons((*"ABC",), first, second, np.ones(40, dtype=np.int8), np.arange(40))
    runs = challenge_runs(found, 30, np.random.default_rng(1))
    assert (runs[:, 1] > 0).all() and (runs[:, [0, 2]] < 0).all()


def test_a_replayed_run_is_one_update_after_the_other(comparisons):
    settings = TrueSkill(tau=0.1)
    weights = np.array([[2.0] + [1.0] * 19, [0.0] * 20, [1.0] * 10 + [0.0] * 10])
    found = resampled_runs(comparisons, settings, weights, np.random.default_rng(3))
    rng = np.random.default_rng(3)
    for run, row in enumerate(weights.astype(int)):
        skills = [*settings.prior(4)]
        for place in rng.permutation(np.repeat(np.arange(80), row[comparisons.unit])):
            one, other = comparisons.first[place], comparisons.second[place]
            skills[one], skills[other] = settings.update(skills[one], skills[other], comparisons.outcome[place])
        assert found[run] == pytest.approx([float(skill.mean) for skill in skills], abs=1e-10)


def test_whole_numbers_as_settings_give_no_whole_numbers_as_skills(comparisons):
    weights = np.ones((2, 20))
    whole, broken = (
        resampled_runs(comparisons, TrueSkill(mu, 10, 5), weights, np.random.default_rng(1)) for mu in (100, 100.0)
    )
    assert np.array_equal(whole, broken)
