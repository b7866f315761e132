"""What each feature contributes to a prediction: Shapley's axioms, the definition as an oracle, learned metrics."""

import dataclasses
import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rainbow import Corpus
from rainbow.learned.explanation import explain, shapley_values
from rainbow.learned.learner.regressor import PRESETS
from rainbow.learned.model.model import Model
from rainbow.learned.scorer import Scorer
from rainbow.metrics.contract.views import Views
from tests.learned.demo_model import COLUMNS, demo_model, demo_rows

NO_TEXTS: dict[str, list[str]] = {}


def entangled(scores: np.ndarray, texts: dict[str, list[str]]) -> np.ndarray:
    """Predict something in which every feature meets every other, row by row."""
    neighbours = (np.sin(scores) * np.roll(scores, 1, axis=1)).sum(axis=1)
    length = np.array([float(len(text)) for text in texts.get("surface", [""] * len(scores))])
    return neighbours + np.abs(scores).max(axis=1, initial=0) * (1 + length)


def rows(size: int, columns: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(size, columns))


def by_definition(predict: Any, scores: np.ndarray, texts: dict[str, list[str]], baseline: np.ndarray) -> np.ndarray:
    """The slow, obvious twin: over all subsets without a feature, what it adds, weighted as Shapley (1953) says."""
    features = scores.shape[1] + bool(texts)

    def value(row: int, present: set[int]) -> float:
        own = [scores[row, place] if place in present else baseline[place] for place in range(scores.shape[1])]
        words = {name: [column[row] if features - 1 in present else ""] for name, column in texts.items()}
        return float(predict(np.array([own]), words)[0])

    def shapley(row: int, feature: int) -> float:
        others = [place for place in range(features) if place != feature]
        return math.fsum(
            (value(row, {*subset, feature}) - value(row, set(subset))) / (features * math.comb(features - 1, size))
            for size in range(features)
            for subset in combinations(others, size)
        )

    return np.array([[shapley(row, feature) for feature in range(features)] for row in range(len(scores))])


def test_in_a_linear_model_a_feature_contributes_its_slope_times_its_distance_from_the_baseline() -> None:
    slopes, baseline = np.array([2.0, -1.0, 0.5]), np.array([1.0, 1.0, 0.0])
    found = shapley_values(
        lambda scores, texts: 3 + scores @ slopes + [4.0 * len(text) for text in texts["surface"]],
        np.array([[2.0, 1.0, 4.0], [1.0, 3.0, -2.0]]),
        {"surface": ["ab", ""]},
        baseline,
    )
    np.testing.assert_allclose(found, [[2, 0, 2, 8], [0, -2, -1, 0]], atol=1e-12)


def test_a_product_is_shared_between_its_factors() -> None:
    found = shapley_values(lambda scores, _: scores.prod(axis=1), np.array([[4.0, 3.0]]), NO_TEXTS, np.zeros(2))
    np.testing.assert_allclose(found, [[6, 6]])


def test_features_that_play_the_same_part_contribute_the_same() -> None:
    scores, baseline = np.array([[1.7, -2.0, 1.7, 1.7]]), np.zeros(4)
    found = shapley_values(
        lambda scores, _: np.sort(scores[:, [0, 2, 3]], axis=1) @ [1.0, 5.0, 25.0] * np.exp(scores[:, 1]),
        scores,
        NO_TEXTS,
        baseline,
    )[0]
    np.testing.assert_allclose(found[[2, 3]], found[0], rtol=1e-12)
    assert abs(found[1] - found[0]) > 1


@pytest.mark.parametrize("columns", [4, 12])
def test_a_feature_that_is_not_looked_at_contributes_exactly_nothing(columns: int) -> None:
    found = shapley_values(
        lambda scores, texts: entangled(np.delete(scores, 1, axis=1), texts),
        rows(3, columns),
        {"surface": ["a", "b", "c"]},
        np.zeros(columns),
    )
    assert (found[:, 1] == 0).all() and (found[:, 0] != 0).all()


@settings(max_examples=40)
@given(
    columns=st.integers(0, 10),
    size=st.integers(1, 4),
    seed=st.integers(0, 2**32 - 1),
    permutations=st.integers(1, 5),
    with_texts=st.booleans(),
)
def test_contributions_add_up_to_the_prediction_minus_that_of_the_baseline(
    columns, size, seed, permutations, with_texts
) -> None:
    scores, baseline = 5 * rows(size, columns, seed), rows(1, columns, seed + 1)[0]
    texts = {"surface": ["text" * row for row in range(size)]} if with_texts else {}
    found = shapley_values(entangled, scores, texts, baseline, permutations=permutations, seed=seed)
    assert found.shape == (size, columns + with_texts)
    expected = entangled(scores, texts) - entangled(baseline[None], {name: [""] for name in texts})
    np.testing.assert_allclose(found.sum(axis=1), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("columns", "with_texts"), [(1, False), (0, True), (4, True), (5, False), (7, True)])
