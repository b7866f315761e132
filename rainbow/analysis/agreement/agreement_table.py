"""Inter-rater agreement of every rating, the inputs on which raters disagree most, and the systems without them."""

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
from rainbow.stats.tidy_tables import records, tidy_table

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


# Share of the inputs, those with the largest disagreement, without which the systems are compared again.
LEFT_OUT = 0.2
_MEANS, _RANKS = ("mean", "mean_undisputed"), ("rank", "rank_undisputed")


def disputed_items(frame: pd.DataFrame, ratings: Sequence[str]) -> pd.DataFrame:
    """Return the disagreement of the raters on each input: the standard deviation over raters, mean over outputs."""
    lines = []
    for rating in ratings:
        rows = _rated_rows(frame, rating)
        for (dataset, item), part in rows.groupby(["dataset", "item"], sort=False):
            about = {"dataset": dataset, "rating": rating, "item": item, "outputs": len(part)}
            lines.append({**about, "raters": part["raters"].mean(), "deviation": part["deviation"].mean()})
    table = tidy_table(lines, ["dataset", "rating", "item", "outputs", "raters", "deviation"])
    return table.sort_values(["rating", "deviation"], ascending=[True, False], kind="stable", ignore_index=True)


def undisputed_systems(frame: pd.DataFrame, disputed: pd.DataFrame) -> pd.DataFrame:
    """Return each system's mean and rank on all inputs, and without the fifth with the largest disagreement."""
    parts = []
    for (dataset, rating), items in disputed.groupby(["dataset", "rating"], sort=False):
        rows = _rated_rows(frame[frame["dataset"] == dataset], str(rating))
        agreed = rows[~rows["item"].isin(items["item"].head(int(LEFT_OUT * len(items))))]
        means = {
            name: part.groupby("system", sort=False)["mean"].mean()
            for name, part in zip(_MEANS, (rows, agreed), strict=True)
        }
        systems = pd.DataFrame(means)
        ranks = systems.rank(ascending=False, method="min").set_axis(list(_RANKS), axis=1)
        if len(systems) > 1:
            parts.append(
                systems.join(ranks).rename_axis("system").reset_index().assign(dataset=str(dataset), rating=str(rating))
            )
    lines = [line for part in parts for line in records(part)]
    return tidy_table(lines, ["dataset", "rating", "system", *_MEANS, *_RANKS])


def _rated_rows(frame: pd.DataFrame, rating: str) -> pd.DataFrame:
    """Return the outputs that at least two people rated, with the mean, number and deviation of their ratings."""
    single = frame[rater_columns(frame, rating)]
    rows = frame[["dataset", "item", "system"]].assign(
        mean=single.mean(axis=1), raters=single.notna().sum(axis=1), deviation=single.std(axis=1)
    )
    return rows[rows["raters"] > 1]
