"""Short examples of functions in stats."""

import re

import numpy as np
import pandas as pd
import pytest

from rainbow.stats.agreement.rating_matrix import no_agreement_reason, rating_matrix
from rainbow.stats.correlation.correlation import correlate_columns
from rainbow.stats.correlation.intervals import Interval, cell_intervals, tail_share
from rainbow.stats.correlation.rank_influence import MidRanks, fisher_influence
from rainbow.stats.differences.multiplicity import benjamini_yekutieli
from rainbow.stats.estimation.sample_size import interval_power, simulated_interval_power
from rainbow.stats.resamples import draw_swaps, resamples_for_tests, second_round, share_at_least
from rainbow.stats.tidy_tables import require_columns, tidy_table


def flat(value: object) -> str:
    return " ".join(repr(value).split())


@pytest.mark.parametrize(("call", "expected"), [
    (lambda: no_agreement_reason(rating_matrix([[1], [2]])), "there is only one rater: agreement needs at least two"),
    (lambda: cell_intervals((1, 1), lambda cell: Interval(0.1, 0.2)).high.tolist(), [[0.2]]),
    (lambda: round(tail_share(0.95), 3), 0.025),
    (lambda: flat(benjamini_yekutieli([0.01, 0.04, 0.03, float("nan")]).round(3).tolist()),
     "[0.055, 0.073, 0.073, nan]"),
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
    (lambda: [block.shape for block in draw_swaps(3, 10, rng=1)], [(10, 3)]),
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


def test_correlate_each() -> None:
    scores, ratings = [[1, 9], [2, 9], [3, 9], [4, 9]], [[1], [3], [2], [4]]
    found = correlate_columns(scores, ratings, names=(["TER", "msp"], ["quality"]))
    assert (found[0][0].r, found[1][0].reason) == (0.8, "msp is constant")


def test_fisher_influence() -> None:
    scores, ratings = MidRanks(np.array([[1.0, 2, 3, 4]])), MidRanks(np.array([[1.0, 3, 2, 4]]))
    _, z, weights = fisher_influence(scores, ratings, np.array([0, 0, 1, 1]))
    assert (z.round(2).tolist(), weights.round(2).tolist()) == ([1.1], [[0.0, 0.0]])


def test_second_round() -> None:
    found = flat(second_round(np.array([1, 10, 11]) / 1000, drawn=999, tests=57))
    assert found == "(1281, array([ True, True, False]))"
    assert flat(second_round(np.array([1, 10, 11]) / 1000, drawn=999, tests=40)) == "(0, array([False, False, False]))"


def test_require() -> None:
    with pytest.raises(ValueError, match=re.escape("the table has no column 'quality': the columns are TER")):
        require_columns(pd.DataFrame({"TER": [0.5]}), ["TER", "quality"])
