"""`python -m benchmarks.few_ratings`: how often intervals from few ratings hold, into docs/lab/studies.md.

Inputs are drawn anew for each simulated study, with outputs that share the input's difficulty in ratings and in
scores. Half of the inputs of a stratified study are drawn from a quarter of the inputs, whose outputs are worse.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import date
from functools import cache
from itertools import product
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from benchmarks.results import replace_part
from rainbow._version import __version__
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.stats.estimation.prediction_powered import Estimates, prediction_powered_means

PAGE = Path(__file__).parent.parent / "docs" / "lab" / "studies.md"
INPUTS, SHARED, BETTER, WORSE = 200, 0.4, 0.3, 0.8  # share of variance of inputs; points of the first system, stratum
SCORES = {"weak": (0.3,), "strong": (0.8,), "three": (0.8, 0.5, 0.3)}  # correlations before ratings are rounded
LAYOUTS = {"3 systems": (3, 1), "2 systems, 1 to 9 outputs each": (2, 9), "10 systems": (10, 1)}
LEVELS = {"top": 5.2, "middle": 3.5}  # of marks from 1 to 6
RESAMPLES = 200


class Cell(NamedTuple):
    """A design: systems, what is drawn to be rated, ratings for this number of inputs, where ratings lie, scores."""

    layout: str
    drawn: str
    rated: int
    level: str
    score: str


class Outputs(NamedTuple):
    """Rows of a study: ratings of some outputs, scores, systems, items and strata."""

    ratings: FloatArray
    scores: FloatArray
    system: IntArray
    item: IntArray
    strata: IntArray | None


def rows() -> Iterator[tuple[str, str, int, str]]:
    """Yield the rows of the table: all of three systems, and the hardest of the other layouts."""
    for layout, drawn, rated, level in product(LAYOUTS, ("inputs", "outputs", "inputs per stratum"), (10, 20), LEVELS):
        if layout == "3 systems" or (level == "top" and (rated == 10 or drawn == "inputs")):
            yield layout, drawn, rated, level


def draw(cell: Cell, rng: np.random.Generator) -> Outputs:
    """Draw the outputs of a study and its ratings."""
    systems, most = LAYOUTS[cell.layout]
    counts = rng.integers(1, most + 1, INPUTS * systems)
    item, system = (np.repeat(places.ravel(), counts) for places in np.indices((INPUTS, systems)))
    layer = (np.arange(INPUTS) < INPUTS // 4).astype(int) * (cell.drawn == "inputs per stratum")
    parts = (_correlated(item, rng) for _ in range(1 + len(SCORES[cell.score])))
    worth, *noise = parts
    marks = LEVELS[cell.level] + BETTER * (system == 0) - WORSE * layer[item] + 1.2 * worth
    scores = [r * worth + np.sqrt(1 - r**2) * error for r, error in zip(SCORES[cell.score], noise, strict=True)]
    if cell.drawn == "outputs":
        chosen = rng.permutation(len(item)) < round(cell.rated * len(item) / INPUTS)
    else:
        sizes = [cell.rated] if not layer.any() else [cell.rated // 2] * 2
        inputs = [rng.choice(np.flatnonzero(layer == place), size, replace=False) for place, size in enumerate(sizes)]
        chosen = np.isin(item, np.concatenate(inputs))
    ratings = np.where(chosen, np.clip(np.round(marks), 1, 6), np.nan)
    return Outputs(ratings, np.stack(scores, axis=1), system, item, layer[item] if layer.any() else None)


def _correlated(item: IntArray, rng: np.random.Generator) -> FloatArray:
    shared, own = rng.normal(size=INPUTS)[item], rng.normal(size=len(item))
    values: FloatArray = np.sqrt(SHARED) * shared + np.sqrt(1 - SHARED) * own
    return values


@cache
def true_mean(cell: Cell, system: int) -> float:
    """Return the mean rating of a system over all inputs."""
    worse = WORSE if cell.drawn == "inputs per stratum" else 0.0
    level = LEVELS[cell.level] + BETTER * (system == 0)
    at = [1 + sum(norm.sf((mark - 0.5 - centre) / 1.2) for mark in range(2, 7)) for centre in (level, level - worse)]
    return float(0.75 * at[0] + 0.25 * at[1])


def simulate(task: tuple[Cell, int]) -> tuple[float, ...]:
    """Return for a study: shares of means and differences that hold, with scores and without, gain, share refused."""
    cell, number = task
    rng = np.random.default_rng([number, [*LAYOUTS].index(cell.layout), cell.rated])
    outputs = draw(cell, rng)
    result = prediction_powered_means(*outputs[:4], strata=outputs.strata, resamples=RESAMPLES, rng=rng)
    return (*_held(result, cell), float(np.nanmedian([one.gain for one in result.means])))


def _held(result: Estimates, cell: Cell) -> Iterator[float]:
    for estimates in (result.means, result.differences):
        known = [one for one in estimates if one.reason is None]
        truth = [
            true_mean(cell, one.group) - (0.0 if one.other is None else true_mean(cell, one.other)) for one in known
        ]
        for low, high in (("low", "high"), ("rated_low", "rated_high")):
            held = [getattr(one, low) <= true <= getattr(one, high) for one, true in zip(known, truth, strict=True)]
            yield float(np.mean(held)) if held else np.nan
        yield 1 - len(known) / len(estimates) if estimates else 1.0


def lines(times: int, workers: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"Version {__version__}, {date.today()}: {times} studies a cell."
    yield ""
    heads = [f"{name}: means, differences" for name in ("ratings alone", *SCORES)]
    yield f"| systems | drawn | ratings of ... inputs | level | {' | '.join(heads)} | no interval | largest error |"
    yield "| --- " * (6 + len(heads)) + "|"
    with Pool(workers) as pool:
        for row in rows():
            found = {}
            for score in SCORES:
                tasks = [(Cell(*row, score), number) for number in range(times)]
                found[score] = np.array(list(pool.imap_unordered(simulate, tasks, chunksize=20)))
            means = {score: np.nanmean(values, axis=0) for score, values in found.items()}
            errors = [np.nanstd(values, axis=0) / np.sqrt(np.isfinite(values).sum(0)) for values in found.values()]
            alone = np.mean([value[[1, 4]] for value in means.values()], axis=0)
            cells = [alone, *(value[[0, 3]] for value in means.values())]
            shown = " | ".join(f"{mean:.3f}, {difference:.3f}" for mean, difference in cells)
            refused, error = max(value[[2, 5]].max() for value in means.values()), np.max(errors, axis=0)[[0, 1, 3, 4]]
            yield f"| {' | '.join(map(str, row))} | {shown} | {refused:.2f} | {error.max():.4f} |"


def main() -> None:
    """Simulate everything and write the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.few_ratings", description=__doc__)
    parser.add_argument("--times", type=int, default=1000, help="studies of a cell")
    parser.add_argument("--workers", type=int, default=2, help="processes that share them")
    options = parser.parse_args()
    replace_part(PAGE, "few ratings", "\n".join(lines(options.times, options.workers)))


if __name__ == "__main__":
    main()
