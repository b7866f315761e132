"""Agreement by the number of rated outputs that are learned from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import pd
from rainbow.learned.protocols.groups import STRICT, row_groups
from rainbow.learned.protocols.recommended import COMBINATION, LENGTH, Choices, RatedColumns, missing_reason, rated_rows
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.tidy_tables import tidy_table

# The smallest number of rated outputs, which is doubled; outputs that are held out, at least; random subsets.
SMALLEST, FEWEST_HELD_OUT, DRAWS = 20, 20, 10
_CURVE = ("rating", "rated", "score", "spearman", "low", "high", "draws", "seed")


def learning_curve(
    frame: pd.DataFrame,
    choices: Mapping[str, Choices],
    higher_is_better: Mapping[str, bool | None],
    *,
    draws: int = DRAWS,
    seed: int = 2017,
) -> pd.DataFrame:
    """Return the agreement on held-out inputs after learning from 20, 40, 80, ... rated outputs."""
    lines: list[dict[str, Any]] = []
    for rating, own in choices.items():
        rows = rated_rows(frame, rating, seed)
        if missing_reason(rows, rating, own):
            continue
        columns, groups = RatedColumns.from_frame(rows, rating, own, higher_is_better), row_groups(rows, STRICT)
        for size in subset_sizes(len(rows)):
            measured = np.array(list(_measure(columns, groups, size, draws, seed)))
            for name, values in zip(columns.names, measured.T, strict=True) if len(measured) else ():
                low, high = np.quantile(values, [0.1, 0.9])  # the middle 80 % of the subsets
                ends = {"spearman": values.mean(), "low": low, "high": high, "draws": len(values)}
                lines.append({"rating": rating, "seed": seed, "rated": size, "score": name, **ends})
    return tidy_table(lines, _CURVE)


def subset_sizes(rated: int) -> list[int]:
    """Return 20, 40, 80, ... up to half of the rated outputs."""
    sizes = [SMALLEST]
    while sizes[-1] <= rated // 2:
        sizes.append(2 * sizes[-1])
    return sizes[:-1]


def pays_from(lines: pd.DataFrame) -> int | None:
    """Return from how many rated outputs on the combination of one rating has the highest mean; None if never."""
    means = lines.pivot(index="rated", columns="score", values="spearman").drop(columns=LENGTH).sort_index()
    best = (means[COMBINATION] > means.drop(columns=COMBINATION).max(axis=1)).to_numpy()
    ahead = np.logical_and.accumulate(best[::-1])[::-1]
    return int(means.index[int(ahead.argmax())]) if ahead.any() else None


def _measure(columns: RatedColumns, groups: IntArray, size: int, draws: int, seed: int) -> Iterator[FloatArray]:
    """Yield the agreement of every score for each random subset, shape (scores,)."""
    for draw in range(draws):
        train, test = _draw_inputs(groups, size, np.random.default_rng([seed, size, draw]))
        if len(test) < FEWEST_HELD_OUT or np.ptp(columns.rated[train]) == 0:
            continue
        rated = columns.rated[test][:, None]
        r = weighted_correlations(columns.predict(train, test), rated, np.ones((1, len(test))))
        yield np.nan_to_num(r[0, :, 0])


def _draw_inputs(groups: IntArray, size: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Return this many rows of inputs drawn at random, and the rows of all other inputs."""
    order = rng.permutation(int(groups.max()) + 1)
    reached = np.cumsum(np.bincount(groups)[order])
    drawn = np.isin(groups, order[: np.searchsorted(reached, size) + 1])
    return np.sort(rng.permutation(np.flatnonzero(drawn))[:size]), np.flatnonzero(~drawn)
