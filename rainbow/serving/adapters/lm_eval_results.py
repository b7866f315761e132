"""Per-document results for lm-evaluation-harness."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rainbow.serving.row_scorer import RowScorer


def as_process_results(*scorers: RowScorer) -> Callable[[Mapping[str, Any], Sequence[str]], dict[str, float]]:
    """Return a function ``(doc, results)`` for ``process_results`` of a task whose output type is ``generate_until``.

    The columns are the fields of the document. The task's ``metric_list`` names each scorer, with
    ``aggregation: nanmean``, which leaves out documents that have no score, and ``higher_is_better: true``. (A metric
    that stands in that list alone is called once for each reference, and its scores are turned into 0 and 1.)

    Examples
    --------
    >>> from rainbow.serving import MetricScorer
    >>> process_results = as_process_results(RowScorer(MetricScorer("ROUGE"), references="target"))
    >>> process_results({"input": "inform(name=inn)", "target": ["the inn", "an inn"]}, ["the inn"])
    {'ROUGE': 1.0}
    """
    return partial(_process_results, scorers)


def _process_results(scorers: Sequence[RowScorer], doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    return {scorer.scorer.name: scorer.one(results[0], doc) for scorer in scorers}
