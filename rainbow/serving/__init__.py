"""What calls a score from outside: rewards, a single metric as a scorer, compute, scikit-learn, other packages.

>>> from rainbow.serving import MetricScorer, compute
>>> compute(predictions=["the inn"], references=["the inn is cheap"], scorer=MetricScorer("SE"))["scores"]
[0.6666...]
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rainbow.serving.metric_scorer import MetricScorer
    from rainbow.serving.named_scorer import ScorerProtocol
    from rainbow.serving.predictions import as_sklearn_scorer, compute
    from rainbow.serving.reward import Reward
    from rainbow.serving.row_scorer import RowScorer

__all__ = ["MetricScorer", "Reward", "RowScorer", "ScorerProtocol", "as_sklearn_scorer", "compute"]

# Read when first asked for: a reward should not wait for pandas, which a single metric needs.
_HOMES = {
    "MetricScorer": "metric_scorer",
    "Reward": "reward",
    "RowScorer": "row_scorer",
    "ScorerProtocol": "named_scorer",
    "as_sklearn_scorer": "predictions",
    "compute": "predictions",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"rainbow.serving.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'rainbow.serving' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
