"""Detection of the language of a file, from a sample of its texts."""

from __future__ import annotations

import re
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from heapq import nlargest
from pathlib import Path
from typing import Any

ENGLISH = "en"
_DATA = tomllib.loads(Path(__file__).with_name("languages.toml").read_text(encoding="utf-8"))
LANGUAGES: dict[str, str] = _DATA["names"]  # by code
# Written without spaces between words.
UNSPACED = frozenset({"ja", "km", "lo", "my", "th", "zh"})
SAMPLE = 200  # texts of a file that are looked at
FEWEST = 10  # words of the sample in a language with Latin letters
SURE = 0.99  # probability of the language
# Probability of English below which the likeliest language is right: code and names have 0.02 and more, other languages
# below 1e-7, also where it is uncertain which of two similar ones it is.
_NOT_ENGLISH = 1e-5
# A file is in several languages if another one has this share of its texts: at most .03 in seven rated corpora.
_MIXED, _ENOUGH, _TELLING = 0.2, 20, 5  # share, certain texts, words of a text
# Share of function words from which on a text is English: outputs of eleven English corpora have 20 % and more.
_SHARE = 0.12
_FUNCTION_WORDS = frozenset(_DATA["english"]["function_words"].split())
# Without these, function words may be those of Dutch or a Scandinavian language, or of English names.
_OWN_WORDS, _OWN_SHARE = frozenset(_DATA["english"]["own_words"].split()), 0.03
_LATIN = re.compile(r"[^\W\d_]", re.ASCII)
_WORD = re.compile(r"[^\W\d_]+")


def language_name(code: str) -> str:
    """Return the English name of a language."""
    return LANGUAGES.get(code, code)


def languages_with(resource: str) -> frozenset[str]:
    """Return the codes of the languages that a resource is there for."""
    return frozenset(_DATA["resources"][resource].split())


def validate_language(code: str) -> str:
    """Return a language code; raise ValueError if it is unknown."""
    if code in LANGUAGES:
        return code
    meant = {name.lower(): known for known, name in LANGUAGES.items()} | {"nb": "no", "nn": "no"}
    part = re.split("[-_]", code.lower())[0]
    near = meant.get(part, part)
    hint = f"did you mean {near}?" if near in LANGUAGES else f"choose from {', '.join(LANGUAGES)}"
    raise ValueError(f"unknown language {code!r}: {hint}")


def sample_texts(texts: Iterable[str]) -> list[str]:
    """Return the texts to look at: those with the largest checksums, whatever the order."""
    return nlargest(SAMPLE, {*texts}, key=lambda text: (zlib.crc32(text.encode("utf-8", "surrogatepass")), text))


def detect_language(texts: Iterable[str]) -> str | None:
    """Return the code of the language of most of the text; None if it is uncertain."""
    text = " ".join(sample_texts(texts))
    return _certain_language(text) or (ENGLISH if _has_function_words(_WORD.findall(text.lower())) else None)


def _certain_language(text: str) -> str | None:
    """Return the code of the language of a text; None if it is uncertain, or English by its function words alone."""
    words = _WORD.findall(text.lower())
    if not words:
        return None
    if _has_function_words(words) and sum(word in _OWN_WORDS for word in words) >= _OWN_SHARE * len(words):
        return ENGLISH
    is_latin = len(_LATIN.findall(text)) > sum(map(len, words)) / 2
    if is_latin and len(words) < FEWEST:
        return None
    ranking = _identifier().rank(text)
    (code, probability), chances = ranking[0], dict(ranking)
    # Another script is another language anyway.
    is_sure = probability >= SURE or chances[ENGLISH] < _NOT_ENGLISH or not is_latin
    return str(code) if is_sure else None


def _has_function_words(words: Sequence[str]) -> bool:
    return bool(words) and sum(word in _FUNCTION_WORDS for word in words) >= _SHARE * len(words)


def most_common_language(texts: Iterable[str]) -> str | None:
    """Return the code of the language that at least half of the texts are certain to be in; None if there is none."""
    sample = sample_texts(texts)
    code, count = Counter(map(_certain_language, sample)).most_common(1)[0] if sample else (None, 0)
    return code if 2 * count >= len(sample) else None


def other_languages(texts: Iterable[str], language: str | None) -> dict[str, float]:
    """Return the shares of texts in other languages, of those whose language is certain; none for few texts."""
    words = {text: _WORD.findall(text.lower()) for text in sample_texts(texts)}
    # Another script may have no spaces between words.
    letters = {text: "".join(own) for text, own in words.items()}
    long = {text for text in words if len(letters[text]) >= FEWEST and not _LATIN.search(letters[text])}
    telling = [text for text in words if len(words[text]) >= _TELLING or text in long]
    if language == ENGLISH and sum(not _has_function_words(words[text]) for text in telling) < _MIXED * len(telling):
        return {}  # without a model
    found = Counter(filter(None, map(_certain_language, telling)))
    size = found.total()
    if language is None or size < _ENOUGH:
        return {}
    others = ((code, count / size) for code, count in found.most_common() if code != language)
    return {code: share for code, share in others if share >= _MIXED}


@lru_cache(maxsize=1)
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(LANGUAGES))
    return identifier
