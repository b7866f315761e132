"""The interface that every metric implements.

How to write a metric
---------------------
A metric is one file with a frozen dataclass, decorated with :func:`rainbow.metrics.register`, whose fields are its
parameters. It defines

* `name`, `group`, `columns` (the scores of an output) and `needs`;
* :meth:`Metric.compute`, which scores rows with complete inputs;
* :meth:`Metric.fit` and a field `statistics`, only if it needs corpus statistics;
* :meth:`Metric.resources`, if the scores depend on more than parameters.

Missing values and their reasons, signatures, commands, reports and tests follow from these.

A metric that also scores whole systems defines `system_columns`, the additive statistics of each row
(:meth:`Metric.compute_sums`), and the scores for their sum (:meth:`Metric.score_sums`). These give the score of any
sample of rows, and so system scores, bootstrap intervals and permutation tests
(:func:`rainbow.systems.corpus_scores.corpus_scores.evaluate_metrics`). By default, a system has the mean of each
column.

Scores of unusual texts
-----------------------
A test reads this table. "Worst" is the worst end of a column's range; "NaN" comes with a reason
(:meth:`Metric.reasons`); "as ever" is the score that the metric has with references.

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

TER is unbounded: an empty output has 1, as all words of the reference are missing. Metrics that do not read references
(SIM, Levenshtein) are defined without them; metrics of other groups that do read them are not. General scores use
references if given, and have another value without. The parser, LanguageTool and likelihoods are NaN for texts that
exceed their length limits.
"""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rainbow._version import __version__
from rainbow.base.arrays import FloatArray
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import Tool
from rainbow.text.languages.detection import ENGLISH

Group = Literal["word", "grammar", "meaning", "language-model"]
Need = Literal["references", "mr", "java", "extra", "neural", "named"]


class MissingResourceError(RuntimeError):
    """Raised if a resource that a metric needs is not installed; the message gives the installation command."""


class Column(NamedTuple):
    """One score that a metric computes for an output.

    Attributes
    ----------
    name : str
        Name of the column.
    higher_is_better : bool or None
        Direction; None if neither direction is better, e.g. for a length.
    low, high : float
        Bounds of the values.
    short : str
        Label in charts; by default the name.
    plain : str
        Description in one sentence; by default that of the metric.
    languages : frozenset of str
        Codes of the languages it is defined for; by default those of the metric.

    Examples
    --------
    >>> from rainbow.metrics import get
    >>> column = get("ter").columns[0]
    >>> column.name, column.higher_is_better, column.low
    ('TER', False, 0.0)
    """

    name: str
    higher_is_better: bool | None
    low: float = -math.inf
    high: float = math.inf
    short: str = ""
    plain: str = ""
    languages: frozenset[str] = frozenset()


def make_columns(
    descriptions: Mapping[tuple[str, bool | None, float, float, str], str], languages: frozenset[str] = frozenset()
) -> tuple[Column, ...]:
    """Return columns from their descriptions by name, direction, bounds and label in charts."""
    return tuple(Column(*column, plain, languages) for column, plain in descriptions.items())


ENGLISH_ONLY = frozenset({ENGLISH})
LANGUAGE = "language"  # field of the metrics that know several languages


