"""Short examples of functions in analysis."""

import numpy as np
import pandas as pd
import pytest

from rainbow.analysis.agreement.ceiling import Repeats, collect_repeats, repeat_reliability
from rainbow.analysis.checks.baselines import check_baselines
from rainbow.analysis.checks.copies import is_rating_copied
from rainbow.analysis.checks.findings import join_listing
from rainbow.analysis.verdicts.candidate_columns import is_rating_copy
from rainbow.analysis.verdicts.verdict import single_rater_agreement


def flat(value: object) -> str:
    return " ".join(repr(value).split())


@pytest.mark.parametrize(("call", "expected"), [
    (
        lambda: flat(
            collect_repeats(
                pd.DataFrame({"dataset": "d", "item": "i", "output": list("abba"), "quality": [1, 2, 3, 4]}), "quality"
            ).values
        ),
        "array([[1., 4.], [2., 3.]])",
    ),
    (
        lambda: round(
            repeat_reliability(
                Repeats(np.array([[1.0, 2.0], [4.0, 4.0], [5.0, 6.0]]), np.zeros((3, 2), dtype=int)), np.arange(3)
            ),
            3,
        ),
        0.922,
    ),
    (lambda: join_listing(["LOLS"]), "LOLS"),
    (lambda: join_listing(["LOLS", "RNNLG", "TGEN"]), "LOLS, RNNLG and TGEN"),
    (lambda: single_rater_agreement(pd.DataFrame({"rating": ["quality"], "measure": ["ICC(1,1)"], "low": [0.4]})),
     {"quality": 0.4}),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected


def test_check_baselines() -> None:
    frame = pd.DataFrame({"dataset": "inns", "system": "A", "item": range(8), "output": ["a", "b c"] * 4})
    frame = frame.assign(TER=[8, 7, 6, 5, 4, 3, 2, 1], quality=[1, 2, 3, 4, 5, 6, 7, 8])
    assert (
        next(check_baselines(frame, ["TER"], ["quality"])).finding
        == "predicts quality with an error of 0.000; length alone 2.981, a constant 2.619 (Spearman -1.00, length 0.22)"
    )


def test_is_copied() -> None:
    turns = pd.DataFrame({"dataset": "d", "system": "s", "item": list("aabbcc"), "whole": [1, 1, 2, 2, 3, 3]})
    assert is_rating_copied(turns, "whole") and not (is_rating_copied(turns.assign(whole=[1, 2, 3, 1, 2, 3]), "whole"))


def test_is_copy() -> None:
    marks = np.array([1.0, 2, 2, 3, 5, 4, 1, 5, 3, 4])
    assert is_rating_copy(10 - 2 * marks, marks) and is_rating_copy(np.round(marks / 2), marks)
    assert not (is_rating_copy(marks[::-1], marks))
