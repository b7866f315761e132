"""ROUGE-L is that of the MS-COCO tools, ROUGE-N that of rouge-score."""

from pathlib import Path

import pytest

from rainbow.metrics import Batch, Metric
from rainbow.metrics.word.rouge import RougeL, RougeN
from tests.metrics.conftest import both
from tests.metrics.real_rows import dialogue_rows, largest_difference, restaurant_rows

ROWS = pytest.mark.parametrize(("rows", "count"), [(dialogue_rows, 1000), (restaurant_rows, 100)])
BOTH = pytest.mark.parametrize("metric", [RougeL(), RougeN()], ids=lambda metric: metric.name)


def scored(metric: Metric, output: str, *references: str) -> list[float]:
    return metric.score(Batch([output], [references]))[0].tolist()


@pytest.mark.once
@ROWS
def test_rouge_l_equals_pycocoevalcap(data_dir: Path, rows, count: int) -> None:
    batch, (tool,) = rows(data_dir, count), RougeL.tools
    theirs = tool.scores(batch)
    for ours in both(lambda: RougeL().score(batch)):
        assert largest_difference("ROUGE", ours, theirs) <= 1e-9


@pytest.mark.once
@ROWS
def test_rouge_n_equals_rouge_score(data_dir: Path, rows, count: int) -> None:
    batch, (tool,) = rows(data_dir, count), RougeN.tools
    theirs = tool.scores(batch)
    for ours in both(lambda: RougeN().score(batch)):
        assert largest_difference("ROUGE1..4", ours, theirs) <= 1e-9


def test_rouge_l_takes_precision_and_recall_from_different_references() -> None:
    # precision 3/3 from the first (a b c in a x b y c z), recall 2/2 from the second
    assert scored(RougeL(), "a b c", "a x b y c z", "b c") == pytest.approx([1.0])
    # 2 tokens in order: precision 2/3, recall 2/4
    assert scored(RougeL(), "b a c", "a x b c") == pytest.approx([2.44 * (2 / 3) * 0.5 / (0.5 + 1.44 * 2 / 3)])


def test_rouge_n_is_the_best_f1_over_the_references() -> None:
    # against "a b d": 2 of 3 and 2 of 3 unigrams, 1 of 2 and 1 of 2 bigrams; against "c": 1 of 3 and 1 of 1
    assert scored(RougeN(), "a b c", "a b d", "c") == pytest.approx([2 / 3, 1 / 2, 0, 0])


def test_rouge_n_counts_a_repeated_token_as_often_as_both_have_it() -> None:
    assert scored(RougeN(), "the the the", "the inn the bar")[0] == pytest.approx(2 * 2 / (3 + 4))


def test_rouge_n_is_zero_where_a_text_is_too_short_for_an_n_gram() -> None:
    assert scored(RougeN(), "an inn", "an inn") == [1, 1, 0, 0]


@BOTH
def test_an_identical_reference_is_best(metric: Metric) -> None:
    assert scored(metric, "The inn is cheap.", "no", "The inn is cheap.") == [1] * len(metric.columns)
