"""Judges with labels: what is a label, agreement, wrong labels, error rates by group, and two judges."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

from rainbow.analysis.judges.biases import shared_family, system_preferences
from rainbow.analysis.judges.judge_errors import (
    changed_labels,
    compare_judge_runs,
    has_same_outputs,
    judge_differences,
    judge_error_rates,
    judge_errors,
)
from rainbow.analysis.judges.judge_labels import JudgeLabels, judge_agreement, judge_labels, round_to_labels
from rainbow.analysis.judges.judge_sentences import label_sentences, run_sentences
from rainbow.stats.differences.proportion_differences import mcnemar_p, proportion_differences
from rainbow.stats.resampling.bootstrap import bootstrap

SCALE = ("fail<pass",)


def outputs(**columns: object) -> pd.DataFrame:
    """Return outputs with these columns, one for each input."""
    places = range(len(next(iter(columns.values()))))
    return pd.DataFrame(
        {
            **{"dataset": "d", "id": [f"r{place}" for place in places], "item": [f"i{place}" for place in places]},
            **{"system": "a", "mr": "input", "output": ["word " * (1 + place % 9) for place in places]},
            **columns,
        }
    )


@pytest.fixture(scope="module")
def passes() -> pd.DataFrame:
    """Return 200 outputs, 1 in 10 bad: `kind` passes nearly all, `strict` finds the bad ones, `yes` passes all."""
    rng = np.random.default_rng(5)
    people = np.where(np.arange(200) % 10 == 0, 1.0, 2.0)
    kind = np.where((people == 1) & (rng.random(200) < 0.8), 2.0, people)
    strict = np.where((people == 2) & (rng.random(200) < 0.05), 1.0, people)
    return outputs(verdict=people, kind=kind, strict=strict, yes=np.full(200, 2.0), system=["gpt2", "t5"] * 100)


def labelled(frame: pd.DataFrame, *judges: str) -> list[JudgeLabels]:
    return [*judge_labels(frame, dict.fromkeys(judges, "verdict"), SCALE)]


def draw(*arguments: Any) -> Any:
    return bootstrap(*arguments, "percentile", resamples=200, rng=1)


def agreement(frame: pd.DataFrame, judge: str) -> pd.DataFrame:
    return judge_agreement(labelled(frame, judge), draw).set_index(["kind", "label", "measure"])


def test_a_judge_is_shown_next_to_a_constant(passes: pd.DataFrame) -> None:
    table = agreement(passes, "kind")
    assert table.loc[("judge", "", "accuracy"), "value"] == (passes["kind"] == passes["verdict"]).mean()
    assert table.loc[("constant", "", "accuracy"), ["value", "predicts"]].tolist() == [0.9, "pass"]
    found = table.loc[("judge", "", "kappa"), "value"]
    assert found == pytest.approx(cohen_kappa_score(passes["verdict"], passes["kind"]))
    assert table.loc[("judge", "fail", "share_people"), "value"] == 0.1
    assert table.loc[("judge", "pass", "share_difference"), "low"] > 0  # it gives the label too often
    assert "rater" not in table.index.get_level_values("kind")


def test_a_judge_that_passes_all_equals_the_constant_in_every_measure(passes: pd.DataFrame) -> None:
    table = agreement(passes, "yes")
    pd.testing.assert_frame_equal(
        table.loc["judge"].drop(columns="predicts"), table.loc["constant"].drop(columns="predicts")
    )
    (says,) = label_sentences({"judge_agreement": table.reset_index()})
    assert "agrees with verdict on 90 % of 200 outputs; always answering 'pass' agrees on 90 %. Kappa 0.00" in says
    assert says.endswith("It is not shown to agree beyond chance: do not use it.")
    turned = agreement(passes.assign(kind=3 - passes["strict"]), "kind").reset_index()
    assert label_sentences({"judge_agreement": turned})[0].endswith("are the labels reversed?")


def test_raters_and_the_judge_meet_the_same_labels() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 150).astype(float)
    raters = {f"verdict_{place}": np.where(rng.random(150) < 0.1, 1 - truth, truth) for place in (1, 2, 3)}
    table = agreement(outputs(verdict=np.mean([*raters.values()], axis=0), judge=truth, **raters), "judge")
    kappas = [table.loc[(kind, "", "kappa"), "value"] for kind in ("rater", "judge, same raters", "judge")]
    assert kappas[0] < kappas[1] < kappas[2]  # the judge is the truth; the median of three is better than that of two
    assert table.loc[("rater", "", "accuracy"), "n"] == 450
    others = np.concatenate([raters[f"verdict_{place}"] for place in (2, 3, 1, 3, 1, 2)])
    own = np.concatenate([raters[f"verdict_{place}"] for place in (1, 1, 2, 2, 3, 3)])
    # Of two others, a tie counts half for each: the mean over pairs of raters.
    assert table.loc[("rater", "", "accuracy"), "value"] == pytest.approx((own == others).mean())


def test_missing_and_odd_labels_are_left_out_with_a_reason(passes: pd.DataFrame) -> None:
    odd = passes["kind"].copy()
    odd[[0, 1]], odd[2] = np.nan, -1
    (each,) = labelled(passes.assign(kind=odd), "kind")
    assert len(each.rows) == 197
    assert each.reason == (
        "rated outputs without a label of the judge: 2; "
        "labels of the judge that are not on the scale of the ratings (1, 2): 1"
    )


def test_labels_in_another_code_are_refused(passes: pd.DataFrame) -> None:
    table = judge_agreement(labelled(passes.assign(kind=passes["kind"] - 1), "kind"), draw)
    assert table["value"].isna().all()
    assert label_sentences({"judge_agreement": table}) == [
        "kind cannot be compared with verdict: the judge has the labels 0, 1, people have 1, 2: use the same."
    ]


def test_numbers_are_not_labels() -> None:
    assert labelled(outputs(verdict=np.arange(20.0), judge=np.arange(20.0)), "judge") == []
    assert judge_agreement([], draw).empty
    assert labelled(outputs(verdict=[1.0, 2] * 20, judge=np.linspace(10, 90, 40)), "judge") == []  # another unit


def test_scores_between_labels_are_rounded() -> None:
    gap = np.nan
    binary = round_to_labels(np.array([0, 0.49, 0.5, 1, 1.6, gap]), np.array([0.0, 1.0]))
    assert binary.tolist() == pytest.approx([0, 0, 1, 1, gap, gap], nan_ok=True)
    marks = round_to_labels(np.array([1.0, 3, 4.4, 5]), np.array([3.0, 4, 5]))
    assert marks.tolist() == [1, 3, 4, 5]  # a harsher mark than people ever give is a label too


def test_labels_are_named_by_the_only_scale_that_fits() -> None:
    (words,) = labelled(outputs(verdict=[1.0, 2], judge=[1.0, 1]), "judge")
    (marks,) = labelled(outputs(verdict=[1.0, 2, 5], judge=[1.0, 1, 5]), "judge")
    (binary,) = labelled(outputs(verdict=[0.0, 1], judge=[1.0, 1]), "judge")
    assert [each.name(1.0) for each in (words, marks, binary)] == ["fail", "1", "1"]


def test_wrong_labels_have_their_texts_and_the_surest_come_first() -> None:
    frame = outputs(verdict=[0, 0, 1, 1], judge=[0.9, 0.6, 0.1, 0.8], judge_reason=["sure", "unsure", "bad", "good"])
    table = judge_errors(labelled(frame, "judge"))
    assert table["id"].tolist() == ["r0", "r2", "r1"]
    assert table["error"].tolist() == ["false positive", "false negative", "false positive"]
    assert table.loc[0, ["people", "judge", "answer", "input"]].tolist() == ["0", "1", "sure", "input"]
    assert judge_errors(labelled(frame.assign(judge=frame["verdict"]), "judge")).empty


def test_error_rates_of_systems_and_lengths() -> None:
    people, system = np.tile([0.0, 0, 1, 1], 60), np.repeat(["good", "bad"], 120)
    judge = np.where((system == "bad") & (people == 0) & (np.arange(240) % 8 < 4), 1, people)
    frame = outputs(verdict=people, judge=judge, system=system)
    table = judge_error_rates(labelled(frame, "judge")).set_index(["by", "error", "group"])
    bad = table.loc[("system", "false positive", "bad")]
    assert (bad["rate"], bad["rate_others"], bad["n"]) == (0.5, 0, 60) and bad["p_holm"] < 0.001
    assert bad["low"] < 0.5 < bad["high"]
    assert table.loc[("system", "false negative", "bad"), "reason"] == "fewer than 5 outputs with or without the error"
    lengths = table.sort_index(level=[0, 1], sort_remaining=False).loc[("length", "false positive")]
    assert lengths.index.tolist() == ["short", "medium", "long"] and (lengths["p_holm"] >= lengths["p"]).all()


def test_two_judges_are_tested_on_the_outputs_of_both(passes: pd.DataFrame) -> None:
    (row,) = judge_differences(labelled(passes, "kind", "strict"), draw).to_dict("records")
    first, second = ((passes[name] == passes["verdict"]).astype(float) for name in ("kind", "strict"))
    assert (row["test"], row["p"]) == ("McNemar", mcnemar_p(second, first))
    assert (row["better"], row["worse"]) == (((second - first) > 0).sum(), ((second - first) < 0).sum())
    assert row["changed"] == row["better"] + row["worse"] == (passes["kind"] != passes["strict"]).sum()
    assert row["low"] > 0  # kappa
    changed = changed_labels(labelled(passes, "kind", "strict"))
    assert changed["right"].value_counts().to_dict() == {"second": row["better"], "first": row["worse"]}
    assert set(changed["people"]) <= {"fail", "pass"}
    swapped = judge_differences(labelled(passes, "strict", "kind"), draw).iloc[0]
    assert (swapped["p"], swapped["difference"]) == (row["p"], pytest.approx(-row["difference"]))
    same = judge_differences(labelled(passes.assign(copy=passes["kind"]), "kind", "copy"), draw)
    assert (same.loc[0, "p"], same.loc[0, "changed"]) == (1, 0)


def test_outputs_of_one_input_are_not_counted_as_independent(passes: pd.DataFrame) -> None:
    twice = pd.concat([passes, passes.assign(id="again" + passes["id"])], ignore_index=True)
    row = judge_differences(labelled(twice, "kind", "strict"), draw).iloc[0]
    right = np.column_stack([passes[name] == passes["verdict"] for name in ("kind", "strict")]).astype(float)
    assert (row["n"], row["test"]) == (400, "t by input")
    assert row["p"] == pytest.approx(proportion_differences(right, np.arange(200))[1][0, 1])


def test_two_runs_of_a_judge_are_matched_by_output(passes: pd.DataFrame) -> None:
    before = passes.assign(judge=passes["kind"])
    after = passes.assign(judge=passes["strict"]).iloc[::-1].reset_index(drop=True)
    assert has_same_outputs(before, after) and not has_same_outputs(before, after.assign(output="other"))
    found = compare_judge_runs(before, after, {"judge": "verdict"}, SCALE)
    direct = judge_differences(labelled(passes, "kind", "strict"), draw).iloc[0]
    result = found["judge_differences"].loc[0, ["better", "worse", "p"]].tolist()
    assert result == [direct["better"], direct["worse"], direct["p"]]
    assert run_sentences(found)[0].startswith("judge before and judge after give")


def test_runs_with_numbers_are_compared_by_correlation() -> None:
    rng = np.random.default_rng(0)
    rated = rng.normal(size=80)
    before, after = (outputs(quality=rated, judge=rated + rng.normal(0, noise, 80)) for noise in (2, 0.3))
    found = compare_judge_runs(before, after, {"judge": "quality"})
    assert [*found] == ["metric_differences"]
    assert run_sentences(found)[0].startswith("Spearman correlation with quality on 80 outputs: judge before 0.")
    assert "judge after agrees better" in run_sentences(found)[0]


def test_a_system_of_the_judges_family_is_marked(passes: pd.DataFrame) -> None:
    assert shared_family("openai/gpt-4o", "gpt-3.5-turbo") == "gpt"
    assert shared_family("meta-llama/Llama-3.1-8B", "llama2") == "llama"
    assert shared_family("gpt-4o", "t5") == shared_family("o1", "o3") == shared_family("", "") == ""
    table = system_preferences(passes, {"kind": "verdict"}, {"kind": "gpt-4o"}, resamples=50, rng=1)
    assert table.set_index("system")["family"].to_dict() == {"gpt2": "gpt", "t5": ""}
