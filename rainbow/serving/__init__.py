"""What calls a score from outside: rewards, a single metric as a scorer, compute, scikit-learn, other packages.

>>> from rainbow.serving import MetricScorer, compute
>>> compute(predictions=["the inn"], references=["the inn is cheap"], scorer=MetricScorer("SE"))["scores"]
[0.6666...]
"""

from rainbow.serving.metric_scorer import MetricScorer
from rainbow.serving.named_scorer import ScorerProtocol
from rainbow.serving.predictions import as_sklearn_scorer, compute
from rainbow.serving.reward import Reward
from rainbow.serving.row_scorer import RowScorer

__all__ = ["MetricScorer", "Reward", "RowScorer", "ScorerProtocol", "as_sklearn_scorer", "compute"]
