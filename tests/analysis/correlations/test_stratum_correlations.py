"""Strata of outputs, correlations within them, and tests between them."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rainbow.analysis.correlations.stratum_correlations import (
    assign_strata,
    rating_bins,
    stratum_correlations,
    stratum_differences,
    tertile_labels,
)
from rainbow.stats.differences.permutation_difference import stratum_permutation_p

GAP = float("nan")
BINS = {"informativeness": "inf_bin", "naturalness": "nat_bin", "quality": "qual_bin"}


def table(n: int = 120, seed: int = 0) -> pd.DataFrame:
    """Return outputs whose TER follows quality for one MR type and not for the other."""
    rng = np.random.default_rng(seed)
    quality, inform = rng.integers(1, 7, n).astype(float), np.arange(n) % 3 > 0
    return pd.DataFrame({
        "mr_type": np.where(inform, "inform", "request"),
        "output": ["word " * size for size in rng.integers(3, 12, n)],
        "references": [("a reference",) * size for size in rng.integers(1, 6, n)],
        "quality": quality,
        "TER": np.where(inform, -quality, 0) + rng.normal(size=n),
        "BLEU4": rng.random(n),
    })  # fmt: skip


@pytest.mark.parametrize(("rating", "name"), [
    (1, "bad"), (2, "bad"), (2.5, "average"), (3, "average"), (4.5, "average"), (5, "good"), (6, "good")
])  # fmt: skip
def test_bad_is_up_to_two_and_good_from_five(rating, name) -> None:
    assert list(rating_bins([rating])) == [name]


def test_the_bins_are_those_of_the_published_file(data_dir) -> None:
    published = pd.read_csv(data_dir / "emnlp2017" / "emnlp_data_medians.csv")
    names = {"avg": "average", "Good+Avg": "good and average", "Bad": "bad"}
    for rating, column in BINS.items():
        assert list(assign_strata(published, "rating-bin", rating)) == list(published[column].replace(names))
        assert list(assign_strata(published, "bad-rating", rating)) == list(published[column + "2"].replace(names))


def test_an_output_without_a_rating_is_in_no_bin() -> None:
    assert rating_bins([GAP, 3.0]).codes.tolist() == [-1, 1]


def test_thirds_hold_equal_numbers_where_nothing_is_tied() -> None:
    assert pd.Series(tertile_labels(np.random.default_rng(0).permutation(30), "words")).value_counts().tolist() == [
        10, 10, 10
    ]  # fmt: skip


def test_equal_values_share_a_third() -> None:
    assert list(tertile_labels([1, 2, 2, 2, 2, 3], "words")) == ["words <= 2"] * 5 + ["words > 2"]
    assert list(tertile_labels([4, 4, 4], "words")) == ["words <= 4"] * 3


def test_a_label_tells_the_limits_of_its_values() -> None:
    values = np.array([3, 9, 4, 8, 5, 7])
    labels = tertile_labels(values, "words")
    assert labels.categories.tolist() == ["words <= 4", "4 < words <= 7", "words > 7"]
    assert sorted(values[labels == "4 < words <= 7"]) == [5, 7]


def test_no_values_have_no_thirds() -> None:
    assert tertile_labels([GAP, GAP], "words").codes.tolist() == [-1, -1]


def test_every_act_but_inform_is_not_inform() -> None:
    frame = pd.DataFrame({"mr_type": ["inform", "inform_no_match", "request", ""]})
    assert assign_strata(frame, "mr-type").codes.tolist() == [0, 1, 1, -1]


def test_lengths_are_those_of_the_outputs_in_words() -> None:
    frame = pd.DataFrame({"output": ["a b", "a", "a b c d e"]})
    assert list(assign_strata(frame, "length")) == ["1 < words <= 2", "words <= 1", "words > 2"]


def test_reference_counts_are_those_of_the_row() -> None:
    frame = pd.DataFrame({"references": [("a",), ("a", "b"), ("a", "b", "c")]})
    assert assign_strata(frame, "references").codes.tolist() == [0, 1, 2]


@pytest.mark.parametrize(("by", "rating", "message"), [
    ("colour", None, "unknown strata 'colour': choose from rating-bin, bad-rating"),
    ("rating-bin", None, "name its column"),
    ("rating-bin", "fluency", "no column 'fluency'"),
    ("mr-type", None, "no column 'mr_type'"),
])  # fmt: skip
def test_unknown_strata_are_refused(by, rating, message) -> None:
    with pytest.raises(ValueError, match=message):
        assign_strata(pd.DataFrame({"quality": [1.0]}), by, rating)


def test_correlations_are_those_of_the_rows_of_the_stratum() -> None:
    frame = table()
    result = stratum_correlations(frame, ["TER", "BLEU4"], ["quality"], "mr-type")
    assert result.columns.tolist() == ["by", "rating", "stratum", "metric", "r", "p", "n", "reason"]
    inform = frame[frame["mr_type"] == "inform"]
    oracle = stats.spearmanr(inform["TER"], inform["quality"])
    first = result.iloc[0]
    assert (first["stratum"], first["metric"], first["n"]) == ("inform", "TER", len(inform))
    assert (first["r"], first["p"]) == pytest.approx((oracle.statistic, oracle.pvalue))


def test_strata_by_rating_are_those_of_the_rating_that_is_correlated() -> None:
    result = stratum_correlations(table().assign(naturalness=6.0), ["TER"], ["quality", "naturalness"], "rating-bin")
    assert list(zip(result["rating"], result["stratum"], strict=True)) == [
        ("quality", "bad"), ("quality", "average"), ("quality", "good"), ("naturalness", "good")
    ]  # fmt: skip
    assert result.iloc[3]["reason"] == "naturalness is constant"


def test_the_difference_is_tested_with_the_n_of_each_stratum() -> None:
    result = stratum_differences(table(), ["TER"], ["quality"], "mr-type", resamples=20, rng=1).iloc[0]
    r, s = result["r_first"], result["r_second"]
    n, m = result["n_first"], result["n_second"]
    assert (n, m) == (80, 40)
    z = (math.atanh(r) - math.atanh(s)) / math.sqrt(1 / (n - 3) + 1 / (m - 3))
    assert (result["z"], result["p"]) == pytest.approx((z, 2 * stats.norm.sf(abs(z))))
    assert result["difference"] == pytest.approx(r - s)


def test_both_tests_tell_a_metric_that_works_for_one_type_from_one_that_works_for_none() -> None:
    result = stratum_differences(table(), ["TER", "BLEU4"], ["quality"], "mr-type", resamples=999, rng=1)
    assert result.loc[0, ["p", "p_permutation"]].max() <= 0.001 and result.loc[1, ["p", "p_permutation"]].min() > 0.05


def test_signs_are_kept_so_that_opposite_correlations_differ() -> None:
    frame = table()
    turned = frame.assign(TER=np.where(frame["mr_type"] == "inform", 1, -1) * frame["quality"])
    turned["TER"] += np.random.default_rng(1).normal(size=len(frame))
    result = stratum_differences(turned, ["TER"], ["quality"], "mr-type", resamples=99, rng=1).iloc[0]
    assert result["difference"] > 1.5 and (result["p"] < 1e-6, result["p_permutation"]) == (True, 0.01)


def test_every_two_strata_are_compared() -> None:
    result = stratum_differences(table(), ["TER"], ["quality"], "rating-bin", resamples=20, rng=1)
    pairs = [("bad", "average"), ("bad", "good"), ("average", "good")]
    assert list(zip(result["first"], result["second"], strict=True)) == pairs


def test_metrics_with_gaps_are_tested_on_the_rows_they_have_and_leave_others_alone() -> None:
    frame = table()
    whole = stratum_differences(frame, ["BLEU4"], ["quality"], "mr-type", resamples=99, rng=1)
    gappy = frame.assign(TER=frame["TER"].where(frame.index % 4 > 0))
    result = stratum_differences(gappy, ["BLEU4", "TER"], ["quality"], "mr-type", resamples=99, rng=1)
    pd.testing.assert_frame_equal(result.iloc[:1], whole)
    complete = gappy[gappy["TER"].notna()].drop(columns="BLEU4")
    alone = stratum_differences(complete, ["TER"], ["quality"], "mr-type", resamples=99, rng=1).iloc[0]
    assert (result.loc[1, "z"], result.loc[1, "n_first"]) == (alone["z"], alone["n_first"])


def test_a_stratum_of_three_rows_has_no_correlation_and_no_test() -> None:
    result = stratum_differences(table().iloc[:9], ["TER"], ["quality"], "mr-type", resamples=20, rng=1).iloc[0]
    assert result[["r_second", "z", "p", "p_permutation"]].isna().all()
    assert result["reason"] == "not inform: only 3 rows have both values: at least 4 are needed"
    assert not math.isnan(result["r_first"])


def test_a_constant_metric_has_no_test_and_a_reason_with_its_name() -> None:
    result = stratum_differences(table().assign(TER=1.0), ["TER"], ["quality"], "mr-type", resamples=20, rng=1).iloc[0]
    assert result[["r_first", "p", "p_permutation"]].isna().all()
    assert result["reason"] == "inform: TER is constant; not inform: TER is constant"


def test_one_stratum_has_nothing_to_differ_from() -> None:
    frame = table()[lambda rows: rows["mr_type"] == "inform"]
    result = stratum_differences(frame, ["TER"], ["quality"], "mr-type", resamples=20, rng=1).iloc[0]
    assert (result["first"], result["second"], result["n_first"]) == ("inform", "", 80)
    assert (math.isnan(result["p"]), result["reason"]) == (True, "fewer than two strata have rated outputs")


def test_outputs_without_a_rating_have_no_strata() -> None:
    frame = table().assign(quality=GAP)
    assert len(stratum_correlations(frame, ["TER"], ["quality"], "mr-type")) == 0
    result = stratum_differences(frame, ["TER"], ["quality"], "rating-bin", resamples=20, rng=1).iloc[0]
    assert (result["first"], result["second"], result["n_first"]) == ("", "", 0)


def halves(seed: int, n: int, m: int, r: float) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return two strata with one correlation, but of unlike levels and spreads, the ratings with many ties."""
    rng, result = np.random.default_rng(seed), []
    for size, scale in ((n, 1), (m, 5)):
        x = rng.normal(size=size)
        y = r * x + math.sqrt(1 - r**2) * rng.normal(size=size)
        result.append((scale * np.exp(x)[:, None], np.clip(np.round(scale + 2 * y), 1, 6)[:, None]))
    return result


