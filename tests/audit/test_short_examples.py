"""Short examples of functions in audit."""

import pytest

from rainbow.audit.audit import Corpus, metric_scorer
from rainbow.audit.audit_rows import Random, rotate_randomly, value_alternatives
from rainbow.audit.phrases import carrier_phrase
from rainbow.audit.spans import fix_article, match_case, mentioned_values, spaced_word_spans, starts_sentence
from rainbow.meaning import parse_meaning


def flat(value: object) -> str:
    return " ".join(repr(value).split())


@pytest.mark.parametrize(("call", "expected"), [
    (lambda: metric_scorer(Corpus.from_texts(["a pub"]), "len")(Corpus.from_texts(["an inn"])).tolist(), [5.0]),
    (
        lambda: flat(
            [
                (value.slots[0].name, value.places)
                for value in mentioned_values(
                    "The Inn: city centre.", parse_meaning("inform(name=inn,area=citycentre)")
                )
            ]
        ),
        "[('name', (Span(start=4, stop=7),)), ('area', (Span(start=9, stop=20),))]",
    ),
    (lambda: [position for position in range(8) if starts_sentence("Hi. A b", position)], [0, 3, 4]),
    (lambda: match_case("Chez Nous", "the grand is cheap."), "chez nous"),
    (lambda: match_case("Chez Nous", "The Grand is cheap."), "Chez Nous"),
    (lambda: fix_article("It is a", "expensive inn"), "It is an"),
    (lambda: fix_article("It is a ", "cheap inn"), "It is a "),
    (lambda: fix_article("an", "18 inns"), "an"),
    (lambda: sorted(rotate_randomly("abc", Random(1))), ["a", "b", "c"]),
    (lambda: sorted(value_alternatives("city centre or soma")), ["citycentre", "soma"]),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected


def test_carrier() -> None:
    text = [
        "the", "inn", "is", "a", "cheap", "pub", "in", "soma", "that", "serves", "thai", "food", "and", "allows",
        "dogs",
    ]  # fmt: skip
    cuts = [carrier_phrase(text, place, place + 1, {1, 4, 7, 10, 14} - {place}) for place in (1, 4, 7, 10, 14)]
    assert [" ".join(text[cut.start : cut.stop]) for cut in cuts] == [
        "the inn", "cheap", "in soma", "serves thai food and", "and allows dogs"
    ]  # fmt: skip


def test_split_words() -> None:
    text = "A (family-friendly) inn."
    assert [text[start:stop] for start, stop in spaced_word_spans(text)] == ["A", "family-friendly", "inn"]
