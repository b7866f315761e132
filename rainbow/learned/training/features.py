"""Features of a learned metric: metric columns and texts."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.corpus.views import SURFACE
from rainbow.metrics.contract.base import Metric, MissingResourceError
from rainbow.metrics.contract.registry import all_metrics
from rainbow.metrics.contract.selection import restrict_to_language, select_metrics
from rainbow.metrics.contract.views import Views, view_signature
from rainbow.metrics.general.general_score import SPEEDS, general_columns, replace_general_options
from rainbow.scoring.saved_scores import About
from rainbow.scoring.score_corpus import fit_metrics
from rainbow.text.languages.detection import ENGLISH

FEATURE_SETS: dict[str, str] = {
    "all": "every metric of the base package that works on this machine",
    "all+extra": "all, plus every metric that needs an extra or `rainbow fetch`; a missing one is an error",
    "referenceless": "every metric that needs no reference for the output's own input",
    "wbm+gbm": "word-based and grammar-based metrics, as in the 2017 paper",
    "wbm": "word-based metrics",
    "gbm": "grammar-based metrics",
}

INPUT = "input"
TEXTS = ("delexicalised", "surface", INPUT)

_Places = slice | list[int]

_GROUPS = {"wbm+gbm": ("word", "grammar"), "wbm": ("word",), "gbm": ("grammar",)}
# Metrics that compare an output with references of other inputs.
_WITHOUT_REFERENCES = ("referenceless", "gbm")


def feature_columns(name: str) -> tuple[str, ...]:
    """Return the columns of a named feature set whose metrics work on this machine."""
    if name not in FEATURE_SETS:
        raise ValueError(f"unknown feature set {name!r}: choose from {', '.join(FEATURE_SETS)}")
    known = [metric for metric in all_metrics().values() if not metric.needs & {"named", "neural"}]
    chosen = [metric for metric in known if "extra" not in metric.needs and metric.unavailable() is None]
    if name == "all+extra":
        chosen += [metric for metric in known if "extra" in metric.needs]
    elif name == "referenceless":
        chosen = [metric for metric in chosen if "references" not in metric.needs]
    elif name in _GROUPS:
        chosen = [metric for metric in chosen if metric.group in _GROUPS[name]]
    for metric in chosen:
        if missing := metric.unavailable():
            raise MissingResourceError(f"{metric.name}: {missing}")
    return tuple(column.name for metric in chosen for column in metric.columns)


def preset_features(model: str, preset: str = "default", chosen: bool = False, start: str = "fast") -> Features:
    """Return the features of a preset: the columns of a feature set, and texts if its learner reads them."""
    columns = feature_columns(model)
    references = model not in _WITHOUT_REFERENCES
    if preset == "paper" or chosen:
        return Features(columns, references=references)
    if start and model not in _GROUPS:
        columns += general_columns(start)
    return Features(columns, TEXTS if preset == "default" else (), references=references)


def select_general(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the general scores among some columns."""
    known = {name for speed in SPEEDS for name in general_columns(speed)}
    return tuple(name for name in columns if name in known)


