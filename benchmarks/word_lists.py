"""`python -m benchmarks.word_lists`: the share of running words that the word lists of pyspellchecker lack."""

from __future__ import annotations

import sys

from spellchecker import SpellChecker
from wordfreq import available_languages, get_frequency_dict

from rainbow.metrics.grammar.misspellings.word_lists import WELL_LISTED, read_word_list


def unknown_share(language: str) -> float:
    """Return the share of running words of a language, by wordfreq's frequencies, that its list lacks."""
    known = {*read_word_list(language)}
    words = {
        word: frequency
        for word, frequency in get_frequency_dict(language, "best").items()
        if len(word) > 1 and word.replace("'", "").isalpha()
    }
    return sum(frequency for word, frequency in words.items() if word not in known) / sum(words.values())


def main() -> None:
    """Write a line for each language."""
    for language in sorted(SpellChecker.languages()):
        if language not in available_languages("best"):
            sys.stdout.write(f"{language}: not measured, no frequencies\n")
        else:
            used = "used" if language in WELL_LISTED else "not used"
            sys.stdout.write(f"{language}: {unknown_share(language):.1%} of the running words unknown, {used}\n")


if __name__ == "__main__":
    main()
