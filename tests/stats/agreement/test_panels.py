"""All panels of raters, and how two of them agree."""

import math

import numpy as np
import pytest

from rainbow.stats.agreement.ceilings import (
    CEILING_METHODS,
    Aggregate,
    LatentClasses,
    can_list_panels,
    list_panels,
    panel_correlation,
)
from rainbow.stats.correlation.correlation import correlate

NAN = math.nan
CLASSES = LatentClasses(
    np.array([0.5, 0.3, 0.2]), np.array([[0.05, 0.1, 0.25, 0.6], [0.1, 0.4, 0.4, 0.1], [0.7, 0.2, 0.05, 0.05]])
)
MARKS = np.array([1.0, 2.0, 3.0, 5.0])


def full(size: int, width: int) -> np.ndarray:
    """Return an item for each mark, on which a panel of that size agrees, in a matrix for wider panels."""
    return np.array([[mark] * size + [NAN] * (width - size) for mark in MARKS])


def simulated(sizes: np.ndarray, aggregate: str, rng: np.random.Generator) -> list[np.ndarray]:
    """Let two panels, of the sizes given, judge items of classes that are drawn."""
    cuts = CLASSES.probabilities.cumsum(axis=1)[rng.choice(3, size=len(sizes), p=CLASSES.shares)][:, None, :3]
    absent = np.arange(sizes.max()) >= sizes[:, None]
    panels = []
    for _ in range(2):
        marks = MARKS[(rng.random(absent.shape)[:, :, None] > cuts).sum(axis=2)]
        marks[absent] = NAN
        panels.append(getattr(np, f"nan{aggregate}")(marks, axis=1))
    return panels


@pytest.mark.parametrize("aggregate", ["mean", "median"])
@pytest.mark.parametrize("sizes", [[1], [3], [4], [2, 3, 3]])
def test_the_correlation_is_that_of_simulated_panels(aggregate: Aggregate, sizes: list[int]) -> None:
    rng = np.random.default_rng(0)
    first, second = simulated(rng.choice(sizes, 60_000), aggregate, rng)
    panels = list_panels(np.concatenate([full(size, max(sizes)) for size in sizes]))
    for method in CEILING_METHODS:
        expected = correlate(first, second, method).r
        assert panel_correlation(panels, CLASSES, aggregate, method) == pytest.approx(expected, abs=0.015)


def test_every_panel_is_listed_once() -> None:
    counts = list_panels(full(3, 3)).counts[0]
    assert (len(counts), len(np.unique(counts, axis=0))) == (math.comb(4 + 3 - 1, 3), len(counts))
    assert set(counts.sum(axis=1)) == {3}


def test_items_that_all_are_of_one_kind_leave_nothing_to_correlate() -> None:
    alike = LatentClasses(np.array([0.4, 0.6]), np.array([[0.2, 0.3, 0.4, 0.1]] * 2))
    assert panel_correlation(list_panels(full(3, 3)), alike, "mean", "pearson") == pytest.approx(0, abs=1e-12)


def test_raters_who_always_agree_correlate_fully() -> None:
    sure = LatentClasses(np.full(4, 0.25), np.eye(4) * (1 - 4e-12) + 1e-12)
    assert panel_correlation(list_panels(full(3, 3)), sure, "median", "spearman") == pytest.approx(1)


def test_panels_of_a_scale_with_many_marks_are_too_many_to_list() -> None:
    assert not can_list_panels(np.random.default_rng(0).normal(size=(100, 3))) and can_list_panels(full(3, 3))