def test_few_features_get_the_values_of_the_definition(columns: int, with_texts: bool) -> None:
    scores, baseline = rows(3, columns), rows(1, columns, 2)[0]
    texts = {"surface": ["an inn", "", "x"], "delexicalised": ["Xname", "", "y"]} if with_texts else {}
    found = shapley_values(entangled, scores, texts, baseline)
    np.testing.assert_allclose(found, by_definition(entangled, scores, texts, baseline), atol=1e-12)


def test_five_features_take_32_predictions_however_few_orders_are_asked_for() -> None:
    predicted = []

    def counting(scores: np.ndarray, texts: dict[str, list[str]]) -> np.ndarray:
        predicted.append(len(scores))
        return entangled(scores, texts)

    shapley_values(counting, rows(2, 5), NO_TEXTS, np.zeros(5), permutations=1)
    assert sum(predicted) == 32 * 2


def test_more_orders_come_nearer_to_the_values_of_the_definition() -> None:
    scores, baseline = rows(2, 10), np.zeros(10)
    exact = by_definition(entangled, scores, NO_TEXTS, baseline)

    def error(permutations: int) -> float:
        found = [
            shapley_values(entangled, scores, NO_TEXTS, baseline, permutations=permutations, seed=seed)
            for seed in range(8)
        ]
        return float(np.sqrt(np.mean((np.array(found) - exact) ** 2)))

    # As the root of the number of orders: a quarter at sixteen times as many.
    assert error(48) < 0.4 * error(3) and error(48) < 0.2 * np.abs(exact).mean()


def test_an_order_and_its_reverse_settle_what_only_pairs_of_features_do() -> None:
    scores, baseline = rows(2, 9), np.zeros(9)

    def pairs(scores: np.ndarray, _: object) -> np.ndarray:
        return scores.sum(axis=1) ** 2

    found = shapley_values(pairs, scores, NO_TEXTS, baseline, permutations=1)
    np.testing.assert_allclose(found, scores * scores.sum(axis=1, keepdims=True), atol=1e-12)


@pytest.mark.parametrize("columns", [4, 12])
def test_what_a_row_gets_does_not_hang_on_the_rows_beside_it(columns: int) -> None:
    scores, baseline = rows(300, columns), np.zeros(columns)
    texts = {"surface": ["x" * (row % 7) for row in range(300)]}
    together = shapley_values(entangled, scores, texts, baseline, permutations=2)
    for row in (0, 7, 299):
        alone = shapley_values(entangled, scores[[row]], {"surface": [texts["surface"][row]]}, baseline, permutations=2)
        np.testing.assert_array_equal(alone[0], together[row])


