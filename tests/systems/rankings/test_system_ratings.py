import numpy as np
import pandas as pd
import pytest

from rainbow.systems.rankings.system_ratings import rate_systems


def test_a_person_with_large_numbers_has_no_larger_say(judged):
    # Raw means would put B first: 9,000 against three small numbers.
    table = rate_systems(judged([[10, 5], [20, 4], [7, 6], [1, 9000]]), rng=1)
    assert (table["system"].tolist(), table["mean"].tolist()) == (["A", "B"], [0.75, 0.25])
    assert table["n"].tolist() == [4, 4]


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
