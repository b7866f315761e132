"""What holds for every metric: a metric that is registered is tested here without being named."""

import dataclasses
import importlib.metadata
import multiprocessing
import os
import pickle
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
import pytest

from rainbow import Corpus
from rainbow.learned.training.features import feature_columns
from rainbow.metrics import Batch, Metric, all_metrics
from rainbow.metrics.contract.base import LANGUAGE, MissingResourceError
from rainbow.metrics.contract.selection import EVERYTHING, select_metrics
from tests.metrics.conftest import batch_of, demo_rows, fitted, rows_of


def scores(metric: Metric, corpus: Corpus) -> np.ndarray:
    return metric.score(batch_of(corpus, metric))


@cache
def expected(name: str, implementation: str) -> np.ndarray:
    """Return the scores of all rows, which are computed once for all tests of a metric."""
    values = scores(fitted(name), rows_of(name))
    values.flags.writeable = False
    return values


@pytest.fixture(scope="session")
def processes() -> Iterator[ProcessPoolExecutor]:
    """Two other processes, in which all metrics are scored: starting two for each takes minutes."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as processes:
        yield processes


def scores_elsewhere(implementation: str, metric: Metric, corpus: Corpus) -> np.ndarray:
    os.environ["RAINBOW_NATIVE"] = str(int(implementation == "compiled"))
    return scores(metric, corpus)


def test_scoring_one_row_gives_what_scoring_all_gives(name: str, implementation: str) -> None:
    metric, corpus = fitted(name), rows_of(name)
    single = [scores(metric, corpus.take([row]))[0] for row in range(len(corpus))]
    np.testing.assert_array_equal(single, expected(name, implementation))


def test_the_order_of_rows_does_not_matter(name: str, implementation: str) -> None:
    order = np.random.default_rng(1).permutation(len(rows_of(name))).tolist()
    found = scores(fitted(name), rows_of(name).take(order))
    np.testing.assert_array_equal(found, expected(name, implementation)[order])


def test_two_other_processes_give_what_this_one_gives(name, implementation, processes) -> None:
    metric, corpus = fitted(name), rows_of(name)
    half = len(corpus) // 2
    halves = [corpus.take(range(half)), corpus.take(range(half, len(corpus)))]
    parts = list(processes.map(scores_elsewhere, [implementation] * 2, [metric] * 2, halves))
    np.testing.assert_array_equal(np.concatenate(parts), expected(name, implementation))


def test_threads_give_what_one_gives(name: str, implementation: str) -> None:
    metric, corpus = fitted(name), rows_of(name)
    batch = batch_of(corpus, metric)
    with ThreadPoolExecutor(4) as threads:
        for values in threads.map(metric.score, [batch] * 4):
            np.testing.assert_array_equal(values, expected(name, implementation))


def test_threads_of_its_own_give_what_one_gives(name: str, implementation: str) -> None:
    metric = fitted(name)
    values = metric.score(batch_of(rows_of(name), metric, threads=8))
    np.testing.assert_array_equal(values, expected(name, implementation))


def test_a_pickled_copy_has_the_same_signature_and_scores(name: str, implementation: str) -> None:
    metric = fitted(name)
    copy = pickle.loads(pickle.dumps(metric))
    assert copy.signature == metric.signature
    np.testing.assert_array_equal(scores(copy, rows_of(name)), expected(name, implementation))


def test_values_lie_within_their_bounds(name: str, implementation: str) -> None:
    metric, values = fitted(name), expected(name, implementation)
    assert values.shape == (len(rows_of(name)), len(metric.columns))
    for column, entries in zip(metric.columns, values.T, strict=True):
        found = entries[~np.isnan(entries)]
        assert ((found >= column.low - 1e-12) & (found <= column.high + 1e-12)).all(), column


def test_an_output_equal_to_its_only_reference_scores_best(name_with_references: str) -> None:
    metric, corpus = fitted(name_with_references), rows_of(name_with_references)
    if metric.group == "language-model":
        pytest.skip("other words are asked for: the same are not what is most probable")
    texts = [texts[0] for texts in batch_of(corpus, metric).references.preprocess()]
    batch = batch_of(corpus, metric)
    references = [[text] for text in texts]
    best = metric.score(Batch(texts, references, batch.mrs, batch.items))
    other = metric.score(Batch(batch.outputs, references, batch.mrs, batch.items))
    for column, equal, entries in zip(metric.columns, best.T, other.T, strict=True):
        sign = 1 if column.higher_is_better else -1
        assert (sign * equal >= sign * entries - 1e-12).all(), column


@pytest.mark.once
def test_metrics_that_must_be_named_are_in_no_set() -> None:
    named = {column.name for metric in all_metrics().values() if "named" in metric.needs for column in metric.columns}
    for asked in (None, EVERYTHING):
        with suppress(MissingResourceError):  # everything needs what may not be installed here
            assert not named & {column for entry in select_metrics(asked) for column in entry.columns}
    assert {"BERTScoreF", "fast_quality"} <= named and not named & {*feature_columns("all")}


def test_every_missing_value_has_a_reason(name: str) -> None:
    metric = fitted(name)
    batch = Batch(["the inn is cheap", "", "!"], [["an inn"], [" "], []], [None, "inform(name=inn)", "reqmore()"])
    values = metric.score(batch)
    reasons = metric.reasons(batch, values)
    assert sorted(reasons) == [tuple(cell) for cell in np.argwhere(np.isnan(values)).tolist()] and all(reasons.values())


def other_value(value: Any) -> Any:
    """Return another value that the parameter could have."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value + "-other"
        case _:
            return None


