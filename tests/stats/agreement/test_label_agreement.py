"""Labels and predicted classes: against scikit-learn, under any weights, and by hand; bins of probabilities."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from rainbow.stats.agreement.label_agreement import (
    FIGURES,
    OVERALL,
    PER_LABEL,
    class_agreement,
    label_agreement,
    left_out_labels,
    median_labels,
    per_class,
    reliability,
)

PAIRS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=40)


def overall(people: object, judge: object, weights: object = None) -> dict[str, float]:
    return dict(zip(OVERALL, label_agreement(people, judge, weights)[0, 0], strict=False))


@settings(max_examples=60, deadline=None)
@given(PAIRS)
@pytest.mark.filterwarnings("ignore")
def test_measures_are_those_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    people, judge = np.array(pairs).T
    labels = np.unique(np.array(pairs))
    found = label_agreement(people, judge)[0, 0]
    kappa = metrics.cohen_kappa_score(people, judge)
    expected = [
        *(metrics.accuracy_score(people, judge),
            metrics.accuracy_score(people, judge) - np.bincount(people).max() / len(people)),
        *(kappa, metrics.balanced_accuracy_score(people, judge), metrics.f1_score(people, judge, average="macro")),
    ]  # fmt: skip
    assert found[: len(OVERALL)] == pytest.approx(expected, nan_ok=True)
    of_label = found[len(OVERALL) :].reshape(len(labels), len(PER_LABEL))
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(
        people, judge, labels=labels, zero_division=np.nan
    )
    assert of_label[:, 3] == pytest.approx(recall, nan_ok=True)
    assert (of_label[:, 4], of_label[:, 5]) == (pytest.approx(precision, nan_ok=True), pytest.approx(f1, nan_ok=True))


@given(PAIRS)
def test_a_constant_judge_is_useless_by_every_measure(pairs: list[tuple[int, int]]) -> None:
    people = np.array(pairs)[:, 0]
    found = overall(people, np.full(len(people), np.bincount(people).argmax()))
    assert (found["over_constant"], found["balanced_accuracy"]) == pytest.approx((0, 1 / len(set(people))))
    assert len(set(people)) == 1 or found["kappa"] == pytest.approx(0)


def test_ninety_per_cent_by_hand() -> None:
    """100 outputs, 90 of them good: a judge with 91 % agreement finds 2 of 10 bad ones."""
    people = np.repeat([1, 1, 0, 0], [89, 1, 2, 8])
    judge = np.repeat([1, 0, 0, 1], [89, 1, 2, 8])
    found = overall(people, judge)
    assert (found["accuracy"], found["over_constant"]) == (0.91, pytest.approx(0.01))
    assert found["kappa"] == pytest.approx((0.91 - (0.9 * 0.97 + 0.1 * 0.03)) / (1 - (0.9 * 0.97 + 0.1 * 0.03)))
    assert found["balanced_accuracy"] == pytest.approx((89 / 90 + 0.2) / 2)
    bad = dict(zip(PER_LABEL, label_agreement(people, judge)[0, 0][len(OVERALL) :], strict=False))
    assert (bad["share_people"], bad["share_judge"], bad["recall"]) == (0.1, 0.03, 0.2)
    assert bad["share_difference"] == pytest.approx(-0.07)


def test_weights_are_repetitions() -> None:
    people, judge, weights = [0, 1, 1, 2], [0, 1, 2, 2], [3, 1, 2, 0]
    few, many = overall(people, judge, [weights]), overall(*[np.repeat(values, weights) for values in (people, judge)])
    assert [few[name] for name in ("accuracy", "kappa")] == [many[name] for name in ("accuracy", "kappa")]


def test_the_median_is_the_label_unless_it_lies_between_two() -> None:
    gap = np.nan
    ratings = [[1, 1, 0], [1, 0, gap], [gap, gap, gap], [gap, 0, gap], [0, 1, 2]]
    assert median_labels(ratings).tolist() == pytest.approx([1, gap, gap, 0, 1], nan_ok=True)


def test_each_rater_is_compared_with_both_medians_of_the_others() -> None:
    found = left_out_labels([[1, 1, 0], [np.nan, 1, np.nan]])
    rows = sorted(zip(found.outputs, found.labels, found.others, strict=True))
    assert rows == [(0, 0, 1), (0, 0, 1), (0, 1, 0), (0, 1, 0), (0, 1, 1), (0, 1, 1)]


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
