"""A guard that closes on word salad, and what it leaves as it is."""

import numpy as np
import pytest

from rainbow.learned.learner.hardened import ANYWHERE_MIDDLE, ANYWHERE_WIDTH, SENSE_MIDDLE, SENSE_WIDTH, Hardened
from rainbow.learned.learner.kernel_ridge import RankKernelRidge
from rainbow.learned.learner.linear_trend import LinearTrend
from rainbow.learned.learner.trend_kernel_ridge import POWER, TrendKernelRidge

WORDS = ["the", "inn", "is", "cheap", "and", "near"]


@pytest.fixture(scope="module")
def parts() -> tuple[TrendKernelRidge, RankKernelRidge, LinearTrend, np.ndarray, dict[str, list[str]]]:
    """A learner of two ratings, and one that tells rows with a high first score from others."""
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(200, 3))
    texts = {"delexicalised": [" ".join(rng.choice(WORDS, 6)) for _ in range(200)]}
    ratings = 4 + np.column_stack([scores[:, 1], scores[:, 2]]).clip(-3, 2)
    sense = (scores[:, :1] > 0).astype(float)
    weights = np.ones(200)
    learner = TrendKernelRidge(scores, texts, ratings, weights)
    kernel = RankKernelRidge(scores, texts, sense, weights)
    return learner, kernel, LinearTrend(scores, sense, weights, reach=4.0), scores, texts


def open_(told: np.ndarray, middle: float, width: float) -> np.ndarray:
    return 1 / (1 + np.exp((middle - told) / width))


def test_the_rating_above_the_lowest_is_scaled_by_the_guard(parts: tuple) -> None:
    learner, sense, anywhere, scores, texts = parts
    low = np.array([1.0, 2.0])
    found = Hardened(learner, sense, anywhere, low).predict(scores, texts)
    guard = open_(sense.predict(scores, texts), SENSE_MIDDLE, SENSE_WIDTH)
    np.testing.assert_allclose(found, low + guard * (learner.predict(scores, texts) - low), atol=1e-12)


def test_sentences_keep_their_rating_and_salad_gets_the_lowest(parts: tuple) -> None:
    learner, sense, anywhere, scores, texts = parts
    found = Hardened(learner, sense, anywhere, np.array([1.0, 1.0])).predict(scores, texts)
    told = sense.predict(scores, texts)[:, 0]
    passed, stopped = told > SENSE_MIDDLE + 8 * SENSE_WIDTH, told < SENSE_MIDDLE - 8 * SENSE_WIDTH
    assert passed.sum() > 20
    assert stopped.sum() > 20
    np.testing.assert_allclose(found[passed], learner.predict(scores, texts)[passed], atol=0.01)
    np.testing.assert_allclose(found[stopped], 1, atol=0.01)


def test_what_is_unfamiliar_is_told_by_the_trend(parts: tuple) -> None:
    learner, sense, anywhere, scores, _ = parts
    half, none = ({"delexicalised": [text] * 200} for text in ("the inn zorp blint", "zorp blint"))
    hardened = Hardened(learner, sense, anywhere, np.array([1.0, 1.0]))
    plain = open_(anywhere.predict(scores), ANYWHERE_MIDDLE, ANYWHERE_WIDTH)
    np.testing.assert_allclose(hardened.predict(scores, none), 1 + plain * (learner.predict(scores, none) - 1))
    say = 0.5**POWER
    guard = open_(sense.predict(scores, half), SENSE_MIDDLE, SENSE_WIDTH) * say + plain * (1 - say)
    np.testing.assert_allclose(hardened.predict(scores, half), 1 + guard * (learner.predict(scores, half) - 1))
    np.testing.assert_array_equal(hardened.familiarity(half, 200), 0.5)


def test_where_inputs_are_read_the_kernel_guards_known_inputs_whatever_the_text() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(80, 2))
    texts = {"surface": [" ".join(rng.choice(WORDS, 6)) for _ in range(80)], "input": ["inform name price"] * 80}
    weights, sense = np.ones(80), (scores[:, :1] > 0).astype(float)
    learner = TrendKernelRidge(scores, texts, 3 + sense, weights)
    kernel, trend = RankKernelRidge(scores, texts, sense, weights), LinearTrend(scores, sense, weights, reach=4.0)
    hardened = Hardened(learner, kernel, trend, np.array([1.0]))
    known, other = (
        {"surface": [text] * 80, "input": [asked] * 80}
        for text, asked in (("zorp", "inform name"), ("the inn", "inform blint"))
    )
    by_kernel = open_(kernel.predict(scores, known), SENSE_MIDDLE, SENSE_WIDTH)
    by_trend = open_(trend.predict(scores), ANYWHERE_MIDDLE, ANYWHERE_WIDTH)
    for read, guard in ((known, by_kernel), (other, by_trend)):
        expected = 1 + guard * (learner.predict(scores, read) - 1)
        np.testing.assert_allclose(hardened.predict(scores, read), expected)


def test_one_of_its_ratings_is_predicted_as_among_both(parts: tuple) -> None:
    learner, sense, anywhere, scores, texts = parts
    both = Hardened(learner, sense, anywhere, np.array([1.0, 2.0]))
    for place in (0, 1):
        alone = both.of_rating(place).predict(scores, texts)
        np.testing.assert_array_equal(alone, both.predict(scores, texts)[:, place : place + 1])
    np.testing.assert_array_equal(both.median, learner.median)
