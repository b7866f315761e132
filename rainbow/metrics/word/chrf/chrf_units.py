"""Characters and words as chrF++ counts them."""

from string import punctuation


def chrf_characters(text: str) -> list[str]:
    """Return the characters of a text without whitespace, preserving case."""
    return list("".join(text.split()))


def chrf_words(text: str) -> list[str]:
    """Return the words of a text, one trailing or else leading ASCII punctuation mark split off."""
    return [part for word in text.split() for part in _split_punctuation(word)]


def _split_punctuation(word: str) -> tuple[str, ...]:
    if len(word) > 1 and word[-1] in punctuation:
        return word[:-1], word[-1]
    if len(word) > 1 and word[0] in punctuation:
        return word[0], word[1:]
    return (word,)
