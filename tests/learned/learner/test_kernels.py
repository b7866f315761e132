"""What the default learner is made of, against scikit-learn and scipy as oracles; every row by itself."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.stats import rankdata
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import StandardScaler

from rainbow.base.native import kernels
from rainbow.learned.learner.kernel_ridge import ALPHA, SCORE_GAMMA, SHARES, UNITS, VECTOR_GAMMA, RankKernelRidge
from rainbow.learned.learner.score_kernel import REACH, STEPS, ScoreKernel
from rainbow.learned.learner.standardised import make_rank_targets
from rainbow.learned.learner.text_kernel import TextKernel, Units
from rainbow.text.ngrams.ngram_vectors import ngram_vectors
from rainbow.text.tokens.ptb import ptb_tokens
from rainbow.text.tokens.token_ids import encode_tokens

TEXTS = [
    "The inn is cheap.", "the inn is not cheap , the inn is dear", "", "!?", "Ein günstiges Gasthaus – für 10 € 🙂",
    "the\u00a0inn\nis cheap", "A", "O'Neill's isn't far",
]  # fmt: skip
NEW_TEXTS = [*TEXTS, "a zoo", "日本料理 餐厅", "cheap cheap cheap inn"]


def ones(size: int) -> np.ndarray:
    return np.ones(size)


def scores(size: int, columns: int = 4, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(3, 2, size=(size, columns))


# Ratings as relative ranks

RATINGS = arrays.arrays(float, st.tuples(st.integers(1, 30), st.just(1)), elements=st.sampled_from([1, 2.5, 4, 5.5, 6]))


@given(ratings=RATINGS)
def test_targets_are_mean_ranks_as_shares_of_all(ratings: np.ndarray) -> None:
    expected = (rankdata(ratings[:, 0]) - 0.5) / len(ratings)
    np.testing.assert_allclose(make_rank_targets(ratings, ones(len(ratings))).targets[:, 0], expected, atol=1e-12)


@given(ratings=RATINGS, seed=st.integers(0, 99))
def test_the_line_back_to_the_ratings_is_the_least_squares_line(ratings: np.ndarray, seed: int) -> None:
    weights = np.random.default_rng(seed).uniform(0.1, 2, len(ratings))
    targets, mean, slope = make_rank_targets(ratings, weights)
    line = LinearRegression().fit(targets, ratings[:, 0], weights)
    np.testing.assert_allclose(mean + slope * targets[:, 0], line.predict(targets), atol=1e-9)


def test_a_weight_of_two_counts_as_two_equal_ratings() -> None:
    ratings = np.array([[3.0], [1.0], [6.0], [3.0]])
    weights = np.array([2.0, 1.0, 3.0, 1.0])
    repeated = np.repeat(np.arange(4), weights.astype(int))
    weighted, plain = make_rank_targets(ratings, weights), make_rank_targets(ratings[repeated], ones(7))
    np.testing.assert_allclose(weighted.targets[repeated], plain.targets, atol=1e-12)
    np.testing.assert_allclose([weighted.mean, weighted.slope], [plain.mean, plain.slope], atol=1e-12)


def test_every_rating_has_targets_of_its_own() -> None:
    ratings = scores(20, 3).round()
    together = make_rank_targets(ratings, ones(20))
    for place in range(3):
        alone = make_rank_targets(ratings[:, [place]], ones(20))
        np.testing.assert_allclose(together.targets[:, [place]], alone.targets)
        assert together.slope[place] == pytest.approx(alone.slope[0])


def test_constant_ratings_come_back_as_they_are() -> None:
    targets, mean, slope = make_rank_targets(np.full((5, 1), 4.0), ones(5))
    assert (targets == 0.5).all() and (mean[0], slope[0]) == (4, 0)


def test_the_score_kernel_is_scikit_learns_over_standardised_scores() -> None:
    known, new = scores(30), scores(10, seed=2)
    standard = StandardScaler().fit(known)
    rows, kept = (standard.transform(table).clip(-REACH, REACH) for table in (new, known))
    kept, kernel = np.rint(kept * STEPS) / STEPS, ScoreKernel(0.7, known, ones(30))
    np.testing.assert_allclose(kernel(new), rbf_kernel(rows, kept, gamma=0.7 / 4), rtol=1e-9)
    np.testing.assert_allclose(kernel.self_similarity(), rbf_kernel(kept, gamma=0.7 / 4), rtol=1e-9)


def test_standardisation_is_weighted() -> None:
    known, weights = scores(5), np.array([1.0, 2, 3, 1, 2])
    repeated = np.repeat(known, weights.astype(int), axis=0)
    weighted, plain = ScoreKernel(0.7, known, weights), ScoreKernel(0.7, repeated, ones(9))
    np.testing.assert_allclose(weighted.mean, plain.mean)
    np.testing.assert_allclose(weighted.scale, plain.scale)
    np.testing.assert_array_equal(weighted.median, plain.median)


def test_a_missing_score_counts_as_the_lower_median_of_those_that_are_there() -> None:
    kernel = ScoreKernel(1.0, np.array([[5.0], [np.nan], [1.0], [3.0], [2.0]]), ones(5))
    assert kernel.median.tolist() == [2]
    np.testing.assert_array_equal(kernel(np.array([[np.nan]])), kernel(np.array([[2.0]])))
    np.testing.assert_array_equal(kernel.support[1], kernel.support[4])


@pytest.mark.parametrize("value", [np.nan, 0.0, 0.1, 1e15])
def test_a_column_that_is_constant_counts_for_nothing(value: float) -> None:
    known = scores(7, 2)
    known[:, 1] = value
    new = scores(5, 2, seed=2)
    found = ScoreKernel(0.5, known, np.full(7, 0.1))(new)
    np.testing.assert_allclose(found, ScoreKernel(0.25, known[:, :1], np.full(7, 0.1))(new[:, :1]), rtol=1e-9)


def test_a_score_out_of_all_bounds_is_far_away_but_no_farther_than_four_standard_deviations() -> None:
    known = scores(20, 1)
    ends = known.mean() + REACH * known.std() * np.array([[1], [-1]])
    found = ScoreKernel(0.5, known, ones(20))(np.array([[1e6], [-np.inf], *ends]))
    np.testing.assert_allclose(found[:2], found[2:], rtol=1e-9)
    assert found.min() > 0


@given(values=st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 4)), min_size=1, max_size=9))
def test_the_median_of_weighted_scores_is_the_lower_one_of_the_scores_repeated(values: list[tuple[int, int]]) -> None:
    column, weights = np.array(values, dtype=float).T
    repeated = np.sort(np.repeat(column, weights.astype(int)))
    assert ScoreKernel(1.0, column[:, None], weights).median[0] == repeated[(len(repeated) - 1) // 2]


@pytest.mark.parametrize("units", UNITS)
def test_the_text_kernel_is_scikit_learns_tf_idf(units: Units) -> None:
    if units == "words":
        options = {"analyzer": "word", "token_pattern": r"\S+", "ngram_range": (1, 3)}
        prepared = [[" ".join(ptb_tokens(text)) for text in texts] for texts in (TEXTS, NEW_TEXTS)]
    else:
        options = {"analyzer": "char_wb", "ngram_range": (2, 5)}
        prepared = [TEXTS, NEW_TEXTS]
    oracle = TfidfVectorizer(sublinear_tf=True, **options).fit(prepared[0])
    kernel = TextKernel(units, TEXTS, ones(len(TEXTS)))
    np.testing.assert_array_equal(kernel.ngrams, oracle.get_feature_names_out())
    np.testing.assert_allclose(kernel.vectors(NEW_TEXTS).toarray(), oracle.transform(prepared[1]).toarray(), atol=1e-12)


@pytest.mark.parametrize("units", UNITS)
def test_a_text_of_weight_two_counts_twice_for_the_rarity_of_its_n_grams(units: Units) -> None:
    weights = np.arange(len(TEXTS)) % 3 + 1.0
    repeated = np.repeat(TEXTS, weights.astype(int)).tolist()
    weighted, plain = TextKernel(units, TEXTS, weights), TextKernel(units, repeated, ones(len(repeated)))
    np.testing.assert_allclose(weighted.rarity, plain.rarity)


@pytest.mark.parametrize("scale", [1.0, 0.3, 4.0])
def test_phrases_of_texts_of_next_to_no_weight_are_left_out_and_their_words_are_not(scale: float) -> None:
    texts, weights = ["a cheap inn", "inn zoo a", "zoo a pub"], scale * np.array([1, 0.06, 0.06])
    assert TextKernel("words", texts, weights).ngrams == (
        "a", "a cheap", "a cheap inn", "cheap", "cheap inn", "inn", "pub", "zoo"
    )  # fmt: skip
    assert TextKernel("characters", texts, weights).ngrams == TextKernel("characters", texts[:1], weights[:1]).ngrams


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("texts", [[], [""], ["", "\n"]])
def test_texts_without_any_n_gram_are_like_nothing(units: Units, texts: list[str]) -> None:
    kernel = TextKernel(units, texts, ones(len(texts)))
    assert kernel.vectors(NEW_TEXTS).shape == (len(NEW_TEXTS), len(kernel.ngrams))
    assert kernel.vectors(NEW_TEXTS).nnz == 0


@pytest.mark.parametrize("units", UNITS)
def test_a_pickled_text_kernel_holds_its_n_grams_and_no_text(units: Units) -> None:
    kernel = TextKernel(units, TEXTS, ones(len(TEXTS)))
    before = kernel.vectors(NEW_TEXTS).toarray()
    copy = pickle.loads(pickle.dumps(kernel))
    assert vars(copy).keys() == {"units", "ngrams", "rarity"}
    np.testing.assert_array_equal(copy.vectors(NEW_TEXTS).toarray(), before)


ANY_TEXT = st.lists(
    st.sampled_from(
        ["the", "The", "inn", "İnn", "ΑΣ", "é", "can't", "x.", " ", "  ", "\xa0", "\x1c", "\n", "\0", "\ud800"]
    )
    | st.text(max_size=3),
    max_size=15,
).map(" ".join)


@pytest.mark.parametrize("units", UNITS)
@given(known=st.lists(ANY_TEXT, max_size=4), texts=st.lists(ANY_TEXT, max_size=4))
@settings(max_examples=200)
def test_the_compiled_text_kernel_gives_the_same_bits(units: Units, known: list[str], texts: list[str]) -> None:
    kernel = TextKernel(units, known, ones(len(known)))
    coefficients = np.random.default_rng(1).normal(size=(len(kernel.ngrams), 2))
    products = kernel.vectors(known + texts) @ coefficients
    np.testing.assert_array_equal(kernel.weighted_sums(known + texts, coefficients), products)


@given(known=st.lists(ANY_TEXT, max_size=4), texts=st.lists(ANY_TEXT, max_size=4))
@settings(max_examples=200)
def test_the_compiled_text_kernel_knows_the_same_share_of_words(known: list[str], texts: list[str]) -> None:
    kernel = TextKernel("words", known, ones(len(known)))
    ours = kernel.known_share(known + texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAINBOW_NATIVE", "0")
        np.testing.assert_array_equal(ours, kernel.known_share(known + texts))


@pytest.mark.skipif(kernels() is None, reason="the compiled kernels were not built")
@pytest.mark.parametrize(("ngrams", "rarity", "lengths", "message"), [
    (["a"], [1.0, 2.0], (1, 3), "one weight"),
    (["a", "a"], [1.0, 2.0], (1, 3), "twice"),
    (["a"], [1.0], (0, 3), "units"),
    (["a"], [1.0], (3, 2), "units"),
    (["a"], [1.0], (1, 2**64 - 1), "units"),
])  # fmt: skip
def test_n_grams_that_do_not_fit_are_refused(ngrams, rarity, lengths, message) -> None:
    with pytest.raises(ValueError, match=message):
        kernels().TextKernel(ngrams, np.array(rarity), True, *lengths)


@pytest.mark.skipif(kernels() is None, reason="the compiled kernels were not built")
def test_coefficients_of_other_n_grams_are_refused() -> None:
    kernel = kernels().TextKernel(["a"], ones(1), True, 1, 3)
    for coefficients in (ones(1), np.ones((2, 1)), np.ones((1, 1, 1))):
        with pytest.raises(ValueError, match="coefficients"):
            kernel.sums(encode_tokens(str.split, ["a"]), coefficients)
    with pytest.raises(TypeError):
        kernel.sums(["a"], np.ones((1, 1)))


def both(size: int, seed: int = 1) -> tuple[np.ndarray, dict[str, list[str]], np.ndarray]:
    """Scores with gaps, two text columns and two ratings."""
    rng, table = np.random.default_rng(seed), scores(size, seed=seed)
    table[rng.uniform(size=table.shape) < 0.1] = np.nan
    texts = {name: rng.choice(NEW_TEXTS, size).tolist() for name in ("delexicalised", "surface")}
    return table, texts, rng.integers(1, 7, size=(size, 2)).astype(float)


def by_scikit_learn(
    known: tuple[np.ndarray, dict[str, list[str]], np.ndarray],
    weights: np.ndarray,
    new: tuple[np.ndarray, dict[str, list[str]]],
) -> np.ndarray:
    """The same predictions by scikit-learn's kernel ridge regression on the matrix of all kernels."""
    table, texts, ratings = known
    vectors = "surface" in texts
    total = sum(SHARES.values()) - (0 if vectors else SHARES["vectors"])
    share = {kind: share / total for kind, share in SHARES.items()}
    score_kernel = ScoreKernel(SCORE_GAMMA, table, weights)
    gram, cross = share["scores"] * score_kernel.self_similarity(), share["scores"] * score_kernel(new[0])
    for name in texts:
        for units in UNITS:
            kernel = TextKernel(units, texts[name], weights)
            support = kernel.vectors(texts[name])
            gram += share["texts"] / (2 * len(texts)) * (support @ support.T).toarray()
            cross += share["texts"] / (2 * len(texts)) * (kernel.vectors(new[1][name]) @ support.T).toarray()
    if vectors:
        read = [ngram_vectors(rows["surface"]) for rows in (texts, new[1])]
        standard = StandardScaler().fit(read[0], sample_weight=weights)
        known_rows, rows = (standard.transform(vectors).clip(-REACH, REACH) for vectors in read)
        known_rows = np.rint(known_rows * STEPS) / STEPS
        gram += share["vectors"] * rbf_kernel(known_rows, gamma=VECTOR_GAMMA / known_rows.shape[1])
        cross += share["vectors"] * rbf_kernel(rows, known_rows, gamma=VECTOR_GAMMA / known_rows.shape[1])
    targets, mean, slope = make_rank_targets(ratings, weights)
    centre = weights @ targets / weights.sum()
    ridge = KernelRidge(alpha=ALPHA, kernel="precomputed").fit(gram, targets - centre, weights)
    return mean + slope * (centre + ridge.predict(cross))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("columns", [("delexicalised",), ("delexicalised", "surface")])
