"""The contract that every metric keeps.

A metric is a frozen dataclass whose fields are its parameters. It says which columns it gives and what it needs,
and computes the rows that have what it needs. Everything else (missing values and their reasons, signatures) is
done here, once.

What a metric gives for awkward texts
-------------------------------------
A test reads this table. "Worst" is the end of a column's range that stands for the worst output; "NaN" comes with its
reason (:meth:`Metric.reasons`); "as ever" is what the metric gives with references.

==================== ================== ================== ================== ==================
text                 word               grammar            meaning            language-model
==================== ================== ================== ================== ==================
empty output         worst              0 or NaN           a number or NaN    NaN
no reference         NaN                as ever            as ever            as ever
blank reference      NaN                as ever            as ever            as ever
punctuation only     worst              a number or NaN    a number or NaN    NaN
emoji only           worst              a number or NaN    a number or NaN    NaN
one token            a number           a number           a number           a number
newline              as a blank         as a blank         as a blank         as a blank
``|||``              a number           a number           a number           a number
NUL                  a number           a number           a number           a number
100,000 tokens       a number           a number           a number           a number
==================== ================== ================== ================== ==================

TER has no worst value: an empty output has 1, as all words of the reference are missing. Word-based metrics that look
at no reference (SIM, Levenshtein) do not miss one. The parser, LanguageTool and GPTScore are NaN for texts that are
too long for them.
"""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rainbow._version import __version__
from rainbow.base.arrays import FloatArray
from rainbow.metrics.contract.batch import Batch

__all__ = ["Column", "Group", "Metric", "MissingResourceError"]

Group = Literal["word", "grammar", "meaning", "language-model"]
Need = Literal["references", "mr", "java", "extra", "neural"]


class MissingResourceError(RuntimeError):
    """What a metric needs is not installed on this machine; the message says how to mend it."""


class Column(NamedTuple):
    """One number that a metric gives for an output.

    `higher_is_better` is None where neither direction is better by itself (a length, say); `low` and `high` bound
    the values.
    """

    name: str
    higher_is_better: bool | None
    low: float = -math.inf
    high: float = math.inf


class Metric(ABC):
    """A measure of an output, alone or against references or a meaning representation.

    Subclasses are frozen dataclasses; every field is a parameter and part of the signature. A metric with corpus
    statistics has a field `statistics` (None until fitted) and overrides :meth:`fit`.

    Attributes
    ----------
    name
        The name it is asked for by.
    group
        ``word``, ``grammar``, ``meaning`` or ``language-model``.
    columns
        What it gives, in order.
    needs
        ``references``, ``mr`` (a meaning representation), ``java``, ``extra`` (what an extra of this package or
        ``rainbow fetch`` brings: no set of features contains the metric unless it is asked for by name), ``neural``
        (a large network that is fetched: only the preset `neural` learns from it, not even ``all+extra``).
    surface_only
        Whether it always sees the texts as given, whatever view is chosen.
    undefined
        Why a cell is NaN although the row has all that the metric needs.
    """

    name: ClassVar[str]
    group: ClassVar[Group]
    columns: ClassVar[tuple[Column, ...]]
    needs: ClassVar[frozenset[Need]] = frozenset()
    surface_only: ClassVar[bool] = False
    undefined: ClassVar[str] = "it is not defined for this text"

    @classmethod
    def unavailable(cls) -> str | None:
        """Say what is missing on this machine and how to mend it; None if the metric works here."""
        return None

    def fit(self, batch: Batch) -> Self:
        """Return the metric with the corpus statistics of these references; itself if it has none."""
        return self

    @abstractmethod
    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        """Return the columns for these rows of the batch, shape (rows, columns); NaN where undefined."""

    def score(self, batch: Batch) -> FloatArray:
        """Return the values of every row: float array of shape (rows, columns), NaN where :meth:`reasons` says why.

        Raises
        ------
        ValueError
            If the metric needs corpus statistics and was not fitted.
        """
        if getattr(self, "statistics", self) is None:
            raise ValueError(f"{self.name} needs corpus statistics: call fit(batch) first and score with what it gives")
        complete = self._complete(batch)
        if complete.all():
            return self.compute(batch, range(len(batch))) if len(batch) else np.empty((0, len(self.columns)))
        values = np.full((len(batch), len(self.columns)), np.nan)
        if rows := np.flatnonzero(complete).tolist():
            values[rows] = self.compute(batch, rows)
        return values

    def reasons(self, batch: Batch, values: FloatArray) -> dict[tuple[int, int], str]:
        """Say why values are NaN: a sentence for every such cell, by its row and column, counted from 0."""
        lacking = self._lacking(batch)
        return {(row, place): lacking[row] or self.undefined for row, place in np.argwhere(np.isnan(values)).tolist()}

    def _complete(self, batch: Batch) -> NDArray[np.bool_]:
        """Return for every row whether it has all that the metric needs."""
        complete = batch.references.present if "references" in self.needs else np.ones(len(batch), dtype=bool)
        if "mr" in self.needs:
            complete = complete & np.array([meaning is not None for meaning in batch.meanings], dtype=bool)
        return complete

    def _lacking(self, batch: Batch) -> list[str | None]:
        """Say for every row what it lacks that the metric needs."""
        reasons: list[str | None] = [None] * len(batch)
        for row in np.flatnonzero(~self._complete(batch)).tolist():
            if "references" in self.needs and not batch.references[row]:
                reasons[row] = "every reference is empty" if batch.references.empty[row] else "there is no reference"
            else:
                reasons[row] = "there is no meaning representation"
        return reasons

    def resources(self) -> Mapping[str, str]:
        """Name what the scores depend on besides the parameters (tokeniser, tables with their hashes)."""
        return {}

    @property
    def signature(self) -> str:
        """All that the numbers depend on, in one line: parameters, resources, version."""
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]
        parts = [
            f"{key}:{sorted(value) if isinstance(value, set | frozenset) else value}"
            for key, value in (fields | dict(self.resources())).items()
        ]
        return "|".join([self.name, *parts, f"version:{__version__}"])
