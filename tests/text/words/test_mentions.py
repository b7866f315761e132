"""Phrases are found however spaced, words however inflected, denials within their clause."""

import pytest

from rainbow.text.words.mentions import (
    GAP,
    Mention,
    find_mentions,
    find_negated,
    has_negation,
    mask_mentions,
    mention_words,
    phrase_key,
    stem_word,
)


@pytest.mark.parametrize(("text", "expected"), [
    ("The Café's menu, £20-25!", ["the", "cafes", "menu", ",", "20", "25", "!"]),
    ("they don't, do n't and can’t", ["they", "do", "not", ",", "do", "not", "and", "ca", "not"]),
    ("snake_case", ["snake", "case"]),
    ("\x00 \U0001f600 |||", []),
])  # fmt: skip
def test_words_are_folded_and_keep_what_ends_a_clause(text: str, expected: list[str]) -> None:
    assert mention_words(text) == expected


@pytest.mark.parametrize(("text", "phrases", "found"), [
    ("in the City Centre", ["citycentre"], ["citycentre"]),
    ("in the citycentre", ["city centre"], ["citycentre"]),
    ("a fast-food place", ["fastfood"], ["fastfood"]),
    ("call 415 555 0100 now", ["4155550100"], ["4155550100"]),
    ("B. B. King", ["bb king"], ["bbking"]),
    ("two restaurants", ["restaurant"], ["restaurant"]),
    ("for dinner", ["inn"], []),
    ("an innkeeper", ["inn"], []),
    ("a business trip", ["business class"], []),
    ("Marnee Thai serves Thai food", ["thai", "marnee thai"], ["marneethai", "thai"]),
    ("x near x and x", ["x"], ["x", "x", "x"]),
])  # fmt: skip
def test_phrases_are_found_however_spaced_and_only_whole(text: str, phrases: list[str], found: list[str]) -> None:
    assert [mention.phrase for mention in find_mentions(mention_words(text), set(map(phrase_key, phrases)))] == found


def test_nothing_is_found_across_a_gap() -> None:
    rest = mask_mentions(mention_words("city inn centre"), [Mention(1, 2, "inn")])
    assert (rest, list(find_mentions(rest, {"citycentre"}))) == (["city", GAP, "centre"], [])


@pytest.mark.parametrize(("text", "denied"), [
    ("it allows dogs", [False]),
    ("it does not allow dogs", [True]),
    ("it doesn't allow dogs", [True]),
    ("dogs are not allowed", [True]),
    ("there are no inns that allow dogs", [False]),
    ("it is not cheap and allows dogs", [False]),
    ("not cheap, dogs welcome", [False]),
    ("it allows dogs, not cats", [False]),
    ("it allows dogs or does not allow dogs", [False, True]),
])  # fmt: skip
def test_a_denial_reaches_as_far_as_its_clause(text: str, denied: list[bool]) -> None:
    assert find_negated(mention_words(text), {stem_word("dog")}) == denied


def test_a_denial_can_be_asked_for_close_by() -> None:
    text = mention_words("no inn of this kind allows dogs")
    assert (find_negated(text, {"dog"}), find_negated(text, {"dog"}, reach=2)) == ([True], [False])


def test_negations_are_words_of_their_own() -> None:
    assert has_negation(mention_words("without internet")) and not has_negation(mention_words("a notable inn"))


@pytest.mark.parametrize(("one", "other"), [
    ("moderate", "moderately"), ("cheap", "cheaply"), ("kid", "kids"), ("avenue", "ave"), ("five", "5")
])  # fmt: skip
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stem_word(one) == stem_word(other)


def test_opposites_have_different_stems() -> None:
    assert stem_word("expensive") != stem_word("inexpensive")
