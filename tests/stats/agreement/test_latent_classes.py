"""Latent classes of items."""

import numpy as np
import pytest

from rainbow.stats.agreement.krippendorff import rating_counts
from rainbow.stats.agreement.latent_classes import LatentClasses, fit_latent_classes

KINDS = LatentClasses(np.array([0.7, 0.3]), np.array([[0.05, 0.15, 0.8], [0.6, 0.3, 0.1]]))


def drawn(n_items: int, n_raters: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    kinds = rng.choice(2, size=n_items, p=KINDS.shares)
    matrix = [rng.choice(3, size=n_raters, p=KINDS.probabilities[kind]) for kind in kinds]
    return rating_counts(np.array(matrix, dtype=float))[1]


def likelihood(counts: np.ndarray, classes: LatentClasses) -> float:
    return float(np.log(np.exp(counts @ np.log(classes.probabilities).T) @ classes.shares).sum())


def test_the_kinds_that_were_drawn_are_found_from_a_near_start() -> None:
    start = LatentClasses(np.array([0.5, 0.5]), np.array([[0.2, 0.3, 0.5], [0.5, 0.3, 0.2]]))
    found = fit_latent_classes(drawn(5000, 4), start=start)
    assert found.shares == pytest.approx(KINDS.shares, abs=0.03)
    assert found.probabilities == pytest.approx(KINDS.probabilities, abs=0.03)


def test_the_marks_are_at_least_as_likely_as_under_the_kinds_that_were_drawn() -> None:
    counts = drawn(500, 3)
    assert likelihood(counts, fit_latent_classes(counts)) >= likelihood(counts, KINDS)


def test_shares_and_probabilities_add_up_to_one() -> None:
    found = fit_latent_classes(drawn(50, 3))
    assert found.shares.sum() == pytest.approx(1)
    assert found.probabilities.sum(axis=1) == pytest.approx(np.ones(len(found.shares)))


def test_the_expected_marks_are_the_observed_ones() -> None:
    counts = drawn(200, 3)
    found = fit_latent_classes(counts)
    assert found.shares @ found.probabilities == pytest.approx(counts.sum(axis=0) / counts.sum(), abs=1e-6)


def test_a_weight_of_two_is_the_same_as_the_item_twice() -> None:
    counts = drawn(60, 3)
    start = fit_latent_classes(counts)
    weighted = fit_latent_classes(counts, np.where(np.arange(60) < 20, 2.0, 1.0), start=start)
    twice = fit_latent_classes(np.concatenate([counts, counts[:20]]), start=start)
    assert weighted.shares == pytest.approx(twice.shares)


def test_several_draws_at_once_are_fitted_as_each_by_itself() -> None:
    counts = drawn(60, 3)
    draws = np.random.default_rng(1).multinomial(60, np.full(60, 1 / 60), size=7).astype(float)
    for start in (None, fit_latent_classes(counts)):
        together = fit_latent_classes(counts, draws, start=start)
        for place, weights in enumerate(draws):
            alone = fit_latent_classes(counts, weights, start=start)
            np.testing.assert_allclose(together.shares[place], alone.shares, atol=1e-9)
            np.testing.assert_allclose(together.probabilities[place], alone.probabilities, atol=1e-9)
