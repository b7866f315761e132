"""Checks of tables that have one fault each, and of the table of 2017, which has several."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from rainbow import Corpus, score_corpus
from rainbow.analysis.checks.baselines import baseline_table
from rainbow.analysis.checks.check_scores import CHECKS, check_scores
from rainbow.analysis.checks.copies import check_batch_effects
from rainbow.analysis.checks.findings import SEVERAL, group_causes, group_findings, join_names

GAP = float("nan")
METRICS, RATINGS = ["TER", "BLEU4"], ["quality"]


def sound(items: int = 40, seed: int = 0) -> pd.DataFrame:
    """Return outputs of two systems, each its own text, scores that follow the ratings, and nothing wrong."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "dataset": "inns",
        "system": ["A", "B"] * items,
        "item": np.repeat(np.arange(items), 2),
        "output": [f"text {row} {'word ' * size}" for row, size in enumerate(rng.integers(3, 12, 2 * items))],
        "quality": rng.integers(1, 7, 2 * items).astype(float),
    })  # fmt: skip
    noise = rng.normal(size=(2, 2 * items))
    return frame.assign(TER=-frame["quality"] + noise[0], BLEU4=frame["quality"] + noise[1])


def found(frame: pd.DataFrame, check: str) -> pd.DataFrame:
    table = check_scores(frame, METRICS, RATINGS)
    return table[table["check"] == check].reset_index(drop=True)


def only(frame: pd.DataFrame, check: str) -> pd.Series:
    table = found(frame, check)
    assert len(table) == 1
    return table.iloc[0]


def repeated(share: float) -> pd.DataFrame:
    """Return a table in which both systems have the same output for every item, scored differently for some."""
    frame = sound()
    second = frame["system"] == "B"
    for column in ("output", *METRICS):
        frame[column] = frame.groupby("item")[column].transform("first")
    frame.loc[second & (frame["item"] < 40 * share), "TER"] += 0.5
    return frame


def put(frame: pd.DataFrame, rows: Any, column: str, value: Any) -> pd.DataFrame:
    frame.loc[rows, column] = value
    return frame


SOUND, B = sound(), sound()["system"] == "B"
COPIES = "that occur more than once for the same input"
ALL_MISSING = "missing in all 80 outputs"


