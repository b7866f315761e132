"""All pairs of metrics, their matrix and their clusters."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

from rainbow.analysis.differences.metric_differences import metric_clusters, metric_differences
from rainbow.stats.differences.dependent_correlations import williams_test
from rainbow.stats.differences.jackknife_differences import jackknife_difference

METRICS = ["BLEU4", "TER", "METEOR", "len", "NIST"]
DIRECTIONS = {"BLEU4": True, "TER": False, "METEOR": True, "len": None, "NIST": True}
RATINGS = ["naturalness", "quality"]
WORD_BASED = ["TER", "BLEU1", "BLEU2", "BLEU3", "BLEU4", "ROUGE", "NIST", "LEPOR", "CIDEr", "METEOR", "SIM"]
GRAMMAR_BASED = ["RE", "cpw", "len", "wps", "sps", "spw", "pol", "ppw", "msp", "prs"]


def scored(seed: int = 1, rows: int = 60) -> pd.DataFrame:
    """Return scores of two systems on one data set; metrics differ in their errors, and TER falls with the rating."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"dataset": "inns", "system": rng.choice(["A", "B"], rows)})
    for rating in RATINGS:
        frame[rating] = rng.integers(1, 7, rows).astype(float)
    for noise, metric in enumerate(METRICS, 1):
        frame[metric] = (-1 if metric == "TER" else 1) * (frame["quality"] + noise * rng.normal(size=rows))
    return frame


def differences(frame: pd.DataFrame, **choices: Any) -> pd.DataFrame:
    return metric_differences(frame, METRICS, RATINGS, DIRECTIONS, **choices)


def test_every_pair_has_williams_test_if_asked_for_on_the_rows_that_both_have() -> None:
    frame = scored()
    frame.loc[3:8, "METEOR"], frame.loc[6:12, "NIST"], frame.loc[20, "quality"] = np.nan, np.nan, np.nan
    table = differences(frame, test="williams")
    assert len(table) == 2 * 2 * 10
    turned = frame.assign(TER=-frame["TER"])
    for row in table.itertuples():
        part = turned[turned["system"] == row.system].dropna(subset=[row.metric, row.other, row.rating])
        pairs = [(row.metric, row.rating), (row.other, row.rating), (row.metric, row.other)]
        r, s, b = (stats.spearmanr(part[x], part[y])[0] for x, y in pairs)
        test = williams_test(r, s, b, len(part))
        assert (row.r, row.r_other, row.r_between) == pytest.approx((r, s, b))
        assert (row.difference, row.t, row.p, row.n) == pytest.approx((r - s, test.statistic, test.p, len(part)))
        assert row.reason is None


