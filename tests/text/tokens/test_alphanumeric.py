"""Tokens for ROUGE-N are those of rouge-score for ASCII texts, and words in every script."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.tokenizers import DefaultTokenizer

from rainbow.text.tokens.alphanumeric import alphanumeric_tokens


def rouge_score_tokens(text: str) -> list[str]:
    return DefaultTokenizer(use_stemmer=False).tokenize(text)


@pytest.mark.parametrize(
    "text", ["", "The Inn's 20-25, isn't it?", "a_b\nc\td", "|||", "a\0b", "🍕 pizza", "£5 x4 —", "I ❤️ it ☀️"]
)
def test_tokens_are_those_of_rouge_score(text: str) -> None:
    assert alphanumeric_tokens(text) == rouge_score_tokens(text)


@given(text=st.text(st.characters(max_codepoint=127)))
def test_tokens_of_ascii_texts_are_those_of_rouge_score(text: str) -> None:
    assert alphanumeric_tokens(text) == rouge_score_tokens(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Это дешёвый ресторан.", ["это", "дешёвый", "ресторан"]),
        ("Φθηνό εστιατόριο!", ["φθηνό", "εστιατόριο"]),
        ("مطعم رخيص، بجانب النهر.", ["مطعم", "رخيص", "بجانب", "النهر"]),
        ("नदी के पास।", ["नदी", "के", "पास"]),
        ("ஆற்றின் அருகே", ["ஆற்றின்", "அருகே"]),
        ("강 근처의 식당", ["강", "근처의", "식당"]),
        ("河边的餐馆。便宜", ["河边的餐馆", "便宜"]),
        ("Müllers Café, ²3", ["müllers", "café", "²3"]),
        (unicodedata.normalize("NFD", "Café"), [unicodedata.normalize("NFD", "café")]),
    ],
)
def test_a_token_is_a_word_of_any_script(text: str, tokens: list[str]) -> None:
    assert alphanumeric_tokens(text) == tokens