@pytest.mark.parametrize(("frame", "check", "expected"), [
    # Missing scores are counted and placed; a few are a note; of several systems alone is said where most are.
    (put(sound(), SOUND.index[B][:10], "TER", GAP), "missing values",
     {"severity": "warning", "subject": "TER", "n": 80,
      "finding": "missing in 10 of 80 outputs (12 %); most in those of B on inns (25 %)"}),
    (put(sound(), slice(4), "TER", GAP), "missing values", {"severity": "note"}),
    (put(sound().assign(system=""), 0, "TER", GAP), "missing values",
     {"finding": "missing in 1 of 80 outputs (1.2 %)"}),
    # Metrics without a value are one finding; a rating without one is an error, and so are infinite scores.
    (sound().assign(TER=GAP, BLEU4=GAP), "missing values", {"severity": "note", "finding": ALL_MISSING,
     "subject": {"TER and BLEU4", "BLEU4 and TER"}}),
    (sound().assign(quality=GAP), "missing values", {"severity": "error", "finding": ALL_MISSING}),
    (put(sound(), 3, "BLEU4", math.inf), "missing values", {"severity": "error",
     "finding": "infinite in 1 of 80 outputs"}),
    # A constant rating is an error, a constant metric a note; 70 of 80 values are 0: 70 * 69 of 80 * 79 pairs.
    (sound().assign(quality=3.0), "constant columns", {"severity": "error"}),
    (sound().assign(BLEU4=0.25), "constant columns", {"severity": "note", "subject": "BLEU4",
     "finding": "constant (0.25) over all 80 outputs: no correlation is defined"}),
    (put(sound(), slice(10, None), "TER", 0.0), "ties", {
     "finding": "76 % of all pairs of outputs are tied, and 70 of 80 outputs have 0: it cannot order them"}),
    # 57 * 56 of 80 * 79 pairs are just more than half, 56 * 55 just less.
    (put(sound(), slice(23, None), "TER", 0.0), "ties", {"severity": "note"}),
    (put(sound(), slice(24, None), "TER", 0.0), "ties", {"severity": "ok"}),
    # The same output with two scores: an error of the metric, but for one output, rounding, or another input.
    (repeated(0.5), "repeated outputs: scores", {"severity": "error", "subject": "TER", "n": 40,
     "finding": f"differs in 20 of 40 outputs {COPIES} on inns (as A and B), by up to 0.5"}),
    (repeated(0.025), "repeated outputs: scores", {"severity": "warning"}),
    (put(repeated(0), B, "TER", repeated(0)["TER"] + 1e-12), "repeated outputs: scores", {"severity": "ok"}),
    (repeated(0.5).assign(item=range(80)), "repeated outputs: scores", {"severity": "ok"}),
    (pd.concat([repeated(0.5), repeated(0.5)[:6].assign(item=100 + np.arange(6))]), "repeated outputs: scores",
     {"n": 40}),
    # Ratings of the same output show how far raters agree. Differences in both directions are not a batch effect.
    (repeated(0).assign(quality=np.where(B & (SOUND["item"] < 10), 5.0, 3.0)), "repeated outputs: ratings",
     {"severity": "note", "n": 40, "finding": f"differs in 10 of 40 outputs {COPIES}; the mean range is 0.5"}),
    (repeated(0).assign(quality=np.where((SOUND["item"] % 2 == 0) == B, 5.0, 3.0)), "batch effects",
     {"severity": "ok"}),
    # Items that a system lacks, items with more outputs of one system, outputs without a rating, one system.
    (SOUND[~B | (SOUND["item"] >= 4)], "coverage", {"severity": "warning", "subject": "inns",
     "finding": "4 of 40 items lack some system: A 40, B 36 have it"}),
    # Rows 0 to 2 are items 0 (both systems) and 1 (A): item 0 has two outputs of each.
    (pd.concat([SOUND, SOUND[:3].assign(output=["x", "y", "z"])]), "coverage", {
     "finding": "1 of 40 items have more outputs of one system than of another: A 42, B 41 in total"}),
    (put(sound(), B & (SOUND["item"] < 4), "quality", GAP), "coverage", {
     "finding": "4 of 40 items lack some system: A 40, B 36 have it"}),
    (SOUND[~B], "coverage", {"severity": "note", "finding": "only A has outputs: no systems can be compared"}),
])  # fmt: skip
def test_a_fault_has_its_line(frame: pd.DataFrame, check: str, expected: dict[str, Any]) -> None:
    line = only(frame, check)
    for name, value in expected.items():
        assert line[name] in value if isinstance(value, set) else line[name] == value, name


def test_a_sound_table_has_a_line_ok_for_every_check_that_looks_for_faults() -> None:
    table = check_scores(sound(), METRICS, RATINGS)
    assert table.columns.tolist() == ["check", "severity", "subject", "finding", "n"]
    assert set(table.loc[table["severity"] == "ok", "check"]) == set(CHECKS) - {"baselines"}
    assert set(table.loc[table["severity"] != "ok", "check"]) == {"baselines"}
    assert not set(table["severity"]) & {"error", "warning"}


def test_metrics_for_english_are_named_where_texts_are_in_another_language() -> None:
    german = ["Das Hotel liegt in der Nähe des Bahnhofs.", "Die Suppe war kalt, aber der Kellner war freundlich."]
    english = ["The hotel is near the railway station.", "The soup was cold, but the waiter was friendly."]
    corpus = Corpus.from_texts(german + english, [[text] for text in german + english])
    scores = score_corpus(corpus, ["METEOR", "BLEU4", "msp", "len", "cpw"])
    found = check_scores(corpus.frame.join(scores).assign(dataset=["german"] * 2 + ["english"] * 2), list(scores), [])
    [line] = found[(found["check"] == "language")].to_dict("records")
    assert (line["severity"], line["subject"]) == ("error", "METEOR and msp")
    assert "of german are not in an English word list" in line["finding"]


