"""Characters and words as chrF++ counts them."""

from string import punctuation


def chrf_characters(text: str) -> list[str]:
    """Return the characters of a text that are no blanks, in their case."""
    return list("".join(text.split()))


def chrf_words(text: str) -> list[str]:
    """Return the words of a text in their case, one punctuation mark (of ASCII) taken off behind, or else in front."""
    return [part for word in text.split() for part in _parts(word)]


def _parts(word: str) -> tuple[str, ...]:
    if len(word) > 1 and word[-1] in punctuation:
        return word[:-1], word[-1]
    if len(word) > 1 and word[0] in punctuation:
        return word[0], word[1:]
    return (word,)
