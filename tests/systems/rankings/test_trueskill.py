import math

import numpy as np
import pytest

from rainbow.systems.rankings.comparisons import Comparisons
from rainbow.systems.rankings.trueskill import Skills, TrueSkill, challenge_runs, challenge_settings, resampled_runs


def updated(settings, means, sigmas, outcome):
    first, second = (Skills(np.array(mean), np.array(sigma**2)) for mean, sigma in zip(means, sigmas, strict=True))
    return [float(value) for skill in settings.update(first, second, outcome) for value in skill]


def test_two_new_players_come_out_as_is_documented_everywhere():
    settings = TrueSkill(tau=25 / 300)
    won = updated(settings, (25, 25), (25 / 3, 25 / 3), 1)
    drawn = updated(settings, (25, 25), (25 / 3, 25 / 3), 0)
    assert won == pytest.approx([29.396, 7.171**2, 20.604, 7.171**2], abs=0.008)
    assert drawn == pytest.approx([25, 6.458**2, 25, 6.458**2], abs=0.008)


def test_updates_are_those_of_the_package_trueskill():
    trueskill = pytest.importorskip("trueskill", reason="pip install trueskill")
    rng = np.random.default_rng(1)
    for _ in range(200):
        beta, tau, draws = rng.uniform(0.2, 5), rng.choice([0.0, 0.1]), rng.uniform(0.01, 0.9)
        means, sigmas, outcome = rng.normal(0, 2, 2), rng.uniform(0.1, 2, 2), int(rng.choice([-1, 0, 1]))
        oracle = trueskill.TrueSkill(0, 1, beta, tau, draws, backend="scipy")
        players = [oracle.create_rating(mean, sigma) for mean, sigma in zip(means, sigmas, strict=True)]
        order = [1, 0] if outcome < 0 else [0, 1]
        rated = trueskill.rate_1vs1(*(players[place] for place in order), drawn=outcome == 0, env=oracle)
        expected = [value for place in order for value in (rated[place].mu, rated[place].sigma ** 2)]
        assert updated(TrueSkill(0, 1, beta, tau, draws), means, sigmas, outcome) == pytest.approx(expected, abs=1e-10)


def test_posterior_moments_are_those_of_bayes_rule():
    # The skill difference of two players, seen through the noise, cut to where the first is better by the margin.
    settings = TrueSkill(mu=0, sigma=1, beta=0.7, draw_probability=0.3)
    skill = np.linspace(-8, 8, 1201)
    first, second = np.meshgrid(skill, skill, indexing="ij")
    from scipy.special import ndtr

    likelihood = ndtr((first - second - settings.draw_margin) / (np.sqrt(2) * settings.beta))
    posterior = np.exp(-((first - 0.5) ** 2) / 2 - (second + 0.2) ** 2 / (2 * 0.64)) * likelihood
    mean = (first * posterior).sum() / posterior.sum()
    variance = ((first - mean) ** 2 * posterior).sum() / posterior.sum()
    assert updated(settings, (0.5, -0.2), (1, 0.8), 1)[:2] == pytest.approx([mean, variance], abs=1e-6)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("outcome", [-1, 0, 1])
@pytest.mark.parametrize("gap", [0.0, 50.0, 5000.0, 1e6])
def test_surprises_of_any_size_give_numbers(outcome, gap):
    after = updated(TrueSkill(), (gap, -gap), (8, 8), outcome)
    assert np.isfinite(after).all() and min(after[1], after[3]) > 0 and max(after[1], after[3]) <= 64


@pytest.mark.filterwarnings("error")
def test_many_comparisons_at_once_give_what_each_gives_by_itself():
    rng = np.random.default_rng(2)
    means, variances, outcome = rng.normal(25, 8, (2, 50)), rng.uniform(1, 60, (2, 50)), rng.integers(-1, 2, 50)
    settings = TrueSkill()
    first, second = settings.update(Skills(means[0], variances[0]), Skills(means[1], variances[1]), outcome)
    for place in range(50):
        alone = updated(settings, means[:, place], np.sqrt(variances[:, place]), outcome[place])
        together = [first.mean[place], first.variance[place], second.mean[place], second.variance[place]]
        assert alone == pytest.approx(together, rel=1e-12)


def test_settings_without_sense_are_refused():
    with pytest.raises(ValueError, match="beta 0"):
        TrueSkill(beta=0)
    with pytest.raises(ValueError, match="draw probability"):
        TrueSkill(draw_probability=0)


def test_the_challenge_lets_noise_grow_with_the_comparisons():
    settings = challenge_settings(399)
    assert (settings.beta, settings.sigma, settings.tau, settings.draw_probability) == (5, 0.5, 0, 0.25)


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
