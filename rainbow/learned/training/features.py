"""What a learned metric looks at: columns of metrics, and the texts."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.remembered import remembered
from rainbow.corpus import Corpus
from rainbow.corpus.views import DELEXICALISED, SURFACE
from rainbow.meaning import MeaningRepresentation
from rainbow.metrics.contract.base import Metric, MissingResourceError
from rainbow.metrics.contract.registry import all_metrics
from rainbow.metrics.contract.views import Views, signature_in
from rainbow.metrics.general.general_score import SPEEDS, general_columns, general_with
from rainbow.scoring.saved_scores import About
from rainbow.scoring.score_corpus import fit_metrics
from rainbow.text.words.mentions import joined

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FEATURE_SETS", "READS", "TEXTS", "WITHOUT_REFERENCES", "Features", "StoredColumns"]
__all__ += ["encoder_texts", "feature_columns", "features_for", "general_in", "network_texts"]

FEATURE_SETS: dict[str, str] = {
    "all": "every metric of the bare package that works on this machine",
    "all+extra": "all, and every metric that an extra or `rainbow fetch` brings; a missing one is an error",
    "referenceless": "every metric that needs no reference of the output's own input",
    "without-mr": "every metric that needs neither a meaning representation nor Java",
    "wbm+gbm": "word-based and grammar-based metrics, as in the 2017 paper",
    "wbm": "word-based metrics",
    "gbm": "grammar-based metrics",
}

INPUT, MEANING, REFERENCES = "input", "meaning", "references"
TEXTS = ("delexicalised", "surface", INPUT)

# What an encoder reads, and the texts that those are.
READS = {"output": (SURFACE,), "input": (SURFACE, MEANING), "references": (SURFACE, REFERENCES)}

_Places = slice | list[int]

# What stands for the value of a slot that has none.
NOTHING = "none"

_GROUPS = {"wbm+gbm": ("word", "grammar"), "wbm": ("word",), "gbm": ("grammar",)}


# Those that compare an output with no reference of its own input: a reference would equal itself.
WITHOUT_REFERENCES = ("referenceless", "gbm")


def feature_columns(name: str, neural: bool = False) -> tuple[str, ...]:
    """Return the metric columns of a named feature set, those of metrics that work on this machine.

    What an extra or ``rainbow fetch`` brings is in ``all+extra`` alone, so that no result depends on what happens to be
    installed.

    Parameters
    ----------
    name
        A key of :data:`FEATURE_SETS`.
    neural
        Whether the set also takes those of its metrics that are large networks, as the preset `neural` does.

    Raises
    ------
    ValueError
        If there is no such set.
    MissingResourceError
        If an extra of ``all+extra``, or a network asked for, is missing; the message says how to get it.

    Examples
    --------
    >>> feature_columns("gbm")
    ('msp', 'RE', 'len', 'cpw', 'wps', 'sps', 'spw', 'pol', 'ppw')
    """
    if name not in FEATURE_SETS:
        raise ValueError(f"there is no feature set {name!r}: choose from {', '.join(FEATURE_SETS)}")
    known = [metric for metric in all_metrics().values() if "named" not in metric.needs]
    asked = {"extra": name == "all+extra", "neural": neural}
    chosen = [metric for metric in known if not metric.needs & asked.keys() and metric.unavailable() is None]
    chosen += [metric for need in asked if asked[need] for metric in known if need in metric.needs]
    if name == "referenceless":
        chosen = [metric for metric in chosen if "references" not in metric.needs]
    elif name == "without-mr":
        chosen = [metric for metric in chosen if not metric.needs & {"mr", "java"}]
    elif name in _GROUPS:
        chosen = [metric for metric in chosen if metric.group in _GROUPS[name]]
    for metric in chosen:
        if missing := metric.unavailable():
            raise MissingResourceError(f"{metric.name}: {missing}")
    return tuple(column.name for metric in chosen for column in metric.columns)


def features_for(
    corpus: Corpus,
    model: str = "all",
    preset: str = "default",
    reads: str = "output",
    chosen: bool = False,
    start: str = "fast",
) -> Features:
    """Return what a preset looks at: the columns of a feature set, and texts where its learner reads them.

    Parameters
    ----------
    corpus
        What will be learned from.
    model
        A key of :data:`FEATURE_SETS`.
    preset
        A key of :data:`rainbow.learned.learner.regressor.PRESETS`.
    reads
        A key of :data:`READS`: what an encoder reads.
    chosen
        Whether some of the columns will be chosen, and those alone be learned from.
    start
        The general score that the preset `default` starts from, ``fast`` or ``full``; empty for none. Sets as in the
        2017 paper, and columns that will be chosen, have none.

    Examples
    --------
    >>> import rainbow
    >>> features_for(rainbow.load_dataset("demo"), "gbm", "paper").texts
    ()
    """
    if preset == "network" and not corpus.frame[list(corpus.ratings)].notna().any(axis=None):
        return Features((), network_texts(corpus))  # there is nothing to compare scores with
    columns = feature_columns(model, neural=preset == "neural")
    if preset == "network":
        return Features(columns, network_texts(corpus))
    if preset == "encoder":
        return Features(columns, encoder_texts(corpus, reads))
    if preset == "default" and start and not chosen and model not in _GROUPS:
        columns += general_columns(start)
    references = model not in WITHOUT_REFERENCES
    if model == "without-mr":
        return Features(columns, () if chosen else ("surface",), view="surface")
    return Features(columns, () if chosen or preset == "paper" else TEXTS, references=references)


def general_in(columns: Sequence[str]) -> tuple[str, ...]:
    """Return those of some columns that are general scores.

    Examples
    --------
    >>> general_in(["TER", "fast_quality"])
    ('fast_quality',)
    """
    known = {name for speed in SPEEDS for name in general_columns(speed)}
    return tuple(name for name in columns if name in known)


def network_texts(corpus: Corpus) -> tuple[str, ...]:
    """Return the texts that a network reads: where there are meaning representations the output and its input."""
    return (DELEXICALISED, MEANING) if corpus.default_view == DELEXICALISED else (SURFACE,)


def encoder_texts(corpus: Corpus, reads: str) -> tuple[str, ...]:
    """Return the texts that a pretrained encoder reads: the output as it is, alone or in a pair.

    Raises
    ------
    ValueError
        If an output of the corpus has nothing of what is to be read beside it.
    """
    if reads == "input" and not all(corpus.meanings):
        raise ValueError("an output has no meaning representation: let the encoder read the output alone")
    if reads == REFERENCES and not corpus.frame[REFERENCES].map(len).all():
        raise ValueError("an output has no reference: let the encoder read the output alone")
    return READS[reads]


@dataclass(frozen=True)
class Features:
    """The columns and texts that a learned metric looks at, with the metrics that compute them.

    Parameters
    ----------
    columns
        Names of metric columns, in the order in which the learner sees them.
    texts
        What the learner reads besides: the output as the text views ``delexicalised`` and ``surface`` show it, and
        ``input``: the act and the slots of the meaning representation, without values; ``meaning``: those in their
        order, with the values that no placeholder stands for (`yes`, `dont_care` ...), which every output needs then;
        or ``references``: all of them, one behind the other, which every output needs then.
    view
        The view that word-based and language-model metrics see; by default that of the corpus fitted on.
    metrics
        The metrics, fitted; None before :meth:`fit`.
    references
        Whether general scores look at references where there are any.

    Examples
    --------
    >>> corpus = Corpus.of(["the inn is cheap", "cheap"], [["the inn is cheap"], ["an inn"]])
    >>> features = Features(("TER", "lm_mean"), ("surface",)).fit(corpus)
    >>> features.table(corpus).round(2).values.tolist()
    [[0.0, -2.02, 'the inn is cheap'], [1.0, -1.46, 'cheap']]
    """

    columns: tuple[str, ...]
    texts: tuple[str, ...] = ()
    view: str | None = None
    metrics: tuple[Metric, ...] | None = None
    references: bool = True

    def fit(self, corpus: Corpus) -> Self:
        """Return these features with the corpus statistics (language model, document frequencies) of this corpus."""
        view = self.view or corpus.default_view
        metrics = general_with(fit_metrics(corpus, self.columns, view), references=self.references)
        return dataclasses.replace(self, view=view, metrics=tuple(metrics))

    def only(self, columns: Sequence[str]) -> Self:
        """Return the features with these columns alone, in this order, without the metrics that give none of them."""
        metrics = self.metrics and tuple(
            metric for metric in self.metrics if {column.name for column in metric.columns} & set(columns)
        )
        return dataclasses.replace(self, columns=tuple(columns), metrics=metrics)

    def portable(self) -> Self:
        """Return the features as a model file holds them: with counts, but without the texts that were counted."""
        fitted = [(metric, getattr(metric, "statistics", None)) for metric in self.metrics or ()]
        metrics = [
            dataclasses.replace(metric, statistics=counted.portable()) if counted else metric  # type: ignore[type-var]
            for metric, counted in fitted
        ]
        return dataclasses.replace(self, metrics=tuple(metrics))

    def table(self, corpus: Corpus, known: pd.DataFrame | None = None) -> pd.DataFrame:
        """Return a row per output: the scores in the order of `columns`, then the texts.

        Parameters
        ----------
        corpus
            The outputs.
        known
            Scores of this corpus computed before; they are taken where their signature is the one that is needed.
        """
        import pandas as pd

        views = Views.of(corpus)
        scores = pd.DataFrame(self.scores(views, known), columns=list(self.columns), index=corpus.frame.index)
        # As objects: pandas' own string type refuses half a surrogate pair.
        texts = {name: pd.Series(column, scores.index, dtype=object) for name, column in self.texts_of(views).items()}
        return scores.assign(**texts)

    def scores(self, views: Views, known: pd.DataFrame | None = None) -> FloatArray:
        """Return the scores of every row, shape (rows, columns); `known` as in :meth:`table`.

        Raises
        ------
        ValueError
            If the features are not fitted.
        """
        if self.metrics is None:
            raise ValueError("the features are not fitted: call fit(corpus) first")
        current = set() if known is None else _current(known, self.signatures)
        scores = np.empty((len(views), len(self.columns)))
        for metric, names, own, places in self._places:
            if known is not None and current.issuperset(names):
                scores[:, places] = known[names].to_numpy(float)
            else:
                scores[:, places] = metric.score(views.seen_by(metric, self._view))[:, own]
        return scores

    def texts_of(self, views: Views) -> dict[str, list[str]]:
        """Return the texts that the learner reads: for every name in `texts`, the outputs."""
        made = {INPUT: _inputs, MEANING: _meanings, REFERENCES: _references}
        return {name: made[name](views) if name in made else list(views.get(name).outputs) for name in self.texts}

    @cached_property
    def needs(self) -> frozenset[str]:
        """What every output must come with: ``references``, ``mr``, or nothing."""
        read = {need for text, need in ((MEANING, "mr"), (REFERENCES, "references")) if text in self.texts}
        needed = {need for metric in self.metrics or () for need in metric.needs}
        return frozenset(read | needed & {"references", "mr"})

    @cached_property
    def signatures(self) -> dict[str, str]:
        """All that the scores of each column depend on, as :func:`rainbow.score_corpus` writes it."""
        return {
            column.name: signature_in(metric, self._view)
            for metric in self.metrics or ()
            for column in metric.columns
            if column.name in self.columns
        }

    def described(self) -> list[dict[str, str]]:
        """Return the columns in their order, each with its signature, as a card has them."""
        return [{"column": name, "signature": self.signatures[name]} for name in self.columns]

    @cached_property
    def _places(self) -> list[tuple[Metric, list[str], _Places, _Places]]:
        """Return for each metric its columns that are looked at: where they stand there, and among `columns`."""
        found = []
        for metric in self.metrics or ():
            own = [column.name for column in metric.columns]
            if names := [name for name in self.columns if name in own]:
                places = _run([self.columns.index(name) for name in names])
                found.append((metric, names, _run([own.index(name) for name in names]), places))
        return found

    @property
    def _view(self) -> str:
        return self.view or SURFACE


@dataclass(frozen=True)
class StoredColumns:
    """Scores that a dataset brings along, in place of :class:`Features`: what others computed, for measuring only.

    Examples
    --------
    >>> corpus = Corpus.of(["a"], **{"published.TER": [0.5]})
    >>> StoredColumns(("TER",)).fit(corpus).table(corpus).to_dict("list")
    {'TER': [0.5]}
    """

    columns: tuple[str, ...]
    prefix: str = "published."
    texts: tuple[str, ...] = ()

    def fit(self, corpus: Corpus) -> Self:
        """Return themselves: nothing is counted on a corpus."""
        return self

    def table(self, corpus: Corpus, known: pd.DataFrame | None = None) -> pd.DataFrame:
        """Return the stored scores, a row per output.

        Raises
        ------
        ValueError
            If the dataset has no such column.
        """
        stored = [self.prefix + name for name in self.columns]
        if missing := sorted(set(stored) - set(corpus.frame)):
            raise ValueError(f"the dataset has no column {missing[0]!r}: it brings no such score along")
        return corpus.frame[stored].astype(float).set_axis(list(self.columns), axis=1)


def _run(places: list[int]) -> _Places:
    """Return places as a slice where they follow each other: an array is read and written faster by it."""
    run = range(places[0], places[0] + len(places))
    return slice(run.start, run.stop) if places == list(run) else places


def _inputs(views: Views) -> list[str]:
    """Return for every row what was to be said, without values: the act and the slots of its meaning representation."""
    meanings = views.get("surface").meanings
    return [" ".join([m.act, *sorted(slot.name for slot in m.slots)]) if m else "" for m in meanings]


def _meanings(views: Views) -> list[str]:
    """Return for every row what was to be said, in words: its act, and the name and the value of each slot."""
    return [_in_words(meaning) if meaning else "" for meaning in views.get("surface").meanings]


def _references(views: Views) -> list[str]:
    """Return for every row its references, one behind the other."""
    return [" ".join(texts) for texts in views.get(SURFACE).references]


@remembered(1 << 20)
def _in_words(meaning: MeaningRepresentation) -> str:
    """Return an act and its slots in their order, however their names are joined.

    Examples
    --------
    >>> from rainbow.meaning import parse
    >>> _in_words(parse("inform(name='the inn',price_range=cheap,kids_allowed=dont_care,near)"))
    'inform name xname pricerange xpricerange kidsallowed dontcare near none'
    """
    said = (
        f"{joined(slot.name)} {slot.placeholder if slot.literal else joined(slot.value) or NOTHING}"
        for slot in meaning.slots
    )
    return " ".join([meaning.act, *said]).lower()


def _current(known: pd.DataFrame, signatures: Mapping[str, str]) -> set[str]:
    """Return the columns whose saved signature is the one that is needed."""
    saved = About.of(known).signatures
    return {name for name, signature in signatures.items() if name in known and saved.get(name) == signature}
