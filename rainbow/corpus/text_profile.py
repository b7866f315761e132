"""Counts of empty outputs and of scripts without spaces between words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.text.languages.detection import (
    ENGLISH,
    UNSPACED,
    detect_language,
    language_name,
    most_common_language,
    other_languages,
    sample_texts,
)

if TYPE_CHECKING:
    import regex


class _Script(NamedTuple):
    """A script that is written without spaces between words."""

    characters: str  # of a class of characters, as `regex` has it
    longest: float  # mean characters of a run up to which the runs are words


# A word has 1.6 characters on average in Chinese, 2 to 3 in Japanese, 4 to 7 with vowel signs in the others. A clause
# has at least twice as many.
_SCRIPTS = {
    "Chinese or Japanese": _Script(r"\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー", 3.5),
    "Thai": _Script(r"\p{Script=Thai}", 10),
    "Lao": _Script(r"\p{Script=Lao}", 10),
    "Khmer": _Script(r"\p{Script=Khmer}", 10),
    "Burmese": _Script(r"\p{Script=Myanmar}", 10),
}
# The share of characters from which on a script matters; a foreign name in a text stays below it.
_SHARE = 0.1
_NAMED = 4  # columns in a sentence


UNSPACED_ADVICE = "Use chrF++, which compares characters, or segment the texts into words first"


class Language(NamedTuple):
    """The code of a language, None if it is uncertain, and whether its texts are written without spaces here."""

    code: str | None
    is_unspaced: bool


class TextProfile:
    """Running counts of outputs, empty outputs and characters of unspaced scripts."""

    def __init__(self) -> None:
        self.outputs = self.empty = self._characters = 0
        self._sample = list[str]()
        self._in_script = Counter[str]()
        self._runs = Counter[str]()

    def add(self, texts: Iterable[str]) -> None:
        """Add outputs to the counts."""
        texts = list(texts)
        self._sample = sample_texts([*self._sample, *texts])
        for text in texts:
            self.outputs += 1
            self.empty += not text.strip()
            self._characters += len(text) - text.count(" ")
            if not text.isascii() and _unspaced_pattern().search(text):
                for name, runs in _run_patterns().items():
                    matches = runs.findall(text)
                    self._in_script[name] += sum(map(len, matches))
                    self._runs[name] += len(matches)

    def join(self, other: TextProfile) -> None:
        """Add the counts of another profile."""
        self.outputs += other.outputs
        self.empty += other.empty
        self._characters += other._characters
        self._sample = sample_texts([*self._sample, *other._sample])
        self._in_script.update(other._in_script)
        self._runs.update(other._runs)

    def language(self, given: str | None = None) -> Language:
        """Return the language of the outputs, as given or detected."""
        code = given or detect_language(self._sample)
        if not given and code != ENGLISH:  # of a mixture, what most texts are in
            code = most_common_language(self._sample) or code
        return Language(code, (code is None or code in UNSPACED) and bool(self.unspaced_scripts()))

    def mixture_warning(self, code: str | None) -> str:
        """Return a warning if many outputs are in another language than this one; empty if not."""
        shares = other_languages(self._sample, code).items()
        if not shares:
            return ""
        others = " and ".join(f"{share:.0%} are {language_name(other)}" for other, share in shares)
        return f"the outputs are taken as {language_name(str(code))}, but {others}: score one language at a time"

    def unspaced_scripts(self) -> dict[str, float]:
        """Return the unspaced scripts with their shares of the characters."""
        shares = {name: count / self._characters for name, count in self._in_script.items() if count}
        return {
            name: share
            for name, share in shares.items()
            if share >= _SHARE and self._in_script[name] / self._runs[name] > _SCRIPTS[name].longest
        }

    def unspaced_problem(self) -> str:
        """Return a phrase naming the unspaced scripts; empty if there are none."""
        results = [f"{share:.0%} of the characters are {name}" for name, share in self.unspaced_scripts().items()]
        return f"{' and '.join(results)}, written without spaces between words" if results else ""

    def unspaced_warning(self, columns: Sequence[str]) -> str:
        """Return a warning for word-based columns on unspaced scripts; empty if there is nothing to warn of."""
        problem = self.unspaced_problem() if columns else ""
        more = f" and {len(columns) - _NAMED} more" if len(columns) > _NAMED else ""
        named = ", ".join(columns[:_NAMED]) + more
        return f"{problem}: {named} would treat a clause as one word. {UNSPACED_ADVICE}" if problem else ""

    def empty_warning(self) -> str:
        """Return a sentence with the number of empty outputs; empty if there are none."""
        return f"empty outputs: {self.empty} of {self.outputs}; they are scored as empty texts" if self.empty else ""


def profile_outputs(frame: pd.DataFrame) -> TextProfile:
    """Return the profile of the outputs of a table."""
    profile = TextProfile()
    profile.add(frame["output"])
    return profile


def separate_characters(texts: Sequence[str]) -> tuple[str, ...]:
    """Return texts with a space around each character of an unspaced script."""
    pattern = _unspaced_pattern()
    return tuple(text if text.isascii() else " ".join(pattern.sub(r" \g<0> ", text).split()) for text in texts)


def text_lengths(outputs: Sequence[str]) -> FloatArray:
    """Return the length of every output in words, or characters for unspaced scripts; shape (n,)."""
    profile = TextProfile()
    profile.add(outputs)
    if profile.unspaced_scripts():
        return np.array([len("".join(text.split())) for text in outputs], dtype=float)
    return np.array([len(text.split()) for text in outputs], dtype=float)


@lru_cache(maxsize=1)
def _unspaced_pattern() -> regex.Pattern[str]:
    import regex

    return regex.compile(f"[{''.join(script.characters for script in _SCRIPTS.values())}]")


@lru_cache(maxsize=1)
def _run_patterns() -> dict[str, regex.Pattern[str]]:
    import regex

    return {name: regex.compile(f"[{script.characters}]+") for name, script in _SCRIPTS.items()}
