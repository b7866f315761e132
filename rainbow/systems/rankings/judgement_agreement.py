"""Agreement of people who judged the same outputs."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, Random
from rainbow.base.lazy import pd
from rainbow.corpus.judgements import Scale, normalise_judgements, validate_judgements
from rainbow.stats.agreement.chance_corrected import krippendorff_alpha
from rainbow.stats.agreement.intraclass import FORMS, Form, Intraclass, intraclass
from rainbow.stats.agreement.raters import inter_rater_correlation
from rainbow.stats.agreement.rating_matrix import AGREEMENT_COLUMNS, Agreement, Ratings, bootstrap_items
from rainbow.stats.tidy_tables import tidy_table
from rainbow.systems.rankings.comparisons import Comparisons, system_comparisons


class _Resampling(NamedTuple):
    """Bootstrap settings."""

    resamples: int
    rng: int


# The accuracy that one more judge would have as a metric.
PAIR_MEASURE = "pairs ordered like another judgement"


def judgement_agreement(
    judgements: pd.DataFrame, *, scale: Scale = "rank", resamples: int = 200, rng: Random = None
) -> pd.DataFrame:
    """Return agreement measures of judgements of the same outputs, for each criterion."""
    table = validate_judgements(judgements)
    values = normalise_judgements(table, scale)
    options = _Resampling(resamples, int(np.random.default_rng(rng).integers(2**62)))
    rows: list[dict[str, Any]] = []
    for criterion, part in table.groupby("criterion", sort=False, observed=True):
        wide, same = pivot_ratings(part.assign(value=values[part.index]))
        results = [measure._asdict() for measure in _agreement_measures(wide, same, options)]
        results.append(_pair_agreement(part, wide.shape[1], options))
        rows += [line | {"rating": criterion} for line in results]
    return tidy_table(rows, AGREEMENT_COLUMNS)


def pivot_ratings(judgements: pd.DataFrame) -> tuple[pd.DataFrame, bool]:
    """Return one row per output with its ratings, and whether each column is one rater's."""
    outputs = judgements.groupby(["item", "system"], sort=False, observed=True)
    criterion = judgements["criterion"].iloc[0]
    place, same = outputs.cumcount(), False
    if "rater" in judgements and judgements["rater"].notna().all():
        raters = judgements.groupby("rater", sort=False, observed=True).ngroup()
        same = outputs.ngroups * judgements["rater"].nunique() == len(judgements)
        same = same and not judgements.duplicated(["item", "system", "rater"]).any()
        place = raters if same else place
    wide = judgements.assign(place=place + 1).pivot(index=["item", "system"], columns="place", values="value")
    return wide.rename(columns=lambda number: f"{criterion}_{number}").reset_index(drop=True), same


def _agreement_measures(matrix: Ratings, same_raters: bool, options: _Resampling) -> list[Agreement | Intraclass]:
    """Return all agreement measures of a matrix of outputs by ratings."""
    forms: tuple[Form, ...] = FORMS if same_raters else ("1,1", "1,k")
    resamples, rng = options
    return [
        *(intraclass(matrix, form) for form in forms),
        krippendorff_alpha(matrix, "ordinal", resamples=resamples, rng=rng),
        krippendorff_alpha(matrix, "interval", resamples=resamples, rng=rng),
        inter_rater_correlation(matrix, resamples=resamples, rng=rng),
    ]


def _pair_agreement(judgements: pd.DataFrame, raters: int, options: _Resampling) -> dict[str, object]:
    """Return the share of output pairs that two judgements of the same item order equally."""
    right, pairs = _count_pair_agreement(system_comparisons(judgements))
    line = {"measure": PAIR_MEASURE, "n_items": len(pairs), "n_raters": raters, "reason": None}
    if not pairs.sum():
        return line | {
            "estimate": math.nan,
            "reason": "no two judgements compare the same outputs with at least one untied",
        }

    def accuracy(weights: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore"):
            return (weights @ right) / (weights @ pairs)

    [values] = bootstrap_items(accuracy, len(pairs), **options._asdict())
    return line | dict(zip(("estimate", "low", "high"), values, strict=True))


def _count_pair_agreement(comparisons: Comparisons) -> tuple[FloatArray, FloatArray]:
    """Return, per item, the number of agreeing judgement pairs, and of pairs with one untied."""
    _, first, second, outcome, unit = comparisons
    swap = first > second
    outcome = np.where(swap, -outcome, outcome)
    low, high = np.where(swap, second, first), np.where(swap, first, second)
    groups, code = np.unique(np.stack([unit, low, high]), axis=1, return_inverse=True)
    better, worse, equal = (
        np.bincount(code.ravel(), (outcome == sign).astype(float), groups.shape[1]) for sign in (1, -1, 0)
    )
    untied = better + worse
    right = better * (better - 1) + worse * (worse - 1) + untied * equal / 2
    pairs = untied * (untied + equal - 1)
    items = int(unit.max(initial=-1)) + 1
    return np.bincount(groups[0], right, items).astype(float), np.bincount(groups[0], pairs, items).astype(float)
