"""Short examples of functions in stats."""

import re

import pytest


def test_why_no_agreement() -> None:
    from rainbow.stats.agreement.rating_matrix import no_agreement_reason, rating_matrix

    assert no_agreement_reason(rating_matrix([[1], [2]])) == "there is only one rater: agreement needs at least two"


def test_correlate_each() -> None:
    from rainbow.stats.correlation.correlation import correlate_columns

    scores, ratings = [[1, 9], [2, 9], [3, 9], [4, 9]], [[1], [3], [2], [4]]
    found = correlate_columns(scores, ratings, names=(["TER", "msp"], ["quality"]))
    assert (found[0][0].r, found[1][0].reason) == (0.8, "msp is constant")


def test_each_interval() -> None:
    from rainbow.stats.correlation.intervals import Interval, cell_intervals

    assert cell_intervals((1, 1), lambda cell: Interval(0.1, 0.2)).high.tolist() == [[0.2]]


def test_tail_of() -> None:
    from rainbow.stats.correlation.intervals import tail_share

    assert round(tail_share(0.95), 3) == 0.025


def test_fisher_influence() -> None:
    from rainbow.stats.correlation.rank_influence import MidRanks, fisher_influence, np

    scores, ratings = MidRanks(np.array([[1.0, 2, 3, 4]])), MidRanks(np.array([[1.0, 3, 2, 4]]))
    _, z, weights = fisher_influence(scores, ratings, np.array([0, 0, 1, 1]))
    assert (z.round(2).tolist(), weights.round(2).tolist()) == ([1.1], [[0.0, 0.0]])


def test_benjamini_yekutieli() -> None:
    from rainbow.stats.differences.multiplicity import benjamini_yekutieli

    expected = "[0.055, 0.073, 0.073, nan]"
    assert " ".join(repr(benjamini_yekutieli([0.01, 0.04, 0.03, float("nan")]).round(3).tolist()).split()) == expected


def test_simulated_intervals() -> None:
    from rainbow.stats.estimation.sample_size import interval_power, np, simulated_interval_power

    pilot = np.random.default_rng(1).normal(size=500)
    found = simulated_interval_power(pilot, 0.3, 1.0, 52, times=2000, alpha=0.05, rng=1)
    assert abs(found - interval_power(0.3, 1.0, 52)) < 0.05


def test_enough_resamples() -> None:
    from rainbow.stats.resamples import resamples_for_tests

    assert (resamples_for_tests(1000, tests=210), resamples_for_tests(10000, tests=210)) == (8400, 10000)


def test_second_round() -> None:
    from rainbow.stats.resamples import np, second_round

    expected = "(1281, array([ True, True, False]))"
    assert " ".join(repr(second_round(np.array([1, 10, 11]) / 1000, drawn=999, tests=57)).split()) == expected
    expected = "(0, array([False, False, False]))"
    assert " ".join(repr(second_round(np.array([1, 10, 11]) / 1000, drawn=999, tests=40)).split()) == expected


def test_share_at_least() -> None:
    from rainbow.stats.resamples import np, share_at_least

    assert share_at_least(np.array([0.1, 0.2, 0.4]), 0.3) == 0.5


def test_swaps() -> None:
    from rainbow.stats.resamples import draw_swaps

    assert [block.shape for block in draw_swaps(3, 10, rng=1)] == [(10, 3)]


def test_why_not_tested() -> None:
    from rainbow.stats.resampling.paired_resampling import np, untestable_reason

    assert (
        untestable_reason(np.ones((3, 1)), np.zeros((3, 1)), 1.0)
        == "only 3 items have values for both systems: at least 4 are needed"
    )


def test_tidy() -> None:
    from rainbow.stats.tidy_tables import tidy_table

    table = tidy_table([{"r": 0.5, "reason": None}, {"r": float("nan"), "reason": "x is constant"}], ["r", "reason"])
    assert (table["reason"].tolist(), len(tidy_table([], ["r", "reason"]))) == ([None, "x is constant"], 0)


def test_require() -> None:
    import pandas as pd

    from rainbow.stats.tidy_tables import require_columns

    with pytest.raises(ValueError, match=re.escape("the table has no column 'quality': the columns are TER")):
        require_columns(pd.DataFrame({"TER": [0.5]}), ["TER", "quality"])
