"""A sample-level metric for lighteval."""

from __future__ import annotations

from typing import Any

import numpy as np

from rainbow.serving.row_scorer import RowScorer


def as_lighteval_metric(scorer: RowScorer) -> Any:
    """Return a ``SampleLevelMetric``, for the `metrics` of a ``LightevalTaskConfig``.

    The score of a document is the mean over its answers. Documents without a score are ignored.

    Parameters
    ----------
    scorer : RowScorer
        Scorer; its columns are `query`, `golds`, and the keys of the document's `specific`.
    """
    from lighteval.metrics.metrics_sample import SampleLevelComputation
    from lighteval.metrics.utils.metric_utils import SampleLevelMetric
    from lighteval.tasks.requests import SamplingMethod

    class Rainbow(SampleLevelComputation):  # type: ignore[misc]
        def compute(self, doc: Any, model_response: Any, **_others: Any) -> float:
            row = {**(doc.specific or {}), "query": doc.query, "golds": doc.get_golds()}
            return float(np.mean([scorer.one(text, row) for text in model_response.final_text]))

    return SampleLevelMetric(
        metric_name=scorer.scorer.name,
        higher_is_better=True,
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=Rainbow(),
        corpus_level_fn=np.nanmean,
    )
