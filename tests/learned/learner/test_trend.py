"""A trend learned within groups, and a kernel that counts as far as a text is familiar."""

import numpy as np
from sklearn.linear_model import Ridge

from rainbow.learned.learner.kernel_ridge import RankKernelRidge
from rainbow.learned.learner.linear_trend import ALPHA, COUNTED, LinearTrend
from rainbow.learned.learner.rank_targets import rank_targets
from rainbow.learned.learner.standardised import Standardised
from rainbow.learned.learner.trend_kernel_ridge import TrendKernelRidge
from rainbow.learned.learner.vectors import vectors_of_ngrams


def made(size: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Scores, two targets, weights, and three groups whose targets and scores lie apart."""
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 3, size)
    scores = rng.normal(size=(size, 4)) + groups[:, None]
    targets = scores @ rng.normal(size=(4, 2)) / 9 - 2.0 * groups[:, None] + rng.normal(size=(size, 2)) / 9
    return scores, targets, rng.uniform(0.1, 2, size), groups


def words(size: int, seed: int = 1) -> dict[str, list[str]]:
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(["the", "inn", "is", "cheap", "and", "near"], 6)) for _ in range(size)]
    return {"delexicalised": texts, "surface": texts}


def fitted(size: int = 120, counted: np.ndarray | None = None) -> TrendKernelRidge:
    scores, targets, weights, groups = made(size)
    return TrendKernelRidge(scores, words(size), targets, weights, vectors_of_ngrams(), groups, counted)


def test_without_groups_a_trend_is_scikit_learns_ridge_regression() -> None:
    scores, targets, weights, _ = made(60)
    rows = Standardised.of(scores, weights)(scores, 2.0)
    expected = Ridge(alpha=ALPHA).fit(rows, targets, sample_weight=weights)
    found = LinearTrend(scores, targets, weights)
    np.testing.assert_allclose(found.coefficients, expected.coef_, atol=1e-12)
    np.testing.assert_allclose(found.predict(scores), expected.predict(rows), atol=1e-12)


def test_groups_are_left_out_as_columns_of_their_own_that_are_not_shrunk_would_leave_them_out() -> None:
    scores, targets, weights, groups = made(90)
    rows = Standardised.of(scores, weights)(scores, 2.0)
    dummies = np.eye(3)[groups]
    both = np.column_stack([rows, dummies])
    penalty = np.diag([ALPHA] * 4 + [1e-9] * 3)
    solved = np.linalg.solve((both * weights[:, None]).T @ both + penalty, (both * weights[:, None]).T @ targets)
    np.testing.assert_allclose(LinearTrend(scores, targets, weights, groups).coefficients, solved[:4].T, atol=1e-6)


def test_a_column_that_only_tells_the_groups_apart_gets_no_coefficient() -> None:
    scores, targets, weights, groups = made(90)
    told = np.column_stack([scores, groups.astype(float)])
    assert np.abs(LinearTrend(told, targets, weights, groups).coefficients[:, 4]).max() < 1e-12
    assert np.abs(LinearTrend(told, targets, weights).coefficients[:, 4]).max() > 0.1


def test_columns_that_were_counted_have_their_part_of_the_say() -> None:
    scores, targets, weights, groups = made(90)
    counted = np.array([False, True, False, True])
    every, general = (LinearTrend(part, targets, weights, groups) for part in (scores, scores[:, ~counted]))
    found = LinearTrend(scores, targets, weights, groups, counted=counted)
    np.testing.assert_allclose(found.coefficients[:, counted], COUNTED * every.coefficients[:, counted], atol=1e-12)
    parts = COUNTED * every.predict(scores) + (1 - COUNTED) * general.predict(scores[:, ~counted])
    np.testing.assert_allclose(found.predict(scores), parts, atol=1e-12)
    none = LinearTrend(scores, targets, weights, groups, counted=np.zeros(4, dtype=bool))
    np.testing.assert_allclose(none.coefficients, every.coefficients, atol=1e-12)


def test_columns_that_one_rating_does_not_see_are_left_out_of_it_alone() -> None:
    scores, targets, weights, groups = made(90)
    unseen = np.array([[False, True, False, True], [False] * 4])
    found = LinearTrend(scores, targets, weights, groups, unseen=unseen)
    every = LinearTrend(scores, targets, weights, groups)
    others = LinearTrend(scores[:, ~unseen[0]], targets[:, :1], weights, groups)
    np.testing.assert_allclose(found.predict(scores)[:, 1:], every.predict(scores)[:, 1:], atol=1e-12)
    np.testing.assert_allclose(found.predict(scores)[:, :1], others.predict(scores[:, ~unseen[0]]), atol=1e-12)
    nothing = LinearTrend(scores, targets, weights, groups, unseen=np.ones((2, 4), dtype=bool))
    np.testing.assert_allclose(nothing.predict(scores), np.tile(weights @ targets / weights.sum(), (90, 1)), atol=1e-12)


def test_a_trend_saved_before_there_were_two_looks_at_all_columns_in_full() -> None:
    scores, targets, weights, groups = made(90)
    trend = LinearTrend(scores, targets, weights, groups)
    older = LinearTrend.__new__(LinearTrend)
    older.__setstate__({name: value for name, value in vars(trend).items() if name != "full"})
    for one in (older, older.in_full(), trend.in_full()):
        np.testing.assert_array_equal(one.predict(scores), trend.predict(scores))


def test_the_last_rating_alone_is_that_of_all() -> None:
    scores, _, _, _ = made(30, seed=2)
    model, texts = fitted(), words(30, seed=2)
    np.testing.assert_array_equal(model.of_rating(1).predict(scores, texts), model.predict(scores, texts)[:, 1:])


def test_familiarity_is_the_share_of_known_words() -> None:
    texts = ["the inn is cheap", "the zoo is far", "zorp blint", "", "THE  inn"]
    found = fitted().familiarity({"delexicalised": texts, "surface": texts}, len(texts))
    assert found.tolist() == [1.0, 0.5, 0.0, 0.0, 1.0]


def test_of_unknown_words_the_trend_alone_is_believed() -> None:
    scores, targets, weights, groups = made(120)
    ranks = rank_targets(targets, weights)
    trend = LinearTrend(scores, ranks.targets, weights, groups).predict(scores[:5])
    model, unknown = fitted(), ["zorp blint quux"] * 5
    found = model.predict(scores[:5], {"delexicalised": unknown, "surface": unknown})
    np.testing.assert_array_equal(found, ranks.mean + ranks.slope * trend)
    assert np.abs(model.predict(scores[:5], words(5)) - found).max() > 0.01


def test_where_texts_of_the_domain_are_counted_counted_columns_tell_as_much_as_others() -> None:
    scores, unknown = made(30, seed=2)[0], ["zorp blint quux"] * 30
    texts = {"delexicalised": unknown, "surface": unknown}
    model, plain = fitted(counted=np.array([True, False, False, True])), fitted()
    assert np.abs(model.predict(scores, texts) - plain.predict(scores, texts)).max() > 0.01
    for one in (model.adapted(), model.adapted().adapted(), plain.adapted()):
        np.testing.assert_array_equal(one.predict(scores, texts), plain.predict(scores, texts))
    one = model.of_rating(1).adapted().predict(scores, texts)
    np.testing.assert_array_equal(one, plain.predict(scores, texts)[:, 1:])


def test_of_known_words_the_kernel_alone_is_believed() -> None:
    scores, targets, weights, _ = made(120)
    kernel = RankKernelRidge(scores, words(120), targets, weights, vectors_of_ngrams())
    np.testing.assert_array_equal(fitted().predict(scores, words(120)), kernel.predict(scores, words(120)))


def test_what_a_row_gets_is_bit_equal_alone_and_in_any_order() -> None:
    scores, _, _, _ = made(40, seed=2)
    given = {name: [f"{text} zorp" for text in column] for name, column in words(40, seed=2).items()}
    model = fitted()
    together = model.predict(scores, given)
    for row in (0, 7, 39):
        alone = model.predict(scores[[row]], {name: [column[row]] for name, column in given.items()})
        np.testing.assert_array_equal(alone, together[[row]])
    turned = model.predict(scores[::-1], {name: column[::-1] for name, column in given.items()})
    np.testing.assert_array_equal(turned, together[::-1])