def test_errors_come_first_and_ok_last() -> None:
    frame = sound().assign(quality=3.0)
    frame.loc[:9, "TER"] = GAP
    order = check_scores(frame, METRICS, RATINGS)["severity"].drop_duplicates().tolist()
    assert order == ["error", "warning", "note", "ok"]


@pytest.mark.parametrize(("mark", "slips"), [(44, 1), (-55, 1), (9, 0)])
def test_a_mark_far_from_all_others_may_be_a_slip(mark: float, slips: int) -> None:
    frame = sound()
    frame.loc[3, "quality"] = mark
    assert (found(frame, "ratings off the scale")["severity"] == "warning").sum() == slips


def test_a_slip_of_one_rater_is_found_though_the_mean_hides_it() -> None:
    frame = sound()
    frame = frame.assign(quality_1=frame["quality"], quality_2=frame["quality"])
    frame.loc[7, "quality_2"] = 33
    assert only(frame, "ratings off the scale")["finding"].startswith("33 for output 8, all others are from 1 to 6")


def test_a_column_that_is_constant_for_one_system_is_a_note() -> None:
    frame = sound()
    frame.loc[frame["system"] == "A", "TER"] = 0.0
    finding = only(frame, "constant columns")
    assert finding["severity"] == "note"
    assert finding["finding"] == "constant (0) over all 40 outputs of A on inns: no correlation is defined there"


def test_a_system_whose_texts_get_more_than_the_same_texts_of_another_has_a_batch_effect() -> None:
    frame = repeated(0)
    frame["quality"] = frame.groupby("item")["quality"].transform("first")
    frame.loc[(frame["system"] == "B") & (frame["item"] % 2 == 0), "quality"] += 1
    finding = only(frame, "batch effects")
    assert (finding["severity"], finding["subject"], finding["n"]) == ("error", "quality", 40)
    assert finding["finding"].startswith("40 texts that occur under both get 0.5 points (")
    assert " standard deviations) less as A than as B (p < 0.001)" in finding["finding"]


def test_many_pairs_of_systems_with_a_few_texts_in_common_make_no_batch_effect() -> None:
    draw = np.random.default_rng(4)
    systems, texts = [f"s{number}" for number in range(16)], [f"text {number}" for number in range(9)]
    rows = [{"dataset": "d", "system": name, "item": text, "output": text} for name in systems for text in texts]
    frame = pd.DataFrame(rows).assign(fluency=draw.normal(80, 4, len(rows)))
    assert list(check_batch_effects(frame, [], ["fluency"])) == []


TOLD = "The council met on Monday and voted for the bridge."  # ten words


@pytest.mark.parametrize(("given", "output", "copied"), [
    (TOLD, "the council met on Monday, and voted for the bridge", True),
    (TOLD, "Indeed council met on Monday and voted for the bridge", True),  # nine words of ten
    (TOLD, "Indeed met on Monday and voted for the bridge", False),  # eight of nine
    (TOLD, "The council met on Tuesday and voted for the bridge", False),  # nine of ten, but not in a row
    (TOLD, "voted for the bridge", False),  # four words
    (TOLD, "and voted for the bridge", True),
    (TOLD, "he council met on Mon", False),  # parts of words
    ("", "the council met on Monday", False),
    ("inform(name='the inn on the hill')", "the inn on the hill", False),
    ("inform(name='the inn on the hill') of the day", "the inn on the hill", True),  # not a notation
])  # fmt: skip
def test_outputs_that_copy_a_text_are_counted(given: str, output: str, copied: bool) -> None:
    frame = sound().assign(mr=given)
    frame.loc[[3, 5], "output"] = output
    finding = only(frame, "copied inputs")
    assert (finding["severity"], finding["subject"]) == (("warning", "inns") if copied else ("ok", ""))
    if copied:
        assert finding["finding"] == (
            "the input is copied in 2 of 80 outputs: at least 90 % of the words are consecutive words of the input"
        )