def test_the_statistic_of_the_permutation_is_the_difference_of_the_two_correlations() -> None:
    (a, b), (c, d) = np.random.default_rng(6).normal(size=(2, 2, 4, 1))
    observed = abs(math.atanh(stats.spearmanr(a, b)[0]) - math.atanh(stats.spearmanr(c, d)[0]))
    # The same test, written out: standardised ranks are exchanged, and Pearson's r is that of Spearman.
    x, y = (np.vstack([stats.zscore(stats.rankdata(t, axis=0)) for t in tables]).ravel() for tables in ((a, c), (b, d)))
    reached = []
    for some in map(list, combinations(range(8), 4)):
        r, s = np.corrcoef(x[some], y[some])[0, 1], np.corrcoef(np.delete(x, some), np.delete(y, some))[0, 1]
        reached.append(abs(math.atanh(r) - math.atanh(s)) >= observed - 1e-9)
    p = stratum_permutation_p((a, b), (c, d), resamples=20_000, rng=3)[0][0, 0]
    assert p == pytest.approx(np.mean(reached), abs=0.012)  # of 70, four come to what is seen


def test_the_permutation_keeps_its_level_where_strata_differ_in_all_but_the_correlation() -> None:
    rejected = [
        stratum_permutation_p(*halves(seed, 20, 120, 0.5), resamples=199, rng=seed)[0][0, 0] <= 0.05
        for seed in range(300)
    ]
    assert 0.02 < np.mean(rejected) < 0.09


def test_permutations_of_many_columns_are_those_of_each_alone() -> None:
    (a, b), (c, d) = halves(1, 30, 40, 0.3)
    noise = np.random.default_rng(0).random((70, 1))
    both, _ = stratum_permutation_p(
        (np.hstack([a, noise[:30]]), b), (np.hstack([c, noise[30:]]), d), resamples=500, rng=1
    )
    assert both[0, 0] == stratum_permutation_p((a, b), (c, d), resamples=500, rng=1)[0][0, 0]


def test_as_one_of_many_tests_only_columns_that_are_not_settled_go_on() -> None:
    x, noise, error = np.random.default_rng(1).normal(size=(3, 80, 1))
    rated = np.where(np.arange(80)[:, None] < 40, x, -x) + 0.3 * error
    scores = np.hstack([x, noise])
    p, made = stratum_permutation_p(
        (scores[:40], rated[:40]), (scores[40:], rated[40:]), resamples=1000, tests=57, rng=1
    )
    assert made.ravel().tolist() == [2280, 1000] and 57 * p[0, 0] < 0.05 < p[1, 0]
