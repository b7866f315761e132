"""`python -m benchmarks.levels`: how often tests of correlations err, and find, simulated, into docs/lab/levels.md."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.results import replace_part
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.stats.correlation.correlation import correlation_matrix
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.differences.dependent_correlations import fisher_z_test, two_sided_p, williams_test
from rainbow.stats.differences.jackknife_differences import (
    RatedScores,
    independent_jackknife_difference,
    jackknife_differences,
)
from rainbow.stats.differences.permutation_difference import permutation_differences
from rainbow.stats.resampling.bootstrap import bootstrap

PAGE = Path(__file__).parent.parent / "docs" / "lab" / "levels.md"
ALPHA = 0.05
SWAPS = 199
MARKS = ("continuous", "1 to 6", "median of 3")

# Correlation of both metrics with the rating, and between them, on the scale of normal scores.
POPULATIONS = ((0.0, 0.0), (0.3, 0.3), (0.6, 0.9), (0.8, 0.6), (0.9, 0.95))
# r of the better metric, r of the other, between them.
UNEQUAL = ((0.5, 0.2, 0.3), (0.7, 0.5, 0.6), (0.9, 0.8, 0.8))


class Study(NamedTuple):
    """A table of rated outputs: two columns of scores, the rating, and the item of each row."""

    scores: FloatArray
    rated: FloatArray
    items: IntArray


Test = Callable[[Study], float]


class Population(NamedTuple):
    """What studies are drawn from; rows of an item share half of their variance."""

    r: float
    other: float
    between: float
    items: int
    rows: int = 1
    marks: str = "continuous"

    def study(self, rng: np.random.Generator) -> Study:
        """Draw normal scores and ratings with these correlations, the ratings then marked on a scale."""
        truth = [[1, self.between, self.r], [self.between, 1, self.other], [self.r, self.other, 1]]
        root = np.linalg.cholesky(np.array(truth)).T
        drawn = rng.normal(size=(self.items * self.rows, 3)) @ root
        items = np.repeat(np.arange(self.items), self.rows)
        if self.rows > 1:
            drawn = np.sqrt(0.5) * (drawn + (rng.normal(size=(self.items, 3)) @ root)[items])
        return Study(drawn[:, :2], _marked(drawn[:, 2], self.marks, rng), items)


def alike_in_nothing(q: float, items: int, rng: np.random.Generator) -> Study:
    """Draw two metrics with the Spearman correlation q: one errs a little always, one in a share of outputs wholly."""
    rated, noise, wrong = rng.normal(size=(3, items))
    r = 2 * np.sin(np.pi * q / 6)
    steady, abrupt = r * rated + np.sqrt(1 - r**2) * noise, np.where(rng.random(items) < q, rated, wrong)
    return Study(np.column_stack([steady, abrupt]), rated, np.arange(items))


def _marked(values: FloatArray, marks: str, rng: np.random.Generator) -> FloatArray:
    if marks == "continuous":
        return values
    if marks == "1 to 6":
        return np.clip(np.round(3.5 + 1.2 * values), 1, 6)
    single = values[:, None] + 0.6 * rng.normal(size=(len(values), 3))
    return np.asarray(np.median(np.clip(np.round(3.5 + 1.2 * single), 1, 6), axis=1))


def williams(study: Study) -> float:
    """Return the p of Williams' test."""
    r, between = correlation_matrix(study.scores, study.rated[:, None])[:, 0], correlation_matrix(*[study.scores] * 2)
    return float(williams_test(r[0], r[1], between[0, 1], len(study.rated)).p)


def jackknife(study: Study) -> float:
    """Return the p of what is the default: the jackknife t by item."""
    return float(jackknife_differences(study.scores, study.rated, study.items).p[0, 1])


def leave_one_out(study: Study) -> float:
    """Return the p of the difference over its jackknife error, items left out one by one."""
    count = study.items.max() + 1
    kept = (np.arange(count)[:, None] != study.items).astype(float)
    r = weighted_correlations(study.scores, study.rated[:, None], np.vstack([np.ones(len(study.rated)), kept]))[..., 0]
    gaps = r[:, 0] - r[:, 1]
    error = np.sqrt((count - 1) * gaps[1:].var())
    return float(two_sided_p(gaps[:1] / error, degrees=np.array(count - 1.0))[0])


def swaps(study: Study) -> float:
    """Return the p of the permutation of standardised ranks by item, the difference not studentised."""
    found = permutation_differences(study.scores, study.rated, study.items, resamples=SWAPS, rng=1)
    return float(found[0, 1])


def percentile(study: Study) -> float:
    """Return 0 where the percentile interval of the difference, items resampled, leaves out 0; else 1."""

    def gap(weights: FloatArray) -> FloatArray:
        r = weighted_correlations(study.scores, study.rated[:, None], weights)
        return np.asarray(r[:, :1] - r[:, 1:])

    low, high, _ = bootstrap(gap, study.items, "percentile", resamples=SWAPS, rng=1)
    return float(low[0, 0] <= 0 <= high[0, 0])


