"""METEOR's own word splitting (`-norm`), applied to any tokens.

The rules were found by asking the program about several million strings, so an odd rule is a fact about that program
and not a choice. Their order matters: each works on what the one before it left.
"""

from __future__ import annotations

import re
from collections.abc import Set
from functools import cache

from rainbow.text.languages.detection import ENGLISH

FRENCH = "fr"

_LETTER = "A-Za-zÀ-ÖØ-öø-žЀ-ԧᴀ-ᵿ"
_DIGIT = "0-9"
_KNOWN = rf"{_LETTER}{_DIGIT} \t\n\x0b\f\r"

# Replacements before any splitting.
_SAME = (("[‘’`]", "'"), ("[“”]", '"'), ("–", " - "), ("''", '"'), ("--", "-"))
_SPLIT = (
    (rf"([^{_KNOWN}.',-])", r" \1 "),
    (r"(\.\.+)", r" \1 "),
    (rf"([^{_DIGIT}]),([^{_DIGIT}])", r"\1 , \2"),  # a comma stays in a number only
    (rf"([{_DIGIT}]),([^{_DIGIT}])", r"\1 , \2"),
    (rf"([^{_DIGIT}]),([{_DIGIT}])", r"\1 , \2"),
)
_HYPHENS = ((rf"([{_LETTER}{_DIGIT}.])-([{_LETTER}{_DIGIT}])", r"\1 \2"),)
# Apostrophes stay before the rest of an English word, behind the start of a French one, and with no other word.
_APOSTROPHES = {
    ENGLISH: (
        (rf"([^{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
        (rf"([^{_LETTER}{_DIGIT}])'([{_LETTER}])", r"\1 ' \2"),
        (rf"([{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
        (rf"([{_LETTER}])'([{_LETTER}])", r"\1 '\2"),
        (rf"([{_DIGIT}])'(s)", r"\1 '\2"),
    ),
    FRENCH: (
        (rf"([^{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
        (rf"([^{_LETTER}])'([{_LETTER}])", r"\1 ' \2"),
        (rf"([{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
        (rf"([{_LETTER}])'([{_LETTER}])", r"\1' \2"),
    ),
}
_OTHER_APOSTROPHES = (("'", " ' "),)
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_OTHER_BLANK = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")  # a word of its own until all is split
_HAS_LETTER = re.compile(f"[{_LETTER}]")
_CONTROLS = "".join(map(chr, range(33)))  # what Java trims


def meteor_words(
    text: str, prefixes: Set[str] = frozenset(), numeric: Set[str] = frozenset(), language: str = ENGLISH
) -> list[str]:
    """Return the lower-cased words of a text as METEOR 1.5 splits it with `-norm`."""
    text = f" {text} "
    for rule, to in _rules(language):
        text = rule.sub(to, text)
    words = [word for word in _BLANKS.split(text) if word]
    parted = [_split_full_stop(word, "".join(words[i + 1 : i + 2]), prefixes, numeric) for i, word in enumerate(words)]
    line = " ".join(word for word in parted if not _OTHER_BLANK.fullmatch(word))
    return line.strip(_CONTROLS).lower().split(" ") if line.strip(_CONTROLS) else []


@cache
def _rules(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Return the replacements of a language in order."""
    rules = (*_SAME, *_SPLIT, *_APOSTROPHES.get(language, _OTHER_APOSTROPHES), *_HYPHENS)
    return [(re.compile(pattern), to) for pattern, to in rules]


def _split_full_stop(word: str, following: str, prefixes: Set[str], numeric: Set[str]) -> str:
    """Split a final full stop from its word, except in abbreviations."""
    before = word[:-1]
    if not word.endswith(".") or not before.strip("."):
        return word
    if "." in before and _HAS_LETTER.search(before):
        return word.replace(".", "")
    if before in prefixes or "a" <= following[:1] <= "z" or (before in numeric and "0" <= following[:1] <= "9"):
        return word
    return f"{before} ."
