import numpy as np
import pytest

from rainbow.systems.rankings.rank_ranges import RankRanges, compute_rank_ranges, rank_clusters


def test_the_5th_and_the_95th_percentile_of_200_runs_are_the_10th_and_the_190th():
    strengths = np.zeros((200, 3))
    strengths[:, 1] = -1
    strengths[:, 2] = -2
    strengths[:10, 2] = 1  # the last system is the first in 10 runs, just enough
    strengths[10:19, 1] = 1  # and the second in 9, which is one too few
    ranges = compute_rank_ranges(strengths, confidence=0.9)
    assert (ranges.rank_from.tolist(), ranges.rank_to.tolist()) == ([1, 2, 1], [2, 2, 3])


def test_systems_of_equal_strength_share_the_better_rank():
    assert compute_rank_ranges([[5, 7, 5]]).rank_from.tolist() == [2, 1, 2]


def test_clusters_end_where_no_range_reaches_across():
    ranges = RankRanges(np.array([1, 2, 2, 3, 6, 6]), np.array([1, 4, 3, 5, 6, 7]))
    assert rank_clusters(ranges).tolist() == [1, 2, 2, 2, 3, 3]


def test_a_wide_range_holds_systems_together_that_lie_in_it():
    assert rank_clusters(RankRanges(np.array([1, 2, 3]), np.array([3, 2, 3]))).tolist() == [1, 1, 1]


def test_the_printed_clusters_come_out_of_the_printed_ranges(table_11):
    for _, part in table_11.groupby("rating"):
        ranges = RankRanges(part["rank_from"].to_numpy(), part["rank_to"].to_numpy())
        assert rank_clusters(ranges).tolist() == part["cluster"].tolist()


def test_no_runs_or_a_confidence_out_of_range_are_refused():
    with pytest.raises(ValueError, match="a row per run"):
        compute_rank_ranges(np.empty((0, 3)))
    with pytest.raises(ValueError, match="confidence"):
        compute_rank_ranges([[1, 2]], confidence=95)