TESTS: dict[str, Test] = {
    **{"Williams": williams, "jackknife t": jackknife, "leave one out": leave_one_out},
    **{"swaps": swaps, "percentile": percentile},
}
FAST = ("Williams", "jackknife t")


def rejected(draw: Callable[[np.random.Generator], Study], tests: tuple[str, ...], times: int, seed: int) -> FloatArray:
    """Return the share of studies with p at or below .05 for every test (where it has none: not found)."""
    rng = np.random.default_rng(seed)
    found = np.zeros(len(tests))
    for _ in range(times):
        study = draw(rng)
        found += [TESTS[name](study) <= ALPHA for name in tests]
    return found / times


def levels(times: int) -> Iterator[str]:
    """Yield the lines of the table of levels of the fast tests."""
    yield from _head(("items", "rows", "ratings", "r", "between"), FAST)
    for items, (rows, marks), (r, between) in product(
        (15, 30, 100, 300), ((1, "continuous"), (1, "median of 3"), (3, "1 to 6")), POPULATIONS
    ):
        found = rejected(Population(r, r, between, items, rows, marks).study, FAST, times, seed=1)
        yield _line((items, rows, marks, f"{r:g}", f"{between:g}"), found)
    for items, q in product((30, 100, 300), (0.3, 0.6)):
        found = rejected(lambda rng, q=q, n=items: alike_in_nothing(q, n, rng), FAST, times, seed=2)  # type: ignore[misc]
        yield _line((items, 1, "errors unlike", f"{q:g}", ""), found)
    for r, between in ((0.3, 0.3), (0.8, 0.6)):
        found = rejected(Population(r, r, between, 2500, 1, "median of 3").study, FAST, times // 3, seed=3)
        yield _line((2500, 1, "median of 3", f"{r:g}", f"{between:g}"), found)


def candidates(times: int) -> Iterator[str]:
    """Yield the lines of the table of all tests in hard cells, levels and powers."""
    names = tuple(TESTS)
    yield from _head(("items", "rows", "ratings", "r", "other r", "between"), names)
    equal = ((0.3, 0.3, 0.3), (0.6, 0.6, 0.9), (0.8, 0.8, 0.6), (0.9, 0.9, 0.95))
    for (items, rows, marks), (r, other, between) in product(
        ((15, 1, "median of 3"), (30, 1, "continuous"), (30, 3, "1 to 6")), (*equal, *UNEQUAL)
    ):
        found = rejected(Population(r, other, between, items, rows, marks).study, names, times, seed=4)
        yield _line((items, rows, marks, f"{r:g}", f"{other:g}", f"{between:g}"), found)


def apart(times: int) -> Iterator[str]:
    """Yield the lines of the table of levels of tests of one metric on two datasets."""
    yield from _head(("items", "rows", "ratings", "r"), ("Fisher's z", "jackknife t"))
    for items, (rows, marks), r in product((30, 100, 300), ((1, "continuous"), (3, "1 to 6")), (0.3, 0.6, 0.9)):
        found = rejected_apart(Population(r, r, r, items, rows, marks), times, seed=5)
        yield _line((items, rows, marks, f"{r:g}"), found)


def rejected_apart(population: Population, times: int, seed: int) -> FloatArray:
    """Return the share of pairs of studies on which Fisher's z, and the jackknife t, have p at or below .05."""
    rng, found = np.random.default_rng(seed), np.zeros(2)
    for _ in range(times):
        sides = [
            RatedScores(study.scores[:, 0], study.rated, study.items) for study in map(population.study, (rng, rng))
        ]
        r = [correlation_matrix(side.scores[:, None], side.ratings[:, None])[0, 0] for side in sides]
        fisher = fisher_z_test(*r, len(sides[0].ratings))
        found += [float(test.p) <= ALPHA for test in (fisher, independent_jackknife_difference(*sides))]
    return found / times


def _head(cells: tuple[str, ...], names: tuple[str, ...]) -> Iterator[str]:
    yield f"| {' | '.join((*cells, *names))} |"
    yield "| " + " | ".join(["---"] * (len(cells) + len(names))) + " |"


def _line(cells: tuple[object, ...], found: FloatArray) -> str:
    return f"| {' | '.join([*map(str, cells), *(f'{share:.3f}' for share in found)])} |"


def main() -> None:
    """Simulate everything and write all tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.levels", description=__doc__)
    parser.add_argument("--times", type=int, default=3000, help="studies of a cell; a quarter of it for all tests")
    parser.add_argument("--out", type=Path, default=PAGE, help="the Markdown file to write")
    options = parser.parse_args()
    times = options.times
    for name, lines in (("candidates", candidates(times // 4)), ("levels", levels(times)), ("apart", apart(times))):
        replace_part(options.out, name, "\n".join(lines))


if __name__ == "__main__":
    main()
