"""Mean ratings of systems, normalised across raters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import Random
from rainbow.base.lazy import pd
from rainbow.corpus.judgements import Scale, normalise_judgements, validate_judgements
from rainbow.stats.resampling.bootstrap import MINIMUM_ITEMS
from rainbow.stats.tidy_tables import tidy_table

COLUMNS = ("rating", "scale", "system", "mean", "low", "high", "n", "reason")
RESAMPLES = 1000


def rate_systems(judgements: pd.DataFrame, scale: Scale = "rank", rng: Random = None) -> pd.DataFrame:
    """Return the mean normalised rating of each system and criterion, with a bootstrap interval."""
    table = validate_judgements(judgements)
    table = table.assign(value=normalise_judgements(table, scale))
    seed = int(np.random.default_rng(rng).integers(2**62))
    lines = []
    for criterion, part in table.dropna(subset="value").groupby("criterion", sort=False, observed=True):
        unit = np.asarray(part.groupby("item", sort=False, observed=True).ngroup(), dtype=np.int64)
        result = _mean_lines(part, unit, np.random.default_rng(seed))
        lines += [{"rating": criterion, "scale": scale} | line for line in result]
    return tidy_table(lines, COLUMNS)


def _mean_lines(part: pd.DataFrame, unit: NDArray[np.int64], rng: np.random.Generator) -> list[dict[str, object]]:
    """Return a line for each system of one criterion, the best first."""
    systems, code = np.unique(part["system"].to_numpy(dtype=str), return_inverse=True)
    count = int(unit.max()) + 1
    sums, sizes = np.zeros((2, count, len(systems)))
    np.add.at(sums, (unit, code), part["value"].to_numpy(dtype=float))
    np.add.at(sizes, (unit, code), 1.0)
    mean, n = sums.sum(axis=0) / sizes.sum(axis=0), sizes.sum(axis=0).astype(int)
    low, high = np.full((2, len(systems)), np.nan)
    reason = None
    if count < MINIMUM_ITEMS:
        reason = f"{count} units to resample: at least {MINIMUM_ITEMS} are needed"
    else:
        times = rng.multinomial(count, np.full(count, 1 / count), size=RESAMPLES).astype(float)
        drawn = times @ sizes
        means = np.divide(times @ sums, drawn, out=np.full_like(drawn, np.nan), where=drawn > 0)
        # A system that a draw leaves out has no mean there; one that every draw leaves out cannot be.
        low, high = np.nanquantile(means, [0.025, 0.975], axis=0)
    known = {"system": systems, "mean": mean, "low": low, "high": high, "n": n}
    order = np.argsort(-mean, kind="stable")
    return [{name: values[place] for name, values in known.items()} | {"reason": reason} for place in order]
