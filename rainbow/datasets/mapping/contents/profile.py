"""What stands in a column: texts, numbers, a few words, and of what kind."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from numbers import Real
from typing import Any, Literal, NamedTuple

import numpy as np

from rainbow.corpus.corpus_table import NO_VALUE
from rainbow.datasets.mapping.contents.names import any_of, one_of, role_by_name, words_of
from rainbow.datasets.mapping.contents.scales import scale_of
from rainbow.datasets.shapes.cells import has_lists, is_list, is_missing, mark_of, only_of

__all__ = ["SHORT", "ColumnKind", "Profile", "are_codes", "are_dates", "are_links", "correlation", "profile_of"]

ColumnKind = Literal["empty", "number", "marks in words", "names", "text", "list", "object"]

# Dates and times, lists of numbers, addresses, links, and what machines name things by.
_CODE = re.compile(
    r"[\d\s.:/+,\-]*\d[\d\s.:/+,\-TZ]*(?: ?[AaPp]\.?[Mm]\.?)?(?: ?(?:UTC|GMT|CET|CEST|MEZ|MESZ|[A-Z]{3})(?:[+\-]\d+)?)?"
    r"|[\s\[\](),;:.+\-\deE]+|\S+@\S+\.\w+|https?://\S+|(?=\S*\d)[0-9a-fA-F\-]{8,}|R_\w+"
)
_DATE = re.compile(r"\d{1,4}([/.\-])\d{1,2}\1\d{1,4}(?:[ T,].*)?")
_LINK = re.compile(r"https?://\S+|\S+\.(?:jpe?g|png|gif|webp|svg|bmp|tiff?|wav|mp3|mp4)", re.IGNORECASE)
_NOT_PARTED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")  # Thai, Japanese, Chinese
SHORT = 4  # words: names of systems, raters and kinds are not longer, on average
LONG = 30  # letters, of a name of several words
_POINTS = 11  # a scale has at most
_CODES = 200  # cells that are looked at
_OF_LETTERS = one_of("score scores")  # which may be letters, too
FEW = 0.5  # of the cells: so many different names there are at most


class Profile(NamedTuple):
    """A column.

    Attributes
    ----------
    name
        The column.
    kind
        What most of its cells are.
    rows
        What stands in it, row by row.
    cells
        The same without empty cells.
    texts
        The same as texts, whatever it is written as.
    numbers
        Marks as numbers, if they are.
    scale
        Words that stand for marks, the worst first; none where there are numbers.
    words
        How many words a cell has, on average.
    """

    name: str
    kind: ColumnKind
    rows: Sequence[Any]
    cells: tuple[Any, ...]
    texts: tuple[str, ...]
    numbers: tuple[float, ...] = ()
    scale: tuple[str, ...] = ()
    words: float = 0.0

    @property
    def distinct(self) -> int:
        """How many different values there are."""
        return len({*self.texts})

    @property
    def is_text(self) -> bool:
        """Whether outputs, inputs or references may stand here."""
        return self.kind in ("text", "list", "object")

    @property
    def is_mark(self) -> bool:
        """Whether these may be marks: numbers, or words for them."""
        return self.kind in ("number", "marks in words")

    @property
    def whole_marks(self) -> bool:
        """Whether these are whole marks on a scale of few points, or from 0 to 100."""
        if not self.numbers:
            return False
        whole = all(number == int(number) for number in self.numbers)
        low, high, points = min(self.numbers), max(self.numbers), len({*self.numbers})
        few = points <= 11 and high - low <= 10 and points > 2
        return (
            whole
            and not self.counts_rows
            and low >= -5
            and (few or (high <= 100 and 11 < points <= 101 and len(self.numbers) > points))
        )

    @property
    def mean_marks(self) -> bool:
        """Whether these are means of two to five whole marks on a scale of few points."""
        low, high = min(self.numbers, default=-1), max(self.numbers, default=0)
        whole = any(all(abs(n * of - round(n * of)) < 0.01 * of for n in self.numbers) for of in range(2, 6))
        return whole and not self.counts_rows and low >= 0 and 1 < high <= 10 and len({*self.numbers}) > 2

    @property
    def counts_rows(self) -> bool:
        """Whether these are the numbers of rows, in whatever order: longer than any scale, from 0 or 1."""
        low, high = min(self.numbers, default=-1), max(self.numbers, default=0)
        return low in (0, 1) and high - low + 1 == len({*self.numbers}) == len(self.rows) > _POINTS


def profile_of(name: str, cells: Sequence[Any], decimal: str | None = None) -> Profile:
    """Return what stands in a column.

    Examples
    --------
    >>> profile_of("quality", ["4", "", "5"]).numbers, profile_of("who", ["A", "B", "A", "A"]).kind
    ((4.0, 5.0), 'names')
    >>> profile_of("mark", ["agree", "Neutral", "agree"]).scale
    ('disagree', 'neutral', 'agree')
    """
    if has_lists(cells):
        cells = _chosen(cells)
    filled = tuple(cell for cell in cells if not _is_empty(cell))
    texts = tuple(cell if isinstance(cell, str) else _written(cell) for cell in filled)
    if not filled:
        return Profile(name, "empty", cells, (), ())
    if 2 * sum(isinstance(cell, dict) for cell in filled) > len(filled):
        return Profile(name, "object", cells, filled, texts)
    if has_lists(filled) and 2 * sum(map(is_list, filled)) > len(filled):
        return Profile(name, "list", cells, filled, texts)
    numbers = [mark_of(cell, (), decimal) for cell in filled]
    marks = tuple(float(number) for number in numbers if isinstance(number, Real) and math.isfinite(number))
    if len(marks) >= 0.9 * len(filled):
        return Profile(name, "number", cells, filled, texts, marks)
    scale = scale_of(texts)
    lettered = len(scale) > 2 and all(len(word) == 1 for word in scale)  # letters are names too
    if scale and (not lettered or role_by_name(name) == "rating" or any_of(words_of(name), _OF_LETTERS)):
        return Profile(name, "marks in words", cells, filled, texts, scale=scale)
    words = sum(map(_words_in, texts)) / len(texts)
    few = len({*texts}) <= max(2.0, FEW * len(texts))
    longest = max(len(text.split()) for text in texts)
    letters = sum(map(len, texts)) / len(texts)
    short = words <= SHORT and (letters <= LONG or longest == 1) and (few or longest == 1) and not _lists(texts)
    kind: ColumnKind = "names" if short or are_codes(texts) else "text"
    return Profile(name, kind, cells, filled, texts, words=words)


def are_codes(texts: Sequence[str]) -> bool:
    """Return whether these are dates, addresses or identifiers, and no language.

    Examples
    --------
    >>> are_codes(["2024-01-05 10:22:01", "6/15/2017 01:18 PM"]), are_codes(["in 2024", "an inn"])
    (True, False)
    """
    return all(_CODE.fullmatch(text.strip()) for text in texts[:_CODES])


def are_dates(texts: Sequence[str]) -> bool:
    """Return whether these are dates, with a time or without.

    Examples
    --------
    >>> are_dates(["18/10/2024 17:28:27", "2024-01-05"]), are_dates(["12, 14, 18"])
    (True, False)
    """
    return all(_DATE.fullmatch(text.strip()) for text in texts[:_CODES])


def are_links(texts: Sequence[str]) -> bool:
    """Return whether these are addresses, or files, of pictures and pages.

    Examples
    --------
    >>> are_links(["https://example.org/1"]), are_links(["val/12.jpg"]), are_links(["a bar."])
    (True, True, False)
    """
    return bool(texts) and all(_LINK.fullmatch(text.strip()) for text in texts[:_CODES])


def correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Pearson's correlation of two columns of as many numbers; NaN where one of them says nothing.

    Examples
    --------
    >>> correlation([1, 2, 4], [2, 4, 8]), correlation([1, 2], [3, 3])
    (1.0, nan)
    """
    with np.errstate(all="ignore"):
        return float(np.corrcoef(one, other)[0, 1].round(12)) if len(one) > 1 else math.nan


def _is_empty(cell: Any) -> bool:
    return is_missing(cell) or (isinstance(cell, str) and cell.strip().lower() in NO_VALUE)


def _chosen(cells: Sequence[Any]) -> Sequence[Any]:
    """Return what lists of one text hold, where these are a few choices; other cells as they are."""
    choices = [only_of(cell) for cell in cells]
    texts = all(isinstance(cell, str) or is_missing(cell) for cell in choices)
    return choices if texts and len({*choices}) <= FEW * len(choices) else cells


def _written(cell: Any) -> str:
    return json.dumps(cell, ensure_ascii=False, default=str) if isinstance(cell, (dict, list, tuple)) else str(cell)


def _words_in(text: str) -> float:
    """Return how many words a text has, of a script that does not part them half of its letters."""
    return len(text.split()) + len(_NOT_PARTED.findall(text)) / 2


def _lists(texts: Sequence[str]) -> bool:
    return all(text.lstrip().startswith(("[", "{")) for text in texts)
