"""BLEU and ROUGE by hand; n-grams are counted as by the twins; words in every script."""

import math
import random

import numpy as np
import pytest

from rainbow.metrics import Batch, Metric
from rainbow.metrics.word.bleu import Bleu
from rainbow.metrics.word.chrf import ChrF
from rainbow.metrics.word.nist import Nist
from rainbow.metrics.word.rouge import RougeL, RougeN
from tests.metrics.conftest import both


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
