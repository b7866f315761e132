"""Error analysis: strata of outputs, correlations within them, and their differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.lazy import pd
from rainbow.scoring.table_cells import group_equal_columns
from rainbow.stats.correlation.correlation import MINIMUM_ROWS, Correlation, correlate_columns
from rainbow.stats.differences.dependent_correlations import fisher_z_test
from rainbow.stats.differences.permutation_difference import stratum_permutation_p
from rainbow.stats.tidy_tables import require_columns, tidy_table

Stratification = Literal["rating-bin", "bad-rating", "mr-type", "length", "references"]

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


# The column that each stratification looks at (None: a rating), and how it divides the rows.
_STRATA: dict[str, tuple[str | None, Callable[[pd.Series[Any]], pd.Categorical]]] = {
    "rating-bin": (None, rating_bins),
    "bad-rating": (None, _bad_labels),
    "mr-type": ("mr_type", _mr_type_labels),
    "length": ("output", lambda outputs: tertile_labels([len(text.split()) for text in outputs], "words")),
    "references": ("references", lambda lists: tertile_labels([len(texts) for texts in lists], "references")),
}


def stratum_correlations(
    frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str], by: Stratification
) -> pd.DataFrame:
    """Correlate every metric with every rating (Spearman) within each stratum of outputs.

    Source: Novikova, Dušek, Cercas Curry and Rieser (2017), Why We Need New Evaluation Metrics for NLG, tables 13 and
    14.
    """
    require_columns(frame, [*metrics, *ratings])
    rows: list[dict[str, Any]] = [
        {"by": by, "rating": rating, "stratum": name, "metric": metric, **correlation._asdict()}
        for rating in ratings
        for name, part in _rated_strata(frame, metrics, rating, by)
        for metric, correlation in _correlate_metrics(part, metrics, rating).items()
    ]
    return tidy_table(rows, ["by", "rating", "stratum", "metric", *Correlation._fields])


def stratum_differences(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    ratings: Sequence[str],
    by: Stratification,
    *,
    resamples: int = 10_000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Test for each pair of strata whether a metric's correlation with a rating differs."""
    require_columns(frame, [*metrics, *ratings])
    generator = np.random.default_rng(rng)
    rows: list[dict[str, Any]] = [
        {"by": by, "rating": rating, **line}
        for rating in ratings
        for line in _difference_rows(_rated_strata(frame, metrics, rating, by), metrics, rating, resamples, generator)
    ]
    columns = ["by", "rating", "first", "second", "metric", "r_first", "r_second", "difference", "n_first", "n_second"]
    return tidy_table(rows, [*columns, "z", "p", "p_permutation", "resamples", "reason"])


def _rated_strata(
    frame: pd.DataFrame, metrics: Sequence[str], rating: str, by: Stratification
) -> list[tuple[str, pd.DataFrame]]:
    """Return the strata with rated outputs, with their metrics and rating."""
    labels = assign_strata(frame, by, rating)
    columns = frame[[*metrics, rating]].astype(float)
    rated = columns[rating].notna()
    parts = [(str(name), columns[(labels == name) & rated]) for name in labels.categories]
    return [(name, part) for name, part in parts if len(part)]


def _correlate_metrics(part: pd.DataFrame, metrics: Sequence[str], rating: str) -> dict[str, Correlation]:
    """Correlate every metric with the rating; metrics with the same missing rows are batched."""
    result: dict[str, Correlation] = {}
    for _, places in group_equal_columns(part[list(metrics)].notna().to_numpy()):
        names = [metrics[place] for place in places]
        known = part[[*names, rating]].dropna().to_numpy()
        each = correlate_columns(known[:, :-1], known[:, -1:], "spearman", (names, [rating]))
        result |= dict(zip(names, (line[0] for line in each), strict=True))
    return {metric: result[metric] for metric in metrics}


def _difference_rows(
    parts: list[tuple[str, pd.DataFrame]], metrics: Sequence[str], rating: str, resamples: int, rng: np.random.Generator
) -> Iterator[dict[str, Any]]:
    """Return a row for each pair of strata and every metric."""
    if len(parts) < 2:
        empty = dict.fromkeys(["r_first", "r_second", "difference", "z", "p", "p_permutation"], np.nan)
        names = dict(zip(["first", "second"], [*(name for name, _ in parts), "", ""], strict=False))
        sizes = {"n_first": sum(len(part) for _, part in parts), "n_second": 0, "resamples": resamples}
        reason = "fewer than two strata have rated outputs"
        yield from ({**names, "metric": metric, **empty, **sizes, "reason": reason} for metric in metrics)
    correlated = {name: _correlate_metrics(part, metrics, rating) for name, part in parts}
    for (first, a), (second, b) in combinations(parts, 2):
        permuted = _permutation_p_values((a, b), metrics, rating, resamples, rng)
        for metric in metrics:
            line = _difference((first, second), [correlated[name][metric] for name in (first, second)])
            yield {"metric": metric, **line, **permuted[metric]}


def _difference(names: tuple[str, str], correlations: list[Correlation]) -> dict[str, Any]:
    a, b = correlations
    test = fisher_z_test(a.r, b.r, a.n, b.n)
    reasons = [f"{name}: {result.reason}" for name, result in zip(names, correlations, strict=True) if result.reason]
    return {
        **{"first": names[0], "second": names[1], "r_first": a.r, "r_second": b.r, "difference": a.r - b.r},
        **{"n_first": a.n, "n_second": b.n, "z": test.statistic, "p": test.p},
        "reason": "; ".join(reasons) or test.reason,
    }


def _permutation_p_values(
    parts: tuple[pd.DataFrame, pd.DataFrame],
    metrics: Sequence[str],
    rating: str,
    resamples: int,
    rng: np.random.Generator,
) -> dict[str, dict[str, float]]:
    """Return permutation p-values and the number of permutations, shared between metrics with equal gaps."""
    result = {metric: {"p_permutation": np.nan, "resamples": resamples} for metric in metrics}
    for _, places in group_equal_columns(np.concatenate([part[list(metrics)].notna() for part in parts])):
        names = [metrics[place] for place in places]
        known = [part[[*names, rating]].dropna() for part in parts]
        if min(map(len, known)) >= MINIMUM_ROWS:
            first, second = ((part[names], part[[rating]]) for part in known)
            results = stratum_permutation_p(first, second, resamples=resamples, tests=len(metrics), rng=rng)
            for metric, p, made in zip(names, *(column[:, 0].tolist() for column in results), strict=True):
                result[metric] = {"p_permutation": p, "resamples": made}
    return result
