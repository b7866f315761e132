"""LanguageTool inside this process: rule matches in a text."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

from rainbow.base.caching import TextCache
from rainbow.base.downloads import locate_file, missing_files
from rainbow.programs.bundles import bundle_files
from rainbow.programs.jvm import Java, attach_java, java_string, java_unavailable_reason, map_in_threads

LONGEST_STRING = 5_000  # characters: some seconds of ordinary text, up to 20 s of dots alone

# Spelling is counted by another metric, whose word list can be extended; no dialect of English is wrong.
SWITCHED_OFF = ("TYPOS", "MULTITOKEN_SPELLING", "BRITISH_ENGLISH", "AMERICAN_ENGLISH_STYLE")

# A checker serves one thread at a time, takes seconds to make and some 40 MB.
AT_ONCE = 4

_lock = threading.Lock()
_turn = threading.BoundedSemaphore(AT_ONCE)
_idle: list[Any] = []  # checkers that no thread has borrowed


class Match(NamedTuple):
    """A rule match: characters from `start` up to but excluding `stop`, with rule and category IDs."""

    start: int
    stop: int
    rule: str
    category: str


_remembered = TextCache[str, tuple[Match, ...] | None](50_000)


def languagetool_unavailable_reason() -> str | None:
    """Return what is missing to run LanguageTool and how to fix it; None if nothing."""
    return java_unavailable_reason() or missing_files(bundle_files("languagetool"))


def find_matches(texts: Sequence[str], threads: int = 1) -> list[tuple[Match, ...] | None]:
    """Return the rule matches (American English) in each text; None if a text is too long."""
    check = partial(map_in_threads, _check, threads=min(threads, AT_ONCE), prepare=_borrow_checker)
    return _remembered.get_or_compute(texts, check)


def _check(text: str) -> tuple[Match, ...] | None:
    if not text.strip() or len(text) > LONGEST_STRING:
        return None if text.strip() else ()
    # From Java's positions in the string to Python's: Java counts some characters twice.
    ends = list(accumulate(2 if sign > "\uffff" else 1 for sign in text))

    def place(position: int) -> int:
        return bisect_left(ends, position + 1)

    with _borrow_checker() as checker:
        return tuple(
            Match(place(results.getFromPos()), place(results.getToPos()), str(rule.getId()), str(category))
            for results in checker.check(java_string(text))
            for rule in [results.getRule()]
            for category in [rule.getCategory().getId()]
        )


@contextmanager
def _borrow_checker() -> Iterator[Any]:
    """Lend a checker to this thread; the first one loads the rules."""
    with _turn, attach_java(*map(locate_file, bundle_files("languagetool"))) as jpype:
        with _lock:
            checker = _idle.pop() if _idle else _new_checker(jpype)
        try:
            yield checker
        finally:
            _idle.append(checker)


def _new_checker(jpype: Java) -> Any:
    language = jpype.JClass("org.languagetool.language.AmericanEnglish")()
    checker = jpype.JClass("org.languagetool.JLanguageTool")(language)
    for rule in checker.getAllActiveRules():
        if rule.isDictionaryBasedSpellingRule():
            checker.disableRule(rule.getId())
    category = jpype.JClass("org.languagetool.rules.CategoryId")
    for name in SWITCHED_OFF:
        checker.disableCategory(category(name))
    return checker
