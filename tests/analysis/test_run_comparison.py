"""Two runs on the same items: what is matched, how it is tested, and which items got worse."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, ttest_rel

from rainbow.analysis.run_comparison import changed_items, compare_runs
from rainbow.stats.differences.proportion_differences import sign_flip_p
from rainbow.stats.estimation.sample_size import detectable_difference, paired_t_power


def run(values: list[float], items: list[str] | None = None, name: str = "score") -> pd.DataFrame:
    items = items or [f"q{place}" for place in range(len(values))]
    return pd.DataFrame({"item": items, name: values, "output": [f"text {value}" for value in values]})


def test_shares_are_tested_by_the_items_on_which_the_runs_disagree() -> None:
    before, after = [0] * 30 + [1] * 70, [1] * 22 + [0] * 8 + [0] * 7 + [1] * 63
    row = compare_runs(run(before), run(after), {"score": True}).iloc[0]
    assert (row["test"], row["better"], row["worse"]) == ("McNemar", 22, 7)
    assert (row["p"], row["difference"]) == pytest.approx((2 * binom.cdf(7, 29, 0.5), 0.15))


def test_other_means_are_tested_by_flipping_the_signs_of_differences() -> None:
    rng = np.random.default_rng(1)
    before = rng.normal(size=40)
    after = before + rng.normal(0.3, 0.5, 40)
    row = compare_runs(run(before.tolist()), run(after.tolist()), {"score": True}).iloc[0]
    interval = ttest_rel(after, before).confidence_interval()
    assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high))
    assert row["p"] == sign_flip_p(after - before)
    assert paired_t_power(row["detectable"], float(np.std(after - before, ddof=1)), 40) == pytest.approx(0.8)


def test_swapping_the_runs_changes_the_sign_alone() -> None:
    first, second = run([0.1, 0.5, 0.9, 0.4]), run([0.3, 0.4, 1.0, 0.8])
    there, back = (compare_runs(*runs, {"score": True}).iloc[0] for runs in ((first, second), (second, first)))
    assert (there["difference"], there["p"]) == (pytest.approx(-back["difference"]), back["p"])
    assert (there["better"], there["worse"]) == (back["worse"], back["better"]) == (3, 1)


def test_items_are_matched_by_name_and_have_the_mean_of_their_outputs() -> None:
    before = run([0.0, 1.0, 5.0, 9.0], ["a", "a", "b", "gone"])
    row = compare_runs(before, run([2.0, 5.0, 7.0], ["b", "a", "new"]), {"score": True}).iloc[0]
    assert (row["n"], row["before"], row["after"]) == (2, 2.75, 3.5)
    with pytest.raises(ValueError, match="share no input"):
        compare_runs(before, run([1.0], ["other"]), {"score": True})


def test_what_cannot_be_tested_has_a_reason() -> None:
    same, missing = run([1.0, 0.0, 1.0]), run([np.nan] * 3)
    assert compare_runs(same, same, {"score": True})["reason"].tolist() == ["no item differs"]
    table = compare_runs(same, missing, {"score": True})
    assert table["reason"].tolist() == ["no item has both values"] and table["p"].isna().all()
    assert np.isnan(detectable_difference(0.0, 10, 0.8))


def test_items_that_got_worse_come_first() -> None:
    before, after = run([1.0, 2.0, 3.0, 4.0]), run([0.0, 2.0, 5.0, 3.5])
    assert changed_items(before, after, {"score": True})["item"].tolist() == ["q0", "q3", "q2"]
    lower = changed_items(before, after, {"score": False})
    assert lower["item"].tolist() == ["q2", "q3", "q0"]
    assert lower.loc[0, ["output_before", "output_after"]].tolist() == ["text 3.0", "text 5.0"]
