"""Mentions of names, numbers and dates in any form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import ceil
from typing import NamedTuple
from unicodedata import decimal

from rainbow.base.caching import cache_by_size
from rainbow.text.words.mentions import NUMBERS, Phrases, find_mentions, mention_words, phrase_key, stem_word

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# Names and adjectives of places that do not begin alike.
PLACES = (
    ("america", "american", "unitedstates", "us", "usa"), ("britain", "british", "uk", "unitedkingdom"),
    ("canada", "canadian"), ("china", "chinese"), ("denmark", "danish"), ("england", "english"),
    ("finland", "finnish"), ("france", "french"),
    ("greece", "greek"), ("ireland", "irish"), ("italy", "italian"), ("netherlands", "dutch"), ("norway", "norwegian"),
    ("philippines", "filipino"), ("poland", "polish"), ("scotland", "scottish"), ("spain", "spanish"),
    ("sweden", "swedish"), ("switzerland", "swiss"), ("thailand", "thai"), ("turkey", "turkish"), ("wales", "welsh"),
)  # fmt: skip
LITTLE = frozenset(["a", "an", "and", "at", "by", "for", "in", "of", "on", "or", "s", "the", "to"])
# Words with a common prefix are forms of one word: at least this many letters, and this share of the longer word.
ROOT, ROOT_SHARE = 4, 0.65
LONGEST_WORD = 40  # letters that are looked at
# A name counts as mentioned if words with this share of its letters are.
NAME_SHARE = 0.6
# A number with this many digits may be rounded, or of another unit of ten.
ROUNDED = 3
LONGEST_NUMBER = 10  # groups of digits

GROUP = 3  # digits between the commas of a number

_DATE = re.compile(r"(\d{1,4})-(\d{1,2})-(\d{1,2})")
_NUMBER = re.compile(r"[-+\u2212]?\d[\d,]*+(?:\.\d++)?(?:[eE][-+]?\d++)?")
_ORDINAL = re.compile(r"0*(\d+)(?:st|nd|rd|th)?")
_PARENTHESES = re.compile(r"\([^()]*+\)")
_CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])")


class TextWords:
    """Words of a text, prepared for many searches."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self.found = frozenset(tokens)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words."""
        return frozenset(map(stem_word, self.found))

    @cached_property
    def roots(self) -> frozenset[str]:
        """Beginnings of the words shared by their other forms."""
        return frozenset(root for word in self.found for root in _word_roots(word))

    @cached_property
    def numbers(self) -> list[list[str]]:
        """Digits of every number, however it is split: ``1,249.5`` is three words."""
        return list(_number_words(self.tokens))

    @cached_property
    def digits(self) -> frozenset[str]:
        """Significant digits of every number, in digits or words, and of its prefixes."""
        begun = (_significant_digits("".join(run[:stop])) for run in self.numbers for stop in range(1, len(run) + 1))
        return frozenset(begun) | {NUMBERS[word] for word in self.found if word in NUMBERS}

    @cached_property
    def days(self) -> frozenset[str]:
        """Integers that may be a day, with or without an ordinal ending."""
        return frozenset(filter(None, (day_number(run[0]) for run in self.numbers if len(run) == 1)))

    @cached_property
    def known_digits(self) -> frozenset[str]:
        """Significant digits of every number, its prefixes and its parts."""
        return self.digits | {_significant_digits(part) for run in self.numbers for part in run}

    def count_extra_numbers(self, requested: TextWords) -> int:
        """Count numbers that the other text lacks, whole and in parts; 0 and 1 never count."""
        return sum(not _is_known_run(run, requested.known_digits) for run in self.numbers if run not in (["0"], ["1"]))


class ValueForms(NamedTuple):
    """Forms of a value: phrases, date, digits, other names and words."""

    phrases: Phrases
    date: tuple[str, int, str] | None
    digits: str
    other_names: frozenset[str]
    words: dict[str, frozenset[str]]


