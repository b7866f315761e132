"""Stems of METEOR 1.5 in languages other than English.

The program has the Snowball stemmers of 2010. Those of snowballstemmer 2.2 differ for some letters and endings, which
were found by comparing the stems of several hundred thousand words. Such letters are exchanged before a word is stemmed
and restored in its stem.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from rainbow.base.caching import cache_by_size

_PACKAGE = "snowballstemmer"
_VERSION = "2.2"
SNOWBALL = f"{_PACKAGE} {_VERSION}"
_STEMMERS = {
    **{"da": "Danish", "de": "German", "es": "Spanish", "fi": "Finnish", "fr": "French", "hu": "Hungarian"},
    **{"it": "Italian", "nl": "Dutch", "no": "Norwegian", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian"},
    **{"sv": "Swedish", "tr": "Turkish"},
}
_FIRST, _SECOND = "\ue000", "\ue001"  # consonants that no stemmer knows
_DOUBLE = r"\1(?!\1)"  # the last two of a run

_FRENCH_VOWEL = "[aeiouyâàëéêèïîôûù]"
_FRENCH_START = rf"(?:{_FRENCH_VOWEL}{{2}}.|par|col|tap|(?!{_FRENCH_VOWEL}{{2}}|par|col|tap).+?{_FRENCH_VOWEL})"
_FRENCH_ENDING = re.compile(rf"^({_FRENCH_START}.*gu)ë(s?)$")
_PORTUGUESE_REGION = "(?:.*?(?:[aeiouáéíóúâêô][^aeiouáéíóúâêôãõ]|[ãõ])){2}"
_SPANISH_ENDING = re.compile(rf"^({_PORTUGUESE_REGION}.*)uci(?:ón|ones)$")
_FINNISH_PARTICLE = "(?:ni|si|nsa|nsä|mme|nne)?(?:kin|kaan|kään|ko|kö|han|hän|pa|pä|sti)?$"
_FINNISH_CASE = re.compile(
    rf"s+(?=(?:iin|een){_FINNISH_PARTICLE})|d+(?=en{_FINNISH_PARTICLE})"
    rf"|t+(?=ten{_FINNISH_PARTICLE})|(?<=t)t(?=en{_FINNISH_PARTICLE})"
)


@cache
def stems_problem() -> str | None:
    """Return why stems would not be those of METEOR, and what to install; None if they are."""
    try:
        installed = version(_PACKAGE)
    except PackageNotFoundError:
        return f"{_PACKAGE} is not installed: pip install '{_PACKAGE}>=2.2,<3'"
    if installed.startswith(f"{_VERSION}."):
        return None
    return f"stems of {_PACKAGE} {installed} differ from those of METEOR 1.5: pip install '{_PACKAGE}>=2.2,<3'"


@cache_by_size(1 << 20)
def stem_word(word: str, language: str) -> str:
    """Return the stem of a word in a language of METEOR 1.5."""
    units = utf16_units(word)
    exchanged = _EXCHANGES.get(language, str)(units)
    stem: str = _stemmer_class(language)().stemWord(exchanged)
    pairs = zip(stem, exchanged, units, strict=False)
    restored = "".join(unit if letter == other else letter for letter, other, unit in pairs)
    return (restored + stem[len(restored) :]).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


@cache
def _stemmer_class(language: str) -> Any:
    """Return the stemmer in Python: the package itself would use another version of Snowball if PyStemmer is there."""
    name = _STEMMERS[language]
    return getattr(import_module(f"{_PACKAGE}.{name.lower()}_stemmer"), f"{name}Stemmer")


def utf16_units(word: str) -> str:
    """Return the word with a character per UTF-16 unit, which the program counts."""
    if max(word, default="") <= "\uffff":
        return word
    data = word.encode("utf-16-le", "surrogatepass")
    return "".join(chr(data[place] | data[place + 1] << 8) for place in range(0, len(data), 2))


def _danish(word: str) -> str:
    """Show double characters that are not letters as double consonants, which are reduced."""
    return re.sub(rf"([^a-zæøå]){_DOUBLE}", "qq", word)


def _german(word: str) -> str:
    """Keep the second s of -niss-."""
    return re.sub("niss(?=(?:e|en|es|em|er|ern)s?$)", f"nis{_FIRST}", word)


def _finnish(word: str) -> str:
    """Hide the endings -siin, -seen, -den and -tten, and show every other character as a consonant."""
    letters: list[str] = []
    for place, letter in enumerate(word):
        if re.match("[a-zäö]", letter):
            letters.append(letter)
        elif place and word[place - 1] == letter:
            letters.append(letters[-1])
        else:
            adjacent = (*letters[-1:], *word[place + 1 : place + 2])
            letters.append(next(consonant for consonant in "qxz" if consonant not in adjacent))
    return _FINNISH_CASE.sub(_hide_consonants, "".join(letters))


def _hide_consonants(match: re.Match[str]) -> str:
    return ("x" if match.string[: match.start()].endswith("w") else "w") * len(match[0])


def _french(word: str) -> str:
    """Show ï and ë as plain vowels, and the ending -guë as -gue where it is long enough."""
    return _FRENCH_ENDING.sub(r"\1e\2", word).translate(str.maketrans("ïë", "ùù"))


def _hungarian(word: str) -> str:
    """Show õ and û as the long vowels ő and ű, and hide ő and ű."""
    return word.translate(str.maketrans("őűõû", f"{_FIRST}{_SECOND}őű"))


def _portuguese(word: str) -> str:
    """Show the Spanish endings -ución and -uciones as -ução, and hide -ução and -uções."""
    if _SPANISH_ENDING.match(word):
        return _SPANISH_ENDING.sub(r"\1ução", word)
    return re.sub("(?<=u)ç(?=(?:ão|ões)$)", _FIRST, word)


def _russian(word: str) -> str:
    """Hide the vowel ё."""
    return word.replace("ё", _FIRST)


_EXCHANGES: dict[str, Callable[[str], str]] = {
    **{"da": _danish, "de": _german, "fi": _finnish, "fr": _french, "hu": _hungarian},
    **{"pt": _portuguese, "ru": _russian},
}
