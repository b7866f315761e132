"""`python -m benchmarks.word_lists`: how well word lists and syllables suit other languages, by wordfreq."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from spellchecker import SpellChecker
from wordfreq import available_languages, get_frequency_dict

from rainbow.metrics.grammar.misspellings.spelling import WELL_LISTED, read_word_list
from rainbow.metrics.grammar.readability.other_languages import counter

RUSSIAN_VOWELS = re.compile("[аеёиоуыэюя]")


def share_of_words(language: str, holds: Callable[[str], bool]) -> float:
    """Return the share of the running words of a language, those of one letter left out, that something holds for."""
    words = {
        word: frequency
        for word, frequency in get_frequency_dict(language, "best").items()
        if len(word) > 1 and word.replace("'", "").isalpha()
    }
    return sum(frequency for word, frequency in words.items() if holds(word)) / sum(words.values())


def unknown_share(language: str) -> float:
    """Return the share of running words that the list of a language lacks."""
    known = {*read_word_list(language)}
    return share_of_words(language, lambda word: word not in known)


def has_vowel(word: str) -> bool:
    """Return whether a Russian word has a vowel, so that it has syllables."""
    return RUSSIAN_VOWELS.search(word) is not None


def has_right_syllables(word: str) -> bool:
    """Return whether as many syllables as vowels are counted in a Russian word."""
    return has_vowel(word) and counter("ru").count(word).syllables == len(RUSSIAN_VOWELS.findall(word))


def main() -> None:
    """Write a line for each word list, and one for the syllables of Russian."""
    for language in sorted(SpellChecker.languages()):
        if language not in available_languages("best"):
            sys.stdout.write(f"{language}: not measured, no frequencies\n")
        else:
            used = "used" if language in WELL_LISTED else "not used"
            sys.stdout.write(f"{language}: {unknown_share(language):.1%} of the running words unknown, {used}\n")
    right = share_of_words("ru", has_right_syllables) / share_of_words("ru", has_vowel)
    sys.stdout.write(f"ru: {right:.1%} of the running words have the right number of syllables\n")


if __name__ == "__main__":
    main()
