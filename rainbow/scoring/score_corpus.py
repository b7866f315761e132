"""Score a corpus: every metric for every row, as one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rainbow.base.progress import RowProgress
from rainbow.base.workers import in_order
from rainbow.corpus import Corpus, RowError
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.selection import Selected, select
from rainbow.scoring.missing import MissingReasons
from rainbow.scoring.plan import DistinctInputs, Plan, Scores, needs_fitting

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CHUNK_ROWS", "chunk_size", "fit_metrics", "score_corpus", "silent"]


CHUNK_ROWS = 8000
FEWEST_ROWS = 500  # smaller chunks would prepare the same references again and again
CHUNKS = 16  # so many at least, where there are rows enough: processes share them, and progress is seen


def silent(stage: str, done: int, rows: int | None) -> None:
    """Show no progress."""


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
    progress: RowProgress = silent,
) -> pd.DataFrame:
    """Return a score of every row for every metric column, in the corpus's order.

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

    plan = fitted_plan(corpus, select(metrics, group, as_published), view, as_published)
    pieces = _pieces(corpus, chunk_size(len(corpus), chunk_rows))
    values, missing = np.empty((len(corpus), len(plan.columns))), MissingReasons()
    done = 0
    for scores in in_order(_ScorePiece(plan, threads), pieces, workers):
        size = len(scores.values)
        values[done : done + size] = scores.values
        missing.add(scores.missing, size)
        done += size
        progress("scoring", done, len(corpus))
    table = pd.DataFrame(dict(zip(plan.columns, values.T, strict=True)), index=corpus.frame.index)
    found = missing.result()
    table.attrs = {
        "signatures": plan.signatures,
        "missing": {name: found[name] for name in plan.columns if name in found},
        "view": plan.view,
    }
    return table


def fit_metrics(
    corpus: Corpus, metrics: Iterable[str] | str | None = None, view: str | None = None, *, as_published: bool = False
) -> list[Metric]:
    """Return metrics with the corpus statistics of this corpus, to score other rows by the same definition.

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
    plan = fitted_plan(corpus, select(metrics, None, as_published), view)
    return [entry.metric for entry in plan.selected if isinstance(entry.metric, Metric)]


def fitted_plan(corpus: Corpus, selected: tuple[Selected, ...], view: str | None, as_published: bool = False) -> Plan:
    """Return the metrics, with the corpus statistics of this corpus where they have none yet, and the view."""
    name = corpus.view_name(chosen_view(view, as_published, corpus.views))
    if not any(needs_fitting(entry.metric) for entry in selected):
        return Plan(selected, name)
    inputs = DistinctInputs(name, corpus.background)
    inputs.add(corpus)
    return Plan.fit(selected, name, inputs.corpus())


def chosen_view(view: str | None, as_published: bool, views: Iterable[str]) -> str | None:
    """Return the view asked for; None where that is for the rows to say."""
    return "published" if as_published and view is None and "published" in views else view


def chunk_size(rows: int, wanted: int | None) -> int:
    """Say how many rows are scored at a time: as many as wanted, or as suits their number.

    Raises
    ------
    ValueError
        If it is not a positive number.
    """
    if wanted is not None:
        if wanted < 1:
            raise ValueError(f"chunk_rows is {wanted}: give 1 or more")
        return wanted
    return min(CHUNK_ROWS, max(FEWEST_ROWS, -(-rows // CHUNKS)))


class Piece(NamedTuple):
    """Successive rows of a table, and how many come before them."""

    before: int
    rows: Corpus


@dataclass(frozen=True)
class _ScorePiece:
    """What a process does with a piece."""

    plan: Plan
    threads: int

    def __call__(self, piece: Piece) -> Scores:
        return score_piece(self.plan, piece, self.threads)


def score_piece(plan: Plan, piece: Piece, threads: int) -> Scores:
    """Return the scores of a piece; a row that a metric fails for is named as it is counted in the whole table."""
    try:
        return plan.score(piece.rows, threads)
    except RowError as error:
        raise error.after(piece.before) from error


def _pieces(corpus: Corpus, size: int) -> Iterator[Piece]:
    if len(corpus) <= size:
        yield Piece(0, corpus)
        return
    for start in range(0, len(corpus), size):
        yield Piece(start, corpus.take(range(start, min(start + size, len(corpus)))))
