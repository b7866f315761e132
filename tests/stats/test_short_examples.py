"""Short examples of functions in stats."""

import re

import numpy as np
import pandas as pd
import pytest

from rainbow.stats.estimation.sample_size import interval_power, simulated_interval_power
from rainbow.stats.resamples import resamples_for_tests, second_round, share_at_least
from rainbow.stats.tidy_tables import require_columns, tidy_table


def flat(value: object) -> str:
    return " ".join(repr(value).split())


@pytest.mark.parametrize(("call", "expected"), [
    (
        lambda: (
            abs(
                simulated_interval_power(
                    np.random.default_rng(1).normal(size=500), 0.3, 1.0, 52, times=2000, alpha=0.05, rng=1
                )
                - interval_power(0.3, 1.0, 52)
            )
            < 0.05
        ),
        True,
    ),
    (lambda: resamples_for_tests(1000, tests=210), 8400),
    (lambda: resamples_for_tests(10000, tests=210), 10000),
    (lambda: share_at_least(np.array([0.1, 0.2, 0.4]), 0.3), 0.5),
    (
        lambda: tidy_table(
            [{"r": 0.5, "reason": None}, {"r": float("nan"), "reason": "x is constant"}], ["r", "reason"]
        )["reason"].tolist(),
        [None, "x is constant"],
    ),
    (lambda: len(tidy_table([], ["r", "reason"])), 0),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected


def test_second_round() -> None:
    found = flat(second_round(np.array([1, 10, 11]) / 1000, drawn=999, tests=57))
    assert found == "(1281, array([ True, True, False]))"
    assert flat(second_round(np.array([1, 10, 11]) / 1000, drawn=999, tests=40)) == "(0, array([False, False, False]))"


def test_require() -> None:
    with pytest.raises(ValueError, match=re.escape("the table has no column 'quality': the columns are TER")):
        require_columns(pd.DataFrame({"TER": [0.5]}), ["TER", "quality"])