def test_half_points_of_one_system_only_tell_of_another_number_of_judges() -> None:
    frame = sound()
    frame.loc[(frame["system"] == "B") & (frame["item"] < 20), "quality"] += 0.5
    finding = only(frame, "numbers of raters")
    assert (finding["severity"], finding["subject"]) == ("warning", "quality")
    assert finding["finding"].startswith("has fractions in 50 % of 40 outputs of B, but in none of 40 of A")


@pytest.mark.parametrize("share", [0.05, 1.0])
def test_few_half_points_or_half_points_of_all_systems_tell_nothing(share) -> None:
    frame = sound()
    halves = frame["item"] < 40 * share
    frame.loc[halves & ((share == 1) | (frame["system"] == "B")), "quality"] += 0.5
    assert only(frame, "numbers of raters")["severity"] == "ok"


def test_baselines_are_those_of_scikit_learn_with_grouped_folds() -> None:
    from sklearn.linear_model import LinearRegression
    from sklearn.model_selection import PredefinedSplit, cross_val_predict

    frame = sound()
    result = baseline_table(frame, ["TER"], RATINGS).iloc[0]
    folds = PredefinedSplit(frame["item"] % 10)
    quality = frame["quality"].to_numpy()
    words = frame["output"].str.split().str.len().to_numpy()
    columns = {"rmse": frame["TER"].to_numpy(), "rmse_length": words, "rmse_constant": np.zeros(80)}
    for name, values in columns.items():
        predicted = cross_val_predict(LinearRegression(), values[:, None], quality, cv=folds)
        assert result[name] == pytest.approx(np.sqrt(np.mean((predicted - quality) ** 2)))
    assert result["r"] == pytest.approx(frame["TER"].corr(frame["quality"], method="spearman"))
    assert result["r_length"] == pytest.approx(pd.Series(words).corr(frame["quality"], method="spearman"))


def test_baselines_rest_on_the_rows_that_have_the_metric() -> None:
    frame = sound()
    frame.loc[:9, "TER"] = GAP
    result = baseline_table(frame, METRICS, RATINGS)
    assert result["n"].tolist() == [70, 80]
    assert result.loc[0, "r_length"] == baseline_table(frame[10:], ["TER"], RATINGS).loc[0, "r_length"]


@pytest.mark.parametrize(("frame", "reason"), [
    (sound().assign(TER=GAP), "only 0 items have a score and a rating: 4 are needed"),
    (sound(items=3), "only 3 items have a score and a rating: 4 are needed"),
    (sound().replace({"TER": {sound()["TER"][0]: math.inf}}), "the metric has infinite values"),
])  # fmt: skip
def test_a_baseline_that_is_not_defined_says_why(frame, reason) -> None:
    result = baseline_table(frame, ["TER"], RATINGS).iloc[0]
    assert (math.isnan(result["rmse"]), math.isnan(result["rmse_constant"]), result["reason"]) == (True, True, reason)


@pytest.mark.parametrize(
    "frame", [sound()[:3], sound()[:1], sound()[:0], sound().assign(TER=1.0, BLEU4=GAP, quality=GAP)]
)
def test_degenerate_tables_are_checked_without_a_warning(frame) -> None:
    assert set(check_scores(frame, METRICS, RATINGS)["check"]) == set(CHECKS)


def test_metrics_alone_and_ratings_alone_can_be_checked() -> None:
    assert "ok" in set(check_scores(sound(), METRICS, [])["severity"])
    assert "ok" in set(check_scores(sound(), [], RATINGS)["severity"])


def test_a_missing_column_is_named() -> None:
    with pytest.raises(ValueError, match="no column 'METEOR'"):
        check_scores(sound(), ["METEOR"], RATINGS)


@pytest.fixture(scope="module")
def findings_of_2017(stored) -> pd.DataFrame:
    metrics = stored.columns[stored.columns.get_loc("quality") + 1 :].tolist()
    table = check_scores(stored, metrics, ["informativeness", "naturalness", "quality"])
    print("\n" + table[table["check"] != "baselines"].to_string(index=False))
    return table


