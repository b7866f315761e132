"""The scorer protocol, and the learned scorer used by default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rainbow.base.arrays import FloatArray


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
