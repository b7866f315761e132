"""N-grams are counted as by the twins, whatever the length: texts of up to four machine words are compared by bits."""

import random

import numpy as np
import pytest

from rainbow.metrics import Batch, Metric
from rainbow.metrics.word.bleu import Bleu
from rainbow.metrics.word.chrf.chrf import ChrF
from rainbow.metrics.word.nist.nist import Nist
from rainbow.metrics.word.rouge import RougeN
from tests.metrics.conftest import both

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
