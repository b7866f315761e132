"""BLEU, ROUGE and chrF++ by hand, as their twins count, and as the tools that people use."""

import math
import random

import numpy as np
import pytest
from sacrebleu.metrics.chrf import CHRF

import rainbow.metrics.word.chrf as chrf_module
from rainbow.metrics import Batch, Metric
from rainbow.metrics.word.bleu import Bleu
from rainbow.metrics.word.chrf import ChrF
from rainbow.metrics.word.nist import Nist
from rainbow.metrics.word.rouge import RougeL, RougeN
from rainbow.metrics.word.ter.ter import Ter
from tests.metrics.conftest import both
from tests.metrics.real_rows import dialogue_rows, largest_difference, restaurant_rows


def scored(metric: Metric, output: str, *references: str) -> list[float]:
    return metric.score(Batch([output], [references]))[0].tolist()


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


def bleu(output: str, *references: str) -> list[float]:
    return Bleu().score(Batch([output], [references]))[0].tolist()


def test_a_sentence_is_scored_as_by_hand() -> None:
    # 4 of 5 words, 2 of 4 pairs (the inn, inn is), 1 of 3 triples (the inn is), no quadruple
    expected = [4 / 5, (4 / 5 * 2 / 4) ** (1 / 2), (4 / 5 * 2 / 4 * 1 / 3) ** (1 / 3)]
    assert bleu("the inn is not cheap", "the inn is cheap", "an inn")[:3] == pytest.approx(expected, abs=1e-6)


def test_an_n_gram_counts_as_often_as_in_one_reference() -> None:
    assert bleu("the the the", "the inn the", "the bar is")[0] == pytest.approx(2 / 3, abs=1e-6)


def test_the_reference_nearest_in_length_counts_and_the_shorter_of_two() -> None:
    assert bleu("a b c d", "a b c d e f", "a b x")[0] == pytest.approx(1, abs=1e-6)
    assert bleu("a b c d", "a b c d e f", "x y")[0] == pytest.approx(1, abs=1e-6)
    assert bleu("a b c d", "a b c d e f", "x")[0] == pytest.approx(math.exp(1 - 6 / 4), abs=1e-6)


def test_no_match_gives_a_tiny_number_that_still_tells_orders_apart() -> None:
    none, unigrams = bleu("x y z v", "a b c d"), bleu("c a d b", "a b c d")
    assert 0 < none[3] < unigrams[3] < 1e-3


def test_two_tokens_equal_to_their_reference_have_no_trigram() -> None:
    assert bleu("an inn", "an inn") == pytest.approx([1, 1, 0.01, 0.001], rel=1e-6)


LENGTHS = [0, 1, 2, 4, 5, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 300]


def batch_of(blank: str) -> Batch:
    """Return an output and three references of each length, made of few words, so that many are shared and repeated."""
    rng = random.Random(1)

    def text(length: int, words: str) -> str:
        return blank.join(rng.choices(words, k=length))

    outputs = [text(length, words) for length in LENGTHS for words in ("ab", "abcdefghij")]
    references = [
        [text(rng.randint(1, 300), words) for _ in range(3)] for _ in LENGTHS for words in ("ab", "abcdefghij")
    ]
    return Batch(outputs, references)


@pytest.mark.once
@pytest.mark.parametrize("metric", [Bleu(), RougeN(), Nist(), Nist(as_published=True), ChrF()], ids=repr)
@pytest.mark.parametrize("blank", [" ", ""])
def test_texts_of_any_length_share_what_the_twin_counts(metric: Metric, blank: str) -> None:
    batch = batch_of(blank)
    fitted = metric.fit(batch)
    ours, theirs = both(lambda: fitted.score(batch))
    np.testing.assert_allclose(ours, theirs, rtol=1e-14, atol=0)
    ours, theirs = both(lambda: fitted.compute_sums(batch, range(len(batch))))
    np.testing.assert_allclose(ours, theirs, rtol=1e-14, atol=0)


def chrf(output: str, *references: str) -> float:
    return ChrF().score(Batch([output], [references]))[0, 0]


def test_two_letters_are_scored_as_by_hand() -> None:
    # characters: 2 of 3 and 2 of 2, pairs 1 of 2 and 1 of 1, words 0 of 1 and 0 of 1; no text has the other orders
    precision, recall = (2 / 3 + 1 / 2 + 0) / 3, (1 + 1 + 0) / 3
    assert chrf("abc", "ab") == pytest.approx(100 * 5 * precision * recall / (4 * precision + recall))


def test_the_best_reference_counts() -> None:
    assert chrf("the inn is cheap", "no", "the inn") == chrf("the inn is cheap", "the inn")


@pytest.mark.parametrize("change", [{"char_order": 5}, {"beta": 3}, {"whitespace": True}, {"lowercase": True}])
def test_the_signature_changes_when_the_scorer_does_something_else(change, monkeypatch) -> None:
    signature = ChrF().signature
    monkeypatch.setattr("sacrebleu.metrics.chrf.CHRF", lambda **options: CHRF(**options | change))
    chrf_module._scorer_fingerprint.cache_clear()
    try:
        assert ChrF().signature != signature
    finally:
        chrf_module._scorer_fingerprint.cache_clear()


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