def test_predictions_are_those_of_scikit_learns_kernel_ridge_regression(weighted, columns) -> None:
    known, new = (
        (table, {name: texts[name] for name in columns}, ratings)
        for table, texts, ratings in (both(80), both(30, seed=2))
    )
    weights = np.random.default_rng(3).uniform(0.1, 2, 80) if weighted else ones(80)
    found = RankKernelRidge(*known, weights).predict(new[0], new[1])
    np.testing.assert_allclose(found, by_scikit_learn(known, weights, new[:2]), atol=1e-9)


@pytest.mark.parametrize("parts", ["scores", "texts", "both"])
def test_what_a_row_gets_is_bit_equal_alone_in_any_batch_and_any_order(parts: str) -> None:
    def chosen(table: np.ndarray, texts: dict[str, list[str]]) -> tuple[np.ndarray, dict[str, list[str]]]:
        return table if parts != "texts" else table[:, :0], texts if parts != "scores" else {}

    def rows(order: list[int]) -> tuple[np.ndarray, dict[str, list[str]]]:
        return new[0][order], {name: [column[row] for row in order] for name, column in new[1].items()}

    known = both(150)
    model = RankKernelRidge(*chosen(*known[:2]), known[2], ones(150))
    new = chosen(*both(200, seed=2)[:2])
    together = model.predict(*new)
    order = np.random.default_rng(4).permutation(200).tolist()
    np.testing.assert_array_equal(model.predict(*rows(order)), together[order])
    for size in (1, 2, 3, 8, 64):
        np.testing.assert_array_equal(model.predict(*rows(order[:size])), together[order[:size]])
    assert len(np.unique(together[:, 0])) > 40


