"""Parameters of METEOR 1.5 by language, as the program prints them in its evaluation id."""

from __future__ import annotations

from typing import NamedTuple

from rainbow.text.languages.detection import ENGLISH


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
