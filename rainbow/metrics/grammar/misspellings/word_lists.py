"""The word lists of pyspellchecker."""

from functools import cache

from rainbow.base.fingerprint import fingerprint

# Of their running words, at most 9 % are unknown; the lists of Spanish, Russian and Persian lack 23 to 30 %
# (`python -m benchmarks.word_lists`), and Basque could not be measured.
WELL_LISTED = frozenset({"ar", "de", "en", "fr", "it", "lv", "nl", "pt"})


@cache
def word_list_fingerprint(language: str) -> str:
    """Return a fingerprint of a word list, equal for pyspellchecker releases with equal words."""
    return fingerprint(read_word_list(language))


@cache
def read_word_list(language: str) -> list[str]:
    """Return the words of a language, in order."""
    from spellchecker import SpellChecker

    return sorted(SpellChecker(language=language, distance=1).word_frequency.dictionary)
