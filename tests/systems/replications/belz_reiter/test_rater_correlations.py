import numpy as np
import pandas as pd
import pytest

from rainbow.systems.replications.belz_reiter import correlate_raters


def table(scores: dict[str, list[list[float]]]) -> pd.DataFrame:
    """Return ratings from a list of raters' scores of systems A, B, ... for each group."""
    rows = [
        {"rater": f"{group} {number}", "system": "ABCDEF"[place], "value": value, "group": group}
        for group, raters in scores.items()
        for number, row in enumerate(raters)
        for place, value in enumerate(row)
    ]
    return pd.DataFrame(rows)


def test_a_group_and_another_by_hand():
    # Means of the experts: 1.5 1.5 3.5 3.5. Correlations of 1 2 3 4 and 2 1 4 3 with it: 4 / sqrt(5 * 4) each; with
    # each other 3 / 5.
    found = correlate_raters(table({"experts": [[1, 2, 3, 4], [2, 1, 4, 3]], "others": [[4, 3, 2, 1]]}))
    rows = found.set_index(["raters", "group"])
    own = rows.loc[("experts", "experts")]
    assert (own["r_of_means"], own["mean_r"]) == pytest.approx((1, 4 / np.sqrt(20)))
    assert own["mean_r_without_rater"] == pytest.approx(0.6)
    across = rows.loc[("experts", "others")]
    assert (across["r_of_means"], across["mean_r"]) == pytest.approx((-4 / np.sqrt(20), (-1 - 0.6) / 2))
    assert across["mean_r_without_rater"] == across["mean_r"]
    assert (rows.loc[("others", "experts")]["mean_r"], own["n_raters"]) == (pytest.approx(-4 / np.sqrt(20)), 2)
    assert own["n_systems"] == 4


def test_a_rater_alone_has_nobody_to_agree_with():
    row = correlate_raters(table({"experts": [[1, 2, 3, 5]]})).iloc[0]
    assert row["mean_r"] == pytest.approx(1) and np.isnan(row["mean_r_without_rater"])


def test_with_the_rater_in_the_mean_random_raters_seem_to_agree():
    scores = np.random.default_rng(1).normal(size=(4, 200, 6))
    found = [correlate_raters(table({"experts": part[:4].tolist()})).iloc[0] for part in scores.transpose(1, 0, 2)[:60]]
    assert np.mean([row["mean_r"] for row in found]) > 0.4
    assert abs(np.mean([row["mean_r_without_rater"] for row in found])) < 0.1


def test_several_ratings_of_a_system_by_one_rater_are_averaged_first():
    ratings = table({"experts": [[1, 2, 3, 4], [2, 1, 4, 3]]})
    again = ratings[ratings["rater"] == "experts 0"].assign(value=lambda part: part["value"] + 2)
    shifted = ratings.assign(value=ratings["value"] + (ratings["rater"] == "experts 0"))
    pd.testing.assert_frame_equal(correlate_raters(pd.concat([ratings, again])), correlate_raters(shifted))


def test_systems_that_a_rater_missed_are_left_out_for_that_rater():
    ratings = table({"experts": [[1, 2, 3, 4, 9], [2, 1, 4, 3, 5]]})
    row = correlate_raters(ratings[~((ratings["rater"] == "experts 0") & (ratings["system"] == "E"))]).iloc[0]
    assert (row["n_systems"], row["mean_r_without_rater"]) == (5, pytest.approx(0.6))


@pytest.mark.filterwarnings("error")
def test_constant_raters_are_not_counted_and_nothing_but_them_is_a_reason():
    row = correlate_raters(table({"experts": [[3, 3, 3, 3], [1, 2, 3, 4]]})).iloc[0]
    assert row["n_raters"] == 1
    row = correlate_raters(table({"experts": [[3, 3, 3, 3]]})).iloc[0]
    assert np.isnan(row["mean_r"]) and "no rater has a defined correlation" in row["reason"]


def test_a_rater_of_two_groups_or_without_a_name_is_refused():
    ratings = table({"experts": [[1, 2, 3, 4]], "others": [[1, 2, 3, 4]]})
    with pytest.raises(ValueError, match="two groups"):
        correlate_raters(ratings.assign(rater="Ann"))
    with pytest.raises(ValueError, match="'rater', which groups judgements, has gaps"):
        correlate_raters(ratings.assign(rater=None))
