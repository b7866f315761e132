"""Folding to plain lower-case spelling."""

import pytest

from rainbow.text.tokens.folding import fold_text


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("", ""),
        ("The CAFE", "the cafe"),
        ("Café", "cafe"),
        ("cafe\u0301", "cafe"),
        ("it’s", "it's"),
        ("ﬁne", "fine"),
        ("Å\u00a0b", "a b"),
        ("Straße 料理 🍕", "straße 料理 🍕"),
        ("a\0\n", "a\0\n"),
    ],
)
def test_folding_gives_the_plain_lower_case_spelling(text: str, folded: str) -> None:
    assert fold_text(text) == folded
