"""Strata of outputs: by rating, type of meaning representation, length or number of references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.lazy import pd
from rainbow.stats.tidy_tables import require_columns

Stratification = Literal["rating-bin", "bad-rating", "mr-type", "length", "references", "dataset", "system"]

# The limits of Novikova et al. (2017) on their scale from 1 to 6.
BAD_AT_MOST = 2.0
GOOD_AT_LEAST = 5.0

INFORM = "inform"
# The place of a row that is in no stratum.
NONE = -1


def rating_bins(ratings: ArrayLike) -> pd.Categorical:
    """Return ``bad``, ``average`` or ``good`` for ratings from 1 to 6; NaN if missing.

    Shapes: ratings (n,).
    Source: Novikova, Dušek, Cercas Curry and Rieser (2017), Why We Need New Evaluation Metrics for NLG, section 7.2.
    """
    values = np.asarray(ratings, dtype=float)
    places = np.select([np.isnan(values), values <= BAD_AT_MOST, values >= GOOD_AT_LEAST], [NONE, 0, 2], default=1)
    return _ordered_labels(places, ["bad", "average", "good"])


def tertile_labels(values: ArrayLike, name: str) -> pd.Categorical:
    """Return the tertile of every value, as a label with its limits.

    Shapes: values (n,).
    """
    array = np.asarray(values, dtype=float)
    known = ~np.isnan(array)
    if not known.any():
        return _ordered_labels(np.full(array.shape, NONE), [])
    low, high = np.quantile(array[known], [1 / 3, 2 / 3], method="inverted_cdf").tolist()
    places = np.where(known, np.digitize(array, [low, high], right=True), NONE)
    labels = [f"{name} <= {low:g}", f"{low:g} < {name} <= {high:g}", f"{name} > {high:g}"]
    return _ordered_labels(places, labels).remove_unused_categories()


def assign_strata(frame: pd.DataFrame, by: Stratification, rating: str | None = None) -> pd.Categorical:
    """Return the stratum of every output; NaN if it belongs to none."""
    if by not in _STRATA:
        raise ValueError(f"unknown strata {by!r}: choose from {', '.join(get_args(Stratification))}")
    column, divide = _STRATA[by]
    column = column or rating
    if column is None:
        raise ValueError(f"strata by {by} need a rating: name its column")
    require_columns(frame, [column])
    return divide(frame[column])


def _ordered_labels(places: NDArray[np.int64], names: Sequence[str]) -> pd.Categorical:
    return pd.Categorical.from_codes(places, pd.Index(list(names), dtype=object), ordered=True)


def _bad_labels(ratings: pd.Series[Any]) -> pd.Categorical:
    places = rating_bins(ratings).codes
    return _ordered_labels(np.minimum(places, 1), ["bad", "good and average"])


def _mr_type_labels(types: pd.Series[Any]) -> pd.Categorical:
    places = [NONE if not name else int(name != INFORM) for name in types]
    return _ordered_labels(np.array(places, dtype=int), [INFORM, f"not {INFORM}"])


def _length_labels(outputs: pd.Series[Any]) -> pd.Categorical:
    return tertile_labels([len(text.split()) for text in outputs], "words")


def _reference_count_labels(references: pd.Series[Any]) -> pd.Categorical:
    return tertile_labels([len(texts) for texts in references], "references")


def _name_labels(column: pd.Series[Any]) -> pd.Categorical:
    names = {str(name): place for place, name in enumerate(column.unique())}
    return _ordered_labels(np.array([names[str(name)] for name in column], dtype=int), list(names))


# The column that each stratification looks at (None: a rating), and how it divides the rows.
_STRATA: dict[str, tuple[str | None, Callable[[pd.Series[Any]], pd.Categorical]]] = {
    "rating-bin": (None, rating_bins),
    "bad-rating": (None, _bad_labels),
    "mr-type": ("mr_type", _mr_type_labels),
    "length": ("output", _length_labels),
    "references": ("references", _reference_count_labels),
    "dataset": ("dataset", _name_labels),
    "system": ("system", _name_labels),
}
