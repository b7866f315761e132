"""Scoring of a corpus in memory: every metric for every row."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from rainbow.base.lazy import pd
from rainbow.base.progress import RowProgress, silent
from rainbow.base.workers import in_order
from rainbow.corpus import Corpus
from rainbow.corpus.text_profile import Language, TextProfile, profile_outputs
from rainbow.corpus.views import splits_words
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.registry import word_columns
from rainbow.metrics.contract.selection import SelectedMetric, select_metrics
from rainbow.scoring.chunks import CorpusRows, chunk_size, number_chunks
from rainbow.scoring.missing import MissingReasons
from rainbow.scoring.plan import Plan, fit_plan
from rainbow.text.languages.detection import ENGLISH


def score_corpus(
    corpus: Corpus,
    metrics: Iterable[str | Metric] | str | None = None,
    view: str | None = None,
    *,
    group: str | None = None,
    as_published: bool = False,
    workers: int = 1,
    threads: int = 1,
    chunk_rows: int | None = None,
    progress: RowProgress | None = None,
) -> pd.DataFrame:
    """Compute every metric column for every row of a corpus, in corpus order.

    Parameters
    ----------
    corpus : Corpus
        Outputs, references and inputs.
    metrics : iterable of str or Metric, or str, optional
        Metrics (``cider``), columns (``CIDEr``) or :class:`Metric` objects. By default all metrics of the bare package;
        one that is not available on this machine gives NaN with a reason. ``all+extra`` adds those that need an extra
        or ``rainbow fetch``. Unfitted corpus statistics are fitted on this corpus; see :func:`fit_metrics`.
    view : str, optional
        Texts that word-based and language-model metrics read: ``surface``, ``delexicalised`` (default if there are
        meaning representations) or another view of the corpus. Other metrics always read the surface.
    group : str, optional
        Compute only metrics of this group.
    as_published : bool
        Use the definitions behind the tables of Novikova et al. (2017) where they differ from the correct ones, and the
        view ``published`` if the corpus has it.
    workers : int
        Number of processes; more than 1 requires ``if __name__ == "__main__":`` and pays off from some thousand rows.
    threads : int
        Number of threads of the compiled kernels in each process.
    chunk_rows : int, optional
        Rows per chunk, at most 8,000 by default. Scores do not depend on workers, threads or chunks.
    progress : callable, optional
        Called with ``"scoring"``, the number of finished rows and the total.

    Returns
    -------
    DataFrame
        One float column per metric column, indexed like the corpus. ``attrs["signatures"]`` holds what each column
        depends on. ``attrs["missing"]`` holds, per column, the reasons for NaN, each with its row positions, ``"all"``,
        or, beyond 10,000 rows, their ``"count"`` and the ``"first"`` of them.

    Raises
    ------
    ValueError
        If a name or the view is unknown, or a metric fails for a row; the message names row and metric.
    MissingResourceError
        If a metric requested by name is not available on this machine.
    RuntimeError
        If workers cannot be started.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["the inn is cheap", ""], [["the inn is cheap"], []])
    >>> scores = score_corpus(corpus, ["TER", "len"])
    >>> scores
       TER   len
    0  0.0  13.0
    1  NaN   0.0
    >>> scores.attrs["missing"]
    {'TER': {'no reference': [1]}}
    """
    named = metrics if metrics is None or isinstance(metrics, str) else list(metrics)
    profile, selected = profile_outputs(corpus.frame), select_metrics(named, group, as_published)
    # Fitted metrics were chosen before: other rows, such as worse texts, do not change the choice.
    chosen = any(isinstance(entry, Metric) for entry in named or ())
    language = partial(_language, corpus, profile, chosen)
    plan = fit_plan([corpus], selected, view, as_published, corpus.background, language)
    unspaced = "" if splits_words(plan.view) else profile.unspaced_warning(word_columns(plan.columns))
    for warning in filter(None, (unspaced, "" if chosen else profile.mixture_warning(plan.language))):
        warnings.warn(warning, stacklevel=2)
    chunks = number_chunks(CorpusRows(corpus).chunks(chunk_size(len(corpus), chunk_rows)))
    values, missing, done = np.empty((len(corpus), len(plan.columns))), MissingReasons(), 0
    for scores in in_order(partial(plan.score, threads=threads), chunks, workers):
        size = len(scores.values)
        values[done : done + size] = scores.values
        missing.add(scores.missing, size)
        done += size
        (progress or silent)("scoring", done, len(corpus))
    table = pd.DataFrame(dict(zip(plan.columns, values.T, strict=True)), index=corpus.frame.index)
    table.attrs = {"signatures": plan.signatures, "missing": missing.result(), "view": plan.view}
    table.attrs |= {"language": plan.language} if plan.language not in (None, ENGLISH) else {}
    return table


def _language(corpus: Corpus, profile: TextProfile, chosen: bool) -> Language:
    """Return the language of a corpus; only a given one restricts metrics that were chosen before."""
    known = profile.language(corpus.language)
    return known if corpus.language or not chosen else known._replace(code=None)


def _check_named(named: Sequence[str] | str | None, selected: Sequence[SelectedMetric], plan: Plan) -> None:
    """Raise ValueError if the language leaves out a named column, or all columns of a named metric."""
    chosen = set() if named is None else {named} if isinstance(named, str) else {*named}
    available = {entry.name for entry in selected if entry.metric is not None}
    made = {entry.name for entry in plan.selected if entry.metric is not None}
    for entry in plan.selected if chosen else ():
        if entry.metric is None and entry.name in available and (entry.name not in made or chosen & {*entry.columns}):
            raise ValueError(f"{entry.name}: {entry.missing}")


def fit_metrics(
    corpus: Corpus, metrics: Iterable[str] | str | None = None, view: str | None = None, *, as_published: bool = False
) -> list[Metric]:
    """Return metrics with corpus statistics of this corpus, to score other rows with the same definition.

    Parameters
    ----------
    corpus, metrics, view, as_published
        As in :func:`score_corpus`; metrics that are not available on this machine are omitted.

    Raises
    ------
    ValueError
        If a named metric is not made for the language of the outputs.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["a b c"], [["a b c d"]])
    >>> score_corpus(Corpus.from_texts(["a b"], [["a b c d"]]), fit_metrics(corpus, ["CIDEr"])).shape
    (1, 2)
    """
    named = metrics if metrics is None or isinstance(metrics, str) else list(metrics)
    profile, selected = profile_outputs(corpus.frame), select_metrics(named, None, as_published)
    language = partial(_language, corpus, profile, False)
    plan = fit_plan([corpus], selected, view, as_published, corpus.background, language)
    _check_named(named, selected, plan)
    return [entry.metric for entry in plan.selected if entry.metric is not None]
