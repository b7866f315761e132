"""Tokens with capitals and punctuation."""

import pytest

from rainbow.text.tokens.cased_tokens import cased_tokens, count_sentences, is_word


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", ""),
        ("The Inn, near The Inn.", "The Inn , near The Inn ."),
        ("It's not O'Neill's; they don't.", "It 's not O'Neill 's ; they do n't ."),
        ("It\u2019s. Can\u2019t!", "It \u2019s . Ca n\u2019t !"),
        ("non-family-friendly", "non-family-friendly"),
        ("£20-25 or 3.5 of 5,000", "£ 20 - 25 or 3.5 of 5,000"),
        ("'quoted'", "' quoted '"),
        ("Xname 5of5 Café_x", "Xname 5 of 5 Café _ x"),
    ],
)
def test_words_numbers_and_marks_are_tokens(text: str, tokens: str) -> None:
    assert cased_tokens(text) == tokens.split()


def test_hyphens_apart_join_words_where_all_punctuation_stands_apart() -> None:
    assert " ".join(cased_tokens("A kid - friendly pub , £ 20 - 25 .")) == "A kid-friendly pub , £ 20 - 25 ."
    assert " ".join(cased_tokens("A pub - not kid friendly, cheap.")) == "A pub - not kid friendly , cheap ."


def test_words_have_a_letter_or_a_digit() -> None:
    assert list(filter(is_word, cased_tokens("It 's £ 5 - 6 !"))) == ["It", "'s", "5", "6"]


@pytest.mark.parametrize(("text", "sentences"), [("", 0), ("...", 0), ("An inn", 1), ("An inn. A pub?! Yes...", 3)])
def test_a_sentence_has_a_word_and_ends_with_a_mark_or_the_text(text: str, sentences: int) -> None:
    assert count_sentences(cased_tokens(text)) == sentences
