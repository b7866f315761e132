"""Tokens for ROUGE-N are those of rouge-score."""

import pytest
from rouge_score.tokenizers import DefaultTokenizer

from rainbow.text.tokens.alphanumeric import alphanumeric_tokens


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The Inn's £20-25, isn't it?",
        "a_b\nc\td",
        "Café Ünïcode İstanbul ß K",
        "|||",
        "a\0b",
        "🍕 pizza",
        "x 4 x4",
        "٣ ²",
    ],
)
def test_tokens_are_those_of_rouge_score(text: str) -> None:
    assert alphanumeric_tokens(text) == DefaultTokenizer(use_stemmer=False).tokenize(text)
