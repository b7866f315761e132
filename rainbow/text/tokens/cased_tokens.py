"""Tokens that keep case and punctuation, split clitics and keep hyphenated words whole."""

import re

_LETTERS = r"[^\W\d_]+"
_APOSTROPHE = r"['\u2019]"
_CLITIC = rf"{_APOSTROPHE}(?:s|m|d|re|ve|ll)(?![^\W_])"
_NOT = rf"n{_APOSTROPHE}t(?![^\W_])"
_TOKEN = re.compile(
    rf"{_NOT}|{_CLITIC}|[^\W\d_]+?(?={_NOT})|{_LETTERS}(?:-{_LETTERS}|(?!{_CLITIC}){_APOSTROPHE}{_LETTERS})*"
    r"|\d+(?:[.,]\d+)*|[^\w\s]|_",
    re.IGNORECASE,
)

# In tokenised text, punctuation and hyphens inside words are separate tokens.
_TOKENISED = re.compile(r"\s[.,!?;](?:\s|$)")
_HYPHEN_APART = re.compile(r"(?<=[^\W\d_]) - (?=[^\W\d_])")


def cased_tokens(text: str) -> list[str]:
    """Return the words, numbers and punctuation marks of a text with their case."""
    if _TOKENISED.search(text):
        text = _HYPHEN_APART.sub("-", text)
    return _TOKEN.findall(text)


def is_word(token: str) -> bool:
    """Return whether a token of :func:`cased_tokens` is a word or a number, not punctuation."""
    return any(map(str.isalnum, token))


def count_sentences(tokens: list[str]) -> int:
    """Return the number of sentences: runs with a word up to `.`, `!`, `?` or the end."""
    count, words = 0, False
    for token in [*tokens, "."]:
        if token in {".", "!", "?"}:
            count += words
            words = False
        else:
            words = words or is_word(token)
    return count
