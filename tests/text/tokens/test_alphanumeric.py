"""Tokens for ROUGE-N, mteval-v13a and cased texts; folding to plain spelling, and punctuation that is dropped."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.tokenizers import DefaultTokenizer

from rainbow.text.tokens.alphanumeric import alphanumeric_tokens
from rainbow.text.tokens.cased_tokens import cased_tokens, count_sentences, is_word
from rainbow.text.tokens.folding import fold_text
from rainbow.text.tokens.mteval import mteval_tokens
from rainbow.text.tokens.punctuation import drop_punctuation


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


@pytest.mark.parametrize(("text", "tokens"), [
    ("Это дешёвый ресторан.", ["это", "дешёвый", "ресторан"]),
    ("Φθηνό εστιατόριο!", ["φθηνό", "εστιατόριο"]),
    ("مطعم رخيص، بجانب النهر.", ["مطعم", "رخيص", "بجانب", "النهر"]),
    ("नदी के पास।", ["नदी", "के", "पास"]),
    ("ஆற்றின் அருகே", ["ஆற்றின்", "அருகே"]),
    ("강 근처의 식당", ["강", "근처의", "식당"]),
    ("河边的餐馆。便宜", ["河边的餐馆", "便宜"]),
    ("Müllers Café, ²3", ["müllers", "café", "²3"]),
    (unicodedata.normalize("NFD", "Café"), [unicodedata.normalize("NFD", "café")]),
])  # fmt: skip
def test_a_token_is_a_word_of_any_script(text: str, tokens: list[str]) -> None:
    assert alphanumeric_tokens(text) == tokens


@pytest.mark.parametrize(("text", "tokens"), [
    ("", ""),
    ("The Inn, near The Inn.", "The Inn , near The Inn ."),
    ("It's not O'Neill's; they don't.", "It 's not O'Neill 's ; they do n't ."),
    ("It\u2019s. Can\u2019t!", "It \u2019s . Ca n\u2019t !"),
    ("non-family-friendly", "non-family-friendly"),
    ("£20-25 or 3.5 of 5,000", "£ 20 - 25 or 3.5 of 5,000"),
    ("'quoted'", "' quoted '"),
    ("Xname 5of5 Café_x", "Xname 5 of 5 Café _ x"),
])  # fmt: skip
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


@pytest.mark.parametrize(("text", "folded"), [
    ("", ""),
    ("The CAFE", "the cafe"),
    ("Café", "cafe"),
    ("cafe\u0301", "cafe"),
    ("it’s", "it's"),
    ("ﬁne", "fine"),
    ("Å\u00a0b", "a b"),
    ("Straße 料理 🍕", "straße 料理 🍕"),
    ("a\0\n", "a\0\n"),
])  # fmt: skip
def test_folding_gives_the_plain_lower_case_spelling(text: str, folded: str) -> None:
    assert fold_text(text) == folded


@pytest.mark.parametrize(("text", "tokens"), [
    ("", ""),
    ("X's pub, near Y.", "x's pub , near y ."),
    ("3.5 stars, 1,000 seats", "3.5 stars , 1,000 seats"),
    ("a 5-star caf\u00e9 (new)", "a 5 - star caf\u00e9 ( new )"),
    ("&quot;R&amp;B&quot; &lt;3", '" r & b " < 3'),
    ("price\u00a310 \U0001f355", "price\u00a310 \U0001f355"),
])  # fmt: skip
def test_texts_are_split_as_mteval_does(text: str, tokens: str) -> None:
    assert mteval_tokens(text) == tokens.split()


@pytest.mark.parametrize("token", ["?!", "...", "--", "…", "«", ""])
def test_punctuation_is_dropped(token: str) -> None:
    assert drop_punctuation(["a", token, "b"]) == ["a", "b"]


@pytest.mark.parametrize("token", ["x.", "'s", "-lrb-", "20-25", "|", "\U0001f600", "£"])
def test_words_numbers_and_symbols_are_kept(token: str) -> None:
    assert drop_punctuation([token]) == [token]