def test_without_texts_the_scores_have_the_whole_say() -> None:
    table, _, ratings = both(40)
    targets, mean, slope = make_rank_targets(ratings, ones(40))
    centre, kernel = targets.mean(axis=0), ScoreKernel(SCORE_GAMMA, table, ones(40))
    ridge = KernelRidge(alpha=ALPHA, kernel="precomputed").fit(kernel.self_similarity(), targets - centre)
    expected = mean + slope * (centre + ridge.predict(kernel(table)))
    np.testing.assert_allclose(RankKernelRidge(table, {}, ratings, ones(40)).predict(table, {}), expected, atol=1e-9)


def test_residuals_are_predicted_around_zero() -> None:
    table, texts, ratings = both(40)
    weights = np.random.default_rng(3).uniform(0.1, 2, 40)
    plain, residual = (RankKernelRidge(table, texts, ratings, weights, known) for known in (None, np.zeros((40, 2))))
    mean = weights @ ratings / weights.sum()
    np.testing.assert_allclose(residual.predict(table, texts), plain.predict(table, texts) - mean, atol=1e-12)


def test_without_any_evidence_the_mean_is_predicted() -> None:
    ratings = np.array([[1.0], [5.0], [6.0]])
    nothing = np.empty((3, 0))
    np.testing.assert_allclose(RankKernelRidge(nothing, {}, ratings, ones(3)).predict(nothing, {}), 4)
    empty = {"surface": ["", "", ""]}
    np.testing.assert_allclose(RankKernelRidge(nothing, empty, ratings, ones(3)).predict(nothing, empty), 4)


