import numpy as np
import pandas as pd
import pytest

from rainbow.systems.rankings.rankings import METHODS, RankRanges, compute_rank_ranges, rank_clusters, rank_systems
from rainbow.systems.rankings.system_ratings import rate_systems

EVERY_METHOD = pytest.mark.parametrize("method", METHODS)

# Natural strengths of A, B, C and D: the first two are equal.
STRENGTH = np.array([0.5, 0.5, 0.0, -1.0])


def simulated(n: int, seed: int, strength=STRENGTH) -> pd.DataFrame:
    """Return n judgements of all systems: strengths, with noise, rounded so that there are draws, as magnitudes."""
    rng = np.random.default_rng(seed)
    quality = np.round(strength + rng.normal(size=(n, len(strength))))
    unit = np.exp(rng.normal(0, 3, size=(n, 1)))
    return pd.DataFrame({
        "judgement": np.repeat(np.arange(n), len(strength)),
        "item": np.repeat(np.arange(n), len(strength)),
        "system": np.tile([*"ABCD"], n),
        "criterion": "quality",
        "kind": "magnitude",
        "value": (unit * np.exp(quality)).ravel(),
    })  # fmt: skip


@EVERY_METHOD
def test_systems_are_ranked_by_what_they_won(method):
    table = rank_systems(simulated(300, 1), method=method, runs=50, rng=1)
    column = METHODS[method][0]
    assert list(table)[:6] == ["rating", "cluster", column, "rank_from", "rank_to", "system"]  # as in print
    assert list(table["system"])[2:] == ["C", "D"] and table[column].is_monotonic_decreasing
    assert (table["cluster"].tolist(), table["comparisons"].tolist()) == ([1, 1, 2, 3], [900] * 4)
    assert (table["rank_from"] <= table["rank_to"]).all() and table["reason"].tolist() == [None] * 4


@EVERY_METHOD
def test_the_same_seed_gives_the_same_table(method):
    judgements = simulated(30, 2)
    one, again, other = (rank_systems(judgements, method=method, runs=20, rng=seed) for seed in (7, 7, 8))
    pd.testing.assert_frame_equal(one, again)
    assert not one["low"].equals(other["low"])


def test_every_criterion_is_ranked_as_if_it_were_alone():
    quality = simulated(30, 4)
    naturalness = simulated(30, 5, STRENGTH[::-1]).assign(criterion="naturalness")
    both = rank_systems(pd.concat([quality, naturalness]), runs=20, rng=1)
    alone = rank_systems(naturalness, runs=20, rng=1)
    assert both["rating"].tolist() == ["quality"] * 4 + ["naturalness"] * 4
    pd.testing.assert_frame_equal(both[4:].reset_index(drop=True), alone)


@pytest.mark.filterwarnings("error")
@EVERY_METHOD
def test_a_system_that_was_compared_with_no_other_has_no_rank_and_the_reason(method, judged):
    lone = judged([[5]] * 3).assign(system="lonely", judgement=[100, 101, 102], item=[100, 101, 102])
    table = rank_systems(pd.concat([simulated(30, 1), lone]), method=method, runs=20, rng=1)
    assert table["system"].tolist()[-1] == "lonely" and pd.isna(table["cluster"].iloc[-1])
    assert "no comparison links it" in table["reason"].iloc[-1]
    without = rank_systems(simulated(30, 1), method=method, runs=20, rng=1)
    pd.testing.assert_frame_equal(table[:-1], without, check_dtype=False)


@pytest.mark.filterwarnings("error")
@EVERY_METHOD
def test_where_nothing_was_compared_there_is_a_reason_and_no_number(method, judged):
    table = rank_systems(judged([[5], [6]]), method=method, rng=1)
    assert table["system"].tolist() == ["A"] and pd.isna(table[METHODS[method][0]]).all()
    assert "no two systems were judged together" in table["reason"].iloc[0]


@pytest.mark.parametrize("method", ["trueskill", "bradley-terry"])
def test_too_few_items_to_resample_give_strengths_and_no_ranges(method, judged):
    table = rank_systems(judged([[5, 3, 1]] * 3), method=method, rng=1)
    assert table["system"].tolist() == ["A", "B", "C"]
    assert table[["cluster", "rank_from", "rank_to", "low"]].isna().all(axis=None)
    assert table["reason"].iloc[0] == "3 units to resample: at least 4 are needed"


@pytest.mark.filterwarnings("error")
@EVERY_METHOD
@pytest.mark.parametrize("values", [[[7, 7]] * 6, [[7, 3]] * 6])
def test_nothing_but_draws_or_nothing_but_wins_give_numbers(method, values, judged):
    table = rank_systems(judged(values), method=method, runs=20, rng=1)
    assert np.isfinite(table[METHODS[method][0]]).all()
    assert table["cluster"].tolist() == ([1, 1] if values[0] == [7, 7] else [1, 2])


def test_judgements_of_one_item_are_drawn_together():
    # Forty people judged each of six inputs alike: that they agree tells nothing on other inputs.
    judgements = simulated(6, 3)
    repeated = pd.concat([judgements.assign(judgement=judgements["judgement"] + 100 * time) for time in range(40)])
    once, often = (rank_systems(table, method="bradley-terry", rng=1) for table in (judgements, repeated))
    assert (often["high"] - often["low"] > 0.9 * (once["high"] - once["low"])).all()


