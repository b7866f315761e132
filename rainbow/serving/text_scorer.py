"""What gives texts a number each: the protocol, the learned scorer that stands in where none is given, its inputs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rainbow.base.arrays import FloatArray

__all__ = ["ScoresTexts", "check_length", "learned_scorer", "reference_sets"]


class ScoresTexts(Protocol):
    """Anything that gives every text a number; the score of a text never depends on the texts beside it.

    :class:`rainbow.learned.scorer.Scorer` and :class:`rainbow.serving.metric_scorer.MetricScorer` are such things.

    Attributes
    ----------
    name
        What it is called in logs.
    low, high
        The worst and the best end of its scale; higher is better.
    needs
        What it cannot do without: ``references``, ``mrs`` (meaning representations).
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
        mrs: Sequence[str] | None = None,
    ) -> FloatArray:
        """Return the score of every output, shape (n,); NaN where it has none."""
        ...


def learned_scorer(
    scorer: ScoresTexts | None, model: Any, rating: str, *, references: bool, n_jobs: int
) -> ScoresTexts:
    """Return the scorer, or where there is none the learned one for this model and rating.

    Raises
    ------
    ValueError
        If both a scorer and a model are given.
    """
    if scorer is None:
        from rainbow.learned.scorer import Scorer

        learned: ScoresTexts = Scorer(model, rating=rating, references=references, n_jobs=n_jobs)
        return learned
    if model is not None:
        raise ValueError("give a scorer or a model, not both")
    return scorer


def check_length(name: str, values: Any, size: int, of: str) -> None:
    """Refuse values that are not one per text.

    Raises
    ------
    ValueError
        If they are one string or no list, or more or fewer than `size`; the message names them and both lengths.

    Examples
    --------
    >>> check_length("references", [["a"]], 2, "predictions")
    Traceback (most recent call last):
    ValueError: references has 1 entries for 2 predictions: give one for each
    """
    if isinstance(values, str) or not isinstance(values, Sized):
        raise ValueError(f"{name} is {values!r:.40}: give a list with an entry for each of the {of}")
    if len(values) != size:
        raise ValueError(f"{name} has {len(values)} entries for {size} {of}: give one for each")


def reference_sets(name: str, values: Iterable[Any]) -> list[tuple[str, ...]]:
    """Return a tuple of references for every row, where a row is a string (one reference), a list of them, or None.

    Raises
    ------
    ValueError
        If a row is anything else; the message names the values and the row, counted from 1.

    Examples
    --------
    >>> reference_sets("references", ["the inn is cheap", ["a cheap inn", "an inn"], None])
    [('the inn is cheap',), ('a cheap inn', 'an inn'), ()]
    """
    return [_reference_set(f"{name}, row {row}", value) for row, value in enumerate(values, start=1)]


def _reference_set(where: str, value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    texts = (value,) if isinstance(value, str) or not isinstance(value, Iterable) else tuple(value)
    for text in texts:
        if not isinstance(text, str):
            raise ValueError(f"{where}: {text!r:.80} is no reference: give a string or a list of strings")
    return texts
