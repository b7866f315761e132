"""Inter-rater agreement of every rating by several coefficients, in one tidy table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from rainbow.base.arrays import Random
from rainbow.base.lazy import pd
from rainbow.corpus import rater_columns
from rainbow.stats.agreement.chance_corrected import MeasurementLevel, fleiss_kappa, krippendorff_alpha, light_kappa
from rainbow.stats.agreement.intraclass import FORMS, Intraclass, intraclass
from rainbow.stats.agreement.raters import inter_rater_correlation
from rainbow.stats.agreement.rating_matrix import AGREEMENT_COLUMNS, Agreement, Ratings
from rainbow.stats.tidy_tables import tidy_table

# The ratio level needs marks with a true zero, which a rating scale does not have.
ALPHA_LEVELS: tuple[MeasurementLevel, ...] = ("nominal", "ordinal", "interval")
AgreementMeasure: TypeAlias = Callable[[Ratings], Agreement | Intraclass]


def agreement_table(
    frame: pd.DataFrame, ratings: Sequence[str], *, resamples: int = 1000, rng: Random = None
) -> pd.DataFrame:
    """Return all agreement coefficients for ratings whose single raters are in columns like quality_1."""
    # One seed for all, so that no rating and no measure depends on those before it.
    seed = int(np.random.default_rng(rng).integers(2**62))
    measures: list[AgreementMeasure] = [
        *(partial(intraclass, form=form) for form in FORMS),
        *(partial(krippendorff_alpha, level=level, resamples=resamples, rng=seed) for level in ALPHA_LEVELS),
        partial(fleiss_kappa, resamples=resamples, rng=seed),
        partial(light_kappa, resamples=resamples, rng=seed),
        partial(inter_rater_correlation, resamples=resamples, rng=seed),
    ]
    return tabulate_agreement(frame, ratings, lambda matrix: [measure(matrix) for measure in measures])


def tabulate_agreement(
    frame: pd.DataFrame, ratings: Sequence[str], measures: Callable[[Ratings], Sequence[Agreement | Intraclass]]
) -> pd.DataFrame:
    """Return agreement coefficients for all ratings, in the columns of :func:`agreement_table`."""
    check_names_not_text(ratings)
    rows = []
    for rating in ratings:
        columns = rater_columns(frame, rating)
        absent = {"reason": f"no columns {rating}_1, {rating}_2, ... with ratings of single raters"}
        select_rating = {"rating": rating} | ({} if columns else absent)
        rows += [results._asdict() | select_rating for results in measures(frame[columns])]
    return tidy_table(rows, AGREEMENT_COLUMNS)


def check_names_not_text(ratings: Sequence[str]) -> None:
    """Raise ValueError if a list of rating names is a single string."""
    if isinstance(ratings, str):
        raise ValueError(f"ratings is the string {ratings!r}: give a list of names, [{ratings!r}]")