def test_changing_any_parameter_changes_the_signature(name: str) -> None:
    metric = fitted(name)
    for field in dataclasses.fields(metric):
        other = object.__new__(type(metric))
        for entry in dataclasses.fields(metric):
            object.__setattr__(other, entry.name, getattr(metric, entry.name))
        value = "fr" if field.name == LANGUAGE else other_value(getattr(metric, field.name))
        object.__setattr__(other, field.name, value)
        assert other.signature != metric.signature, field.name


def test_the_signature_names_what_libraries_do_and_not_their_releases(name, monkeypatch) -> None:
    metric = fitted(name)
    signature = metric.signature
    monkeypatch.setattr(importlib.metadata.Distribution, "version", property(lambda _: "0.0.0+other"))
    assert (importlib.metadata.version("numpy"), metric.signature) == ("0.0.0+other", signature)


def test_the_documentation_gives_source_and_example(name: str) -> None:
    text = type(fitted(name)).__doc__
    assert ">>>" in text and re.match(r"[A-Z].*\S", text)


def test_a_metric_with_corpus_statistics_refuses_to_score_before_it_is_fitted(name_with_statistics: str) -> None:
    metric = fitted(name_with_statistics)
    with pytest.raises(ValueError, match="call fit"):
        scores(type(metric)(), rows_of(name_with_statistics))


def test_statistics_survive_json(name_with_statistics: str, implementation: str) -> None:
    metric = fitted(name_with_statistics)
    statistics = type(metric.statistics).from_json(metric.statistics.to_json())
    assert str(statistics) == str(metric.statistics)
    copy = dataclasses.replace(metric, statistics=statistics)
    np.testing.assert_array_equal(
        scores(copy, rows_of(name_with_statistics)), expected(name_with_statistics, implementation)
    )


def test_what_a_row_adds_up_to_its_systems_score_depends_on_nothing_but_the_row(name_of_systems: str) -> None:
    metric, corpus = fitted(name_of_systems), demo_rows()
    single = [metric.sums(batch_of(corpus.take([row]), metric))[0] for row in range(len(corpus))]
    np.testing.assert_array_equal(single, metric.sums(batch_of(corpus, metric)))


def test_systems_are_scored_from_their_sums_one_by_one_or_many_at_once(name_of_systems: str) -> None:
    metric = fitted(name_of_systems)
    sums = metric.sums(batch_of(demo_rows(), metric)).reshape(2, 3, 10, -1).sum(axis=2)
    values = metric.score_sums(sums)
    assert values.shape == (2, 3, len(metric.system_columns))
    apart = [metric.score_sums(row) for row in sums.reshape(6, -1)]
    np.testing.assert_allclose(values.reshape(6, -1), apart, rtol=1e-12)
    for column, entries in zip(metric.system_columns, np.moveaxis(values, -1, 0), strict=True):
        assert ((entries >= column.low - 1e-12) & (entries <= column.high + 1e-12)).all(), column


def test_a_row_that_lacks_what_the_metric_needs_leaves_its_system_without_a_score(name_of_systems: str) -> None:
    metric, batch = fitted(name_of_systems), Batch(["the inn", "the inn"], [["the inn is cheap"], []])
    sums = metric.sums(batch)
    assert np.isnan(metric.score_sums(sums.sum(axis=0))).all() and not np.isnan(metric.score_sums(sums[0])).any()
