"""Ceilings: the highest correlation with ratings that rater agreement allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from rainbow.analysis.agreement.agreement_table import check_names_not_text, tabulate_agreement
from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.base.lazy import pd
from rainbow.stats.agreement.ceilings import (
    AGGREGATES,
    CEILING_METHODS,
    Aggregate,
    CeilingMethod,
    LatentClasses,
    can_list_panels,
    expected_ceiling,
    fit_latent_classes,
    list_panels,
    panel_correlation,
)
from rainbow.stats.agreement.chance_corrected import rating_counts
from rainbow.stats.agreement.intraclass import Form, Intraclass, intraclass, reliability
from rainbow.stats.agreement.rating_matrix import (
    AGREEMENT_COLUMNS,
    Agreement,
    Ratings,
    bootstrap_items,
    no_agreement_reason,
    of_draws,
    rating_matrix,
    undefined_agreement,
)
from rainbow.stats.tidy_tables import require_columns, tidy_table

# Rows with the same values in these columns are one output, rated more than once.
_OUTPUT = ["dataset", "item", "output"]


class Repeats(NamedTuple):
    """Ratings of repeated outputs."""

    values: FloatArray  # a row per repeated output, a column for each time that it was rated, padded with NaN
    batches: IntArray  # batch number of each rating, from 0; -1 for none; same shape


def collect_repeats(frame: pd.DataFrame, rating: str, batch: Sequence[str] = ()) -> Repeats:
    """Collect the ratings, as ranks, of outputs that occur more than once."""
    rated = frame[frame[rating].notna()]
    batches = rated.groupby(list(batch), dropna=False).ngroup() if batch else 0
    rows = rated.assign(
        value=rated[rating].rank().astype(float),
        batch=batches,
        group=rated.groupby(_OUTPUT, dropna=False, sort=False).ngroup(),
    )[["value", "batch", "group"]]
    rows["place"] = rows.groupby("group").cumcount()
    table = rows[rows.duplicated("group", keep=False)].pivot(index="group", columns="place")
    size = table.shape[1] // 2
    padded = table.to_numpy(float)
    return Repeats(padded[:, :size], np.nan_to_num(padded[:, size:], nan=-1).astype(np.intp))


def repeat_reliability(repeats: Repeats, groups: IntArray) -> float:
    """Return ICC(1,1) over repeated outputs, with batch means removed.

    Shapes: groups (groups,).
    """
    values, batches = repeats.values[groups], repeats.batches[groups]
    effects = _batch_effects(values, batches, int(repeats.batches.max()) + 1)
    return reliability(values - np.where(batches >= 0, effects[batches], np.nan), "1,1")


def _batch_effects(values: FloatArray, batches: IntArray, n_batches: int) -> FloatArray:
    """Return the additive effect of each batch, by least squares over shared outputs."""
    if n_batches == 1:
        return np.zeros(1)
    rated = batches >= 0
    indicators = (batches[:, :, None] == np.arange(n_batches)).astype(float)
    # Within an output only the batches differ (Frisch-Waugh), so that the outputs need no columns of their own.
    within = indicators - indicators.sum(axis=1, keepdims=True) / rated.sum(axis=1)[:, None, None]
    deviations = values - np.nanmean(values, axis=1, keepdims=True)
    return np.asarray(np.linalg.lstsq(within[rated], deviations[rated])[0])


CeilingKind: TypeAlias = tuple[Aggregate, CeilingMethod]
Bounds: TypeAlias = tuple[float, float, float]

# Suffix of a ceiling's name if latent classes cannot be fitted.
NORMAL = ", if scores are normally distributed"
# The ceiling that follows from the reliability alone, whatever the distribution of the scores.
_WITHOUT_MODEL: CeilingKind = ("mean", "pearson")
KINDS: tuple[CeilingKind, ...] = tuple(product(AGGREGATES, CEILING_METHODS))


def ceiling_table(
    frame: pd.DataFrame, ratings: Sequence[str], *, resamples: int = 200, rng: Random = None
) -> pd.DataFrame:
    """Return the ceilings of all ratings whose single raters are in columns like quality_1."""
    # One seed for all, so that no rating depends on those before it.
    seed = int(np.random.default_rng(rng).integers(2**62))
    return tabulate_agreement(frame, ratings, partial(ceilings, resamples=resamples, rng=seed))


def ceiling_from_repeats(
    frame: pd.DataFrame, ratings: Sequence[str], *, batch: Sequence[str] = (), resamples: int = 1000, rng: Random = None
) -> pd.DataFrame:
    """Return the ceilings of a table without single raters, from outputs rated more than once."""
    check_names_not_text(ratings)
    require_columns(frame, [*ratings, *_OUTPUT, *batch])
    seed = int(np.random.default_rng(rng).integers(2**62))
    rows = []
    for rating in ratings:
        result = _estimate_from_repeats(collect_repeats(frame, rating, batch), resamples, seed)
        rows.append(result._asdict() | {"rating": rating})
    return tidy_table(rows, AGREEMENT_COLUMNS)


def ceilings(
    ratings: Ratings, kinds: Sequence[CeilingKind] = KINDS, *, resamples: int = 200, rng: Random = None
) -> list[Agreement]:
    """Return the highest possible correlations of a metric with the mean and the median of these raters.

    Shapes: ratings (items, raters).
    """
    matrix = rating_matrix(ratings)
    single = intraclass(matrix, _reliability_form(matrix, "1"))
    modelled = [kind for kind in kinds if kind != _WITHOUT_MODEL]
    result: dict[CeilingKind, Bounds] = {}
    if modelled and single.reason is None and can_list_panels(matrix):
        result = _ceilings_from_classes(matrix, modelled, resamples, rng)
    rows = []
    for kind in kinds:
        measure = f"Ceiling of {kind[1]} with the {kind[0]}"
        if single.reason is not None:
            rows.append(undefined_agreement(measure, matrix, single.reason))
            continue
        if kind in modelled and kind not in result:
            measure += NORMAL
        bounds = result.get(kind) or _ceilings_from_normal_scores(matrix, single, kind)
        rows.append(_ceiling_above_chance(measure, matrix, single.estimate, bounds))
    return rows


def _reliability_form(matrix: FloatArray, ratings: Literal["1", "k"]) -> Form:
    """Return the reliability for a correlation: consistency, or the one-way form if there are gaps."""
    if np.isnan(matrix).any():
        return "1,1" if ratings == "1" else "1,k"
    return "3,1" if ratings == "1" else "3,k"


def _ceilings_from_normal_scores(matrix: FloatArray, single: Intraclass, kind: CeilingKind) -> Bounds:
    sizes = (~np.isnan(matrix)).sum(axis=1)
    estimate, low, high = (
        expected_ceiling(min(1.0, max(0.0, value)), sizes, *kind)
        for value in (single.estimate, single.low, single.high)
    )
    return estimate, low, high


def _ceilings_from_classes(
    matrix: FloatArray, kinds: Sequence[CeilingKind], resamples: int, rng: Random
) -> dict[CeilingKind, Bounds]:
    patterns, pattern_of = np.unique(rating_counts(matrix)[1], axis=0, return_inverse=True)
    of_pattern = np.eye(len(patterns))[pattern_of.ravel()]
    panels, items = list_panels(matrix), np.arange(len(matrix))
    fitted = fit_latent_classes(patterns, of_pattern.sum(axis=0))

    def statistics(draws: FloatArray) -> FloatArray:
        classes = fit_latent_classes(patterns, draws @ of_pattern, start=fitted)
        return np.array(
            [
                of_draw(np.repeat(items, times), LatentClasses(*one))
                for times, *one in zip(draws.astype(int), *classes, strict=True)
            ]
        )

    def of_draw(drawn: IntArray, classes: LatentClasses) -> list[float]:
        of_mean = panel_correlation(panels, classes, *_WITHOUT_MODEL)
        scale = reliability(matrix[drawn], _reliability_form(matrix, "k")) / of_mean if of_mean > 0 else math.nan
        return [_signed_root(scale * panel_correlation(panels, classes, *kind)) for kind in kinds]

    intervals = bootstrap_items(statistics, len(matrix), resamples=resamples, rng=rng)
    return dict(zip(kinds, intervals, strict=True))


def _signed_root(value: float) -> float:
    return math.nan if math.isnan(value) else math.sqrt(min(1.0, max(0.0, value)))


def _ceiling_above_chance(measure: str, matrix: FloatArray, single: float, bounds: Bounds) -> Agreement:
    estimate, low, high = bounds
    if single <= 0:
        reason = f"raters agree on the same item no better than chance: the reliability is {single:.2f}"
    elif math.isnan(estimate):
        reason = "ratings are so similar that all panels give the same rating"
    else:
        return Agreement(measure, estimate, low, high, matrix.shape[0], matrix.shape[1], None)
    return undefined_agreement(measure, matrix, reason)._replace(low=low, high=high)


def _estimate_from_repeats(repeats: Repeats, resamples: int, rng: Random) -> Agreement:
    measure = "Ceiling of spearman with the ratings, from repeated outputs"
    reason = no_agreement_reason(repeats.values)
    if len(repeats.values) < 2:
        reason = "fewer than two rated outputs occur more than once"
    if reason is not None:
        return undefined_agreement(measure, repeats.values, reason)
    statistic = of_draws(partial(repeat_reliability, repeats))
    [(estimate, low, high)] = bootstrap_items(statistic, len(repeats.values), resamples=resamples, rng=rng)
    bounds = _signed_root(estimate), _signed_root(low), _signed_root(high)
    return _ceiling_above_chance(measure, repeats.values, estimate, bounds)


# From single raters where they are known, else from outputs that were rated twice.
_SOURCES = ("spearman with the median", "from repeated outputs")
FEWEST = 20  # outputs that were rated more than once


def all_ceilings(frame: pd.DataFrame, ratings: Sequence[str], seed: int | Sequence[int]) -> pd.DataFrame:
    """Return all ceiling estimates: from single raters and from outputs rated more than once."""
    single = ceiling_table(frame, ratings, rng=np.random.default_rng(seed))
    repeats = ceiling_from_repeats(frame, ratings, batch=["dataset", "system"], rng=np.random.default_rng(seed))
    few = repeats["estimate"].notna() & (repeats["n_items"] < FEWEST)
    interval_text = (
        "only " + repeats["n_items"].astype(str) + (f" outputs were rated more than once; at least {FEWEST} are needed")
    )
    repeats = repeats.assign(reason=repeats["reason"].where(~few, interval_text))
    repeats.loc[few, ["estimate", "low", "high"]] = np.nan
    return pd.concat([single, repeats], ignore_index=True)


def best_ceilings(table: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return the Spearman ceiling of each rating that has one: measure, estimate, low, high."""
    columns = ["rating", "measure", "estimate", "low", "high"]
    chosen: dict[str, dict[str, Any]] = {}
    known = table.dropna(subset="estimate")
    for source in _SOURCES:
        lines = known[known["measure"].str.contains(source)]
        for line in lines[columns].itertuples(index=False, name=None):
            chosen.setdefault(line[0], dict(zip(columns, line, strict=True)))
    return chosen


def ceiling_intervals(table: pd.DataFrame) -> dict[str, tuple[float, float, float]]:
    """Return the ceiling of each rating that has one, with its interval."""
    return {rating: (line["estimate"], line["low"], line["high"]) for rating, line in best_ceilings(table).items()}


def missing_ceiling_reasons(table: pd.DataFrame) -> dict[str, str]:
    """Return why a rating has no Spearman ceiling."""
    best = best_ceilings(table)
    lines = table[table["measure"].str.contains("|".join(_SOURCES)) & ~table["rating"].isin(list(best))]
    groups = lines.groupby("rating", sort=False)["reason"]
    return {str(rating): "; ".join(dict.fromkeys(reasons.dropna())) for rating, reasons in groups}
