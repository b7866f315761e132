"""Per-document results for lm-evaluation-harness."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rainbow.serving.row_scorer import RowScorer


def as_process_results(*scorers: RowScorer) -> Callable[[Mapping[str, Any], Sequence[str]], dict[str, float]]:
    """Return a function ``(doc, results)`` for ``process_results`` of a task whose output type is ``generate_until``.

    List each scorer in the task's ``metric_list``, with ``aggregation: nanmean``, which ignores documents without a
    score, and ``higher_is_better: true``. Metrics only in that list are called once per reference, with scores of 0 or
    1.

    Parameters
    ----------
    *scorers : RowScorer
        Scorers; their columns are the fields of the document.

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
