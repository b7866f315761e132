"""Intervals that may be looked at: they hold at all looks together, and others do not."""

import math

import numpy as np
import pytest

from rainbow.stats.estimation.always_valid import always_valid_half_width, t_half_width
from rainbow.stats.estimation.sample_size import interval_power, required_rows

LOOKS = range(20, 201, 5)


@pytest.mark.parametrize(("half", "least", "most"), [("always", 0.0, 0.06), ("t", 0.12, 0.4)])
def test_looking_errs_as_promised_only_where_it_is_allowed_for(half: str, least: float, most: float) -> None:
    rng, times, missed = np.random.default_rng(1), 600, 0
    for _ in range(times):
        marks = np.clip(np.round(4.2 + 1.2 * rng.normal(size=(2, max(LOOKS)))), 1, 6)
        values = marks[0] - marks[1]  # as two systems differ
        for n in LOOKS:
            spread = float(values[:n].std(ddof=1))
            wide = always_valid_half_width(spread, n, 100) if half == "always" else t_half_width(spread, n)
            if abs(values[:n].mean()) > wide:
                missed += 1
                break
    assert least <= missed / times <= most


def test_widths_fall_with_values_and_rise_with_the_level() -> None:
    widths = [always_valid_half_width(1.0, n, 100) for n in (1, 2, 20, 100, 1000)]
    assert widths[0] == math.inf and widths == sorted(widths, reverse=True)
    assert (
        always_valid_half_width(1.0, 100, 100, 0.005) > always_valid_half_width(1.0, 100, 100) > t_half_width(1.0, 100)
    )


def test_an_interval_is_kept_as_often_as_planned() -> None:
    needed = required_rows(lambda n: interval_power(0.4, 1.0, n), 0.9)
    rng = np.random.default_rng(1)
    kept = np.mean([t_half_width(float(rng.normal(size=needed).std(ddof=1)), needed) <= 0.4 for _ in range(2000)])
    assert 0.88 <= kept <= 0.94
