"""Tokens of mteval-v13a."""

import pytest

from rainbow.text.tokens.mteval import mteval_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", ""),
        ("X's pub, near Y.", "x's pub , near y ."),
        ("3.5 stars, 1,000 seats", "3.5 stars , 1,000 seats"),
        ("a 5-star caf\u00e9 (new)", "a 5 - star caf\u00e9 ( new )"),
        ("&quot;R&amp;B&quot; &lt;3", '" r & b " < 3'),
        ("price\u00a310 \U0001f355", "price\u00a310 \U0001f355"),
    ],
)
def test_texts_are_split_as_mteval_does(text: str, tokens: str) -> None:
    assert mteval_tokens(text) == tokens.split()
