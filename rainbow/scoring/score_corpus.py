"""Scoring of a corpus in memory: every metric for every row."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rainbow.base.progress import RowProgress, silent
from rainbow.base.workers import in_order
from rainbow.corpus import Corpus
from rainbow.corpus.text_profile import profile_outputs
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.registry import word_columns
from rainbow.metrics.contract.selection import select_metrics
from rainbow.scoring.chunks import CorpusRows, chunk_size, number_chunks
from rainbow.scoring.missing import MissingReasons
from rainbow.scoring.plan import fit_plan

if TYPE_CHECKING:
    import pandas as pd


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
    """Return a score of every row for every metric column, in corpus order.

    Parameters
    ----------
    corpus
        The outputs and what belongs to them.
    metrics
        Names of metrics (``cider``), or of single columns (``CIDEr``), or :class:`Metric` objects; by default every
        metric of the bare package (one that cannot work on this machine gives NaN, with the reason), with
        ``all+extra`` also those that an extra or ``rainbow fetch`` brings. Metrics with corpus statistics that
        are not fitted yet are fitted on this corpus; fit them elsewhere with :func:`fit_metrics`.
    view
        The texts that word-based and language-model metrics see: ``surface``, ``delexicalised`` (the default
        where there is a meaning representation) or another that the corpus has. Grammar-based and meaning-based
        metrics always see the surface.
    group
        Only metrics of this group.
    as_published
        Compute the definitions behind the tables of Novikova et al. (2017) where they differ from the right ones,
        on the view ``published`` where the corpus has it.
    workers
        How many processes score. More than one pay from some thousand rows on; a script that asks for them must keep
        what it does below ``if __name__ == "__main__":``.
    threads
        How many threads the compiled kernels use in each process.
    chunk_rows
        How many rows are scored at a time, which bounds the memory; by default at most 8,000. The scores are the
        same for any number of workers, threads and rows.
    progress
        Called with ``"scoring"``, the rows that are done and the rows in all.

    Returns
    -------
    DataFrame
        A float column per metric column, indexed as the corpus's frame. ``attrs["signatures"]`` holds all that each
        column depends on; ``attrs["missing"]`` says why cells are NaN: for each column a mapping of the reason
        to the list of row positions, or to ``"all"``, or, beyond 10,000 rows, to their ``"count"`` and the ``"first"``
        of them.

    Raises
    ------
    ValueError
        If a name or the view is not known; or if a metric fails for a row: the message names row and metric.
    MissingResourceError
        If a metric that was asked for by name cannot work on this machine.
    RuntimeError
        If workers cannot be started.

    Examples
    --------
    >>> corpus = Corpus.of(["the inn is cheap", ""], [["the inn is cheap"], []])
    >>> scores = score_corpus(corpus, ["TER", "len"])
    >>> scores
       TER   len
    0  0.0  13.0
    1  NaN   0.0
    >>> scores.attrs["missing"]
    {'TER': {'there is no reference': [1]}}
    """
    import pandas as pd

    plan = fit_plan([corpus], select_metrics(metrics, group, as_published), view, as_published, corpus.background)
    if warning := profile_outputs(corpus.frame).unspaced_warning(word_columns(plan.columns)):
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
    return table


def fit_metrics(
    corpus: Corpus, metrics: Iterable[str] | str | None = None, view: str | None = None, *, as_published: bool = False
) -> list[Metric]:
    """Return metrics with statistics of this corpus, to score other rows by the same definition.

    Parameters
    ----------
    corpus, metrics, view, as_published
        As in :func:`score_corpus`; metrics that cannot work on this machine are left out.

    Examples
    --------
    >>> corpus = Corpus.of(["a b c"], [["a b c d"]])
    >>> score_corpus(Corpus.of(["a b"], [["a b c d"]]), fit_metrics(corpus, ["CIDEr"])).shape
    (1, 2)
    """
    plan = fit_plan([corpus], select_metrics(metrics, None, as_published), view, as_published, corpus.background)
    return [entry.metric for entry in plan.selected if entry.metric is not None]
