import math

import numpy as np
import pytest
from scipy.optimize import minimize

from rainbow.systems.rankings.bradley_terry import PRIOR_SD, fit_bradley_terry


def tables(k, n, seed, draws=True):
    rng = np.random.default_rng(seed)
    drawn = np.triu(rng.integers(0, n, (k, k)), 1) if draws else np.zeros((k, k))
    wins = rng.integers(1, n, (k, k)).astype(float)
    np.fill_diagonal(wins, 0)
    return wins, (drawn + drawn.T).astype(float)


def slow_fit(wins, draws):
    """Return strengths and log nu by a general optimiser, from the probabilities as Davidson (1970) writes them."""
    k = len(wins)

    def loss(parameters):
        worth, nu = np.exp(parameters[:k]), np.exp(parameters[k])
        total = 0.5 * (parameters**2).sum() / PRIOR_SD**2
        for i in range(k):
            for j in range(k):
                whole = worth[i] + worth[j] + nu * np.sqrt(worth[i] * worth[j])
                if i != j:
                    total -= wins[i, j] * np.log(worth[i] / whole)
                    total -= draws[i, j] / 2 * np.log(nu * np.sqrt(worth[i] * worth[j]) / whole)
        return total

    found = minimize(loss, np.zeros(k + 1), method="BFGS", options={"gtol": 1e-7}).x
    return found[:k] - found[:k].mean(), found[k]


def test_it_is_the_maximum_that_an_optimiser_finds():
    for seed in range(4):
        wins, draws = tables(5, 12, seed)
        strength, tie = slow_fit(wins, draws)
        fitted = fit_bradley_terry(wins, draws)
        assert (fitted.strength[0], fitted.tie[0]) == (pytest.approx(strength, abs=1e-5), pytest.approx(tie, abs=1e-5))


def test_the_prior_moves_well_known_strengths_by_next_to_nothing():
    # nu = draws / sqrt(wins * losses), and draws say nothing on who is stronger.
    fitted = fit_bradley_terry([[0, 300], [100, 0]], [[0, 200], [200, 0]])
    assert fitted.strength[0, 0] - fitted.strength[0, 1] == pytest.approx(math.log(3), abs=2e-4)
    assert math.exp(fitted.tie[0]) == pytest.approx(20 / math.sqrt(300), abs=2e-4)


def test_without_draws_wins_are_as_many_as_the_model_expects():
    wins, draws = tables(6, 20, 3, draws=False)
    strength = fit_bradley_terry(wins, draws).strength[0]
    expected = (wins + wins.T) / (1 + np.exp(strength[None, :] - strength[:, None]))
    np.fill_diagonal(expected, 0)
    assert expected.sum(axis=1) == pytest.approx(wins.sum(axis=1), rel=1e-3)


@pytest.mark.filterwarnings("error")
def test_a_system_that_always_wins_has_a_strength_all_the_same():
    strength = fit_bradley_terry(np.triu(np.full((4, 4), 50.0), 1), np.zeros((4, 4))).strength[0]
    assert np.isfinite(strength).all() and (np.diff(strength) < -2).all()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("count", [0, 1, 10**7])
def test_nothing_but_draws_makes_all_equal(count):
    assert fit_bradley_terry(np.zeros((3, 3)), np.full((3, 3), float(count))).strength == pytest.approx(0)


def test_many_resamples_give_what_each_gives_by_itself():
    several = [tables(5, 9, seed) for seed in range(6)]
    together = fit_bradley_terry(np.array([w for w, _ in several]), np.array([d for _, d in several]))
    for place, (wins, draws) in enumerate(several):
        assert together.strength[place] == pytest.approx(fit_bradley_terry(wins, draws).strength[0], abs=1e-9)
