"""Figures of predicted classes are those of scikit-learn, under any weights; bins of probabilities by hand."""

import warnings

import numpy as np
import pytest
from sklearn import metrics

from rainbow.stats.agreement.label_agreement import FIGURES, class_agreement, per_class, reliability


def classes(seed: int, n: int = 300) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    given = rng.choice([1.0, 2.0, 4.0, 6.0], n, p=[0.05, 0.15, 0.3, 0.5])
    return given, np.where(rng.random(n) < 0.4, rng.choice([2.0, 4.0, 5.0], n), given)


def expected(given: np.ndarray, predicted: np.ndarray) -> list[float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes that nobody predicted
        return [
            metrics.accuracy_score(given, predicted),
            *(
                score(given, predicted, average="macro", labels=[1, 2, 4, 5, 6], zero_division=0)
                for score in (metrics.f1_score, metrics.recall_score, metrics.precision_score)
            ),
        ]


@pytest.mark.parametrize("seed", range(5))
def test_the_figures_are_those_of_scikit_learn(seed: int) -> None:
    given, predicted = classes(seed)
    found = class_agreement(given, predicted)
    assert found.shape == (1, 1, len(FIGURES))
    np.testing.assert_allclose(found[0, 0, :4], expected(given, predicted))


def test_kappa_is_that_of_scikit_learn_where_classes_are_a_step_apart() -> None:
    given, predicted = (np.searchsorted([1, 2, 4, 5, 6], own) for own in classes(7))
    kappa = metrics.cohen_kappa_score(given, predicted, weights="quadratic")
    assert class_agreement(given, predicted)[0, 0, 4] == pytest.approx(kappa)


def test_kappa_weighs_errors_by_the_distance_of_the_values() -> None:
    near, far = (class_agreement([1, 1, 2, value], [1, 2, 2, value])[0, 0, 4] for value in (3, 9))
    assert far > near


def test_a_row_of_weight_two_is_a_row_that_stands_there_twice() -> None:
    given, predicted = classes(8)
    weights = np.random.default_rng(9).integers(0, 4, (3, len(given)))
    found = class_agreement(given, predicted, weights)
    for own, times in zip(found, weights, strict=True):
        rows = np.repeat(np.arange(len(given)), times)
        np.testing.assert_allclose(own[0, :4], expected(given[rows], predicted[rows]))


def test_rows_of_one_class_alone_have_no_kappa() -> None:
    assert np.isnan(class_agreement([3, 3], [3, 3])[0, 0, 4])


def test_a_class_that_is_never_predicted_has_a_precision_of_0() -> None:
    found = per_class(np.array([[3.0, 0.0], [1.0, 0.0]]))
    assert (found.precision.tolist(), found.recall.tolist()) == ([0.75, 0.0], [1.0, 0.0])


def test_bins_hold_what_was_said_and_what_happened() -> None:
    found = reliability([0.0, 0.05, 0.55, 0.59, 1.0], [0, 1, 1, 0, 1])
    assert found.n.tolist() == [2, 0, 0, 0, 0, 2, 0, 0, 0, 1]
    np.testing.assert_allclose(found.probability[[0, 5, 9]], [0.025, 0.57, 1.0])
    np.testing.assert_allclose(found.share[[0, 5, 9]], [0.5, 0.5, 1.0])
    assert np.isnan(found.share[1]) and found.error == pytest.approx((2 * 0.475 + 2 * 0.07) / 5)


def test_no_predictions_have_no_error_to_tell() -> None:
    assert np.isnan(reliability([], []).error)
