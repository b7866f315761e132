"""Network vocabularies, and texts as word numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rainbow.text.words.words_and_punctuation import text_words

# Indices of unknown words and of the end of a text; the known words follow.
UNKNOWN, END = 0, 1
FIRST = 2
# A word that occurs once represents all unknown words.
MIN_COUNT = 2


def known_words(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the words that occur at least twice in the texts, sorted."""
    counts = Counter(word for text in texts for word in text_words(text))
    return tuple(sorted(word for word, count in counts.items() if count >= MIN_COUNT))


def number_words(texts: Sequence[str], places: Mapping[str, int]) -> list[list[int]]:
    """Return every text as word numbers followed by the end token; `places` maps known words."""
    return [
        [*(places[word] + FIRST if word in places else UNKNOWN for word in text_words(text)), END] for text in texts
    ]
