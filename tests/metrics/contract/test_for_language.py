"""Metrics that know several languages."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from rainbow.base.arrays import FloatArray
from rainbow.learned.model.saved_learner import dump_metrics, load_metrics
from rainbow.metrics import Batch, Column, Metric, get
from rainbow.metrics.contract.selection import SelectedMetric, language_problem, restrict_to_language
from rainbow.metrics.grammar.misspellings.misspellings import Misspellings
from rainbow.metrics.probability.likelihood import Likelihood


@dataclass(frozen=True)
class Greeting(Metric):
    """Whether the output is the greeting of its language."""

    language: str = "en"

    name = "greeting"
    group = "word"
    columns = (Column("greeting", True, 0.0, 1.0),)
    languages = frozenset({"en", "de"})

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        greeting = {"en": "hello", "de": "hallo"}[self.language]
        return np.array([[float(batch.outputs[row] == greeting)] for row in rows])


GIVEN = (SelectedMetric("greeting", ("greeting",), Greeting()),)


def test_a_metric_is_made_for_the_language_of_the_outputs() -> None:
    (german,) = restrict_to_language(GIVEN, "de")
    assert german.metric is not None and german.metric.score(Batch(["hallo", "hello"])).tolist() == [[1.0], [0.0]]
    assert german.metric.made_for == {"de"}
    assert restrict_to_language(GIVEN, None) == restrict_to_language(GIVEN, "en") == GIVEN


def test_the_signature_names_another_language_only() -> None:
    assert "language" not in Greeting().signature and "language:de" in Greeting("de").signature


def test_an_unknown_language_is_missing_with_the_reason() -> None:
    (spanish,) = restrict_to_language(GIVEN, "es")
    assert spanish.metric is None and spanish.missing == "it knows 2 languages only, and the outputs are Spanish"


def test_a_language_model_of_your_own_scores_any_language() -> None:
    given = [SelectedMetric("likelihood", ("lik_mean",), Likelihood(model=model)) for model in ("smollm2", "own.gguf")]
    default, own = restrict_to_language(given, "de")
    assert default.missing == "it knows English only, and the outputs are German" and own.metric is not None


def test_a_model_keeps_the_language_of_its_metrics() -> None:
    for metric, expected in ((Misspellings(), set()), (Misspellings(language="de"), {"language"})):
        described, statistics = dump_metrics([metric])
        assert {*described[0]["parameters"]} - {"as_published"} == expected
        assert load_metrics(described, statistics) == (metric,)


def test_a_metric_of_every_language_stays_as_it_is() -> None:
    metric = get("bleu")
    assert metric.for_language("de") is metric and not language_problem(metric.made_for, "de")


def test_a_language_that_a_metric_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="meteor does not know Arabic"):
        get("meteor", language="ar")
    with pytest.raises(ValueError, match="unknown language 'DE'"):
        get("word-frequency", language="DE")
    syllables = get("readability", language="ar").score(Batch(["الفندق رخيص"]))[0]
    assert np.isnan(syllables[[0, 4, 5, 6, 7]]).all() and not np.isnan(syllables[1:4]).any()
