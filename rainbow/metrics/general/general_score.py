"""The general score: a predicted human rating from whatever inputs are available."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.base.caching import cache_by_size
from rainbow.base.downloads import missing_files
from rainbow.meaning import MeaningRepresentation
from rainbow.meaning.compiled_realisation import slot_shares
from rainbow.meaning.realisation import NO_VALUES
from rainbow.metrics.contract.base import ENGLISH_ONLY, Column, Metric, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import find, register
from rainbow.metrics.contract.selection import column_names
from rainbow.metrics.general.regressions import (
    RATINGS,
    expected_ratings,
    known_corpora,
    regressions_digest,
    shipped_regressions,
)
from rainbow.metrics.meaning.evaluator import EvaluatorInput
from rainbow.metrics.probability.likelihood import Likelihood, LikelihoodInput, LikelihoodReferences
from rainbow.metrics.word.bertscore import BertScore
from rainbow.programs.bundles import bundle_files
from rainbow.programs.encoder import pair_encoder_identity
from rainbow.programs.language_models.engine import DEFAULT as SMOLLM2
from rainbow.programs.language_models.engine import model_unavailable_reason

# References say what a text says if one of them has this share of its long words from there ...
MIN_OVERLAP = 1 / 3
_LONG_WORD = re.compile(r"\w{4,}")
# ... and all of a meaning representation if one of them says this share of its slots.
FULL_COVERAGE = 0.8
CACHE_SIZE = 1 << 21  # characters: outputs of all systems, and those of a reward again and again, have the same inputs


@cache_by_size(CACHE_SIZE)
def is_answer(references: tuple[str, ...], text: str) -> bool:
    """Return whether references answer a text (question, dialogue) or are in another language."""
    own = _long_words(text)
    word_sets = filter(None, map(_long_words, references))
    return max((len(words & own) / len(words) for words in word_sets), default=1.0) < MIN_OVERLAP


@cache_by_size(CACHE_SIZE)
def omits_slots(references: tuple[str, ...], meaning: MeaningRepresentation) -> bool:
    """Return whether every reference omits part of the meaning representation (a table to select from)."""
    realised = slot_shares([meaning] * len(references), references, NO_VALUES)[:, 0]
    return bool(np.nan_to_num(realised, nan=1.0).max(initial=0.0) < FULL_COVERAGE) if references else False


def _long_words(text: str) -> set[str]:
    return set(_LONG_WORD.findall(text.lower()))


SPEEDS = ("fast", "full")
_LIKELIHOODS = (Likelihood, LikelihoodInput, LikelihoodReferences)


class LeftOut(NamedTuple):
    """Training corpora to exclude because their outputs are being scored."""

    names: tuple[str, ...] = ()

    def portable(self) -> Self:
        """Return the object itself."""
        return self

    def to_json(self) -> dict[str, Any]:
        """Return the names as plain data."""
        return {"left_out": list(self.names)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LeftOut:
        """Return the object from :meth:`to_json` data; ValueError if the data is invalid."""
        names = data.get("left_out")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError("these are not corpus names: pass the result of to_json()")
        return cls(tuple(names))


def general_columns(speed: str) -> tuple[str, ...]:
    """Return the column names of a speed, one for each rating."""
    return tuple(f"{speed}_{rating}" for rating in RATINGS)


def _speed_columns(speed: str) -> tuple[Column, ...]:
    meanings = ("has the right content", "reads as if a person wrote it", "is good overall")
    by = {"fast": "from overlap, slots and word classes", "full": "from pretrained networks, overlap and slots"}
    return make_columns(
        {
            (f"{speed}_{rating}", True, -math.inf, math.inf, f"{rating}, {speed}"): (
                f"Predicted human rating: how far the output {meaning}, {by[speed]}."
            )
            for rating, meaning in zip(RATINGS, meanings, strict=True)
        }
    )


@dataclass(frozen=True)
class _General(Metric):
    """Common base of both speeds."""

    references: bool = True
    statistics: LeftOut | None = None

    group = "language-model"
    surface_only = True
    languages = ENGLISH_ONLY
    undefined = "the output has no word, or all usable regressions were trained on its own corpus"
    speed: ClassVar[str]

    def fit(self, batch: Batch) -> Self:
        """Return the metric without training data from the corpus of these outputs."""
        return replace(self, statistics=LeftOut(known_corpora(batch.outputs)))

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        left_out = self.statistics or LeftOut()
        worded = [place for place, row in enumerate(rows) if any(map(str.isalnum, batch.outputs[row]))]
        asked = _LazyScores(batch, np.array([rows[place] for place in worded], dtype=np.intp), self.references)
        ratings = np.full((len(rows), len(RATINGS)), np.nan)
        regressions = shipped_regressions(self.speed, left_out.names)
        ratings[worded] = expected_ratings(regressions, len(worded), asked.scores)
        return ratings

    def resources(self) -> Mapping[str, str]:
        return {"regressions": regressions_digest()}


class _LazyScores:
    """Scores of some rows of a batch, each computed on first use."""

    def __init__(self, batch: Batch, rows: np.ndarray[Any, np.dtype[np.intp]], references: bool) -> None:
        self._batch, self._rows, self._references = batch, rows, references
        self._known: dict[str, tuple[BoolArray, FloatArray]] = {}

    def scores(self, columns: tuple[str, ...], rows: BoolArray) -> FloatArray:
        """Return the columns of the requested rows that have the required inputs; NaN otherwise."""
        metrics = list(dict.fromkeys(_metric_column(name)[0] for name in columns))
        for metric in metrics:
            rows = rows & self._complete_rows(metric)
        result = {metric: self._metric_scores(metric, rows) for metric in metrics}
        return np.column_stack([result[metric][:, place] for metric, place in map(_metric_column, columns)])

    def _complete_rows(self, metric: Metric) -> BoolArray:
        """Return which rows have the inputs that a metric may use."""
        if "references" in metric.needs and not self._references:
            return np.zeros(len(self._rows), dtype=bool)
        whole: BoolArray = metric.complete(self._batch)[self._rows]
        if self._references and isinstance(metric, LikelihoodInput | EvaluatorInput):
            return whole & ~self._has_answers
        return whole & ~self._is_selective if self._references and metric.reads_slots else whole

    @cached_property
    def _has_answers(self) -> BoolArray:
        """Whether the input of each row is a text that its references answer instead of repeat."""
        meanings, texts, references = self._batch.meanings, self._batch.mrs, self._batch.references
        rows = self._rows.tolist()
        return np.array([meanings[row] is None and is_answer(references[row], texts[row]) for row in rows], dtype=bool)

    @cached_property
    def _is_selective(self) -> BoolArray:
        """Whether the input of each row has slots that every reference omits."""
        own = [(self._batch.references[row], self._batch.meanings[row]) for row in self._rows.tolist()]
        return np.array([slots is not None and omits_slots(texts, slots) for texts, slots in own], dtype=bool)

    def _metric_scores(self, metric: Metric, rows: BoolArray) -> FloatArray:
        """Return the scores of a metric for the requested rows, computing new ones only."""
        empty = np.zeros(len(self._rows), dtype=bool), np.full((len(self._rows), len(metric.columns)), np.nan)
        done, values = self._known.setdefault(metric.name, empty)
        new = rows & ~done
        if new.any():
            values[new] = metric.compute(self._batch, self._rows[new].tolist())
            done |= new
        return np.where(rows[:, None], values, np.nan)


@cache
def _metric_column(name: str) -> tuple[Metric, int]:
    """Return the metric of a column, and the index of the column in that metric."""
    metric = find(name)
    # The regressions were trained on SmolLM2, whatever model is configured for likelihoods.
    own = metric(model=SMOLLM2) if issubclass(metric, _LIKELIHOODS) else metric()
    return own, column_names(metric).index(name)


def replace_general_options(metrics: Iterable[Metric], **changed: Any) -> list[Metric]:
    """Return the metrics with changed parameters of the general scores."""
    return [replace(metric, **changed) if isinstance(metric, _General) else metric for metric in metrics]


@register
@dataclass(frozen=True)
class GeneralFast(_General):
    """Predicted human rating from reference overlap, slots, word classes and length.

    For each combination of inputs (slots, other input, references, both, none) there is one ridge regression of ratings
    on 7 to 13 columns of other metrics. It was trained within corpora on ranks: Novikova et al. (2017), RankME,
    SummEval and REALSumm. If the outputs belong to one of these corpora, that corpus is excluded. The scale is that of
    2017, from 1 (worst) to 6. NaN for an output without a letter or digit. Agreement with people:
    docs/general-score.md.

    Parameters
    ----------
    references : bool
        Whether to use references if there are any.
    statistics : LeftOut, optional
        Excluded corpora, found by :meth:`fit`.

    Examples
    --------
    >>> mr = "inform(name='the inn',price=cheap)"
    >>> scores = GeneralFast().fit(Batch([])).score(Batch(["the inn is cheap", "the inn"], inputs=[mr, mr]))
    >>> bool((scores[0] > scores[1]).all())
    True
    """

    name = "general-fast"
    plain = "Predicted human rating, learned from the ratings of several corpora."
    columns = _speed_columns("fast")
    needs = frozenset({"named"})
    speed = "fast"


def missing_full_resources() -> str | None:
    """Return what `full` lacks on this machine and how to install it; None if nothing."""
    missing = model_unavailable_reason(), BertScore.unavailable()
    return (
        (missing_files((*bundle_files(SMOLLM2), *bundle_files("minilm"))) if all(missing) else None)
        or missing[0]
        or missing[1]
    )


@register
@dataclass(frozen=True)
class GeneralFull(_General):
    """Predicted human rating from the columns of :class:`GeneralFast` and likelihoods.

    Adds the probability of the output under a small language model, given its input, its nearest reference, or neither
    (:class:`~rainbow.metrics.probability.likelihood.Likelihood`), in 60 ms per query on one core, and what a network
    trained for this reads in the output with its input and its references
    (:class:`~rainbow.metrics.meaning.evaluator.Evaluator`). With references it also adds the similarity of words under
    an encoder (:class:`~rainbow.metrics.word.bertscore.BertScore`). Both networks must be installed. Texts too long
    for the language model are scored by :class:`GeneralFast`.

    Parameters
    ----------
    references, statistics
        As in :class:`GeneralFast`.

    Examples
    --------
    >>> GeneralFull().fit(Batch([])).score(Batch(["cheap the is inn", "The inn is cheap."])).round(1)  # doctest: +SKIP
    array([[3. , 3.1, 3. ], ...
    """

    name = "general-full"
    plain = "Predicted human rating, learned from several corpora, using a small language model."
    columns = _speed_columns("full")
    needs = frozenset({"named"})
    speed = "full"

    @classmethod
    def unavailable(cls) -> str | None:
        return missing_full_resources()

    def resources(self) -> Mapping[str, str]:
        return {**super().resources(), "evaluator": pair_encoder_identity()}