def test_one_row_is_enough_to_predict_its_rating() -> None:
    model = RankKernelRidge(np.array([[1.0, np.nan]]), {"surface": ["a"]}, np.array([[3.0]]), ones(1))
    assert model.predict(np.array([[9.0, 9.0]]), {"surface": ["b"]}).tolist() == [[3]]


@settings(max_examples=30)
@given(texts=st.lists(st.text(max_size=30), min_size=2, max_size=8))
def test_any_text_has_a_finite_prediction_which_is_that_of_the_text_alone(texts: list[str]) -> None:
    ratings = np.arange(len(texts), dtype=float)[:, None]
    table = scores(len(texts), 1)
    model = RankKernelRidge(table, {"surface": texts}, ratings, ones(len(texts)))
    together = model.predict(table, {"surface": texts})
    assert np.isfinite(together).all()
    alone = [model.predict(table[[row]], {"surface": [text]})[0] for row, text in enumerate(texts)]
    np.testing.assert_array_equal(alone, together)


@pytest.mark.parametrize("texts", [{}, {"surface": []}])
def test_no_rows_have_no_predictions(texts: dict[str, list[str]]) -> None:
    table, _, ratings = both(9)
    model = RankKernelRidge(table, dict.fromkeys(texts, NEW_TEXTS[:9]), ratings, ones(9))
    assert model.predict(table[:0], texts).shape == (0, 2)


def test_the_median_of_a_regression_is_that_of_its_scores() -> None:
    table, texts, ratings = both(41)
    np.testing.assert_array_equal(
        RankKernelRidge(table, texts, ratings, ones(41)).median, ScoreKernel(1.0, table, ones(41)).median
    )
    assert RankKernelRidge(table[:, :0], texts, ratings, ones(41)).median.shape == (0,)
