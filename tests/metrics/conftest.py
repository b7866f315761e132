"""A corpus that every metric can score, and every metric fitted on it."""

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from rainbow import Corpus, load_dataset
from rainbow.base.native import kernels
from rainbow.metrics import Batch, Metric, all_metrics
from rainbow.scoring.score_corpus import fit_metrics

# Rows that a metric is tried on: fewer where a program or a network takes long for each.
ROWS, FEW = 60, 12
EXPENSIVE = {"java", "neural", "named"}


@pytest.fixture(scope="module", autouse=True)
def implementation(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """Run every test of a metric with the compiled kernels and with their twins in Python.

    A test or a file that compares the two itself, or tests what has no kernel, is marked `once` and runs as it is.
    """
    which = getattr(request, "param", None)
    if which == "compiled" and kernels() is None:
        pytest.skip("the compiled kernels were not built: a C++20 compiler is needed")
    with pytest.MonkeyPatch.context() as patch:
        if which == "python":
            patch.setenv("RAINBOW_NATIVE", "0")
        yield which


def both(scored: Callable[[], np.ndarray]) -> list[np.ndarray]:
    """Return what is scored with the compiled kernels, and with their twins in Python."""
    compiled = scored()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAINBOW_NATIVE", "0")
        return [compiled, scored()]


@cache
def demo_rows(rows: int = ROWS) -> Corpus:
    """Rows of the embedded dataset, spread over its act types and systems."""
    corpus = load_dataset("demo")
    return corpus.take(range(0, len(corpus), len(corpus) // rows)[:rows])


def rows_of(name: str) -> Corpus:
    """Return the rows that a metric is tried on."""
    return demo_rows(FEW if EXPENSIVE & all_metrics()[name].needs else ROWS)


def batch_of(corpus: Corpus, metric: Metric, threads: int = 1) -> Batch:
    return Batch.from_corpus(corpus, corpus.view("surface" if metric.surface_only else None), threads)


@cache
def fitted(name: str) -> Metric:
    if reason := all_metrics()[name].unavailable():
        pytest.skip(f"{name}: {reason}")
    (metric,) = fit_metrics(rows_of(name), [name])
    return metric


# What a test may ask for: the name of every metric, or of those of one kind.
KINDS: dict[str, Callable[[type[Metric]], bool]] = {
    "name": lambda metric: True,
    "name_with_references": lambda metric: "references" in metric.needs,
    "name_with_statistics": lambda metric: hasattr(metric, "statistics"),
    "name_of_systems": lambda metric: bool(metric.system_columns),
}


def has_kernel(metric: type[Metric]) -> bool:
    return "kernels()" in Path(inspect.getfile(metric)).read_text(encoding="utf-8")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes a name once for every registered metric of its kind, all of one metric in one process.

    A metric that asks for no kernel has no twin: it is run once.
    """
    if metafunc.definition.get_closest_marker("once"):
        return
    for kind in KINDS.keys() & set(metafunc.fixturenames):
        cases = [
            pytest.param(which, name, marks=pytest.mark.xdist_group(name))
            for which in ("compiled", "python")
            for name, metric in all_metrics().items()
            if KINDS[kind](metric) and (which == "python" or has_kernel(metric))
        ]
        metafunc.parametrize(("implementation", kind), cases, indirect=["implementation"], scope="module")
        return
    metafunc.parametrize("implementation", ["compiled", "python"], indirect=True, scope="module")
