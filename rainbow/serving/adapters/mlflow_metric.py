"""Metrics for `mlflow.models.evaluate` and `mlflow.genai.evaluate`."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import Any

from rainbow.base.lazy import pd
from rainbow.serving.row_scorer import RowScorer


def as_mlflow_metric(scorer: RowScorer) -> Any:
    """Return a metric for the `extra_metrics` of ``mlflow.models.evaluate``: a score per row, and their mean.

    Rows without a score are excluded from the mean.

    Parameters
    ----------
    scorer : RowScorer
        Scorer; its columns are `targets` and those of the data.
    """
    from mlflow.metrics import MetricValue, make_metric

    names = ["predictions", *scorer.columns]

    def score(*values: Any, **named: Any) -> Any:
        columns = {**dict(zip(names, values, strict=False)), **named}
        scores = pd.Series(scorer(columns["predictions"], columns))
        return MetricValue(scores=scores.tolist(), aggregate_results={"mean": float(scores.mean())})

    # MLflow passes to each parameter the column of that name.
    score.__signature__ = Signature([Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names])  # type: ignore[attr-defined]
    return make_metric(eval_fn=score, greater_is_better=True, name=scorer.scorer.name)


def as_genai_scorer(scorer: RowScorer) -> Any:
    """Return a scorer for the `scorers` of ``mlflow.genai.evaluate``.

    Parameters
    ----------
    scorer : RowScorer
        Scorer; its columns are the keys of `inputs` and `expectations`.
    """
    from mlflow.genai.scorers import scorer as registered

    def score(inputs: Mapping[str, Any], outputs: str, expectations: Mapping[str, Any]) -> float:
        return scorer.one(outputs, {**(inputs or {}), **(expectations or {})})

    return registered(score, name=scorer.scorer.name)