def drop_english(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters without the language if it is English, which signatures and model files leave out."""
    return {name: value for name, value in parameters.items() if (name, value) != (LANGUAGE, ENGLISH)}


class Metric(ABC):
    """Base class of all metrics.

    Subclasses are frozen dataclasses; every field is a parameter and part of the signature. A metric with corpus
    statistics has a field `statistics` (None until fitted) and overrides :meth:`fit`.

    Attributes
    ----------
    name : str
        Name of the metric.
    plain : str
        Description in one sentence for a general reader; by default the first sentence of the docstring.
    group : {"word", "grammar", "meaning", "language-model"}
        Group of the metric.
    columns : tuple of Column
        Scores of an output, in order.
    needs : frozenset of str
        ``references``, ``mr`` (a meaning representation), ``java``, ``extra`` (an extra of this package or
        ``rainbow fetch``; included in no feature set unless named), ``neural`` (a large network to fetch; included in
        no feature set, not even ``all+extra``), ``named`` (as ``neural``, and only computed if named).
    surface_only : bool
        Whether it always reads the texts as given, whatever the view.
    reads_slots : bool
        Whether the meaning representation must have slots, so that free text is not enough.
    compares_words : bool
        Whether it compares or counts words, so that languages without spaces need word segmentation.
    languages : frozenset of str
        Codes of the languages it can be made for; empty for any language. In another language its scores are missing.
        A metric of several languages has a field `language`, by default ``en``, and :meth:`for_language` sets it.
    undefined : str
        Reason for NaN in a row with complete inputs.
    system_columns : tuple of Column
        Scores of a whole system, in order; none by default.
    tools : tuple of Tool
        Reference implementations, which `rainbow verify` compares with.
    no_tool : str
        Why columns have no reference implementation.
    tokens : str
        Name of the tokens in the signature; empty if it reads whole texts.

    Examples
    --------
    The share of a reference's words that occur in the output, and over all references for a system:

    >>> @dataclasses.dataclass(frozen=True)
    ... class Covered(Metric):
    ...     name = "covered"
    ...     group = "word"
    ...     columns = (Column("covered", True, 0.0, 1.0),)
    ...     needs = frozenset({"references"})
    ...     system_columns = columns
    ...
    ...     def compute(self, batch, rows):
    ...         return self.score_sums(self.compute_sums(batch, rows))
    ...
    ...     def compute_sums(self, batch, rows):
    ...         pairs = [(batch.outputs[row].split(), batch.references[row][0].split()) for row in rows]
    ...         return np.array([[sum(word in ours for word in words), len(words)] for ours, words in pairs], float)
    >>> metric, batch = Covered(), Batch(["the inn", "no"], [["the cheap inn"], ["a bar"]])
    >>> metric.score(batch).round(2).tolist(), metric.score_sums(metric.sums(batch).sum(axis=0)).tolist()
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
    languages: ClassVar[frozenset[str]] = frozenset()
    undefined: ClassVar[str] = "it is not defined for this text"
    system_columns: ClassVar[tuple[Column, ...]] = ()
    tools: ClassVar[tuple[Tool, ...]] = ()
    no_tool: ClassVar[str] = "no other implementation is known"
    tokens: ClassVar[str] = ""

    @classmethod
    def unavailable(cls) -> str | None:
        """Return what is missing on this machine and how to install it; None if the metric works."""
        return None

    @classmethod
    def languages_of(cls, column: str) -> frozenset[str]:
        """Return the languages that a column is defined for; empty for any language."""
        return next((one.languages for one in cls.columns if one.name == column), frozenset()) or cls.languages

    def known_languages(self, column: str = "") -> frozenset[str]:
        """Return the languages that it can be made for, or one of its columns; empty for any language."""
        return self.languages_of(column)

    def for_language(self, language: str | None) -> Self:
        """Return the metric made for a language; itself if it has no parameter for it, or does not know it."""
        if language is None or LANGUAGE not in self.parameters() or (self.languages and language not in self.languages):
            return self
        return dataclasses.replace(self, language=language)  # type: ignore[type-var]

    @property
    def made_for(self) -> frozenset[str]:
        """The languages that it can score as it is; empty for any language."""
        own = self.parameters().get(LANGUAGE)
        return frozenset({own}) if own else self.known_languages()

    def fit(self, batch: Batch) -> Self:
        """Return the metric with corpus statistics of these references; itself if it needs none."""
        return self

    @abstractmethod
    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        """Return the columns for these rows of the batch, shape (rows, columns); NaN where undefined."""

    def compute_sums(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        """Return the additive statistics of these rows, shape (rows, sums); by default scores and 1."""
        return np.column_stack([self.compute(batch, rows), np.ones(len(rows))])

    def score_sums(self, sums: FloatArray) -> FloatArray:
        """Return the system columns from summed statistics, shape (..., sums) to (..., system columns).

        By default all sums but the last are divided by the last; with the default sums, these are means.
        """
        return sums[..., :-1] / sums[..., -1:]

    def score(self, batch: Batch) -> FloatArray:
        """Return the scores of every row, shape (rows, columns); NaN with a reason in :meth:`reasons`.

        Raises
        ------
        ValueError
            If the metric needs corpus statistics and is not fitted.
        """
        return self._compute_complete(batch, self.compute)

    def sums(self, batch: Batch) -> FloatArray:
        """Return the additive statistics of every row, shape (rows, sums); NaN if inputs are missing.

        Raises
        ------
        ValueError
            If the metric needs corpus statistics and is not fitted, or no row has complete inputs.
        """
        if not self.complete(batch).any():
            raise ValueError(
                f"{self.name} needs at least one complete row: {self.missing_inputs(batch) or 'the table is empty'}"
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
        result = compute(batch, rows) if rows else np.empty((0, len(self.columns)))
        values = np.full((len(batch), result.shape[1]), np.nan)
        values[rows] = result
        return values

    @classmethod
    def missing_inputs(cls, batch: Batch) -> str | None:
        """Return what the first incomplete row lacks, or None if all rows are complete."""
        return next((f"row {row}: {lack}" for row, lack in enumerate(cls.lacks(batch)) if lack), None)

    def reasons(self, batch: Batch, values: FloatArray) -> dict[tuple[int, int], str]:
        """Return why each NaN score is undefined, by row and column index."""
        missing = self.lacks(batch)
        return {(row, place): missing[row] or self.undefined for row, place in np.argwhere(np.isnan(values)).tolist()}

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
            elif batch.mrs[row].strip():
                reasons[row] = "the meaning representation is free text: no slots"
            else:
                reasons[row] = "no meaning representation"
        return reasons

    def resources(self) -> Mapping[str, str]:
        """Return what the scores depend on in addition to parameters, e.g. tokenizer and table hashes."""
        return {"tokens": self.tokens} if self.tokens else {}

    def parameters(self) -> dict[str, Any]:
        """Return the parameters by name."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]

    @property
    def signature(self) -> str:
        """Everything the scores depend on, in one line: parameters, resources and version."""
        fields = drop_english(self.parameters())
        parts = [
            f"{key}:{sorted(value) if isinstance(value, set | frozenset) else value}"
            for key, value in (fields | dict(self.resources())).items()
        ]
        return "|".join([self.name, *parts, f"version:{__version__}"])
