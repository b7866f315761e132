"""Strata of outputs: by rating, type of meaning representation, length, number of references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.stats.tidy import require

if TYPE_CHECKING:
    import pandas as pd

Stratification = Literal["rating-bin", "bad-rating", "mr-type", "length", "references", "dataset", "system"]

# The limits of Novikova et al. (2017) on their scale from 1 to 6.
BAD_AT_MOST = 2.0
GOOD_AT_LEAST = 5.0

INFORM = "inform"
# The place of a row that is in no stratum.
NONE = -1


def rating_bins(ratings: ArrayLike) -> pd.Categorical:
    """Return ``bad``, ``average`` or ``good`` for every rating on a scale from 1 to 6; NaN where there is none.

    Shapes: ratings (n,).
    Source: Novikova, Dušek, Cercas Curry and Rieser (2017), Why We Need New Evaluation Metrics for NLG, section 7.2.
    """
    values = np.asarray(ratings, dtype=float)
    places = np.select([np.isnan(values), values <= BAD_AT_MOST, values >= GOOD_AT_LEAST], [NONE, 0, 2], default=1)
    return _ordered(places, ["bad", "average", "good"])


def thirds(values: ArrayLike, name: str) -> pd.Categorical:
    """Return for every value which third of all values it lies in, as a label that tells the limits.

    Shapes: values (n,).
    """
    array = np.asarray(values, dtype=float)
    known = ~np.isnan(array)
    if not known.any():
        return _ordered(np.full(array.shape, NONE), [])
    low, high = np.quantile(array[known], [1 / 3, 2 / 3], method="inverted_cdf").tolist()
    places = np.where(known, np.digitize(array, [low, high], right=True), NONE)
    labels = [f"{name} <= {low:g}", f"{low:g} < {name} <= {high:g}", f"{name} > {high:g}"]
    return _ordered(places, labels).remove_unused_categories()


def strata(frame: pd.DataFrame, by: Stratification, rating: str | None = None) -> pd.Categorical:
    """Return the name of the stratum that every output belongs to; NaN where it belongs to none."""
    if by not in _STRATA:
        raise ValueError(f"there are no strata by {by!r}: choose from {', '.join(get_args(Stratification))}")
    column, divide = _STRATA[by]
    column = column or rating
    if column is None:
        raise ValueError(f"strata by {by} are those of a rating: name its column")
    require(frame, [column])
    return divide(frame[column])


def _ordered(places: NDArray[np.int64], names: Sequence[str]) -> pd.Categorical:
    import pandas as pd

    return pd.Categorical.from_codes(places, pd.Index(list(names), dtype=object), ordered=True)


def _bad_or_not(ratings: pd.Series[Any]) -> pd.Categorical:
    places = rating_bins(ratings).codes
    return _ordered(np.minimum(places, 1), ["bad", "good and average"])


def _mr_types(types: pd.Series[Any]) -> pd.Categorical:
    places = [NONE if not name else int(name != INFORM) for name in types]
    return _ordered(np.array(places, dtype=int), [INFORM, f"not {INFORM}"])


def _lengths(outputs: pd.Series[Any]) -> pd.Categorical:
    return thirds([len(text.split()) for text in outputs], "words")


def _reference_counts(references: pd.Series[Any]) -> pd.Categorical:
    return thirds([len(texts) for texts in references], "references")


def _names(column: pd.Series[Any]) -> pd.Categorical:
    names = {str(name): place for place, name in enumerate(column.unique())}
    return _ordered(np.array([names[str(name)] for name in column], dtype=int), list(names))


# The column that each stratification looks at (None: a rating), and how it divides the rows.
_STRATA: dict[str, tuple[str | None, Callable[[pd.Series[Any]], pd.Categorical]]] = {
    "rating-bin": (None, rating_bins),
    "bad-rating": (None, _bad_or_not),
    "mr-type": ("mr_type", _mr_types),
    "length": ("output", _lengths),
    "references": ("references", _reference_counts),
    "dataset": ("dataset", _names),
    "system": ("system", _names),
}
