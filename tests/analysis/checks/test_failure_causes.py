"""Findings of one kind become one line."""

import pandas as pd

from rainbow.analysis.checks.failure_causes import SEVERAL, group_causes, group_findings, join_names


def checks(*rows: tuple[str, str, str, str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["check", "severity", "subject", "finding"])


def test_findings_that_differ_in_numbers_are_one_group_and_keep_their_sentences() -> None:
    (group,) = group_findings(
        checks(
            ("ties", "warning", "msp", "99 % of 875 outputs, Spearman nan"),
            ("ties", "warning", "pol", "64 % of 875 outputs, Spearman -0.07"),
        )
    )
    assert group.sentence == "… % of 875 outputs, Spearman …"
    assert group.findings == [
        ("msp", "99 % of 875 outputs, Spearman nan"),
        ("pol", "64 % of 875 outputs, Spearman -0.07"),
    ]


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
