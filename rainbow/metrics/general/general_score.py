"""The general score: how people would rate an output, by whatever comes with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.base.fetched import missing_files
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import find, register
from rainbow.metrics.general.beside_references import answers, leave_out
from rainbow.metrics.general.regressions import (
    RATINGS,
    expected,
    known_corpora,
    regressions_digest,
    shipped_regressions,
)
from rainbow.metrics.probability.likelihood import Likelihood, LikelihoodInput, LikelihoodReferences
from rainbow.metrics.word.bertscore import BertScore
from rainbow.programs.bundles import bundle_files
from rainbow.programs.language_models.engine import DEFAULT as SMOLLM2
from rainbow.programs.language_models.engine import model_problem

SPEEDS = ("fast", "full")
_LIKELIHOODS = (Likelihood, LikelihoodInput, LikelihoodReferences)


class LeftOut(NamedTuple):
    """The corpora that nothing may be learned from, as outputs of theirs are scored."""

    names: tuple[str, ...] = ()

    def portable(self) -> Self:
        """Return itself."""
        return self

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {"left_out": list(self.names)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LeftOut:
        """Return what :meth:`to_json` described; ValueError if it describes none."""
        names = data.get("left_out")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError("these are no names of corpora: pass what to_json() gave")
        return cls(tuple(names))


def general_columns(speed: str) -> tuple[str, ...]:
    """Return the names of the columns of a speed, one for each rating."""
    return tuple(f"{speed}_{rating}" for rating in RATINGS)


def _columns(speed: str) -> tuple[Column, ...]:
    said = {
        "informativeness": "says the right things",
        "naturalness": "reads as if a person had written it",
        "quality": "is good, all in all",
    }
    by = {"fast": "by overlap, slots and kinds of words", "full": "by pretrained networks, overlap and slots"}
    return tuple(
        Column(
            name,
            True,
            short=f"{rating}, {speed}",
            plain=f"How far people would say that it {said[rating]}, {by[speed]}.",
        )
        for name, rating in zip(general_columns(speed), RATINGS, strict=True)
    )


@dataclass(frozen=True)
class _General(Metric):
    """What both speeds have in common."""

    references: bool = True
    statistics: LeftOut | None = None

    group = "language-model"
    surface_only = True
    undefined = "the output has no word, or all that it could be told by was learned from its own corpus"
    speed: ClassVar[str]

    def fit(self, batch: Batch) -> Self:
        """Return the metric that learned nothing from the corpus that these outputs are from."""
        return replace(self, statistics=LeftOut(known_corpora(batch.outputs)))

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        """Return the columns, shape (rows, 3): a row is asked for no more than its regressions look at."""
        left_out = self.statistics or LeftOut()
        worded = [place for place, row in enumerate(rows) if any(map(str.isalnum, batch.outputs[row]))]
        asked = _Asked(batch, np.array([rows[place] for place in worded], dtype=np.intp), self.references)
        ratings = np.full((len(rows), len(RATINGS)), np.nan)
        regressions = shipped_regressions(self.speed, left_out.names)
        ratings[worded] = expected(regressions, len(worded), asked.scores)
        return ratings

    def resources(self) -> Mapping[str, str]:
        return {"regressions": regressions_digest()}


class _Asked:
    """Scores of some rows of a batch, each computed when it is first asked for."""

    def __init__(self, batch: Batch, rows: np.ndarray[Any, np.dtype[np.intp]], references: bool) -> None:
        self._batch, self._rows, self._references = batch, rows, references
        self._known: dict[str, tuple[BoolArray, FloatArray]] = {}

    def scores(self, columns: tuple[str, ...], asked: BoolArray) -> FloatArray:
        """Return columns of the rows that are asked for and bring all that these need; NaN for the others."""
        metrics = list(dict.fromkeys(_column(name)[0] for name in columns))
        for metric in metrics:
            asked = asked & self._complete(metric)
        found = {metric: self._scored(metric, asked) for metric in metrics}
        return np.column_stack([found[metric][:, place] for metric, place in map(_column, columns)])

    def _complete(self, metric: Metric) -> BoolArray:
        if "references" in metric.needs and not self._references:
            return np.zeros(len(self._rows), dtype=bool)
        whole: BoolArray = metric.complete(self._batch)[self._rows]
        if self._references and isinstance(metric, LikelihoodInput):
            return whole & ~self._answered
        return whole & ~self._chosen_from if self._references and metric.reads_slots else whole

    @cached_property
    def _answered(self) -> BoolArray:
        """Whether the input of each row is a text that its references do not say again."""
        meanings, texts, references = self._batch.meanings, self._batch.mrs, self._batch.references
        rows = self._rows.tolist()
        return np.array([meanings[row] is None and answers(references[row], texts[row]) for row in rows], dtype=bool)

    @cached_property
    def _chosen_from(self) -> BoolArray:
        """Whether the input of each row has slots that none of its references says."""
        own = [(self._batch.references[row], self._batch.meanings[row]) for row in self._rows.tolist()]
        return np.array([slots is not None and leave_out(said, slots) for said, slots in own], dtype=bool)

    def _scored(self, metric: Metric, asked: BoolArray) -> FloatArray:
        empty = np.zeros(len(self._rows), dtype=bool), np.full((len(self._rows), len(metric.columns)), np.nan)
        done, values = self._known.setdefault(metric.name, empty)
        new = asked & ~done
        if new.any():
            values[new] = metric.compute(self._batch, self._rows[new].tolist())
            done |= new
        return np.where(asked[:, None], values, np.nan)


@cache
def _column(name: str) -> tuple[Metric, int]:
    """Return the metric that gives a column, and where it stands among that metric's."""
    metric = find(name)
    return _metric(metric), [column.name for column in metric.columns].index(name)


@cache
def _metric(metric: type[Metric]) -> Metric:
    # Regressions learned from what SmolLM2 says, whatever else likelihoods are asked of.
    return metric(model=SMOLLM2) if issubclass(metric, _LIKELIHOODS) else metric()


def general_with(metrics: Iterable[Metric], **changed: Any) -> list[Metric]:
    """Return metrics, the general scores among them with other parameters."""
    return [replace(metric, **changed) if isinstance(metric, _General) else metric for metric in metrics]


@register
@dataclass(frozen=True)
class GeneralFast(_General):
    """How people would rate an output of any kind, by what overlaps with references, slots, word classes and length."""

    name = "general-fast"
    plain = "How people would rate it, as learned from the ratings of several corpora."
    columns = _columns("fast")
    needs = frozenset({"named"})
    speed = "fast"


def missing_full() -> str | None:
    """Say what this machine lacks for `full`, and how to mend it; None if it lacks nothing."""
    lacking = model_problem(), BertScore.unavailable()
    return (missing_files((*bundle_files(SMOLLM2), *bundle_files("minilm"))) if all(lacking) else None) or lacking[0] or lacking[1]


@register
@dataclass(frozen=True)
class GeneralFull(_General):
    """How people would rate an output of any kind, by the columns of :class:`GeneralFast` and by likelihoods."""

    name = "general-full"
    plain = "How people would rate it, as learned from several corpora, a small language model asked."
    columns = _columns("full")
    needs = frozenset({"named"})
    speed = "full"

    @classmethod
    def unavailable(cls) -> str | None:
        return missing_full()
