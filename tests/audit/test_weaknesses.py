"""Kinds of worse texts for which a metric does not reliably fall."""

import pandas as pd

from rainbow import load_dataset
from rainbow.audit.audit import BLIND, ROWS, audit_metrics, audit_sample, sample_rows, weakness_sentence

DEMO = load_dataset("demo")


def shares(names: list[str]) -> "pd.Series[float]":
    return audit_sample(DEMO, names).set_index(["metric", "kind"])["falls"]


def test_a_bag_of_words_does_not_see_order() -> None:
    falls = shares(["BLEU1", "METEOR", "len"])
    assert falls["BLEU1", "swapped-values"] == 0
    assert falls["METEOR", "swapped-values"] >= BLIND
    assert "len" not in falls.index.get_level_values("metric")  # neither more nor less is better


def test_the_shares_are_those_of_an_audit_of_the_same_rows() -> None:
    audited = audit_metrics(sample_rows(DEMO), ["TER"]).set_index("kind")
    for (_, kind), share in shares(["TER"]).items():
        assert share == audited.loc[kind, "falls"]


def test_a_missing_score_is_not_a_fault_that_was_not_seen() -> None:
    audited = audit_metrics(sample_rows(DEMO), ["lm_mean"]).set_index("kind")
    assert audited.loc["empty", "unscored"] == audited.loc["empty", "n"]
    assert ("lm_mean", "empty") not in shares(["lm_mean"]).index


def test_few_rows_are_all_taken_and_many_evenly() -> None:
    assert len(sample_rows(DEMO.take(range(7)))) == 7
    sample = sample_rows(DEMO).frame
    assert len(sample) == ROWS
    assert sample["id"].iloc[[0, -1]].tolist() == DEMO.frame["id"].iloc[[0, -1]].tolist()


def test_a_sentence_names_the_least_visible_faults_first() -> None:
    lines = pd.DataFrame({"kind": ["empty", "truncated", "wrong-value"], "falls": [1.0, 0.5, 0.25]})
    assert weakness_sentence(lines) == (
        "does not reliably fall for 2 of 3 kinds of worse texts: wrong value (25 %), truncated (50 %)"
    )
    assert weakness_sentence(lines[:1]) == "falls for every kind of worse text (1 kind)"
    assert weakness_sentence(lines[:0]) == ""
    many = pd.DataFrame({"kind": [f"kind-{n}" for n in range(7)], "falls": 0.0})
    assert weakness_sentence(many).endswith("kind 4 (0 %), ...")
