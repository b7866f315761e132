"""Contribution of every word of an output to its score."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rainbow.audit.audit import Score, measure_columns, metric_scorer, score_rows
from rainbow.base.lazy import pd
from rainbow.base.progress import RowProgress, silent
from rainbow.corpus import Corpus
from rainbow.metrics.contract.selection import select_metrics
from rainbow.text.words.words_and_punctuation import word_spans

COLUMNS = ("id", "score", "word", "change")
AT_ONCE = 256  # outputs per batch

# Minimum number of occurrences of a word in the table of means.
OFTEN = 5


def leave_one_word_out(score: Score, corpus: Corpus, progress: RowProgress = silent) -> pd.DataFrame:
    """Score every output with each of its words left out in turn.

    Parameters
    ----------
    score : callable
        Returns one number per row of a corpus, NaN if undefined, e.g. ``rainbow.load_model(...).predict``.
    corpus : Corpus
        The outputs, with everything the score needs.
    progress : callable
        Called with the number of finished outputs.

    Returns
    -------
    DataFrame
        One row per word or punctuation mark, in text order. Columns: id (of the output), score (of the whole output),
        word, change (score minus the score without the word).

    Raises
    ------
    ValueError
        If `score` does not return one number per row.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["a a pub."], id=["7"])
    >>> leave_one_word_out(lambda corpus: corpus.frame["output"].str.split().map(lambda words: len(set(words))), corpus)
      id  score  word  change
    0  7    2.0     a     0.0
    1  7    2.0     a     0.0
    2  7    2.0   pub     0.0
    3  7    2.0     .     0.0
    """
    tables = []
    for start in range(0, max(1, len(corpus)), AT_ONCE):
        rows = range(start, min(start + AT_ONCE, len(corpus)))
        tables.append(_score_changes(score, corpus.take(rows)))
        progress("words", rows.stop, len(corpus))
    return pd.concat(tables, ignore_index=True)


def metric_word_changes(corpus: Corpus, names: Iterable[str] | str, progress: RowProgress = silent) -> pd.DataFrame:
    """Return the word changes of registered metric columns, one after the other."""
    columns = (column for entry in select_metrics(names) for column in entry.columns)
    return measure_columns(columns, lambda name: leave_one_word_out(metric_scorer(corpus, name), corpus, progress))


def mean_word_changes(changes: pd.DataFrame) -> pd.DataFrame:
    """Return the mean change per word, largest drop first."""
    by_word = changes.assign(word=changes["word"].str.lower()).groupby("word", sort=False)
    table = by_word.agg(outputs=("id", "nunique"), change=("change", "mean")).reset_index()
    table = table[(table["outputs"] >= OFTEN) & table["change"].notna()]
    return table.sort_values("change", kind="stable", ignore_index=True)


def _score_changes(score: Score, corpus: Corpus) -> pd.DataFrame:
    outputs, identities = corpus.frame["output"].tolist(), corpus.frame["id"].tolist()
    places = [(row, *place) for row, text in enumerate(outputs) for place in word_spans(text)]
    rows = [row for row, _, _ in places]
    left = [_remove_span(outputs[row], start, stop) for row, start, stop in places]
    scores = score_rows(score, corpus.with_outputs([*range(len(corpus)), *rows], [*outputs, *left]))
    whole = scores[: len(corpus)][np.array(rows, dtype=int)]
    words = [outputs[row][start:stop] for row, start, stop in places]
    texts = {"id": [identities[row] for row in rows], "word": words}
    table = pd.DataFrame(texts, dtype=object)
    return table.assign(score=whole, change=whole - scores[len(corpus) :])[list(COLUMNS)]


def _remove_span(text: str, start: int, stop: int) -> str:
    """Remove a span of a text together with superfluous spaces."""
    before, after = text[:start], text[stop:]
    if not after.strip():
        return before.rstrip()
    return before + (after.lstrip() if not before or before[-1].isspace() else after)
