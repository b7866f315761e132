"""Punctuation is dropped, everything else kept in its order."""

import pytest

from rainbow.text.tokens.punctuation import drop_punctuation


@pytest.mark.parametrize("token", ["?!", "...", "--", "…", "«", ""])
def test_punctuation_is_dropped(token: str) -> None:
    assert drop_punctuation(["a", token, "b"]) == ["a", "b"]


@pytest.mark.parametrize("token", ["x.", "'s", "-lrb-", "20-25", "|", "\U0001f600", "£"])
def test_words_numbers_and_symbols_are_kept(token: str) -> None:
    assert drop_punctuation([token]) == [token]
