"""LanguageTool inside this process: where its rules of English find something in a text."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

from rainbow.base.fetched import locate_file, missing_files
from rainbow.base.caching import TextCache
from rainbow.programs.bundles import bundle
from rainbow.programs.jvm import Java, java, java_string, missing_java

LONGEST_STRING = 5_000  # characters: some seconds of ordinary text, up to 20 s of dots alone

# Spelling is counted elsewhere, by a word list whose names can be told, and no dialect of English is wrong.
SWITCHED_OFF = ("TYPOS", "MULTITOKEN_SPELLING", "BRITISH_ENGLISH", "AMERICAN_ENGLISH_STYLE")

# A checker serves one thread at a time, takes seconds to make and some 40 MB.
AT_ONCE = 4

_lock = threading.Lock()
_turn = threading.BoundedSemaphore(AT_ONCE)
_idle: list[Any] = []  # checkers that no thread has borrowed


class Match(NamedTuple):
    """Where a rule finds something: from character `start` up to and without `stop`; rule and category by their ids."""

    start: int
    stop: int
    rule: str
    category: str


_remembered = TextCache[str, tuple[Match, ...] | None](50_000)


def missing_languagetool() -> str | None:
    """Say what this machine lacks to run LanguageTool, and how to mend it; None if it lacks nothing."""
    return missing_java() or missing_files(bundle("languagetool"))


def find_matches(texts: Sequence[str], threads: int = 1) -> list[tuple[Match, ...] | None]:
    """Return what LanguageTool's rules of (American) English find in each text; None where a text is too long."""
    return _remembered.of(texts, partial(_checked, threads=threads))


def _checked(texts: Sequence[str], threads: int) -> list[tuple[Match, ...] | None]:
    with _borrowed():  # in this thread, so that what is missing is told before any thread is started
        pass
    if threads <= 1 or len(texts) == 1:
        return [_check(text) for text in texts]
    with ThreadPoolExecutor(min(threads, AT_ONCE, len(texts)), "languagetool") as pool:
        return list(pool.map(_check, texts))


def _check(text: str) -> tuple[Match, ...] | None:
    if not text.strip() or len(text) > LONGEST_STRING:
        return None if text.strip() else ()
    place = _places(text)
    with _borrowed() as checker:
        return tuple(
            Match(place(found.getFromPos()), place(found.getToPos()), str(rule.getId()), str(category))
            for found in checker.check(java_string(text))
            for rule in [found.getRule()]
            for category in [rule.getCategory().getId()]
        )


def _places(text: str) -> Any:
    """Return a function from Java's places in a text to Python's: Java counts signs beyond U+FFFF twice."""
    if text.isascii() or max(text) <= "\uffff":
        return int
    ends = list(accumulate(2 if sign > "\uffff" else 1 for sign in text))
    return lambda place: bisect_left(ends, place + 1)


@contextmanager
def _borrowed() -> Iterator[Any]:
    """Lend a checker to this thread; the first one in the process loads the rules."""
    if not _idle and (lacking := missing_languagetool()):
        raise RuntimeError(lacking)
    with _turn, java(*map(locate_file, bundle("languagetool"))) as jpype:
        with _lock:
            checker = _idle.pop() if _idle else _new(jpype)
        try:
            yield checker
        finally:
            _idle.append(checker)


def _new(jpype: Java) -> Any:
    language = jpype.JClass("org.languagetool.language.AmericanEnglish")()
    checker = jpype.JClass("org.languagetool.JLanguageTool")(language)
    for rule in checker.getAllActiveRules():
        if rule.isDictionaryBasedSpellingRule():
            checker.disableRule(rule.getId())
    category = jpype.JClass("org.languagetool.rules.CategoryId")
    for name in SWITCHED_OFF:
        checker.disableCategory(category(name))
    return checker
