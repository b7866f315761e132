"""What a metric costs: seconds for a row, on this machine."""

from __future__ import annotations

import time

from rainbow.corpus import Corpus
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.batch import Batch


def seconds_per_row(metric: type[Metric], corpus: Corpus) -> float:
    """Return how long a metric takes for a row of a corpus, on one thread, once it is loaded and fitted."""
    view = corpus.view("surface" if metric.surface_only else None)
    fitted = metric().fit(Batch.of(corpus, view))
    fitted.score(Batch.of(corpus.take([0]), corpus.take([0]).view(view.name)))  # what is loaded once
    batch = Batch.of(corpus, view)
    start = time.perf_counter()
    fitted.score(batch)
    return (time.perf_counter() - start) / len(corpus)
