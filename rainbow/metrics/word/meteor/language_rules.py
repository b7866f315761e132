"""Words, stems and parameters of METEOR 1.5 in languages other than English."""

from __future__ import annotations

import zipfile
from collections.abc import Set
from dataclasses import dataclass
from functools import cache

from rainbow.base.caching import cache_by_size
from rainbow.metrics.word.meteor.normalisation import meteor_words
from rainbow.metrics.word.meteor.parameters import LANGUAGES, Parameters
from rainbow.metrics.word.meteor.stems import stem_word, utf16_units
from rainbow.programs.meteor_program import JAR, meteor_file
from rainbow.text.tokens.sacrebleu_tokens import tokenise


@dataclass(frozen=True, eq=False)
class LanguageRules:
    """What METEOR has for a language without synonyms and paraphrases."""

    language: str
    parameters: Parameters
    has_stems: bool
    function_words: Set[str]
    prefixes: Set[str]  # abbreviations that keep their full stop

    def split(self, text: str) -> list[str]:
        """Return the lower-cased words of a text, by METEOR's rules for this language or else those of mteval-v14."""
        return list(_split_cached(text, self.language))

    def stem(self, word: str) -> str:
        """Return the stem of a word."""
        return stem_word(word, self.language)


@cache
def language_rules(language: str) -> LanguageRules:
    """Return the rules of a language in :data:`LANGUAGES`, with the word lists that the program contains."""
    known = LANGUAGES[language]
    with zipfile.ZipFile(meteor_file(JAR)) as archive:
        words = frozenset(archive.read("function/english.words").decode().split())
        lines = archive.read(f"nonbreaking/{known.name}.prefixes").decode().split("\n") if known.is_split else []
    prefixes = frozenset(line.strip() for line in lines if line.strip() and "#" not in line)
    return LanguageRules(language, known.parameters, known.has_stems, words, prefixes)


@cache_by_size(1 << 20)
def java_hash(word: str) -> int:
    """Return Java's hash of a string; the program takes words with one hash as equal, such as Czech za and tě."""
    value = 0
    for unit in utf16_units(word):
        value = (31 * value + ord(unit)) & 0xFFFFFFFF
    return value


@cache_by_size(1 << 22)
def _split_cached(text: str, language: str) -> tuple[str, ...]:
    if LANGUAGES[language].is_split:
        return tuple(meteor_words(text, language_rules(language).prefixes, language=language))
    return tuple(tokenise("intl", [text])[0].split())
