"""The interface that every metric implements.

How to write a metric
---------------------
A metric is one file: a frozen dataclass, decorated with :func:`rainbow.metrics.register`, whose fields are its
parameters. It fills in

* `name`, `group`, `columns` (what it gives for an output) and `needs`;
* :meth:`Metric.compute`, which computes rows that have all that it needs;
* :meth:`Metric.fit` and a field `statistics`, only where it counts something on a corpus of references first;
* :meth:`Metric.resources`, where the numbers depend on more than parameters.

Missing values and their reasons, signatures, commands, reports and tests follow from that.

A metric that also scores a system as a whole says which numbers it gives for one (`system_columns`), what every row
adds up (:meth:`Metric.compute_sums`), and what the sums make (:meth:`Metric.of_sums`). As rows add up, the score of
any sample of rows is that of their sums: the score of a system, its bootstrap interval and the permutation tests of
pairs (:func:`rainbow.systems.corpus_scores.corpus_scores.evaluate_metrics`) need nothing else. Whoever fills in neither
of the two methods gets the mean of each column.

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

TER has no worst value: an empty output has 1, as all words of the reference are missing. Metrics that look at no
reference (SIM, Levenshtein) do not miss one, and others that look at one do; general scores, which look at references
where there are any, have another number without. The parser, LanguageTool and likelihoods are NaN for texts that are
too long for them.
"""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rainbow._version import __version__
from rainbow.base.arrays import FloatArray
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import Tool

Group = Literal["word", "grammar", "meaning", "language-model"]
Need = Literal["references", "mr", "java", "extra", "neural", "named"]


class MissingResourceError(RuntimeError):
    """A resource that a metric needs is not installed; the message says how to install it."""


class Column(NamedTuple):
    """One score that a metric computes for an output.

    `higher_is_better` is None where neither direction is better by itself (a length, say); `low` and `high` bound
    the values; `short` is what a chart calls it, `plain` what it says of an output in a sentence (by default its name,
    and the sentence of the metric).
    """

    name: str
    higher_is_better: bool | None
    low: float = -math.inf
    high: float = math.inf
    short: str = ""
    plain: str = ""


