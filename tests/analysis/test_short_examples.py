"""Short examples of functions in analysis."""

import pandas as pd
import pytest

from rainbow.analysis.checks.baselines import check_baselines
from rainbow.analysis.checks.findings import join_listing
from rainbow.analysis.verdicts.verdict import single_rater_agreement


@pytest.mark.parametrize(("call", "expected"), [
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