@pytest.mark.parametrize(("dataset", "metric", "count"), [
    ("SFREST", "BLEU1", "31 of 38"), ("SFREST", "METEOR", "31 of 38"), ("SFHOTEL", "TER", "30 of 34")
])  # fmt: skip
def test_the_columns_of_2017_were_not_computed_alike_for_the_two_systems(
    findings_of_2017, dataset, metric, count
) -> None:
    rows = findings_of_2017[findings_of_2017["check"] == "repeated outputs: scores"]
    row = rows[(rows["subject"] == metric) & rows["finding"].str.contains(f"input on {dataset} ")].iloc[0]
    assert row["severity"] == "error" and f"differs in {count} outputs" in row["finding"]


def test_surface_columns_of_2017_were_computed_alike(findings_of_2017) -> None:
    rows = findings_of_2017[findings_of_2017["check"] == "repeated outputs: scores"]
    assert not set(rows["subject"]) & {"SIM", "RE", "cpw", "len", "wps", "sps", "spw", "pol", "ppw", "msp", "prs"}


def test_72_texts_of_2017_get_a_point_less_quality_as_rnnlg_than_as_lols(findings_of_2017) -> None:
    rows = findings_of_2017[findings_of_2017["check"] == "batch effects"]
    assert rows["subject"].tolist() == ["quality"]
    assert rows["finding"].tolist() == [
        "72 texts that occur under both get 1.05 points (0.9 standard deviations) more as LOLS than as RNNLG "
        "(p < 0.001 after correction for 6 tests): a batch effect"
    ]


def test_lols_was_rated_by_another_number_of_judges(findings_of_2017) -> None:
    rows = findings_of_2017[findings_of_2017["check"] == "numbers of raters"]
    assert rows["subject"].tolist() == ["informativeness", "naturalness", "quality"]
    assert rows["finding"].str.contains("of 1181 outputs of LOLS, but in none of 1279 of TGEN and RNNLG").all()


def test_rnnlg_was_rated_more_often_than_lols_for_some_items(findings_of_2017) -> None:
    rows = findings_of_2017[findings_of_2017["check"] == "coverage"].set_index("subject")["finding"]
    assert rows["SFHOTEL"].startswith("52 of 398 items have more outputs")
    assert rows["SFREST"].startswith("17 of 580 items have more outputs") and "BAGEL" not in rows


def test_ties_of_comparisons_are_no_medians() -> None:
    assert found(sound().assign(quality=[1.0, 0.5, 1.0, 0.0] * 20), "numbers of raters")["severity"].tolist() == ["ok"]


def checks(*rows: tuple[str, str, str, str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["check", "severity", "subject", "finding"])


def test_findings_that_differ_in_numbers_are_one_group_and_keep_their_sentences() -> None:
    findings = [("msp", "99 % of 875 outputs, Spearman nan"), ("pol", "64 % of 875 outputs, Spearman -0.07")]
    (group,) = group_findings(checks(*(("ties", "warning", *finding) for finding in findings)))
    assert (group.sentence, group.findings) == ("… % of 875 outputs, Spearman …", findings)


def test_numbers_in_names_are_no_numbers() -> None:
    groups = group_findings(
        checks(("ties", "note", "BLEU1", "differs from BLEU1"), ("ties", "note", "BLEU2", "differs from BLEU2"))
    )
    assert [group.sentence for group in groups] == ["differs from BLEU1", "differs from BLEU2"]


def test_the_worst_come_first() -> None:
    groups = group_findings(
        checks(("a", "ok", "", "x"), ("b", "note", "", "x"), ("c", "error", "", "x"), ("d", "warning", "", "x"))
    )
    assert [group.severity for group in groups] == ["error", "warning", "note", "ok"]


def test_copies_on_two_datasets_are_one_caution_with_advice() -> None:
    rows = [("copied inputs", "warning", name, f"the input is copied in {size} outputs") for name, size in ("a3", "b7")]
    (cause,) = group_causes(checks(*rows))
    assert (cause.names, cause.sentence, cause.advice) == ("a and b", *SEVERAL["copied inputs"])


def test_two_of_a_family_are_named_three_are_counted() -> None:
    assert join_names(["type_a", "type_b"]) == "type_a and type_b"
    assert join_names(["type_a", "type_b", "type_c", "len"]) == "type_* (3) and len"