class Metric(ABC):
    """A measure of an output, alone or against references or a meaning representation.

    Subclasses are frozen dataclasses; every field is a parameter and part of the signature. A metric with corpus
    statistics has a field `statistics` (None until fitted) and overrides :meth:`fit`.

    Attributes
    ----------
    name
        The name it is asked for by.
    plain
        What it says of an output, in one sentence for a reader who does not know it; else the first of its docstring.
    group
        ``word``, ``grammar``, ``meaning`` or ``language-model``.
    columns
        What it gives, in order.
    needs
        ``references``, ``mr`` (a meaning representation), ``java``, ``extra`` (what an extra of this package or
        ``rainbow fetch`` brings: no set of features contains the metric unless it is asked for by name), ``neural``
        (a large network that is fetched: no set of features contains the metric, not even ``all+extra``), ``named``
        (likewise, and it is asked for by name alone).
    surface_only
        Whether it always sees the texts as given, whatever view is chosen.
    reads_slots
        Whether a meaning representation must be one with slots, and free text will not do.
    compares_words
        Whether it compares or counts words, so that a language without blanks between them must be split first.
    undefined
        Why a cell is NaN although the row has all that the metric needs.
    system_columns
        What it gives for a system as a whole, in order; nothing by default.
    tools
        Programs of others that give columns of it too: `rainbow verify` holds it against them.
    no_tool
        Why nothing is held against the columns that no tool gives.

    Examples
    --------
    The share of a reference's words that an output has; of a system, that of the words of all references:

    >>> @dataclasses.dataclass(frozen=True)
    ... class Covered(Metric):
    ...     name = "covered"
    ...     group = "word"
    ...     columns = (Column("covered", True, 0.0, 1.0),)
    ...     needs = frozenset({"references"})
    ...     system_columns = columns
    ...
    ...     def compute(self, batch, rows):
    ...         return self.of_sums(self.compute_sums(batch, rows))
    ...
    ...     def compute_sums(self, batch, rows):
    ...         pairs = [(batch.outputs[row].split(), batch.references[row][0].split()) for row in rows]
    ...         return np.array([[sum(word in ours for word in words), len(words)] for ours, words in pairs], float)
    >>> metric, batch = Covered(), Batch(["the inn", "no"], [["the cheap inn"], ["a bar"]])
    >>> metric.score(batch).round(2).tolist(), metric.of_sums(metric.sums(batch).sum(axis=0)).tolist()
    ([[0.67], [0.0]], [0.4])
    """

    name: ClassVar[str]
    plain: ClassVar[str] = ""
    group: ClassVar[Group]
    columns: ClassVar[tuple[Column, ...]]
    needs: ClassVar[frozenset[Need]] = frozenset()
    surface_only: ClassVar[bool] = False
    reads_slots: ClassVar[bool] = False
    compares_words: ClassVar[bool] = False
    undefined: ClassVar[str] = "it is not defined for this text"
    system_columns: ClassVar[tuple[Column, ...]] = ()
    tools: ClassVar[tuple[Tool, ...]] = ()
    no_tool: ClassVar[str] = "no other implementation is known"

    @classmethod
    def unavailable(cls) -> str | None:
        """Return what is missing on this machine and how to install it; None if the metric works."""
        return None

    def fit(self, batch: Batch) -> Self:
        """Return the metric with corpus statistics of these references; itself if it needs none."""
        return self

    @abstractmethod
    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        """Return the columns for these rows of the batch, shape (rows, columns); NaN where undefined."""

    def compute_sums(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        """Return the additive statistics of these rows, shape (rows, sums); by default scores and 1."""
        return np.column_stack([self.compute(batch, rows), np.ones(len(rows))])

    def of_sums(self, sums: FloatArray) -> FloatArray:
        """Return the system columns from summed statistics, shape (..., sums) to (..., system columns).

        By default every sum but the last, divided by the last: with the default sums, means.
        """
        return sums[..., :-1] / sums[..., -1:]

    def score(self, batch: Batch) -> FloatArray:
        """Return the scores of every row, shape (rows, columns); NaN where :meth:`reasons` says why.

        Raises
        ------
        ValueError
            If the metric needs corpus statistics and was not fitted.
        """
        return self._compute_complete(batch, self.compute)

    def sums(self, batch: Batch) -> FloatArray:
        """Return the additive statistics of every row for :meth:`of_sums`, shape (rows, sums).

        NaN where a row lacks what the metric needs.

        Raises
        ------
        ValueError
            If the metric needs corpus statistics and was not fitted, or no row has what it needs.
        """
        if not self.complete(batch).any():
            raise ValueError(
                f"no row has the inputs that {self.name} needs: {self.lacking(batch) or 'there are no rows'}"
            )
        return self._compute_complete(batch, self.compute_sums)

    def _compute_complete(self, batch: Batch, compute: Callable[[Batch, Sequence[int]], FloatArray]) -> FloatArray:
        """Compute complete rows and fill the others with NaN."""
        if getattr(self, "statistics", self) is None:
            raise ValueError(
                f"{self.name} needs corpus statistics: call fit(batch) first and score with the metric it returns"
            )
        if len(batch) and all(given.all() for given in self._availability(batch)):
            return compute(batch, range(len(batch)))
        rows = np.flatnonzero(self.complete(batch)).tolist()
        found = compute(batch, rows) if rows else np.empty((0, len(self.columns)))
        values = np.full((len(batch), found.shape[1]), np.nan)
        values[rows] = found
        return values

    @classmethod
    def lacking(cls, batch: Batch) -> str | None:
        """Return what the first incomplete row lacks, or None if all rows are complete."""
        return next((f"row {row}: {lack}" for row, lack in enumerate(cls.lacks(batch)) if lack), None)

    def reasons(self, batch: Batch, values: FloatArray) -> dict[tuple[int, int], str]:
        """Return why each NaN score is undefined, by row and column index."""
        lacking = self.lacks(batch)
        return {(row, place): lacking[row] or self.undefined for row, place in np.argwhere(np.isnan(values)).tolist()}

    @classmethod
    def complete(cls, batch: Batch) -> NDArray[np.bool_]:
        """Return for every row whether it has everything that the metric needs."""
        complete = np.ones(len(batch), dtype=bool)
        for given in cls._availability(batch):
            complete &= given
        return complete

    @classmethod
    def _availability(cls, batch: Batch) -> list[NDArray[np.bool_]]:
        """Return for each required input whether each row has it."""
        given = [batch.references.present] if "references" in cls.needs else []
        if "mr" in cls.needs:
            given.append(batch.has_meaning if cls.reads_slots else batch.has_mr)
        return given

    @classmethod
    def lacks(cls, batch: Batch) -> list[str | None]:
        """Return for every row which required input is missing, or None."""
        reasons: list[str | None] = [None] * len(batch)
        for row in np.flatnonzero(~cls.complete(batch)).tolist():
            if "references" in cls.needs and not batch.references[row]:
                reasons[row] = "every reference is empty" if batch.references.empty[row] else "no reference"
            else:
                text = batch.mrs[row].strip()
                reasons[row] = (
                    "the meaning representation is free text: no slots" if text else "no meaning representation"
                )
        return reasons

    def resources(self) -> Mapping[str, str]:
        """Return what the scores depend on in addition to parameters, e.g. tokenizer and table hashes."""
        return {}

    @property
    def signature(self) -> str:
        """Everything the scores depend on, in one line: parameters, resources and version."""
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]
        parts = [
            f"{key}:{sorted(value) if isinstance(value, set | frozenset) else value}"
            for key, value in (fields | dict(self.resources())).items()
        ]
        return "|".join([self.name, *parts, f"version:{__version__}"])
