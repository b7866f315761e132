"""A metric for Hugging Face `evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rainbow.serving.named_scorer import ScorerProtocol
from rainbow.serving.predictions import Result, compute


def as_evaluate_metric(scorer: ScorerProtocol) -> Any:
    """Return an ``evaluate.Metric``, for `compute`, `add_batch`, `evaluate.combine` and evaluators.

    The features are `predictions` and what the scorer needs: `references` (a string or a list of strings each), `mrs`.
    The result is that of :func:`rainbow.serving.compute`.

    Parameters
    ----------
    scorer : ScorerProtocol
        Scorer.
    """
    import datasets
    import evaluate

    text = datasets.Value("string")
    texts = {"predictions": text} | ({"mrs": text} if "mrs" in scorer.needs else {})
    kinds = [datasets.Sequence(text), text] if "references" in scorer.needs else []

    class Rainbow(evaluate.Metric):  # type: ignore[misc]
        def _info(self) -> Any:
            return evaluate.MetricInfo(
                description=f"{scorer.name}: from {scorer.low} to {scorer.high}, higher is better",
                citation="",
                features=[datasets.Features(texts | {"references": kind}) for kind in kinds]
                or datasets.Features(texts),
            )

        def _compute(
            self, predictions: Sequence[str], references: Sequence[Any] | None = None, mrs: Sequence[str] | None = None
        ) -> Result:
            return compute(predictions=predictions, references=references, inputs=mrs, scorer=scorer)

    return Rainbow()
