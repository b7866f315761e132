"""The table of correlations with their intervals."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from rainbow.analysis.correlations.correlation_table import COLUMNS, correlation_table, correlations_among
from rainbow.stats.correlation.correlation import Method, correlate
from rainbow.stats.correlation.intervals import fisher_interval

RATINGS = ["quality", "naturalness"]
METRICS = ["BLEU4", "TER"]


@pytest.fixture(scope="module")
def scores() -> pd.DataFrame:
    """Two datasets of 20 items, three systems; some values missing."""
    rng = np.random.default_rng(0)
    keys = [(data, system, f"item {item}") for data in ("inns", "cafes") for system in "ABC" for item in range(20)]
    frame = pd.DataFrame(keys, columns=["dataset", "system", "item"])
    frame["BLEU4"] = rng.uniform(size=120)
    frame["TER"] = 1 - frame["BLEU4"] + rng.normal(size=120) / 5
    frame["quality"] = (3 + 3 * frame["BLEU4"] + rng.normal(size=120)).round().clip(1, 6)
    frame["naturalness"] = rng.integers(1, 7, 120).astype(float)
    frame["mr_type"] = rng.choice(["inform", "confirm", "request"], 120)
    frame.loc[3, "TER"] = math.nan
    frame.loc[[5, 50], "quality"] = math.nan
    return frame


def test_there_is_a_row_for_every_part_rating_and_metric(scores: pd.DataFrame) -> None:
    table = correlation_table(scores, METRICS, RATINGS, resamples=20, rng=0)
    assert (tuple(table.columns), len(table)) == (COLUMNS, 6 * 2 * 2)
    assert not table.duplicated(["dataset", "system", "rating", "metric"]).any() and table["reason"].isna().all()


@pytest.mark.parametrize("method", ["spearman", "pearson", "kendall-b"])
def test_r_p_and_n_are_those_of_the_rows_with_both_values(scores: pd.DataFrame, method: Method) -> None:
    table = correlation_table(scores, METRICS, RATINGS, method=method, interval="fisher")
    for row in table.itertuples():
        part = scores[(scores["dataset"] == row.dataset) & (scores["system"] == row.system)]
        found = correlate(part[row.metric], part[row.rating], method)
        assert (row.r, row.p, row.n) == pytest.approx((found.r, found.p, found.n))
        assert (row.low, row.high) == pytest.approx(fisher_interval(found.r, found.n, method)[:2])


@pytest.mark.parametrize(("by", "parts"), [
    ("dataset", {("inns", "all", "all"), ("cafes", "all", "all")}),
    ("system", {("all", "A", "all"), ("all", "B", "all"), ("all", "C", "all")}),
    ("all", {("all", "all", "all")}),
])  # fmt: skip
def test_parts_are_named_by_dataset_system_and_stratum(scores, by, parts) -> None:
    table = correlation_table(scores, METRICS, RATINGS, by, interval="fisher")
    assert set(zip(table["dataset"], table["system"], table["stratum"], strict=True)) == parts


def test_an_interval_of_resamples_holds_r_and_the_seed_fixes_it(scores: pd.DataFrame) -> None:
    for interval in ("bca", "percentile"):
        table = correlation_table(scores, METRICS, RATINGS, interval=interval, rng=1)
        assert ((table["low"] < table["r"]) & (table["r"] < table["high"])).all()
        pd.testing.assert_frame_equal(table, correlation_table(scores, METRICS, RATINGS, interval=interval, rng=1))


def test_a_higher_confidence_gives_a_wider_interval(scores: pd.DataFrame) -> None:
    wide, narrow = (correlation_table(scores, METRICS, RATINGS, rng=1, confidence=level) for level in (0.99, 0.8))
    assert (wide["high"] - wide["low"] > narrow["high"] - narrow["low"]).all()


def test_within_items_n_counts_items_and_fisher_has_no_interval(scores: pd.DataFrame) -> None:
    table = correlation_table(scores, ["BLEU4"], ["quality"], "dataset", level="item", rng=0)
    assert (table["n"] <= 20).all() and table["low"].notna().all()
    table = correlation_table(scores, ["BLEU4"], ["quality"], "dataset", level="item", interval="fisher")
    assert table["r"].notna().all() and table["low"].isna().all()
    assert table["reason"].str.contains("use resampling of items").all()


def test_few_systems_have_a_reason_and_enough_have_an_interval(scores: pd.DataFrame) -> None:
    table = correlation_table(scores, ["BLEU4"], ["quality"], "dataset", level="system", rng=0)
    assert table["r"].isna().all() and set(table["reason"]) == {"only 3 systems: at least 4 are needed"}
    row = correlation_table(scores, ["BLEU4"], ["quality"], "all", level="system", rng=0).iloc[0]
    assert row["n"] == 6 and row["low"] <= row["r"] <= row["high"] and row["test"] == "exact"


@pytest.mark.parametrize("interval", ["bca", "percentile", "fisher"])
@pytest.mark.parametrize("level", ["pooled", "item", "system"])
def test_degenerate_tables_have_reasons_and_no_warning(scores, interval, level) -> None:
    flat = scores.assign(BLEU4=0.1, TER=math.nan)
    tables = [scores.iloc[:0], scores.iloc[:1], scores.iloc[:3], flat, flat.assign(quality=math.nan)]
    for frame in tables:
        for by in ("dataset-system", "all"):
            table = correlation_table(frame, METRICS, ["quality"], by, interval=interval, level=level, resamples=9)
            assert tuple(table.columns) == COLUMNS and table["r"].isna().all() and table["reason"].notna().all()
            assert table[["low", "high", "p"]].isna().all(axis=None)


def test_r_stands_where_only_the_interval_is_undefined(scores: pd.DataFrame) -> None:
    rare = scores.assign(BLEU4=(np.arange(120) % 20 == 0).astype(float))
    table = correlation_table(rare, ["BLEU4"], ["quality"], rng=0)
    assert table["r"].notna().all() and table["low"].isna().all()
    assert table["reason"].str.contains("a column is constant").all()


def test_metrics_among_each_other_stand_once(scores: pd.DataFrame) -> None:
    table = correlations_among(scores, ["BLEU4", "TER", "quality"], interval="fisher")
    found = list(zip(table["first"], table["second"], strict=True))
    assert found == [("BLEU4", "TER"), ("BLEU4", "quality"), ("TER", "quality")]
    assert table["r"].tolist() == pytest.approx([correlate(scores[a], scores[b]).r for a, b in found])


def test_ratings_among_each_other_have_intervals_and_parts(scores: pd.DataFrame) -> None:
    table = correlations_among(scores, RATINGS, "dataset", rng=0, resamples=50)
    assert len(table) == 2 and table["low"].notna().all()


def test_one_column_has_nothing_to_correlate_with(scores: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="name at least two columns"):
        correlations_among(scores, ["BLEU4"])


@pytest.mark.parametrize(("options", "message"), [
    ({"by": "mr"}, "unknown parts 'mr'"),
    ({"level": "row"}, "unknown level 'row'"),
    ({"method": "rho"}, "unknown method 'rho'"),
    ({"interval": "normal"}, "auto, bca, percentile, influence, fisher"),
    ({"confidence": 95}, "such as 0.95"),
    ({"metrics": ["BLEU9"]}, "no column 'BLEU9'"),
    ({"ratings": ["fluency"]}, "no column 'fluency'"),
    ({"resamples": 0}, "at least 1"),
])  # fmt: skip
def test_an_unknown_choice_is_refused(scores: pd.DataFrame, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        correlation_table(scores, **({"metrics": METRICS, "ratings": RATINGS} | options))


def test_the_table_given_is_not_changed(scores: pd.DataFrame) -> None:
    before = scores.copy()
    correlation_table(scores, METRICS, RATINGS, "all", resamples=9)
    pd.testing.assert_frame_equal(scores, before)


def test_all_metrics_of_the_published_data_have_intervals(stored: pd.DataFrame) -> None:
    metrics = stored.loc[:, "TER":"prs"].columns.tolist()
    table = correlation_table(stored, metrics, ["informativeness", "naturalness", "quality"], rng=0)
    assert len(table) == 378 and table["low"].notna().all()


def test_intervals_of_many_rows_are_not_drawn_but_those_of_few_are() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"dataset": "inns", "system": "A", "item": np.arange(2500) % 50, "x": rng.normal(size=2500)})
    frame["quality"] = frame["x"] + rng.normal(size=2500)
    few = frame.iloc[:-1]
    found = [correlation_table(part, ["x"], ["quality"])["interval"].item() for part in (frame, few)]
    assert found == ["influence", "bca"]
    own, drawn = (correlation_table(frame, ["x"], ["quality"], interval=kind, rng=1) for kind in ("influence", "bca"))
    assert own[["low", "high"]].to_numpy() == pytest.approx(drawn[["low", "high"]].to_numpy(), abs=0.01)
    assert correlation_table(frame, ["x"], ["quality"], method="pearson")["interval"].item() == "bca"
    with pytest.raises(ValueError, match=r"pearson at the level .* has no influence interval"):
        correlation_table(frame, ["x"], ["quality"], method="pearson", interval="influence")
