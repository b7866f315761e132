"""`python -m benchmarks.coverage`: how often BCa intervals of Spearman's correlation hold the truth, docs/levels.md."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np

from benchmarks.levels import PAGE, Population
from benchmarks.results import replace_part
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling.bootstrap import bootstrap

ITEMS, CORRELATIONS = (15, 20, 30, 60, 100), (0.0, 0.5, 0.9)


def coverage(rho: float, items: int, rows: int, times: int, seed: int = 1) -> float:
    """Return the share of studies whose 95 % interval by item holds the true Spearman correlation."""
    population = Population(2 * np.sin(np.pi * rho / 6), 0.0, 0.0, items, rows)
    rng, held = np.random.default_rng(seed), 0
    for _ in range(times):
        study = population.study(rng)
        statistic = partial(weighted_correlations, study.scores[:, :1], study.rated[:, None])
        low, high, _ = bootstrap(statistic, study.items, resamples=500, rng=rng)
        held += bool(low[0, 0] <= rho <= high[0, 0])
    return held / times


def table(times: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| rows of an item | true correlation | " + " | ".join(f"{items} items" for items in ITEMS) + " |"
    yield "| --- | --- |" + " --- |" * len(ITEMS)
    for rows, rho in product((1, 3), CORRELATIONS):
        shares = " | ".join(f"{coverage(rho, items, rows, times):.3f}" for items in ITEMS)
        yield f"| {rows} | {rho:g} | {shares} |"


def main() -> None:
    """Simulate everything and write the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("--times", type=int, default=2000, help="studies of a cell")
    options = parser.parse_args()
    lines = list(table(options.times))
    replace_part(PAGE, "coverage", "\n".join(lines))


if __name__ == "__main__":
    main()