def test_another_seed_draws_other_orders() -> None:
    scores, baseline = rows(2, 12), np.zeros(12)
    first, again, other = (
        shapley_values(entangled, scores, NO_TEXTS, baseline, permutations=2, seed=seed) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_no_rows_give_no_contributions() -> None:
    assert shapley_values(entangled, rows(0, 3), {"surface": []}, np.zeros(3)).shape == (0, 4)


@pytest.mark.parametrize(("change", "message"), [
    ({"permutations": 0}, "permutations is 0"),
    ({"baseline": np.zeros(2)}, "the baseline has shape"),
    ({"texts": {"surface": ["a"]}}, "1 texts for 2 rows"),
    ({"predict": lambda scores, texts: scores}, "predict returned shape"),
])  # fmt: skip
def test_what_does_not_fit_is_refused(change: dict[str, Any], message: str) -> None:
    arguments = {"predict": entangled, "scores": rows(2, 3), "texts": NO_TEXTS, "baseline": np.zeros(3)} | change
    with pytest.raises(ValueError, match=message):
        shapley_values(**arguments)


@pytest.mark.parametrize("preset", tuple(PRESETS))
def test_base_and_contributions_add_up_to_what_a_model_predicts(preset: Any) -> None:
    model, corpus = demo_model(preset), demo_rows().take(range(20))
    found = explain(model, Views.from_corpus(corpus))
    np.testing.assert_array_equal(found.predicted, model.predict(corpus))
    np.testing.assert_allclose(found.base + found.values.sum(axis=1), found.predicted, atol=1e-9)
    assert found.names == (*COLUMNS, "text", "empty output")
    assert found.values.shape == (20, len(found.names))


def test_a_forest_does_not_look_at_the_text() -> None:
    found = explain(demo_model("paper"), Views.from_corpus(demo_rows().take(range(10))))
    assert (found.values[:, found.names.index("text")] == 0).all()


def test_a_model_without_texts_has_no_feature_of_that_name() -> None:
    found = explain(demo_model("default", ("len", "cpw"), ()), Views.from_corpus(demo_rows().take(range(5))))
    assert found.names == ("len", "cpw", "empty output")
    np.testing.assert_allclose(found.base + found.values.sum(axis=1), found.predicted, atol=1e-12)


def test_a_model_of_texts_alone_explains_by_the_text() -> None:
    found = explain(demo_model("default", (), ("surface",)), Views.from_corpus(demo_rows().take(range(5))))
    assert found.names == ("text", "empty output") and np.abs(found.values[:, 0]).min() > 0


def test_an_output_that_says_nothing_loses_the_rest_by_the_rule_for_it() -> None:
    model = demo_model("default", ("len", "cpw"), ("surface",))
    found = explain(model, Views.from_texts(["...", "the inn is cheap", ""]))
    rule = found.values[:, found.names.index("empty output")]
    assert found.predicted[[0, 2]].tolist() == [model.low] * 2 and (rule[[0, 2]] < 0).all() and rule[1] == 0
    np.testing.assert_allclose(found.base + found.values.sum(axis=1), found.predicted, atol=1e-12)


def test_a_row_that_lacks_what_the_model_needs_has_neither_prediction_nor_contributions() -> None:
    whole = demo_rows().take([0, 1])
    frame = whole.frame.assign(references=[(), whole.frame["references"][1]])
    found = explain(demo_model(), Views.from_corpus(Corpus(frame)))
    assert np.isnan(found.values).tolist() == [[True] * len(found.names), [False] * len(found.names)]
    assert np.isnan(found.predicted).tolist() == [True, False]


def test_a_missing_score_contributes_nothing() -> None:
    model = demo_model("default", ("len", "lm_mean"), ())
    views = Views.from_texts(["...", "the inn is cheap"])
    found = explain(model, views)
    assert np.isnan(model.features.scores(views)).tolist() == [[False, True], [False, False]]
    assert (found.values[:, 1] == 0).tolist() == [True, False]


MR = "inform(name='the inn',area=soma)"


def of_words() -> Model:
    return dataclasses.replace(demo_model("default", ("len", "cpw"), ("delexicalised", "surface")), name="small")


def test_made_up_words_are_unfamiliar_and_have_an_interval_of_the_whole_scale() -> None:
    model = dataclasses.replace(of_words(), half_width=1.5)
    with pytest.warns(UserWarning, match="familiar with only 0% of the words of these outputs"):
        found = Scorer(model).scored(["zorp blint quux"], mrs=[MR], interval=True)
    assert (found.familiarity.tolist(), found.low.item(), found.high.item()) == ([0.0], model.low, model.high)


def test_known_words_are_familiar_and_have_the_interval_that_was_measured() -> None:
    model, row = dataclasses.replace(of_words(), half_width=0.25), demo_rows().frame.iloc[0]
    found = Scorer(model).scored([row["output"]], mrs=[row["mr"]], interval=True)
    assert (found.familiarity.tolist(), found.high - found.low) == ([1.0], pytest.approx(0.5))


def test_a_model_that_reads_inputs_says_that_it_got_none() -> None:
    scorer = Scorer(demo_model("default", ("len", "cpw"), ("surface", "input")))
    with pytest.warns(UserWarning, match="got no inputs: scores without them are rough"):
        scorer([demo_rows().frame["output"].iloc[0]])


def test_a_scorer_warns_once(recwarn: pytest.WarningsRecorder) -> None:
    scorer = Scorer(of_words())
    for _ in range(3):
        scorer(["zorp blint"], mrs=[MR])
    assert [str(warning.message).startswith("small is familiar with only 0%") for warning in recwarn] == [True]


def test_an_input_of_another_kind_makes_known_words_less_familiar() -> None:
    model, row = demo_model("default", ("len", "cpw"), ("surface", "input")), demo_rows().frame.iloc[0]
    known, unknown = (
        Scorer(model).scored([row["output"]], mrs=[mr]).familiarity.item() for mr in (row["mr"], "zorp(blint='x')")
    )
    assert (known, unknown) == (1.0, 0.0)


def test_a_model_that_reads_no_text_cannot_tell() -> None:
    assert np.isnan(Scorer(demo_model("default", ("len", "cpw"), ())).scored(["the inn"]).familiarity).all()
