"""Parameters, words and stems of METEOR 1.5 by language."""

from __future__ import annotations

import zipfile
from collections.abc import Set
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from rainbow.base.caching import cache_by_size
from rainbow.metrics.word.meteor.normalisation import meteor_words
from rainbow.metrics.word.meteor.stems import stem_word, utf16_units
from rainbow.programs.meteor_program import JAR, meteor_file
from rainbow.text.languages.detection import ENGLISH
from rainbow.text.tokens.sacrebleu_tokens import tokenise


class Parameters(NamedTuple):
    """Parameters of the score: P and R weighted by `alpha`, the fragmentation penalty, and content words by `delta`."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]  # of exact matches, stems, synonyms, paraphrases


class Language(NamedTuple):
    """What METEOR 1.5 has for a language, without its paraphrases."""

    program: str  # code that the program accepts
    name: str  # of the program's word lists
    parameters: Parameters
    has_stems: bool = True
    is_split: bool = False  # whether `-norm` splits its words and punctuation

    @property
    def modules(self) -> tuple[str, ...]:
        """Names of the modules that match words."""
        return ("exact", "stem") if self.has_stems else ("exact",)


ENGLISH_PARAMETERS = Parameters(0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6))
UNIVERSAL = Parameters(0.75, 1.4, 0.7, 0.5, (1.0, 0.5))

# By ISO 639-1. Czech has no stemmer; Arabic is read in Buckwalter's transliteration only.
LANGUAGES = {
    "cs": Language("cz", "czech", Parameters(0.95, 0.2, 0.6, 0.8, (1.0,)), has_stems=False, is_split=True),
    "da": Language("da", "danish", UNIVERSAL),
    "de": Language("de", "german", Parameters(0.95, 1.0, 0.55, 0.55, (1.0, 0.8)), is_split=True),
    "es": Language("es", "spanish", Parameters(0.65, 1.3, 0.5, 0.8, (1.0, 0.8)), is_split=True),
    "fi": Language("fi", "finnish", UNIVERSAL),
    "fr": Language("fr", "french", Parameters(0.9, 1.4, 0.6, 0.65, (1.0, 0.2)), is_split=True),
    "hu": Language("hu", "hungarian", UNIVERSAL),
    "it": Language("it", "italian", UNIVERSAL),
    "nl": Language("nl", "dutch", UNIVERSAL),
    "no": Language("no", "norwegian", UNIVERSAL),
    "pt": Language("pt", "portuguese", UNIVERSAL),
    "ro": Language("ro", "romanian", UNIVERSAL),
    "ru": Language("ru", "russian", UNIVERSAL, is_split=True),
    "sv": Language("se", "swedish", UNIVERSAL),
    "tr": Language("tr", "turkish", UNIVERSAL),
}
PARAMETERS = {ENGLISH: ENGLISH_PARAMETERS} | {code: language.parameters for code, language in LANGUAGES.items()}


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