def test_by_default_every_pair_has_the_jackknife_test_by_item_on_the_rows_that_both_have() -> None:
    frame = scored(rows=300).assign(item=np.arange(300) // 3)
    frame.loc[3:8, "METEOR"], frame.loc[6:12, "NIST"], frame.loc[20, "quality"] = np.nan, np.nan, np.nan
    turned = frame.assign(TER=-frame["TER"])
    for row in differences(frame, by="all").itertuples():
        part = turned.dropna(subset=[row.metric, row.other, row.rating])
        test = jackknife_difference(part[row.metric], part[row.other], part[row.rating], part["item"])
        assert (row.difference, row.t, row.p, row.n) == pytest.approx(tuple(test)[2:3] + tuple(test)[:2] + (len(part),))


def test_a_metric_that_falls_with_quality_is_turned_round_and_no_other() -> None:
    frame = scored()
    table = differences(frame, by="all")
    both = table[(table["metric"] == "TER") & (table["other"] == "len") & (table["rating"] == "quality")].iloc[0]
    assert both["r"] == pytest.approx(-stats.spearmanr(frame["TER"], frame["quality"])[0]) and both["r"] > 0
    assert both["r_other"] == pytest.approx(stats.spearmanr(frame["len"], frame["quality"])[0])
    assert both["r_between"] == pytest.approx(-stats.spearmanr(frame["TER"], frame["len"])[0])


def test_all_pairs_of_a_rating_and_cell_are_one_family() -> None:
    table = differences(scored())
    for _, family in table.groupby(["rating", "dataset", "system"]):
        assert family["p_holm"].to_numpy() == pytest.approx(multipletests(family["p"], method="holm")[1])
        assert family["p_bh"].to_numpy() == pytest.approx(multipletests(family["p"], method="fdr_bh")[1])


def test_the_table_names_its_cells_and_columns() -> None:
    table = differences(scored(), by="dataset")
    assert table[["dataset", "system"]].drop_duplicates().to_numpy().tolist() == [["inns", "all"]]
    assert [*table] == [
        "rating", "dataset", "system", "metric", "other", "r", "r_other", "r_between", "difference", "t", "p", "p_holm",
        "p_bh", "n", "reason",
    ]  # fmt: skip
    assert (table["metric"].iloc[:4].tolist(), table["other"].iloc[:4].tolist()) == (["BLEU4"] * 4, METRICS[1:])


def test_what_is_not_defined_has_its_reason_and_does_not_count() -> None:
    frame = scored(rows=30).assign(system="A")
    frame["TER"], frame["NIST"] = 0.5, 2 * frame["BLEU4"]
    frame.loc[3:, "len"] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = metric_differences(frame, METRICS, ["quality"], DIRECTIONS)
    reasons = table.set_index(["metric", "other"])["reason"]
    assert reasons["BLEU4", "TER"] == reasons["TER", "METEOR"] == "TER is constant"
    assert reasons["METEOR", "len"] == "only 3 rows have both values: at least 4 are needed"
    assert reasons["BLEU4", "NIST"] == "the two metrics order the outputs identically"
    assert reasons["BLEU4", "METEOR"] is None
    made = table["reason"].isna()
    assert made.tolist() == table["t"].notna().tolist() == table["p_holm"].notna().tolist()
    assert table["p_holm"][made].to_numpy() == pytest.approx(multipletests(table["p"][made], method="holm")[1])
    assert metric_clusters(table).set_index("metric")["cluster"].isna().to_dict() == {
        "BLEU4": False, "TER": True, "METEOR": False, "len": True, "NIST": False,
    }  # fmt: skip


def test_a_constant_rating_and_a_missing_metric_are_told() -> None:
    frame = scored().assign(quality=6.0, METEOR=np.nan)
    reasons = metric_differences(frame, METRICS, ["quality"], DIRECTIONS, by="all").set_index(["metric", "other"])[
        "reason"
    ]
    assert reasons["BLEU4", "TER"] == "quality is constant"
    assert reasons["BLEU4", "METEOR"] == "only 0 rows have both values: at least 4 are needed"


def test_the_clusters_can_be_made_from_a_saved_table(tmp_path: Path) -> None:
    table = differences(scored(), by="all")
    table.to_csv(tmp_path / "differences.csv", index=False)
    pd.testing.assert_frame_equal(metric_clusters(pd.read_csv(tmp_path / "differences.csv")), metric_clusters(table))


def test_a_permutation_stands_beside_the_default_test_and_makes_the_clusters_if_asked_for() -> None:
    frame = scored(rows=400).assign(item=np.arange(400) // 4)
    frame.loc[3:8, "METEOR"] = np.nan
    table = differences(frame, by="all", test="perm-both", resamples=999, rng=1)
    pd.testing.assert_frame_equal(table[[*differences(frame, by="all")]], differences(frame, by="all"))
    rows = differences(frame.drop(columns="item"), by="all", test="perm-both", resamples=999, rng=1)
    assert (rows["p_permutation"] - rows["p"]).abs().max() < 0.06 and (table["resamples"] == 999).all()
    by_inputs = differences(frame, by="all", test="perm-inputs", resamples=99, rng=1)
    assert (by_inputs["resamples"] == 400).all()  # Holm's correction of ten pairs cannot be passed with 99
    assert len(metric_clusters(by_inputs, significance="p_permutation_holm")) == 2 * 5


def test_too_few_units_to_swap_have_no_p_but_a_reason() -> None:
    table = differences(scored(), by="all", test="perm-systems", rng=1)
    assert table["p_permutation"].isna().all()
    assert set(table["permutation_reason"]) == {"only 2 units to permute: 9 are needed for significance among 10 pairs"}


def clustered(worse: dict[tuple[str, str], float], r: dict[str, float], **choices: Any) -> list[tuple[str, int, int]]:
    """Return metric, rank and cluster, for given p of some pairs (1 elsewhere) and correlations."""
    names = [*r]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    cell = {"rating": "quality", "dataset": "inns", "system": "A", "n": 50}
    rows = [
        cell | {"metric": a, "other": b, "r": r[a], "r_other": r[b], "p": 0.001, "p_holm": worse.get((a, b), 1.0)}
        for a, b in pairs
    ]
    table = metric_clusters(pd.DataFrame(rows), **choices)
    return list(table[["metric", "rank", "cluster"]].itertuples(index=False, name=None))


def test_a_cluster_ends_where_a_metric_is_worse_than_its_best() -> None:
    r = {"A": 0.5, "B": 0.45, "C": 0.4, "D": 0.35, "E": 0.3}
    worse = {("A", "C"): 0.01, ("A", "D"): 0.01, ("A", "E"): 0.01, ("B", "C"): 0.01, ("C", "E"): 0.01}
    assert clustered(worse, r) == [("A", 1, 1), ("B", 2, 1), ("C", 3, 2), ("D", 4, 2), ("E", 5, 3)]


def test_metrics_are_ordered_by_signed_correlation_whatever_their_order_in_the_table() -> None:
    worse = {("E", "B"): 0.01, ("E", "A"): 0.01, ("B", "A"): 0.2}
    assert clustered(worse, {"E": -0.6, "B": 0.2, "A": 0.5}) == [("A", 1, 1), ("B", 2, 1), ("E", 3, 2)]


def test_equal_correlations_share_the_better_rank() -> None:
    assert clustered({}, {"A": 0.5, "B": 0.2, "C": 0.2, "D": 0.1}) == [
        ("A", 1, 1), ("B", 2, 1), ("C", 2, 1), ("D", 4, 1)
    ]  # fmt: skip


def test_the_kind_of_p_can_be_chosen() -> None:
    r, worse = {"A": 0.5, "B": 0.2}, {("A", "B"): 0.03}
    assert [row[2] for row in clustered(worse, r)] == [1, 2]
    assert [row[2] for row in clustered({}, r, significance="p")] == [1, 2]
    with pytest.raises(ValueError, match="unknown significance 'p_fdr'"):
        clustered(worse, r, significance="p_fdr")


def test_a_metric_made_much_better_stands_alone_in_the_first_cluster() -> None:
    rng, frame = np.random.default_rng(5), scored(rows=300)
    frame["BLEU4"] = frame["quality"] + 0.2 * rng.normal(size=300)
    best = metric_clusters(metric_differences(frame, METRICS, ["quality"], DIRECTIONS, by="all"))
    assert (best["metric"][0], (best["cluster"] == 1).tolist()) == ("BLEU4", [True, False, False, False, False])


def test_no_pair_at_all_gives_no_cluster() -> None:
    assert metric_clusters(differences(scored()).iloc[:0]).empty


@pytest.mark.parametrize(("change", "message"), [
    ({"metrics": ["BLEU4"]}, "name at least two different ones"),
    ({"metrics": ["BLEU4", "TER", "BLEU4"]}, "name at least two different ones"),
    ({"metrics": ["BLEU4", "BLEURT"]}, "no column 'BLEURT'"),
    ({"ratings": ["fluency"]}, "no column 'fluency'"),
    ({"ratings": []}, "nothing to compare"),
    ({"frame": scored().iloc[:0]}, "nothing to compare"),
    ({"higher_is_better": {"BLEU4": True}}, "the direction of 'TER' is unknown"),
])  # fmt: skip
def test_what_cannot_be_compared_is_refused(change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {
        "frame": scored(),
        "metrics": METRICS,
        "ratings": RATINGS,
        "higher_is_better": DIRECTIONS,
    }
    with pytest.raises(ValueError, match=message):
        metric_differences(**(arguments | change))


def test_the_stored_metrics_differ_as_the_paper_says(stored: pd.DataFrame) -> None:
    """Section 7.1 and figure 2: most word-based metrics do not differ from each other, grammar-based ones do more."""
    metrics = [*WORD_BASED, *GRAMMAR_BASED]
    directions = {name: name != "TER" for name in metrics}
    table = metric_differences(stored, metrics, ["informativeness", "naturalness", "quality"], directions)
    assert len(table) == 210 * 3 * 6 and table["reason"].isna().all()
    alike = {
        name: (table["p"][table["metric"].isin(group) & table["other"].isin(group)] >= 0.05).mean()
        for name, group in [("word", WORD_BASED), ("grammar", GRAMMAR_BASED)]
    }
    print(f"pairs that do not differ (p >= .05): word-based {alike['word']:.2f}, grammar-based {alike['grammar']:.2f}")
    assert alike["word"] > 0.5 and alike["grammar"] < alike["word"]


BOTH_TESTS = ("williams", "jackknife")
ALL_RATINGS = ["informativeness", "naturalness", "quality"]


@pytest.mark.published
def test_how_many_pairs_of_stored_scores_are_told_apart_by_either_test(stored: pd.DataFrame) -> None:
    metrics = [*WORD_BASED, *GRAMMAR_BASED]
    directions = {name: name not in ("TER",) for name in metrics}
    for by in ("dataset", "all"):
        tests = [metric_differences(stored, metrics, ALL_RATINGS, directions, by=by, test=name) for name in BOTH_TESTS]
        found = pd.concat([table["p_holm"] < 0.05 for table in tests], axis=1, keys=BOTH_TESTS)
        for dataset, rows in found.groupby(tests[0]["dataset"], sort=False):
            both = rows.all(axis=1)
            lost, won = (rows[name] & ~both for name in BOTH_TESTS)
            print(dataset, len(rows), *rows.sum(), "lost", lost.sum(), "won", won.sum())
            assert lost.sum() < 40 and not won.any()
