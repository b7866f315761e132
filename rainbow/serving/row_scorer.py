"""A scorer for dataset rows, with named columns for references and inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from rainbow.base.aliases import INPUTS, accept_aliases, argument_for
from rainbow.base.arrays import FloatArray
from rainbow.corpus.rows import check_lengths, validate_references, validate_texts
from rainbow.serving.named_scorer import ScorerProtocol, default_scorer

T = TypeVar("T")


class RowScorer:
    """A scorer, and the dataset columns that hold what it needs.

    Parameters
    ----------
    scorer : ScorerProtocol, optional
        By default the learned :class:`rainbow.learned.scorer.Scorer` for `model`, `rating` and the given columns.
    references : str, optional
        Column of references: a string (one reference) or a list of strings per row.
    inputs : str, optional
        Column of inputs. Aliases: `input`, `mr`, `mrs`.
    rating, model
        Rating and model; used only if no scorer is given.

    Raises
    ------
    ValueError
        If a column that the scorer needs is not given.

    Examples
    --------
    >>> from rainbow.serving import MetricScorer
    >>> scorer = RowScorer(MetricScorer("ROUGE"), references="target")
    >>> scorer(["the inn", "an inn"], {"target": ["the inn", ["the inn", "an inn"]], "level": [1, 2]})
    array([1., 1.])
    >>> scorer.one("the inn", {"target": "the inn is cheap", "level": 1})
    0.6288...
    """

    @accept_aliases(references=("reference",), inputs=INPUTS)
    def __init__(
        self,
        scorer: ScorerProtocol | None = None,
        *,
        references: str | None = None,
        inputs: str | None = None,
        rating: str = "quality",
        model: Any = None,
    ) -> None:
        self.scorer = default_scorer(scorer, model, rating, n_jobs=1)
        self.references, self.mrs = references, inputs
        for need in sorted(self.scorer.needs):
            if getattr(self, need) is None:
                name = argument_for(need)
                raise ValueError(f"{self.scorer.name} needs {name}: name their dataset column, {name}='...'")

    @property
    def columns(self) -> list[str]:
        """Names of the columns that it reads."""
        return list(dict.fromkeys(name for name in (self.references, self.mrs) if name is not None))

    def __call__(self, outputs: Sequence[str], columns: Mapping[str, Any]) -> FloatArray:
        """Return the score of every output, shape (n,); NaN if undefined.

        Parameters
        ----------
        outputs : sequence of str
            n texts.
        columns : mapping of str to sequence
            Dataset columns by name, with n entries each.

        Raises
        ------
        ValueError
            If a named column is missing, has another length, or holds values of the wrong type.
        """
        texts = validate_texts("outputs", outputs)
        return self.scorer(texts, *self.inputs(columns, len(texts)))

    def one(self, output: str, row: Mapping[str, Any]) -> float:
        """Return the score of one output and its row of columns."""
        return float(self([output], {name: [value] for name, value in row.items()})[0])

    def inputs(
        self, columns: Mapping[str, Any], size: int, subject: str = "outputs"
    ) -> tuple[list[tuple[str, ...]] | None, list[str] | None]:
        """Return the references and meaning representations of rows; None without a column."""
        return (
            _read_column(columns, self.references, size, subject, partial(validate_references, single=True)),
            _read_column(columns, self.mrs, size, subject, partial(validate_texts, optional=True)),
        )

    def __repr__(self) -> str:
        return f"RowScorer({self.scorer!r}, references={self.references!r}, inputs={self.mrs!r})"


def _read_column(
    columns: Mapping[str, Any], name: str | None, size: int, subject: str, read: Callable[[str, Any], list[T]]
) -> list[T] | None:
    """Return the parsed values of a dataset column; None if no column is named."""
    if name is None:
        return None
    if columns.get(name) is None:
        there = sorted(other for other, values in columns.items() if isinstance(values, Sequence))
        raise ValueError(f"unknown column {name!r}: the columns are {', '.join(there)}")
    check_lengths(size, {f"column {name!r}": columns[name]}, subject=subject)
    return read(f"column {name!r}", columns[name])
