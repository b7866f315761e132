"""Which published pairs are told apart by Williams' test, and which by the default."""

import pandas as pd
import pytest

from rainbow.analysis.differences.metric_differences import metric_differences
from tests.analysis.differences.test_metric_differences import GRAMMAR_BASED, WORD_BASED

TESTS = ("williams", "jackknife")
RATINGS = ["informativeness", "naturalness", "quality"]


@pytest.mark.published
def test_how_many_pairs_of_stored_scores_are_told_apart_by_either_test(stored: pd.DataFrame) -> None:
    metrics = [*WORD_BASED, *GRAMMAR_BASED]
    directions = {name: name not in ("TER",) for name in metrics}
    for by in ("dataset", "all"):
        tests = [metric_differences(stored, metrics, RATINGS, directions, by=by, test=name) for name in TESTS]
        found = pd.concat([table["p_holm"] < 0.05 for table in tests], axis=1, keys=TESTS)
        for dataset, rows in found.groupby(tests[0]["dataset"], sort=False):
            both = rows.all(axis=1)
            lost, won = (rows[name] & ~both for name in TESTS)
            print(dataset, len(rows), *rows.sum(), "lost", lost.sum(), "won", won.sum())
            assert lost.sum() < 40 and not won.any()
