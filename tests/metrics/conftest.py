"""A corpus that every metric can score, and every metric fitted on it."""

from functools import cache

import pytest

from rainbow import Corpus, load_dataset
from rainbow.metrics import Batch, Metric, all_metrics
from rainbow.metrics.scoring import fit_metrics

ROWS = 60


@cache
def demo_rows() -> Corpus:
    """Rows of the embedded dataset, spread over its act types and systems."""
    corpus = load_dataset("demo")
    return corpus.take(range(0, len(corpus), len(corpus) // ROWS)[:ROWS])


def batch_of(corpus: Corpus, metric: Metric) -> Batch:
    return Batch.of(corpus, corpus.view("surface" if metric.surface_only else None))


@cache
def fitted(name: str) -> Metric:
    if reason := all_metrics()[name].unavailable():
        pytest.skip(f"{name}: {reason}")
    (metric,) = fit_metrics(demo_rows(), [name])
    return metric


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes `name` once for every registered metric, all of one metric in one process."""
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", [pytest.param(n, marks=pytest.mark.xdist_group(n)) for n in all_metrics()])