def test_intervals_hold_the_true_strength_as_often_as_they_say():
    # Choices between two systems drawn from the model itself, each for another input.
    rng, strength = np.random.default_rng(11), STRENGTH - STRENGTH.mean()
    inside = []
    for seed in range(60):
        first, step = rng.integers(4, size=150), rng.integers(1, 4, size=150)
        pair = np.stack([first, (first + step) % 4], axis=1)
        won = rng.random(150) < 1 / (1 + np.exp(strength[pair[:, 1]] - strength[pair[:, 0]]))
        table = pd.DataFrame({"judgement": np.repeat(np.arange(150), 2), "system": np.array([*"ABCD"])[pair.ravel()]})
        table = table.assign(item=table["judgement"], criterion="quality", kind="preference")
        table["value"] = np.stack([won, ~won], axis=1).ravel().astype(float)
        found = rank_systems(table, method="bradley-terry", runs=300, rng=seed).set_index("system").loc[[*"ABCD"]]
        inside += [*((found["low"] <= strength) & (strength <= found["high"]))]
    print(f"\n95 % intervals that hold the strength: {np.mean(inside):.3f}")
    assert 0.91 <= np.mean(inside) <= 0.985


def test_a_choice_that_does_not_exist_is_refused():
    for options, message in (({"method": "elo"}, "unknown method 'elo'"), ({"runs": 0}, "0 runs")):
        with pytest.raises(ValueError, match=message):
            rank_systems(simulated(10, 1), **options)


def test_of_two_groups_that_were_never_compared_the_larger_is_ranked(judged):
    pair = judged([[9, 1]] * 5).assign(system=["X", "Y"] * 5)
    pair["judgement"] = pair["item"] = np.repeat(range(100, 105), 2)
    table = rank_systems(pd.concat([pair, simulated(30, 1)]), method="bradley-terry", rng=1).set_index("system")
    assert (table["cluster"].isna().tolist(), table.loc["X", "comparisons"]) == ([False] * 4 + [True] * 2, 5)


def test_outputs_that_people_saw_one_at_a_time_need_to_be_told_what_is_compared(judged):
    table = judged([[1, 2]] * 8, kind="likert").assign(judgement=range(16))
    apart, together = rank_systems(table, rng=1), rank_systems(table, within=(), rng=1)
    assert apart["reason"].str.contains("set within").all() and together["system"].tolist() == ["B", "A"]


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


def test_a_person_with_large_numbers_has_no_larger_say(judged):
    # Raw means would put B first: 9,000 against three small numbers.
    table = rate_systems(judged([[10, 5], [20, 4], [7, 6], [1, 9000]]), rng=1)
    assert (table["system"].tolist(), table["mean"].tolist(), table["n"].tolist()) == (["A", "B"], [0.75, 0.25], [4, 4])


def test_means_of_marks_may_be_raw(judged):
    assert rate_systems(judged([[6, 3], [4, 3]], kind="likert"), "raw", rng=1)["mean"].tolist() == [5, 3]


def test_magnitudes_are_never_averaged_raw(judged):
    with pytest.raises(ValueError, match="different scales"):
        rate_systems(judged([[6, 3]]), "raw")


def test_intervals_come_from_items_with_all_their_judgements():
    values = np.random.default_rng(1).normal(size=(8, 2))
    rows = [(n, n, "AB"[place], value) for n, row in enumerate(values) for place, value in enumerate(row)]
    table = pd.DataFrame(rows, columns=["judgement", "item", "system", "value"])
    table = table.assign(criterion="quality", kind="likert")
    # Fifty people of one mind on each item say no more than one of them.
    fifty = pd.concat([table.assign(judgement=table["judgement"] + 8 * time) for time in range(50)])
    one, many = (rate_systems(own, "raw", rng=1) for own in (table, fifty))
    columns = ["system", "mean", "low", "high"]
    pd.testing.assert_frame_equal(one[columns], many[columns])


def test_an_interval_holds_the_mean_and_is_the_same_for_the_same_seed(judged):
    judgements = judged(np.random.default_rng(3).integers(1, 100, (30, 4)).tolist())
    table, again = rate_systems(judgements, rng=5), rate_systems(judgements, rng=5)
    assert ((table["low"] < table["mean"]) & (table["mean"] < table["high"])).all()
    pd.testing.assert_frame_equal(table, again)


def test_few_items_give_means_without_an_interval_and_the_reason(judged):
    table = rate_systems(judged([[1, 2]]), rng=1)
    assert table["low"].isna().all() and table["reason"].iloc[0] == "1 units to resample: at least 4 are needed"


def test_mean_ranks_order_the_challenges_systems_as_it_did(e2e_judgements, table_11):
    from rainbow.stats.correlation.correlation import correlate

    table = rate_systems(e2e_judgements, rng=1)
    place = pd.Series(range(21), index=table_11.loc[table_11["rating"] == "quality", "system"])
    found = correlate(-table["mean"], place[table["system"]])
    print(f"\nmean ranks against the printed order: Spearman {found.r:.3f}")
    assert found.r >= 0.99
