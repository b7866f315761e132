"""The scorer protocol, and scorers by name: a learned metric, a model file or a metric column."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from rainbow.base.arrays import FloatArray


def load_named_scorer(
    name: str | None = None, *, rating: str = "quality", low: float | None = None, high: float | None = None
) -> ScorerProtocol:
    """Load a scorer by name.

    Parameters
    ----------
    name : str, optional
        A model, as in :class:`rainbow.Scorer`, or a column, as in :class:`rainbow.serving.MetricScorer`.
    rating : str
        Rating that a model predicts, unless its name includes it.
    low, high : float, optional
        Bounds of a metric, replacing its own.

    Raises
    ------
    ValueError
        If there is no such metric or model, or bounds are given for a model.

    Examples
    --------
    >>> load_named_scorer("TER", low=-1), load_named_scorer("naturalness-top5")
    (MetricScorer('TER', low=-1, high=0.0), Scorer('naturalness-top5', low=1.0, high=6.0, needs=['references']))
    """
    from rainbow.metrics import find

    try:
        find(name or "")
    except ValueError as error:
        return _load_model(name, rating, low, high, str(error))
    from rainbow.serving.metric_scorer import MetricScorer

    return MetricScorer(str(name), low=low, high=high)


def _load_model(name: str | None, rating: str, low: float | None, high: float | None, no_metric: str) -> ScorerProtocol:
    from rainbow.learned.scorer import Scorer

    if low is not None or high is not None:
        raise ValueError("bounds can only be set for a metric: a model has its own")
    try:
        scorer: ScorerProtocol = Scorer(name, rating=rating)
    except ValueError as error:
        if name is None or Path(name).suffix:
            raise
        raise ValueError(f"{no_metric}, and it is not a model either: {error}") from None
    return scorer


class ScorerProtocol(Protocol):
    """Protocol of scorers that score each text independently.

    Implemented by :class:`rainbow.learned.scorer.Scorer` and :class:`rainbow.serving.MetricScorer`.

    Attributes
    ----------
    name : str
        Name in logs.
    low, high : float
        Worst and best value; higher is better.
    needs : frozenset of str
        Required inputs: ``references``, ``mrs`` (the inputs).
    """

    @property
    def name(self) -> str: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    @property
    def needs(self) -> frozenset[str]: ...

    def __call__(
        self,
        outputs: Sequence[str],
        references: Sequence[Sequence[str]] | None = None,
        inputs: Sequence[str] | None = None,
        /,
    ) -> FloatArray:
        """Return the score of every output, shape (n,); NaN if undefined."""
        ...


def default_scorer(scorer: ScorerProtocol | None, model: Any, rating: str, *, n_jobs: int) -> ScorerProtocol:
    """Return the given scorer, or the learned one for this model and rating."""
    if scorer is None:
        from rainbow.learned.scorer import Scorer

        learned: ScorerProtocol = Scorer(model, rating=rating, n_jobs=n_jobs)
        return learned
    if model is not None:
        raise ValueError("give a scorer or a model, not both")
    return scorer
