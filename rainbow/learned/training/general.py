"""A metric of any text, learned from several corpora: which columns tell what, where an output brings what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.learned.learner.general_trend import GeneralTrend, Regression
from rainbow.metrics.contract.registry import all_columns

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SPEEDS", "Rated", "general_trend", "speed_columns"]

_TEXT = ("class_slor", "class_end", "msp", "repeated_bigrams")
_CLASSES = ("class_mean", "doubled_words")
_SLOTS = ("slots_realised", "slots_missing", "slots_invented")
_REFERENCES = ("METEOR", "chrF++", "ROUGE", "TER")
_ALONE = ("lik_mean", "lik_sum", "lik_low3")
_INPUT = ("lik_input_mean", "lik_input_sum", "lik_input_low3", "lik_mean", "len")
_BESIDE = ("lik_ref_mean", "lik_ref_sum", "lik_recall_mean", "lik_ref_low3")

# What regressions look at, those first that ask most of a row. Few columns, which mean the same everywhere: more bring
# the habits of the systems along that were rated.
_FAST = (
    (*_REFERENCES, "BLEU4", *_TEXT, *_SLOTS, "len"),
    (*_SLOTS, "SIM", *_TEXT, *_CLASSES, "len"),
    (*_REFERENCES, "BLEU4", *_TEXT, "len"),
    (*_TEXT, *_CLASSES, "len"),
)
_FULL = (
    (*_REFERENCES, *_BESIDE, *_TEXT, *_INPUT, *_SLOTS),
    (*_INPUT, *_TEXT, *_CLASSES, *_SLOTS),
    (*_REFERENCES, *_BESIDE, *_TEXT, *_INPUT),
    (*_INPUT, *_TEXT, *_CLASSES),
    (*_REFERENCES, *_BESIDE, *_TEXT, "len"),
    (*_ALONE, *_TEXT, *_CLASSES, "len"),
)
# `fast` runs no network; `full` does, and tells by the columns of `fast` what is too long for that.
SPEEDS: Mapping[str, Sequence[tuple[str, ...]]] = {"fast": _FAST, "full": (*_FULL, *_FAST)}


class Rated(NamedTuple):
    """Rated outputs of a corpus.

    Attributes
    ----------
    scores
        A row per output, a column per score; missing columns and NaN where a corpus has no references, say.
    rating
        The ratings, shape (n,), NaN allowed.
    scale
        Whether the metric is to speak on the scale of these ratings.
    worthless
        Scores of texts that say nothing of what was asked, in the same columns: they are below all that was rated.
    """

    scores: pd.DataFrame
    rating: FloatArray
    scale: bool = False
    worthless: pd.DataFrame | None = None


def speed_columns(speed: str) -> tuple[str, ...]:
    """Return all columns that the regressions of a speed look at, each once.

    Examples
    --------
    >>> "lik_mean" in speed_columns("full"), "lik_mean" in speed_columns("fast")
    (True, False)
    """
    return tuple(dict.fromkeys(name for columns in SPEEDS[speed] for name in columns))


def general_trend(corpora: Sequence[Rated], speed: str, *, adequacy: bool = False) -> GeneralTrend:
    """Learn regressions of a speed from rated outputs of several corpora.

    Parameters
    ----------
    corpora
        At least one of them with `scale`.
    speed
        A key of :data:`SPEEDS`.
    adequacy
        Whether the rating asks what is said. Then, where slots tell that, the length of a text is no part of it.

    Raises
    ------
    ValueError
        If no regression has a corpus with `scale` and all of its columns to learn from; one that has none is left out.
    """
    names = speed_columns(speed)
    tables = [_table(corpus, names) for corpus in corpora]
    median = [np.median(known) if len(known) else 0.0 for known in _known_values(tables)]
    scales = [corpus.scale for corpus in corpora]
    fitted = [_fitted(names, _of(columns, adequacy), tables, scales) for columns in SPEEDS[speed]]
    regressions = [regression for regression in fitted if regression is not None]
    if not regressions:
        raise ValueError(f"no corpus whose scale is learned has all columns of a regression: {', '.join(names)}")
    return GeneralTrend(regressions, np.array(median, dtype=float))


def _known_values(tables: Sequence[tuple[FloatArray, FloatArray]]) -> Iterator[FloatArray]:
    """Yield the scores of each column that are there."""
    for column in np.vstack([scores for scores, _ in tables]).T:
        yield column[~np.isnan(column)]


def _of(columns: tuple[str, ...], adequacy: bool) -> tuple[str, ...]:
    without = adequacy and "slots_missing" in columns and "SIM" in columns
    return tuple(name for name in columns if name != "len") if without else columns


def _table(corpus: Rated, names: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    """Return the scores of a corpus and its ratings, those of worthless texts below all others."""
    known = ~np.isnan(corpus.rating)
    parts = [corpus.scores[known], *([] if corpus.worthless is None else [corpus.worthless])]
    scores = np.vstack([part.reindex(columns=list(names)).to_numpy(float) for part in parts])
    return scores, np.concatenate([corpus.rating[known], np.full(len(scores) - known.sum(), -np.inf)])


def _fitted(
    names: Sequence[str],
    columns: Sequence[str],
    tables: Sequence[tuple[FloatArray, FloatArray]],
    scales: Sequence[bool],
) -> Regression | None:
    """Return the regression on some columns; None where no corpus whose scale is learned has them."""
    from scipy.stats import rankdata

    places = np.array([names.index(name) for name in columns])
    parts, targets, numbers, line = list[FloatArray](), list[FloatArray](), list[int](), (np.zeros(0), np.zeros(0, int))
    for number, ((scores, rating), scale) in enumerate(zip(tables, scales, strict=True)):
        whole = ~np.isnan(scores[:, places]).any(axis=1)
        if not whole.any():
            continue
        if scale:
            rated = rating[whole] > -np.inf
            line = rating[whole][rated], len(numbers) + np.flatnonzero(rated)
        parts.append(scores[whole][:, places])
        targets.append(rankdata(rating[whole]) / whole.sum())
        numbers += [number] * int(whole.sum())
    if not len(line[0]):
        return None
    corpora = np.unique(numbers, return_inverse=True)[1]
    return Regression.fitted(places, np.vstack(parts), np.concatenate(targets), corpora, _directions(columns), line)


def _directions(columns: Sequence[str]) -> IntArray:
    """Return the signs that coefficients may have: for its input an output may be likelier than by itself, or less."""
    free = {"lik_mean"} if "lik_input_mean" in columns else set()
    better = [None if name in free else all_columns()[name][0].higher_is_better for name in columns]
    return np.array([0 if direction is None else 1 if direction else -1 for direction in better], dtype=np.intp)
