"""Scores that stand for a rating: the test beside a constant and the best metric, biases, systems they prefer."""

import numpy as np
import pandas as pd
import pytest

from rainbow import load_dataset
from rainbow.analysis.judges.alternative_annotators import alternative_annotators
from rainbow.analysis.judges.biases import score_biases, system_preferences
from rainbow.stats.correlation.correlation import correlate


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """Return the demo with a judge that likes length and a system, and a metric."""
    frame = load_dataset("demo").frame
    rng, length = np.random.default_rng(0), frame["output"].str.split().str.len()
    long = (length - length.mean()) / length.std()
    judge = frame["quality"] + 0.8 * long + (frame["system"] == "ngram") + rng.normal(0, 0.5, len(frame))
    return frame.assign(judge=judge.clip(1, 6), metric=frame["quality"] * 10 + rng.normal(0, 9, len(frame)))


def test_a_constant_and_the_best_metric_stand_beside_each_score(frame: pd.DataFrame) -> None:
    table = alternative_annotators(frame, ["quality"], {"judge": "quality"}, {("all", "quality"): "metric"})
    overall = table[table["rater"] == "all"].set_index("kind")
    assert overall["metric"].to_dict() == {"score": "judge", "best metric": "metric", "constant": "constant 5"}
    assert overall.loc["constant", ["winning_rate", "passes"]].tolist() == [1.0, True]
    assert round(overall.loc["constant", "advantage"], 2) == 0.81
    assert overall.loc["constant", "reason"] == "no correlation: x is constant"
    found = table.groupby("metric", sort=False)["rater"].agg(list).loc["judge"]
    assert found == ["all", "quality_1", "quality_2", "quality_3"]


def test_agreement_is_with_the_mean_of_the_raters_but_one(frame: pd.DataFrame) -> None:
    table = alternative_annotators(frame, ["quality"], {"judge": "quality"}, {})
    row = table[(table["metric"] == "judge") & (table["rater"] == "quality_2")].iloc[0]
    rest = frame[["quality_1", "quality_3"]].mean(axis=1)
    assert row["spearman"] == correlate(frame["judge"], rest).r
    assert row["spearman_rater"] == correlate(frame["quality_2"], rest).r
    assert row["rmse_rater"] == pytest.approx(np.sqrt(((frame["quality_2"] - rest) ** 2).mean()))


def test_the_best_metric_is_brought_to_the_unit_by_other_items(frame: pd.DataFrame) -> None:
    table = alternative_annotators(frame, ["quality"], {}, {("all", "quality"): "metric"})
    row = table[(table["kind"] == "best metric") & (table["rater"] == "all")].iloc[0]
    assert row["rmse"] < frame["quality"].std() + 0.5  # the metric itself lies between 10 and 60


def test_scores_in_another_unit_are_named(frame: pd.DataFrame) -> None:
    table = alternative_annotators(frame, ["quality"], {"metric": "quality"}, {})
    reason = table.loc[(table["metric"] == "metric") & (table["rater"] == "all"), "reason"].iloc[0]
    assert reason.endswith("of the scores are outside 1 to 6, the range of the ratings")


def test_without_single_raters_there_is_a_reason(frame: pd.DataFrame) -> None:
    table = alternative_annotators(frame.drop(columns=["quality_1", "quality_2"]), ["quality"], {}, {})
    assert table["winning_rate"].isna().all()
    assert table["reason"].tolist() == ["no columns quality_1, quality_2, ... with ratings of single raters"]


def test_a_bias_that_is_planted_is_found(frame: pd.DataFrame) -> None:
    columns = {"judge": "quality", "metric": "quality"}
    table = score_biases(frame, ["quality"], columns, {}, resamples=300, rng=1).set_index(["metric", "bias"])
    assert table.loc[("judge", "length"), "low"] > 0.2 and table.loc[("judge", "verbosity"), "low"] > 0
    assert table.loc[("metric", "length"), "low"] < 0 < table.loc[("metric", "length"), "high"]


def test_verbosity_by_hand() -> None:
    """Items of two outputs: a pair that people order, a pair of one length, two pairs that count, one tied."""
    rows = [
        ("a b", 1, 1), ("a", 2, 2), ("a", 1, 1), ("b", 1, 2), ("a b", 3, 5), ("a", 3, 4), ("a b", 2, 2), ("a", 2, 2)
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["output", "quality", "judge"])
    frame = frame.assign(dataset="inns", item=[0, 0, 1, 1, 2, 2, 3, 3], system=list("AB") * 4)
    table = score_biases(frame, ["quality"], {"judge": "quality"}, {}, rng=1).set_index("bias")
    assert table.loc["verbosity", ["value", "people", "n"]].tolist() == [0.75, 0.5, 2]


def test_a_system_that_is_preferred_is_found(frame: pd.DataFrame) -> None:
    table = system_preferences(frame, {"judge": "quality"}, resamples=300, rng=1).set_index("system")
    assert table["preference"].idxmax() == "ngram" and table.loc["ngram", "low"] > 0.3
    means = frame.groupby("system")[["quality", "judge"]].mean()
    excess = means["judge"] - means["quality"]
    others = (frame["judge"] - frame["quality"])[frame["system"] != "ngram"].mean()
    assert table.loc["ngram", "preference"] == pytest.approx(excess["ngram"] - others)
    assert table.loc["ngram", "rank_rating"] == means["quality"].rank(ascending=False)["ngram"]


def test_one_system_has_a_reason(frame: pd.DataFrame) -> None:
    alone = frame[frame["system"] == "ngram"]
    assert system_preferences(alone, {"judge": "quality"})["reason"].tolist() == ["there is only one system"]
