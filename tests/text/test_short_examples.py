"""Short examples of functions in text."""

import pytest

from rainbow.text.ngrams.class_bigrams import class_tokens
from rainbow.text.ngrams.document_frequencies import CollectionFrequencies
from rainbow.text.ngrams.ngram_counts import max_counts, ngram_counts
from rainbow.text.tokens.punctuation import ptb_words
from rainbow.text.words.words_and_punctuation import word_spans


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            lambda: class_tokens("Alan Bean was born in Wheeler, Texas."),
            ["<Name>", "<Name>", "was", "<word>", "in", "<Name>", ",", "<Name>", "."],
        ),
        (
            lambda: [round(CollectionFrequencies(4, {("the",): 2}).weight((token,)), 3) for token in ("the", "inn")],
            [0.693, 1.386],
        ),
        (lambda: max_counts([ngram_counts(["an", "an", "inn"]), ngram_counts(["inn", "inn"])])[0]["inn",], 2),
        (lambda: ptb_words("The inn, what?!"), ["the", "inn", "what"]),
        (lambda: word_spans("An inn."), [(0, 2), (3, 6), (6, 7)]),
    ],
)
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected
