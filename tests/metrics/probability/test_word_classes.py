"""Classes of words: what they are, and that shuffled and broken texts are told by their order."""

import random

import numpy as np
import pytest

from rainbow.base import native
from rainbow.datasets import load_dataset
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.probability.word_classes import WordClasses, _compiled_logs, _python_logs
from rainbow.text.ngrams.class_bigrams import load_class_bigrams, token_classes

COMMON = frozenset({"the", "is", "of"})


@pytest.mark.parametrize(("text", "expected"), [
    ("", []),
    ("The cat is of Alan B. Bean.", ["the", "<word>", "is", "of", "<Name>", "<Name>", ".", "<Name>", "."]),
    ("100kW, 3-star", ["<number>", ",", "<number>"]),
    ("ring king's sing-along running", ["<word>", "<-s>", "<word>", "<-ing>"]),
    ("Österreich ist schön", ["<Name>", "<word>", "<word>"]),
])  # fmt: skip
def test_classes(text: str, expected: list[str]) -> None:
    assert token_classes(text, COMMON) == expected


def test_the_table_is_a_bigram_model_of_frequent_words() -> None:
    model, common, digest = load_class_bigrams()
    assert model.order == 2 and not model.documents and len(common) == 300
    assert {"the", "of", "and", "is"} <= common and f"table:{digest}" in WordClasses().signature


@pytest.mark.skipif(not native.kernels(), reason="the kernels are not compiled")
def test_compiled_and_readable_forms_are_equal() -> None:
    outputs = [*load_dataset("demo").frame["output"][:200], "a", "Zorp blint quux vakk.", "\ud800 é ☃ x", "A.B  c"]
    batch, rows = Batch(outputs), range(len(outputs))
    np.testing.assert_array_equal(_compiled_logs(batch, rows), _python_logs(batch, rows))


def test_shuffled_words_are_told_whatever_the_text_is_about() -> None:
    texts = [
        "Alan Bean, who was born in Wheeler, Texas, was a test pilot for NASA.",
        "The film was directed by a man whose mother had come from the north of Italy.",
        "Shares of the company fell by two percent after the report was published on Monday.",
        *load_dataset("demo").frame["references"].str[0][:60],
    ]
    rng = random.Random(1)
    shuffled = [" ".join(rng.sample(words, len(words))) + "." for words in (text.rstrip(".").split() for text in texts)]
    before, after = WordClasses().score(Batch(texts))[:, 1], WordClasses().score(Batch(shuffled))[:, 1]
    assert (after < before).mean() > 0.95


def test_a_text_that_breaks_off_has_an_improbable_end() -> None:
    whole, broken = WordClasses().score(
        Batch(["The inn is in the north of the city.", "The inn is in the north of the"])
    )
    assert whole[2] > broken[2] + 3