def is_mentioned(value: str, text: TextWords) -> bool:
    """Return whether a text mentions a value."""
    sought = value_forms(value)
    if any(True for _ in find_mentions(text.tokens, sought.phrases)):
        return True
    if sought.date:
        return _is_date_mentioned(*sought.date, text)
    if sought.digits:
        return any(_equals_rounded(sought.digits, digits) for digits in text.digits)
    if not text.found.isdisjoint(sought.other_names):
        return True
    mentioned_length = sum(len(word) for word, forms in sought.words.items() if _is_word_mentioned(word, forms, text))
    return mentioned_length >= NAME_SHARE * sum(map(len, sought.words)) > 0


@cache_by_size(1 << 18)
def value_forms(value: str) -> ValueForms:
    """Return the forms in which a value may be mentioned."""
    value = value.strip()
    plain = _PARENTHESES.sub(" ", value).strip() or value
    date = _DATE.fullmatch(value)
    parts = [word for word in mention_words(_CAMEL.sub(" ", plain)) if word.isalnum()]
    content = [word for word in parts if word not in LITTLE] or parts
    return ValueForms(
        Phrases(filter(None, [phrase_key(value), phrase_key(plain)])),
        (date[1].lstrip("0"), int(date[2]), date[3].lstrip("0")) if date else None,
        _significant_digits(value) if _NUMBER.fullmatch(plain) else "",
        _name_variants(phrase_key(plain)),
        {word: _name_variants(word) | {word} for word in content},
    )


def _name_variants(name: str) -> frozenset[str]:
    return frozenset(other for place in PLACES if name in place for other in place)


def _significant_digits(number: str) -> str:
    """Return the digits of a number without zeros at either end."""
    return ascii_digits(number).strip("0")


def ascii_digits(word: str) -> str:
    """Return the digits of a word, converted from other scripts."""
    return "".join(str(decimal(letter)) for letter in word if letter.isdecimal())


def day_number(word: str) -> str:
    """Return the day that a word such as "3rd" stands for; the empty string if none."""
    day = _ORDINAL.fullmatch(word)
    return day[1] if day else ""


def _number_words(tokens: Sequence[str]) -> Iterator[list[str]]:
    """Return the words of every number, with thousands and decimals."""
    run: list[str] = []
    mark = ""
    for token in tokens:
        if token[0].isdecimal():
            joins = mark == "." or (mark == "," and len(token) == GROUP)
            if run and (not joins or len(run) == LONGEST_NUMBER):
                yield run
                run = []
            run.append(token)
        mark = token
    if run:
        yield run


def _is_known_run(run: Sequence[str], known: frozenset[str]) -> bool:
    whole, parts = _significant_digits("".join(run)), map(_significant_digits, run)
    return any(_equals_rounded(digits, whole) for digits in known) or all(part in known for part in parts)


def _equals_rounded(digits: str, other: str) -> bool:
    """Return whether two numbers have equal digits, the other perhaps rounded or truncated."""
    if digits == other or len(other) < ROUNDED or len(other) >= len(digits):
        return digits == other
    kept = digits[: len(other)]
    return other == kept or (digits[len(other)] >= "5" and other == _significant_digits(str(int(kept) + 1)))


def _is_date_mentioned(year: str, month: int, day: str, text: TextWords) -> bool:
    if year not in text.found:
        return False
    if (month, day) == (1, "1"):
        return True  # placeholder if only the year is known
    named = 0 < month <= len(MONTHS) and any(word.startswith(MONTHS[month - 1]) for word in text.found)
    return day in text.days and (named or str(month) in text.days)


def _is_word_mentioned(word: str, forms: Iterable[str], text: TextWords) -> bool:
    known = not text.found.isdisjoint(forms) or stem_word(word) in text.stems
    return known or not text.roots.isdisjoint(_word_roots(word))


def _word_roots(word: str) -> Iterator[str]:
    """Return the beginnings of a word long enough to identify its other forms."""
    word = word[:LONGEST_WORD]
    return (word[:size] for size in range(max(ROOT, ceil(ROOT_SHARE * len(word))), len(word) + 1))
