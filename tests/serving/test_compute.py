"""One call that scores predictions, and the scikit-learn scorer made from it."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyRegressor
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

from rainbow.serving import compute
from rainbow.serving.metric_scorer import MetricScorer
from rainbow.serving.predictions import as_sklearn_scorer

PREDICTIONS = ["the inn is cheap", "inn"]


class Lengths:
    """Scores a text by its number of characters, whatever it is beside; NaN for an empty one."""

    name, low, high = "characters", 0.0, 100.0

    def __init__(self, *needs):
        self.needs = frozenset(needs)

    def __call__(self, outputs, references=None, mrs=None):
        return np.array([float(len(text + (mrs[row] if mrs else ""))) or np.nan for row, text in enumerate(outputs)])


class Copier(BaseEstimator):
    """A toy estimator that says what it has heard most often in training, or repeats its input."""

    def __init__(self, repeat=False):
        self.repeat = repeat

    def fit(self, inputs, references=("ok",)):
        texts = [text for row in references for text in ([row] if isinstance(row, str) else row)]
        self.text_ = max(sorted(set(texts)), key=texts.count)
        return self

    def predict(self, inputs):
        return list(inputs) if self.repeat else [self.text_] * len(inputs)


def test_the_score_is_the_mean_of_the_scores():
    result = compute(predictions=PREDICTIONS, references=["the inn is cheap", "an inn"], scorer=MetricScorer("SE"))
    expected = [1.0, 2 / 3]
    assert (result["scores"], result["score"]) == (pytest.approx(expected), pytest.approx(sum(expected) / 2))
    assert (result["n"], result["model"]) == (2, "SE") and result["rating"] is None


def test_a_reference_may_be_one_string_or_a_list():
    one, lists = ["a b", "inn"], [["a b"], ["inn"]]
    scorer = MetricScorer("SE")
    found = compute(predictions=PREDICTIONS, references=one, scorer=scorer)
    assert found == compute(predictions=PREDICTIONS, references=lists, scorer=scorer)


def test_the_result_can_be_saved_as_json():
    result = compute(predictions=np.array(PREDICTIONS), scorer=Lengths())
    assert json.loads(json.dumps(result)) == result


def test_what_cannot_be_scored_is_nan_and_counts_neither_for_nor_against_the_mean():
    result = compute(predictions=["abc", ""], scorer=Lengths())
    assert (result["score"], result["n"]) == (3.0, 1) and math.isnan(result["scores"][1])


@pytest.mark.parametrize("predictions", [[], [""]])
def test_the_mean_of_nothing_is_nan(predictions):
    result = compute(predictions=predictions, scorer=Lengths())
    assert math.isnan(result["score"]) and result["n"] == 0


@pytest.mark.parametrize(("need", "name"), [("references", "references"), ("mrs", "inputs")])
def test_what_the_scorer_needs_is_asked_for(need, name):
    with pytest.raises(ValueError, match=f"characters needs {name}: pass {name}="):
        compute(predictions=PREDICTIONS, scorer=Lengths(need))


def test_a_scorer_and_a_model_cannot_both_be_given():
    with pytest.raises(ValueError, match="a scorer or a model, not both"):
        compute(predictions=PREDICTIONS, scorer=Lengths(), model="model.rainbow")


# scikit-learn


def test_the_mean_score_of_the_predictions_against_y():
    score = as_sklearn_scorer(MetricScorer("SE"))(Copier(repeat=True), PREDICTIONS, ["the inn is cheap", ["an inn"]])
    assert score == pytest.approx((1 + 2 / 3) / 2)


@pytest.mark.parametrize("container", [list, pd.Series, lambda texts: np.array(texts, dtype=object)])
def test_cross_validation_takes_it(container):
    inputs, references = container(list("abcdef")), container(["the inn"] * 5 + ["the bar"])
    scores = cross_val_score(Copier(), inputs, references, scoring=as_sklearn_scorer(MetricScorer("SE")), cv=KFold(3))
    assert scores.tolist() == [1.0, 1.0, 0.75]


def test_cross_validation_takes_several_references_a_row():
    references = [["the inn", "an inn"], ["the inn"], ["the inn", "one inn", "an inn"], ["the inn"]]
    scoring = as_sklearn_scorer(MetricScorer("SE"))
    scores = cross_val_score(Copier(), list("abcd"), references, scoring=scoring, cv=KFold(2), error_score="raise")
    assert scores == pytest.approx([(0.75 + 1) / 2, ((1 + 0.5 + 0.5) / 3 + 1) / 2])


def test_grid_search_finds_the_estimator_whose_texts_are_better():
    texts = ["the inn", "a bar", "one pub", "my hall"]
    search = GridSearchCV(Copier(), {"repeat": [False, True]}, scoring=as_sklearn_scorer(MetricScorer("SE")), cv=2)
    assert search.fit(texts, texts).best_params_ == {"repeat": True}


def test_worker_processes_can_score():
    scoring = as_sklearn_scorer(MetricScorer("SE"))
    scores = cross_val_score(
        Copier(repeat=True), PREDICTIONS * 2, PREDICTIONS * 2, scoring=scoring, cv=KFold(2), n_jobs=2
    )
    assert scores.tolist() == [1.0, 1.0]


def test_a_scorer_without_references_needs_no_y():
    scoring = as_sklearn_scorer(Lengths())
    assert scoring(Copier().fit([], ["inn"]), ["a", "b"]) == 3.0
    assert cross_val_score(Copier(), list("abcd"), scoring=scoring, cv=KFold(2)).tolist() == [2.0, 2.0]


def test_labels_in_y_that_are_no_references_are_not_read():
    estimator, labels = Copier(repeat=True), ["the bar", "an inn"]
    assert as_sklearn_scorer(SeesReferences(), references=False)(estimator, PREDICTIONS, labels) == 0.0
    assert as_sklearn_scorer(SeesReferences())(estimator, PREDICTIONS, labels) == 1.0
    with pytest.raises(ValueError, match="SE needs references"):
        as_sklearn_scorer(MetricScorer("SE"), references=False)(estimator, PREDICTIONS, labels)


class SeesReferences:
    """A scorer that gives 1 where it gets references, else 0."""

    name, low, high, needs = "sees", 0.0, 1.0, frozenset()

    def __call__(self, outputs, references=None, inputs=None):
        return np.full(len(outputs), float(references is not None))


def test_the_inputs_are_the_meaning_representations_where_the_scorer_needs_them():
    assert as_sklearn_scorer(Lengths("mrs"))(Copier().fit([], ["inn"]), ["ab", "abcd"]) == (5 + 7) / 2


def test_predictions_that_are_no_texts_are_refused():
    estimator = DummyRegressor().fit([[0]], [1.0])
    with pytest.raises(ValueError, match=r"row 1, prediction: .*1\.0.* is not a text"):
        as_sklearn_scorer(Lengths())(estimator, [[0]])
