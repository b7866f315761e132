"""The Snowball stemmer for English in the variants of METEOR 1.5 and NLTK.

Porter, M. F. (2001). Snowball: a language for stemming algorithms. The English ("Porter2") stemmer, as its description
defines it.
"""

from __future__ import annotations

import re

from rainbow.base.caching import cache_by_size

_VOWEL = "aeiouy"
_DOUBLE = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
_REGION = re.compile(f"[{_VOWEL}][^{_VOWEL}]")
_SHORT_END = re.compile(f"(?:[^{_VOWEL}][{_VOWEL}][^{_VOWEL}wxY]|^[{_VOWEL}][^{_VOWEL}])$")

_EXCEPTIONS = {
    **{"skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl"},
    **{"gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl"},
    **{word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")},
}
_WHOLE = {"inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"}
_STEP_2 = {
    **{"tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "izer": "ize"},
    **{"ization": "ize", "ational": "ate", "ation": "ate", "ator": "ate", "alism": "al", "aliti": "al", "alli": "al"},
    **{"fulness": "ful", "ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble"},
    **{"bli": "ble", "ogi": "og", "fulli": "ful", "lessli": "less", "li": ""},
}
_STEP_3 = {
    **{"tional": "tion", "ational": "ate", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic"},
    **{"ful": "", "ness": "", "ative": ""},
}
_STEP_4 = {
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent"),
    *("ism", "ate", "iti", "ous", "ive", "ize", "ion"),
}


@cache_by_size(1 << 20)
def stem_as_meteor(word: str) -> str:
    """Return the stem of a lower-case word as METEOR 1.5 computes it."""
    if len(word) <= 2:
        return word
    if word in _EXCEPTIONS:
        return _EXCEPTIONS[word]
    word = _mark_consonant_y(word.removeprefix("'"))
    r1, r2 = _r1_and_r2(word)
    word = _step_1a(_step_0(word))
    if word in _WHOLE:
        return word.replace("Y", "y")
    word = _step_2(_step_1c(_step_1b(word, r1)), r1)
    return _step_5(_step_4(_step_3(word, r1, r2), r2), r1, r2).replace("Y", "y")


def stem_as_nltk(word: str) -> str:
    """Return the stem of a lower-case word as NLTK's ``SnowballStemmer("english")`` computes it."""
    if len(word) <= 2:
        return word
    if word in _EXCEPTIONS:
        return _EXCEPTIONS[word]
    if (one := word.removesuffix("s")) in _WHOLE:
        return one
    word = _mark_consonant_y(word.removeprefix("'"))
    r1, r2 = _r1_and_r2(word)
    word = _step_1a(_step_0(word))
    shorter = _step_1b(word, r1)
    added = shorter.endswith(("ate", "ble", "ize")) and word not in (shorter, shorter + "ing", shorter + "ingly")
    if added and len(shorter) > 5:
        r2 = min(r2, len(shorter) - 1)
    word = _step_1c(shorter)
    shorter = _step_2(word, r1)
    r2 = _updated_r2(word, shorter, ("izer", "ization"), r2)
    word, shorter = shorter, _step_3(shorter, r1, r2)
    r2 = _updated_r2(word, shorter, ("ational",), r2)
    return _step_5(_step_4(shorter, r2), r1, r2).replace("Y", "y")


def _updated_r2(word: str, shorter: str, endings: tuple[str, ...], r2: int) -> int:
    """Return the start of R2 after a step of NLTK's stemmer."""
    ending = _longest_ending(word, endings)
    return len(word) if ending and shorter != word and len(word) - len(ending) < r2 else r2


def _mark_consonant_y(word: str) -> str:
    """Write a consonantal y as Y: at the beginning, or after a vowel."""
    letters = list(word)
    for place, letter in enumerate(letters):
        if letter == "y" and (place == 0 or letters[place - 1] in _VOWEL):
            letters[place] = "Y"
    return "".join(letters)


def _r1_and_r2(word: str) -> tuple[int, int]:
    """Return the starts of the regions R1 and R2."""
    r1 = next((len(p) for p in ("gener", "commun", "arsen") if word.startswith(p)), None)
    if r1 is None:
        r1 = match.end() if (match := _REGION.search(word)) else len(word)
    return r1, match.end() if (match := _REGION.search(word, r1)) else len(word)


def _longest_ending(word: str, endings: object) -> str | None:
    """Return the longest of `endings` that the word ends with."""
    for length in range(min(7, len(word)), 0, -1):
        if word[-length:] in endings:  # type: ignore[operator]
            return word[-length:]
    return None


def _has_vowel(word: str) -> bool:
    return any(letter in _VOWEL for letter in word)


def _step_0(word: str) -> str:
    return word.removesuffix(_longest_ending(word, ("'", "'s", "'s'")) or "")


def _step_1a(word: str) -> str:
    ending = _longest_ending(word, ("sses", "ied", "ies", "us", "ss", "s"))
    if ending == "sses":
        return word[:-2]
    if ending in ("ied", "ies"):
        return word[:-2] if len(word) > 4 else word[:-1]
    if ending == "s" and _has_vowel(word[:-2]):
        return word[:-1]
    return word


def _step_1b(word: str, r1: int) -> str:
    ending = _longest_ending(word, ("eed", "eedly", "ed", "edly", "ing", "ingly"))
    if ending is None:
        return word
    base = word[: -len(ending)]
    if ending.startswith("eed"):
        return base + "ee" if len(base) >= r1 else word
    if not _has_vowel(base):
        return word
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if base.endswith(_DOUBLE):
        return base[:-1]
    return base + "e" if len(base) <= r1 and _SHORT_END.search(base) else base


def _step_1c(word: str) -> str:
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWEL:
        return word[:-1] + "i"
    return word


def _step_2(word: str, r1: int) -> str:
    ending = _longest_ending(word, _STEP_2)
    if ending is None or len(word) - len(ending) < r1:
        return word
    base = word[: -len(ending)]
    if (ending == "ogi" and not base.endswith("l")) or (ending == "li" and base[-1:] not in tuple("cdeghkmnrt")):
        return word
    return base + _STEP_2[ending]


def _step_3(word: str, r1: int, r2: int) -> str:
    ending = _longest_ending(word, _STEP_3)
    if ending is None or len(word) - len(ending) < (r2 if ending == "ative" else r1):
        return word
    return word[: -len(ending)] + _STEP_3[ending]


def _step_4(word: str, r2: int) -> str:
    ending = _longest_ending(word, _STEP_4)
    if ending is None or len(word) - len(ending) < r2:
        return word
    base = word[: -len(ending)]
    return word if ending == "ion" and not base.endswith(("s", "t")) else base


def _step_5(word: str, r1: int, r2: int) -> str:
    base = word[:-1]
    if word.endswith("e") and (len(base) >= r2 or (len(base) >= r1 and not _SHORT_END.search(base))):
        return base
    if word.endswith("ll") and len(base) >= r2:
        return base
    return word
