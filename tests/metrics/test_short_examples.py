"""Short examples of functions in metrics."""

import pytest

from rainbow.meaning import parse_meaning
from rainbow.metrics.contract.registry import word_columns
from rainbow.metrics.general.general_score import GeneralFast, omits_slots, replace_general_options
from rainbow.metrics.grammar.misspellings.spelling import is_accepted_by_rule
from rainbow.metrics.word.bleu import bleu_sums, ngram_counts
from rainbow.metrics.word.chrf import chrf_characters, chrf_words
from rainbow.metrics.word.meaning_similarity import content_words


@pytest.mark.parametrize(("call", "expected"), [
    (lambda: word_columns(["TER", "chrF++", "comet"]), ["TER"]),
    (
        lambda: omits_slots(
            ("Leeds beat York.",), parse_meaning("home: Leeds | away: York | referee: A. Moss | weather: rain")
        ),
        True,
    ),
    (lambda: [metric.references for metric in replace_general_options([GeneralFast()], references=False)], [False]),
    (
        lambda: [is_accepted_by_rule(stem) for stem in ("x", "4th", "specialise", "restarnaut")],
        [True, True, True, False]),
    (
        lambda: bleu_sums(
            ngram_counts(["the", "inn", "is", "cheap"]), [ngram_counts(["the", "inn", "is", "not", "cheap"])]
        ),
        [4, 2, 1, 0, 4, 3, 2, 1, 4, 5],
    ),
    (lambda: chrf_characters("an Inn"), ["a", "n", "I", "n", "n"]),
    (lambda: chrf_words('The "inn" is cheap, (really)...'),
     ["The", '"inn', '"', "is", "cheap", ",", "(really)..", "."]),
    (lambda: content_words("inform(name='The Inn',priceRange=cheap)"),
     ["inform", "name", "inn", "price", "range", "cheap"]),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected
