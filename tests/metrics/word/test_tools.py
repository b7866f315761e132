"""Metrics of words are those of the tools that people use, compiled and in Python, on published rows."""

import pytest

from rainbow.metrics.word.bleu import Bleu
from rainbow.metrics.word.chrf import ChrF
from rainbow.metrics.word.rouge import RougeL, RougeN
from rainbow.metrics.word.ter.ter import Ter
from tests.metrics.conftest import both
from tests.metrics.real_rows import dialogue_rows, largest_difference, restaurant_rows


@pytest.mark.once
@pytest.mark.parametrize(("metric", "rows", "count", "within"), [
    (Bleu(), dialogue_rows, 1000, 1e-9), (Bleu(), restaurant_rows, 200, 1e-9),  # pycocoevalcap
    (RougeL(), dialogue_rows, 1000, 1e-9), (RougeL(), restaurant_rows, 100, 1e-9),  # pycocoevalcap
    (RougeN(), dialogue_rows, 1000, 1e-9), (RougeN(), restaurant_rows, 100, 1e-9),  # rouge-score
    (ChrF(), dialogue_rows, 1000, 0), (ChrF(), restaurant_rows, 200, 0),  # sacrebleu, over a corpus of one
    (Ter(), dialogue_rows, 1000, 1e-9),  # sacrebleu
    pytest.param(Ter(), restaurant_rows, 20, 1e-9, marks=pytest.mark.slow),
])  # fmt: skip
def test_scores_equal_those_of_the_tool(data_dir, metric, rows, count: int, within: float) -> None:
    batch, (tool,) = rows(data_dir, count), metric.tools
    theirs = tool.scores(batch)
    for ours in both(lambda: metric.score(batch)):
        assert largest_difference(metric.name, ours, theirs) <= within
