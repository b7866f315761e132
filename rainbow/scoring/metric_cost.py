"""The cost of a metric in seconds per row."""

from __future__ import annotations

import time

from rainbow.corpus import Corpus
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.batch import Batch

# Needs of metrics that take seconds per row, or minutes to start.
SLOW = frozenset({"neural", "named", "java"})


def seconds_per_row(metric: type[Metric], corpus: Corpus) -> float:
    """Return the seconds per row of a metric, in one thread after loading and fitting."""
    view = corpus.view("surface" if metric.surface_only else None)
    fitted = metric().for_language(corpus.language).fit(Batch.from_corpus(corpus, view))
    fitted.score(Batch.from_corpus(corpus.take([0]), corpus.take([0]).view(view.name)))  # loaded once
    batch = Batch.from_corpus(corpus, view)
    start = time.perf_counter()
    fitted.score(batch)
    return (time.perf_counter() - start) / len(corpus)
