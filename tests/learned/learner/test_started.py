"""A learner that starts from general scores, and a combination of at most five scores."""

import numpy as np
import pytest

from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.combination import MOST, Combination
from rainbow.learned.learner.kernel_ridge import RankKernelRidge
from rainbow.learned.learner.standardised import make_rank_targets
from rainbow.learned.learner.started import POWER, ROWS, TOLD, Started

WORDS = ("inn", "pub", "cheap", "dear", "nice", "soma", "centre", "river")


def made(size: int, seed: int = 3) -> tuple[np.ndarray, dict[str, list[str]], np.ndarray]:
    """Return scores whose last two columns are general ones, texts, and ratings that follow the last of these."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(size, 5))
    ratings = np.column_stack([scores[:, 4] + 0.3 * rng.normal(size=size), scores[:, 0]])
    return scores, {"surface": [" ".join(rng.choice(WORDS, 5)) for _ in range(size)]}, ratings


def started(size: int = 60, **changed: object) -> tuple[Started, np.ndarray, dict[str, list[str]], np.ndarray]:
    scores, texts, ratings = made(size)
    given = {"start": np.array([3, 4]), **changed}
    return Started(scores, texts, ratings, np.ones(size), **given), scores, texts, ratings  # type: ignore[arg-type]


def test_coefficients_are_a_ridge_regression_towards_what_is_told_elsewhere() -> None:
    learner, scores, _, ratings = started()
    steps = scores[:, 3:] - scores[:, 3:].mean(axis=0)
    steps /= steps.std(axis=0)
    targets = make_rank_targets(ratings, np.ones(60)).targets[:, 0]
    before = TOLD * targets.std() / 2
    solved = np.linalg.solve(
        steps.T @ steps + ROWS * np.eye(2), steps.T @ (targets - targets.mean()) + ROWS * np.full(2, before)
    )
    assert (solved > 0).all()
    np.testing.assert_allclose(learner._coefficients[0], solved, atol=1e-6)


def test_a_text_that_is_not_familiar_is_told_by_general_scores_alone() -> None:
    learner, scores, texts, ratings = started()
    strange = {"surface": ["zzz yyy"] * 60}
    assert learner.familiarity(strange, 60).tolist() == [0.0] * 60
    steps = (scores[:, 3:] - scores[:, 3:].mean(axis=0)) / scores[:, 3:].std(axis=0)
    expected = ratings.mean(axis=0) + make_rank_targets(ratings, np.ones(60)).slope * (steps @ learner._coefficients.T)
    np.testing.assert_allclose(learner.predict(scores, strange), expected, atol=1e-9)
    other = scores.copy()
    other[:, :3] = 9.0
    np.testing.assert_array_equal(learner.predict(other, strange), learner.predict(scores, strange))
    assert not np.allclose(learner.predict(other, texts), learner.predict(scores, texts))


@pytest.mark.parametrize("powers", [None, np.array([POWER, 16.0])])
def test_the_kernel_learns_what_general_scores_leave_and_counts_as_far_as_a_text_is_familiar(powers) -> None:
    learner, scores, texts, ratings = started(powers=powers)
    ranks = make_rank_targets(ratings, np.ones(60))
    base = (learner.predict(scores, {"surface": ["zzz"] * 60}) - ratings.mean(axis=0)) / ranks.slope
    kernel = RankKernelRidge(scores[:, :3], texts, ratings, np.ones(60), base)
    half = {"surface": [f"{text} {' '.join('zzzzz')}" for text in texts["surface"]]}
    for given in (texts, half):
        familiar = learner.familiarity(given, 60)[:, None] ** (POWER if powers is None else powers)
        expected = ratings.mean(axis=0) + ranks.slope * base + familiar * kernel.predict(scores[:, :3], given)
        np.testing.assert_allclose(learner.predict(scores, given), expected, atol=1e-9)
        np.testing.assert_array_equal(
            learner.select_rating(1).predict(scores, given)[:, 0], learner.predict(scores, given)[:, 1]
        )


def test_what_no_general_score_tells_is_learned_from_the_others() -> None:
    learner, *_ = started(200)
    scores, texts, ratings = made(100, seed=5)
    found = learner.predict(scores, texts)
    assert all(np.corrcoef(found[:, place], ratings[:, place])[0, 1] > 0.8 for place in (0, 1))


def test_a_rating_starts_from_the_scores_that_it_is_shown() -> None:
    learner, *_ = started(seen=np.array([[True, False], [True, True]]))
    assert learner._coefficients[0, 1] == 0 < learner._coefficients[0, 0] and learner._coefficients.shape == (2, 2)


def test_a_rating_by_itself_is_predicted_as_beside_others_and_a_row_as_alone() -> None:
    learner, scores, texts, _ = started()
    both = learner.predict(scores, texts)
    np.testing.assert_array_equal(learner.select_rating(1).predict(scores, texts)[:, 0], both[:, 1])
    np.testing.assert_array_equal(learner.predict(scores[4:5], {"surface": texts["surface"][4:5]})[0], both[4])


def test_a_general_score_that_is_missing_counts_as_its_median() -> None:
    learner, scores, texts, _ = started()
    missing, filled = scores[:2].copy(), scores[:2].copy()
    missing[:, 3], filled[:, 3] = np.nan, learner.median[3]
    two = {"surface": texts["surface"][:2]}
    np.testing.assert_array_equal(learner.predict(missing, two), learner.predict(filled, two))
    assert learner.median.shape == (5,)


def test_scores_without_texts_are_believed_everywhere() -> None:
    scores, _, ratings = made(60)
    learner = Started(scores, {}, ratings, np.ones(60), np.array([3, 4]))
    assert np.isnan(learner.familiarity({}, 2)).all()
    assert np.corrcoef(learner.predict(scores, {})[:, 1], ratings[:, 1])[0, 1] > 0.8


@pytest.mark.parametrize("size", [2, 3])
def test_two_ratings_are_enough_to_have_a_prediction(size: int) -> None:
    learner, scores, texts, _ = started(size)
    assert np.isfinite(learner.predict(scores, texts)).all()


def fitted(scores: FloatArray, ratings: FloatArray, general: int | None = None, sign: int = 1) -> Combination:
    columns = scores.shape[1]
    prior = np.array([[place == general for place in range(columns)]])
    return Combination(scores, ratings[:, None], np.ones(len(scores)), np.full(columns, sign), prior)


def drawn(rows: int, columns: int, seed: int = 1) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(rows, columns))
    return scores, scores[:, :8].sum(axis=1) + rng.normal(size=rows)


def test_at_most_five_columns_are_used_and_each_in_its_direction() -> None:
    scores, ratings = drawn(200, 20)
    model = fitted(scores, ratings)
    assert len(model.used) == MOST and set(model.used) <= set(range(8))
    assert len(fitted(scores, ratings, sign=-1).used) < MOST  # what agrees by chance at most
    assert np.corrcoef(model.predict(scores, {})[:, 0], ratings)[0, 1] > 0.6


def test_columns_fitted_alone_have_the_coefficients_that_they_have_among_all() -> None:
    scores, ratings = drawn(100, 12)
    model = fitted(scores, ratings, general=3)
    used = model.used
    alone = fitted(scores[:, used], ratings, general=list(used).index(3))
    np.testing.assert_allclose(alone.predict(scores[:, used], {}), model.predict(scores, {}), atol=1e-9)


def test_few_ratings_leave_the_general_score_in_the_lead() -> None:
    rng = np.random.default_rng(3)
    scores, ratings = rng.normal(size=(20, 30)), rng.normal(size=20)
    predicted = fitted(scores, ratings + 0.5 * scores[:, 0], general=0).predict(scores, {})[:, 0]
    assert np.corrcoef(predicted, scores[:, 0])[0, 1] > 0.6


def test_rows_are_predicted_one_by_one() -> None:
    scores, ratings = drawn(50, 6)
    model = fitted(scores, ratings)
    np.testing.assert_array_equal(model.predict(scores[7:8], {}), model.predict(scores, {})[7:8])


def test_nothing_that_agrees_gives_the_mean() -> None:
    scores, ratings = np.arange(30.0)[:, None], np.arange(30.0)[::-1]
    model = fitted(scores, ratings)
    assert (model.predict(scores, {}), len(model.used)) == (pytest.approx(14.5), 0)
