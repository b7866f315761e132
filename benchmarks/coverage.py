"""`python -m benchmarks.coverage`: how often intervals of Spearman's correlation hold the truth, docs/lab/levels.md."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import numpy as np

from benchmarks.levels import PAGE, Population, Study
from benchmarks.results import replace_part
from rainbow.stats.correlation.intervals import Bounds
from rainbow.stats.correlation.rank_influence import influence_intervals
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling.bootstrap import bootstrap

ITEMS, CORRELATIONS = (15, 20, 30, 60, 100), (0.0, 0.5, 0.9)
Interval = Callable[[Study, np.random.Generator], Bounds]
# Items and rows of an item of tables of about 2,500 rows.
MANY = ((2500, 1), (833, 3), (250, 10), (50, 50))


def bca(study: Study, rng: np.random.Generator) -> Bounds:
    """Draw items."""
    statistic = partial(weighted_correlations, study.scores[:, :1], study.rated[:, None])
    return bootstrap(statistic, study.items, resamples=500, rng=rng)


def influence(study: Study, rng: np.random.Generator) -> Bounds:
    """Draw nothing."""
    return influence_intervals(study.scores[:, :1], study.rated[:, None], study.items)


KINDS = (influence, bca)


def coverage(rho: float, items: int, rows: int, times: int, interval: Interval = bca, seed: int = 1) -> float:
    """Return the share of studies whose 95 % interval by item holds the true Spearman correlation."""
    population = Population(2 * np.sin(np.pi * rho / 6), 0.0, 0.0, items, rows)
    rng, held = np.random.default_rng(seed), 0
    for _ in range(times):
        low, high, _ = interval(population.study(rng), rng)
        held += bool(low[0, 0] <= rho <= high[0, 0])
    return held / times


def few(times: int) -> Iterator[str]:
    """Yield the lines of the table of few items."""
    yield "| rows of an item | true correlation | " + " | ".join(f"{items} items" for items in ITEMS) + " |"
    yield "| --- | --- |" + " --- |" * len(ITEMS)
    for rows, rho in product((1, 3), CORRELATIONS):
        shares = " | ".join(f"{coverage(rho, items, rows, times):.3f}" for items in ITEMS)
        yield f"| {rows} | {rho:g} | {shares} |"


def wider(rho: float, items: int, rows: int, times: int, seed: int = 2) -> float:
    """Return how wide intervals by influence values are beside those by BCa, of the same studies, on average."""
    population = Population(2 * np.sin(np.pi * rho / 6), 0.0, 0.0, items, rows)
    rng = np.random.default_rng(seed)
    studies = [population.study(rng) for _ in range(times)]
    own, drawn = ([found.high[0, 0] - found.low[0, 0] for found in (kind(s, rng) for s in studies)] for kind in KINDS)
    return float(np.mean(np.divide(own, drawn)))


def many(times: int) -> Iterator[str]:
    """Yield the lines of the table of many rows: by influence values, in brackets how wide beside BCa's."""
    yield "| true correlation | " + " | ".join(f"{items:,} items of {rows}" for items, rows in MANY) + " |"
    yield "| --- |" + " --- |" * len(MANY)
    for rho in CORRELATIONS:
        found = [(coverage(rho, *shape, times, influence), wider(rho, *shape, times // 50)) for shape in MANY]
        yield f"| {rho:g} | " + " | ".join(f"{share:.3f} ({width:.2f})" for share, width in found) + " |"


def main() -> None:
    """Simulate everything and write the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("--times", type=int, default=2000, help="studies of a cell with few items")
    parser.add_argument("--many", type=int, default=1000, help="studies of a cell with many rows")
    options = parser.parse_args()
    for part, lines in {"coverage": few(options.times), "coverage-many": many(options.many)}.items():
        replace_part(PAGE, part, "\n".join(lines))


if __name__ == "__main__":
    main()
