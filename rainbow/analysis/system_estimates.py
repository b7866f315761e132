"""Mean ratings of systems, estimated from few ratings and the scores of all outputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rainbow.base.arrays import Random
from rainbow.base.lazy import pd
from rainbow.scoring.result_tables import Table
from rainbow.scoring.table_cells import iterate_cells
from rainbow.stats.differences.multiplicity import holm
from rainbow.stats.estimation.prediction_powered import Estimates, prediction_powered_means
from rainbow.stats.tidy_tables import require_columns, tidy_table

SYSTEM_ESTIMATES = Table(
    "system_estimates", "How good are the systems, estimated from few ratings and many scores?", "other"
)

COLUMNS = (
    *("dataset", "rating", "metric", "system", "other", "n", "n_unrated", "rated_value", "rated_low", "rated_high"),
    *("value", "low", "high", "p", "p_holm", "gain", "worth", "slope", "reason"),
)


def system_estimates(
    frame: pd.DataFrame,
    rating: str,
    score: str | Sequence[str],
    *,
    by: str = "system",
    strata: str | None = None,
    higher_is_better: bool | Sequence[bool | None] | None = True,
    resamples: int = 2000,
    rng: Random = None,
) -> pd.DataFrame:
    """Estimate mean ratings of systems, and their differences, if few outputs are rated.

    The scores of all outputs correct for the difference between rated and unrated outputs
    (:func:`rainbow.stats.estimation.prediction_powered.prediction_powered_means`).

    Parameters
    ----------
    frame : DataFrame
        One row per output, with `dataset`, `item` and the columns below; rows without a score are ignored.
    rating : str
        Column of the rating.
    score : str or sequence of str
        Column of the score, or columns of several scores: their best weighted sum is used.
    by : str
        Column that holds the groups to compare.
    strata : str, optional
        Column of strata of inputs, if another share of each was rated.
    higher_is_better : bool or None, or a sequence of them
        Direction of the score, or of each.
    resamples, rng
        Number of bootstrap resamples of items; random generator or seed.

    Returns
    -------
    DataFrame
        For each dataset one row per system, then one per pair of systems; `other` is the system that is subtracted.
        Columns: dataset, rating, metric, system, other, n and n_unrated (outputs), rated_value, rated_low, rated_high
        (ratings only, 95 %), value, low, high (ratings and scores), p (null hypothesis of no difference), p_holm, gain
        (1: the scores do not help), worth (number of ratings that would give the same interval), slope (rating points
        per unit of the score; with several scores, one slope for each, separated by commas), reason (why there is no
        value, or the scores have no weight).

    Raises
    ------
    ValueError
        If a column is missing, or no output has a score.

    Examples
    --------
    >>> import rainbow
    >>> demo = rainbow.load_dataset("demo").frame
    >>> demo["judge"] = demo["quality"] + np.random.default_rng(1).normal(0, 0.5, len(demo))
    >>> demo.loc[demo.index % 5 > 0, "quality"] = np.nan
    >>> table = system_estimates(demo, "quality", "judge", rng=1)
    >>> table[["system", "other", "n", "n_unrated", "value", "worth"]].round(1)
         system     other    n  n_unrated  value  worth
    0    neural             69        277    5.2   97.0
    1     ngram             69        277    4.9  152.7
    2  template             70        276    5.0  159.8
    3    neural     ngram  138        554    0.3  264.5
    4    neural  template  139        553    0.1  270.6
    5     ngram  template  139        553   -0.1  355.2
    """
    scores = [score] if isinstance(score, str) else [*score]
    require_columns(frame, ["dataset", "item", by, rating, *scores, *([strata] if strata else [])])
    scored = frame.dropna(subset=scores)
    if scored.empty:
        raise ValueError(f"no output has a score {' and '.join(map(repr, scores))}")
    seed = int(np.random.default_rng(rng).integers(2**62))
    rows: list[dict[str, Any]] = []
    for key, part in iterate_cells(scored, "dataset"):
        columns = part[rating].to_numpy(dtype=float, na_value=np.nan), part[scores].to_numpy(dtype=float)
        result = prediction_powered_means(
            *columns,
            part[by],
            part["item"],
            strata=part[strata] if strata else None,
            higher_is_better=higher_is_better,
            resamples=resamples,
            rng=seed,
        )
        slope = result.slopes[0] if len(scores) == 1 else ", ".join(f"{each:.4g}" for each in result.slopes)
        heads = {"dataset": key["dataset"], "rating": rating, "metric": ", ".join(scores), "slope": slope}
        rows += [heads | row for row in _estimate_rows(result)]
    return tidy_table(rows, COLUMNS)


def _estimate_rows(estimates: Estimates) -> Iterator[dict[str, Any]]:
    corrected = [*([np.nan] * len(estimates.means)), *holm([each.p for each in estimates.differences])]
    for estimate, p in zip([*estimates.means, *estimates.differences], corrected, strict=True):
        yield {
            **estimate._asdict(),
            "system": estimates.groups[estimate.group],
            "other": "" if estimate.other is None else estimates.groups[estimate.other],
            "worth": estimate.n * (estimate.gain - 1),
            "reason": estimate.reason or estimates.why,
            "p_holm": float(p),
        }
