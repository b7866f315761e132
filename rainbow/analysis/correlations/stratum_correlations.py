"""Error analysis: how well metrics agree with ratings in one stratum of outputs, and whether better than in another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.analysis.correlations.strata import Stratification, strata
from rainbow.scoring.cells import alike
from rainbow.stats.correlation.correlation import MINIMUM_ROWS, Correlation, correlate_each
from rainbow.stats.differences.dependent_correlations import fisher_z_test
from rainbow.stats.differences.stratum_permutation import permute_strata
from rainbow.stats.tidy import require, tidy

if TYPE_CHECKING:
    import pandas as pd


def stratum_correlations(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    ratings: Sequence[str],
    by: Stratification,
) -> pd.DataFrame:
    """Correlate every metric with every rating (Spearman) within each stratum of outputs.

    Source: Novikova, Dušek, Cercas Curry and Rieser (2017), Why We Need New Evaluation Metrics for NLG, tables 13 and
    14.
    """
    require(frame, [*metrics, *ratings])
    rows: list[dict[str, Any]] = [
        {
            "by": by,
            "rating": rating,
            "stratum": name,
            "metric": metric,
            **correlation._asdict(),
        }
        for rating in ratings
        for name, part in _parts(frame, metrics, rating, by)
        for metric, correlation in _correlated(part, metrics, rating).items()
    ]
    return tidy(rows, ["by", "rating", "stratum", "metric", *Correlation._fields])


def stratum_differences(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    ratings: Sequence[str],
    by: Stratification,
    *,
    resamples: int = 10_000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Test for each two strata whether a metric correlates with a rating better in one than in the other."""
    require(frame, [*metrics, *ratings])
    generator = np.random.default_rng(rng)
    rows: list[dict[str, Any]] = [
        {"by": by, "rating": rating, **line}
        for rating in ratings
        for line in _differences(_parts(frame, metrics, rating, by), metrics, rating, resamples, generator)
    ]
    columns = ["by", "rating", "first", "second", "metric", "r_first", "r_second", "difference", "n_first", "n_second"]
    return tidy(rows, [*columns, "z", "p", "p_permutation", "resamples", "reason"])


def _parts(
    frame: pd.DataFrame, metrics: Sequence[str], rating: str, by: Stratification
) -> list[tuple[str, pd.DataFrame]]:
    """Return the strata that have rated outputs, each with their metrics and rating."""
    labels = strata(frame, by, rating)
    columns = frame[[*metrics, rating]].astype(float)
    rated = columns[rating].notna()
    parts = [(str(name), columns[(labels == name) & rated]) for name in labels.categories]
    return [(name, part) for name, part in parts if len(part)]


def _correlated(part: pd.DataFrame, metrics: Sequence[str], rating: str) -> dict[str, Correlation]:
    """Correlate every metric with the rating, those that miss the same rows together."""
    found: dict[str, Correlation] = {}
    for _, places in alike(part[list(metrics)].notna().to_numpy()):
        names = [metrics[place] for place in places]
        known = part[[*names, rating]].dropna().to_numpy()
        each = correlate_each(known[:, :-1], known[:, -1:], "spearman", (names, [rating]))
        found |= dict(zip(names, (line[0] for line in each), strict=True))
    return {metric: found[metric] for metric in metrics}


def _differences(
    parts: list[tuple[str, pd.DataFrame]],
    metrics: Sequence[str],
    rating: str,
    resamples: int,
    rng: np.random.Generator,
) -> Iterator[dict[str, Any]]:
    """Return a line for every two strata and every metric, from `first` on."""
    if len(parts) < 2:
        empty = dict.fromkeys(["r_first", "r_second", "difference", "z", "p", "p_permutation"], np.nan)
        names = dict(zip(["first", "second"], [*(name for name, _ in parts), "", ""], strict=False))
        sizes = {"n_first": sum(len(part) for _, part in parts), "n_second": 0, "resamples": resamples}
        reason = "there are no two strata with rated outputs"
        yield from ({**names, "metric": metric, **empty, **sizes, "reason": reason} for metric in metrics)
    correlated = {name: _correlated(part, metrics, rating) for name, part in parts}
    for (first, a), (second, b) in combinations(parts, 2):
        permuted = _permuted((a, b), metrics, rating, resamples, rng)
        for metric in metrics:
            line = _difference((first, second), [correlated[name][metric] for name in (first, second)])
            yield {"metric": metric, **line, **permuted[metric]}


def _difference(names: tuple[str, str], correlations: list[Correlation]) -> dict[str, Any]:
    a, b = correlations
    test = fisher_z_test(a.r, b.r, a.n, b.n)
    reasons = [f"{name}: {result.reason}" for name, result in zip(names, correlations, strict=True) if result.reason]
    return {
        "first": names[0],
        "second": names[1],
        "r_first": a.r,
        "r_second": b.r,
        "difference": a.r - b.r,
        "n_first": a.n,
        "n_second": b.n,
        "z": test.statistic,
        "p": test.p,
        "reason": "; ".join(reasons) or test.reason,
    }


def _permuted(
    parts: tuple[pd.DataFrame, pd.DataFrame],
    metrics: Sequence[str],
    rating: str,
    resamples: int,
    rng: np.random.Generator,
) -> dict[str, dict[str, float]]:
    """Return p of every metric, and of how many permutations; those that miss the same rows share them."""
    result = {metric: {"p_permutation": np.nan, "resamples": resamples} for metric in metrics}
    for _, places in alike(np.concatenate([part[list(metrics)].notna() for part in parts])):
        names = [metrics[place] for place in places]
        known = [part[[*names, rating]].dropna() for part in parts]
        if min(map(len, known)) >= MINIMUM_ROWS:
            first, second = ((part[names], part[[rating]]) for part in known)
            found = permute_strata(first, second, resamples=resamples, tests=len(metrics), rng=rng)
            for metric, p, made in zip(names, *(column[:, 0].tolist() for column in found), strict=True):
                result[metric] = {"p_permutation": p, "resamples": made}
    return result