@dataclass(frozen=True)
class Features:
    """Columns and texts that a learned metric uses, with the metrics that compute them."""

    columns: tuple[str, ...]
    texts: tuple[str, ...] = ()
    view: str | None = None
    metrics: tuple[Metric, ...] | None = None
    references: bool = True

    def fit(self, corpus: Corpus) -> Self:
        """Return these features with corpus statistics (language model, document frequencies)."""
        view = self.view or corpus.default_view
        metrics = replace_general_options(fit_metrics(corpus, self.columns, view), references=self.references)
        return dataclasses.replace(self, view=view, metrics=tuple(metrics))

    def suitable(self, language: str | None, has_inputs: bool = True) -> Self:
        """Return the features without columns that do not know the language, or need an input that no row has."""
        if language in (None, ENGLISH) and has_inputs:
            return self
        entries = restrict_to_language(select_metrics(self.columns), language)
        made = [(entry.columns, entry.metric.needs) for entry in entries if entry.metric is not None]
        known = {column for columns, needs in made if has_inputs or "mr" not in needs for column in columns}
        texts = tuple(name for name in self.texts if has_inputs or name != INPUT)
        return dataclasses.replace(self, texts=texts).only([column for column in self.columns if column in known])

    def only(self, columns: Sequence[str]) -> Self:
        """Return the features with these columns only, in this order, and their metrics."""
        metrics = self.metrics and tuple(
            metric for metric in self.metrics if {column.name for column in metric.columns} & set(columns)
        )
        return dataclasses.replace(self, columns=tuple(columns), metrics=metrics)

    def portable(self) -> Self:
        """Return the features for a model file: with counts, but without the counted texts."""
        fitted = [(metric, getattr(metric, "statistics", None)) for metric in self.metrics or ()]
        metrics = [
            dataclasses.replace(metric, statistics=counted.portable()) if counted else metric  # type: ignore[type-var]
            for metric, counted in fitted
        ]
        return dataclasses.replace(self, metrics=tuple(metrics))

    def table(self, corpus: Corpus, known: pd.DataFrame | None = None) -> pd.DataFrame:
        """Return a row per output: the scores in the order of `columns`, then the texts."""
        views = Views.from_corpus(corpus)
        scores = pd.DataFrame(self.scores(views, known), columns=list(self.columns), index=corpus.frame.index)
        # Objects, because pandas' own string type rejects lone surrogates.
        texts = {name: pd.Series(column, scores.index, dtype=object) for name, column in self.texts_of(views).items()}
        return scores.assign(**texts)

    def scores(self, views: Views, known: pd.DataFrame | None = None) -> FloatArray:
        """Return the scores of every row, shape (rows, columns); `known` as in :meth:`table`."""
        if self.metrics is None:
            raise ValueError("the features are not fitted: call fit(corpus) first")
        saved = {} if known is None else About.from_table(known).signatures
        current = {
            name
            for name, own in self.signatures.items()
            if known is not None and name in known and saved.get(name) == own
        }
        scores = np.empty((len(views), len(self.columns)))
        for metric, names, own, places in self._column_places:
            if known is not None and current.issuperset(names):
                scores[:, places] = known[names].to_numpy(float)
            else:
                scores[:, places] = metric.score(views.get_for_metric(metric, self._text_view))[:, own]
        return scores

    def texts_of(self, views: Views) -> dict[str, list[str]]:
        """Return the texts that the learner reads, by the names in `texts`; of inputs the act and slot names."""
        meanings = views.get("surface").meanings if INPUT in self.texts else ()
        inputs = [" ".join([m.act, *sorted(slot.name for slot in m.slots)]) if m else "" for m in meanings]
        return {name: inputs if name == INPUT else list(views.get(name).outputs) for name in self.texts}

    @cached_property
    def needs(self) -> frozenset[str]:
        """The inputs that every output requires: ``references``, ``mr``, or nothing."""
        return frozenset(need for metric in self.metrics or () for need in metric.needs) & {"references", "mr"}

    @cached_property
    def signatures(self) -> dict[str, str]:
        """Signature of each column, as in :func:`rainbow.score_corpus`."""
        return {
            column.name: view_signature(metric, self._text_view)
            for metric in self.metrics or ()
            for column in metric.columns
            if column.name in self.columns
        }

    def column_signatures(self) -> list[dict[str, str]]:
        """Return the columns in order with their signatures, for a model card."""
        return [{"column": name, "signature": self.signatures[name]} for name in self.columns]

    @cached_property
    def _column_places(self) -> list[tuple[Metric, list[str], _Places, _Places]]:
        """Return the used columns of each metric as two index arrays: into the metric and into `columns`."""
        results = []
        for metric in self.metrics or ():
            own = [column.name for column in metric.columns]
            if names := [name for name in self.columns if name in own]:
                places = _as_slice([self.columns.index(name) for name in names])
                results.append((metric, names, _as_slice([own.index(name) for name in names]), places))
        return results

    @property
    def _text_view(self) -> str:
        return self.view or SURFACE


@dataclass(frozen=True)
class StoredColumns:
    """Precomputed scores of a dataset in place of :class:`Features`, for evaluation only."""

    columns: tuple[str, ...]
    prefix: str = "published."
    texts: tuple[str, ...] = ()

    def fit(self, corpus: Corpus) -> Self:
        """Return itself, as nothing is fitted."""
        return self

    def table(self, corpus: Corpus, known: pd.DataFrame | None = None) -> pd.DataFrame:
        """Return the stored scores, a row per output."""
        stored = [self.prefix + name for name in self.columns]
        if missing := sorted(set(stored) - set(corpus.frame)):
            raise ValueError(f"the dataset has no column {missing[0]!r}: that external score is missing")
        return corpus.frame[stored].astype(float).set_axis(list(self.columns), axis=1)


def _as_slice(places: list[int]) -> _Places:
    """Return consecutive indices as a slice, for faster indexing; others unchanged."""
    run = range(places[0], places[0] + len(places))
    return slice(run.start, run.stop) if places == list(run) else places
