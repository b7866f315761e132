"""Inputs on which the raters disagree most, and the systems without them."""

from __future__ import annotations

from collections.abc import Sequence

from rainbow.base.lazy import pd
from rainbow.corpus.corpus_table import rater_columns
from rainbow.stats.tidy_tables import records, tidy_table

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
