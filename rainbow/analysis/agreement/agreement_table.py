"""How far the raters behind each rating agree, by every measure in use, in one tidy table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from rainbow.base.arrays import Random
from rainbow.corpus import rater_columns
from rainbow.stats.agreement.intraclass import FORMS, Intraclass, intraclass
from rainbow.stats.agreement.kappa import fleiss_kappa, light_kappa
from rainbow.stats.agreement.krippendorff import MeasurementLevel, krippendorff_alpha
from rainbow.stats.agreement.raters import inter_rater_correlation
from rainbow.stats.agreement.rating_matrix import AGREEMENT_COLUMNS, Agreement, Ratings
from rainbow.stats.tidy import tidy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["AgreementMeasure", "agreement_table", "rater_columns", "tabulate"]

# The ratio level needs marks with a true zero, which a rating scale does not have.
ALPHA_LEVELS: tuple[MeasurementLevel, ...] = ("nominal", "ordinal", "interval")
AgreementMeasure: TypeAlias = Callable[[Ratings], Agreement | Intraclass]


def agreement_table(
    frame: pd.DataFrame,
    ratings: Sequence[str],
    *,
    resamples: int = 1000,
    rng: Random = None,
) -> pd.DataFrame:
    """Return every measure of agreement for all ratings of a table with its single raters in columns like quality_1.

    The six intraclass correlations; Krippendorff's alpha at the nominal, ordinal and interval level; Fleiss' kappa;
    Cohen's kappa with quadratic weights and Spearman's correlation, both as the mean over all pairs of raters.

    Parameters
    ----------
    frame
        A row per output.
    ratings
        Names of ratings; quality has its raters in quality_1, quality_2, ...
    resamples
        How many draws of items; 0 for no bootstrap interval. Intervals are of 95 %: from the F distribution for
        intraclass correlations, else by bootstrap over the items.
    rng
        A generator of random numbers, or a seed.

    Returns
    -------
    DataFrame
        A row per rating and measure: `measure`, `rating`, `estimate`, `low`, `high`, `n_items`, `n_raters`, `reason`
        (why the estimate is NaN, as it is for a rating without the columns of single raters).

    Raises
    ------
    ValueError
        If `ratings` is one text instead of several, or a column of single ratings does not hold numbers.

    Examples
    --------
    >>> import rainbow
    >>> table = agreement_table(rainbow.load_dataset("demo").frame, ["quality"], rng=0)
    >>> table.loc[table["measure"] == "ICC(2,k)", ["rating", "estimate", "low", "high", "n_items"]].round(2)
        rating  estimate   low  high  n_items
    4  quality      0.53  0.47  0.59     1038
    """
    # One seed for all, so that no rating and no measure depends on those before it.
    seed = int(np.random.default_rng(rng).integers(2**62))
    measures: list[AgreementMeasure] = [
        *(partial(intraclass, form=form) for form in FORMS),
        *(partial(krippendorff_alpha, level=level, resamples=resamples, rng=seed) for level in ALPHA_LEVELS),
        partial(fleiss_kappa, resamples=resamples, rng=seed),
        partial(light_kappa, resamples=resamples, rng=seed),
        partial(inter_rater_correlation, resamples=resamples, rng=seed),
    ]
    return tabulate(frame, ratings, lambda matrix: [measure(matrix) for measure in measures])


def tabulate(
    frame: pd.DataFrame, ratings: Sequence[str], measures: Callable[[Ratings], Sequence[Agreement | Intraclass]]
) -> pd.DataFrame:
    """Return measures of agreement for all ratings of a scores table, in the columns of :func:`agreement_table`."""
    refuse_text(ratings)
    rows = []
    for rating in ratings:
        columns = rater_columns(frame, rating)
        absent = {"reason": f"no columns {rating}_1, {rating}_2, ... with the ratings of single raters"}
        of_rating = {"rating": rating} | ({} if columns else absent)
        rows += [found._asdict() | of_rating for found in measures(frame[columns])]
    return tidy(rows, AGREEMENT_COLUMNS)


def refuse_text(ratings: Sequence[str]) -> None:
    """Raise ValueError if the names of ratings are one text, whose letters would else be taken for names."""
    if isinstance(ratings, str):
        raise ValueError(f"ratings is the text {ratings!r}: give a list of names, [{ratings!r}]")
