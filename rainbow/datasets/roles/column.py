"""Columns of a table: cells, their kind, and their features."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any, Literal
from zlib import crc32

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.corpus.corpus_table import NO_VALUE
from rainbow.datasets.lexicon import word_classes
from rainbow.datasets.roles.scales import detect_scale
from rainbow.datasets.shapes.cell_values import are_chats, has_lists, is_list, is_missing, rating_value, unwrap_list

Kind = Literal["empty", "number", "words", "names", "text", "list", "object"]

# Dates and times, lists of numbers, addresses, links, and machine-made identifiers.
_CODE = re.compile(
    r"[\d\s.:/+,\-]*\d[\d\s.:/+,\-TZ]*(?: ?[AaPp]\.?[Mm]\.?)?(?: ?(?:UTC|GMT|CET|CEST|MEZ|MESZ|[A-Z]{3})(?:[+\-]\d+)?)?"
    r"|[\s\[\](),;:.+\-\deE]+|\S+@\S+\.\w+|https?://\S+|(?=\S*\d)[0-9a-fA-F\-]{8,}|R_\w+"
)
_DATE = re.compile(
    r"\d{1,4}([/.\-])\d{1,2}\1\d{1,4}(?:[ T,].*)?|[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ [\d:]+ .*\d{4}|\d+:\d\d(:\d\d)?.*"
)
_LINK = re.compile(r"https?://\S+|\S+\.(?:jpe?g|png|gif|webp|svg|bmp|tiff?|wav|mp3|mp4)", re.IGNORECASE)
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")  # Thai, Japanese, Chinese
_SENTENCE_END = (".", "!", "?", "。", "！", "？", "।")
SHORT = 4  # words: names of systems, raters and kinds are not longer, on average
LONG = 30  # letters, of a name of several words
POINTS = 11  # most points of a scale
SAMPLE = 300  # cells that patterns are tried on
MAX_DISTINCT_SHARE = 0.5  # largest share of distinct cells in a column of names


@dataclass(frozen=True)
class Column:
    """A column of a table; `rows` are its cells, `kind` is the kind of most of them."""

    name: str
    kind: Kind
    rows: Sequence[Any]
    texts: tuple[str, ...]
    numbers: tuple[float, ...] = ()
    scale: tuple[str, ...] = ()
    words: float = 0.0

    @cached_property
    def distinct(self) -> int:
        """Number of different filled cells."""
        return len({*self.texts})

    @property
    def is_text(self) -> bool:
        """Whether the column may hold outputs, inputs or references."""
        return self.kind in ("text", "list", "object")

    @property
    def is_mark(self) -> bool:
        """Whether the column may hold ratings: numbers, or words of a scale."""
        return self.kind in ("number", "words")

    @cached_property
    def sample(self) -> tuple[str, ...]:
        """At most SAMPLE nonempty cells as texts, evenly spaced."""
        return self.texts[:: max(1, len(self.texts) // SAMPLE)]

    @cached_property
    def codes(self) -> IntArray:
        """An integer for each row, shape (rows,), equal for equal cells."""
        known: dict[str, int] = {}
        return np.array([known.setdefault(str(cell).strip(), len(known)) for cell in self.rows], dtype=np.intp)

    @cached_property
    def row_numbers(self) -> FloatArray:
        """The number in each row, shape (rows,); NaN if there is none."""
        marks = (rating_value(cell, self.scale, ",") for cell in self.rows)
        return np.array([float(mark) if isinstance(mark, Real) else math.nan for mark in marks])

    @cached_property
    def is_whole(self) -> bool:
        """Whether all numbers are whole."""
        return bool(self.numbers) and all(number == int(number) for number in self.numbers)

    @cached_property
    def is_count(self) -> bool:
        """Whether the numbers count the rows from 0 or 1, in any order, beyond any rating scale."""
        low, high = min(self.numbers, default=-1), max(self.numbers, default=0)
        return low in (0, 1) and high - low + 1 == len({*self.numbers}) == len(self.rows) > POINTS

    def share(self, pattern: re.Pattern[str]) -> float:
        """Return the share of sampled cells that match a pattern."""
        return float(np.mean([bool(pattern.fullmatch(text.strip())) for text in self.sample] or [False]))


def make_column(name: str, cells: Sequence[Any], decimal: str | None = None) -> Column:
    """Return the column with these cells."""
    if has_lists(cells):
        cells = _unwrap_choices(cells)
    filled = [cell for cell in cells if not is_empty(cell)]
    texts = tuple(cell if isinstance(cell, str) else _as_text(cell) for cell in filled)
    if not filled:
        return Column(name, "empty", cells, ())
    if 2 * sum(isinstance(cell, dict) for cell in filled) > len(filled):
        return Column(name, "object", cells, texts, words=_mean_words(texts))
    if has_lists(filled) and 2 * sum(map(is_list, filled)) > len(filled):
        return Column(name, "list", cells, texts, words=_mean_words(texts))
    marks = [rating_value(cell, (), decimal) for cell in filled]
    numbers = tuple(float(mark) for mark in marks if isinstance(mark, Real) and math.isfinite(mark))
    if len(numbers) >= 0.9 * len(filled):
        return Column(name, "number", cells, texts, numbers)
    scale = detect_scale(texts)
    if scale and not (len(scale) > 2 and all(len(word) == 1 for word in scale)):  # letters are names too
        return Column(name, "words", cells, texts, scale=scale)
    words = _mean_words(texts)
    few = len({*texts}) <= max(2.0, MAX_DISTINCT_SHARE * len(texts))
    longest = max(len(text.split()) for text in texts)
    letters = sum(map(len, texts)) / len(texts)
    listed = all(text.lstrip().startswith(("[", "{")) for text in texts)
    short = words <= SHORT and (letters <= LONG or longest == 1) and (few or longest == 1) and not listed
    kind: Kind = "names" if short or are_codes(texts) else "text"
    return Column(name, kind, cells, texts, scale=scale, words=words)


def are_codes(texts: Sequence[str]) -> bool:
    """Return whether the texts are dates, links or identifiers instead of language."""
    return all(_CODE.fullmatch(text.strip()) for text in texts[:SAMPLE])


def are_links(texts: Sequence[str]) -> bool:
    """Return whether the texts are links or file names of images and pages."""
    return bool(texts) and all(_LINK.fullmatch(text.strip()) for text in texts[:SAMPLE])


def pearson_or_nan(one: Sequence[float] | FloatArray, other: Sequence[float] | FloatArray) -> float:
    """Return Pearson's correlation; NaN if a column is constant."""
    with np.errstate(all="ignore"):
        return float(np.corrcoef(one, other)[0, 1].round(12)) if len(one) > 1 else math.nan


def is_empty(cell: Any) -> bool:
    """Return whether a cell is missing or holds a word for missing."""
    return is_missing(cell) or (isinstance(cell, str) and cell.strip().lower() in NO_VALUE)


def _unwrap_choices(cells: Sequence[Any]) -> Sequence[Any]:
    """Return the entries of one-text lists if there are few distinct ones; else the cells."""
    choices = [unwrap_list(cell) for cell in cells]
    texts = all(isinstance(cell, str) or is_missing(cell) for cell in choices)
    return choices if texts and len({*choices}) <= MAX_DISTINCT_SHARE * len(choices) else cells


def _as_text(cell: Any) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))  # as JSON has it: pandas makes 1.0 of a 1 among other floats
    return json.dumps(cell, ensure_ascii=False, default=str) if isinstance(cell, (dict, list, tuple)) else str(cell)


def _mean_words(texts: Sequence[str]) -> float:
    """Return the mean number of words; two letters count as a word in unspaced scripts."""
    return sum(len(text.split()) + len(_UNSPACED.findall(text)) / 2 for text in texts) / len(texts)


_STARTS_SENTENCE = re.compile(r"[^\W\d_][\w'’,-]* .*", re.DOTALL)
_STRUCTURED = re.compile(r"[\[{<(].*|.*\w\[[^\]]+\].*|\w+\(.*\)|.*( \| |=|<H>|__start).*", re.DOTALL)
_IDENTIFIER = re.compile(r"(?=\S*\d)\S+|[A-Z]+[\w-]*|R_\w+")
_FLAG = re.compile(r"true|false|yes|no|0|1|y|n|t|f|x|on|off", re.IGNORECASE)
_KINDS: tuple[Kind, ...] = ("empty", "number", "words", "names", "text", "list", "object")


def value_features(column: Column, filled_of: int) -> FloatArray:
    """Return features of the cells of a column, shape (width,)."""
    texts, numbers, size = column.sample, np.array(column.numbers), max(len(column.texts), 1)
    lengths = np.array([float(len(text)) for text in texts] or [0.0])
    spaces = [" " in text.strip() for text in texts] or [False]
    ends = [text.rstrip().endswith(_SENTENCE_END) for text in texts] or [False]
    first = next((cell for cell in column.rows if not is_missing(cell)), None)
    kinds = [column.kind == kind for kind in _KINDS]
    general = [
        len(column.texts) / max(filled_of, 1),
        column.distinct / size,
        column.distinct == 1,
        column.distinct == size,
        min(math.log1p(column.distinct) / 5, 2.0),
        column.distinct <= 2,
        column.distinct <= 8,
        math.log1p(column.words) / 4,
        math.log1p(lengths.mean()) / 6,
        lengths.std() / (lengths.mean() + 1),
        float(np.mean(spaces)),
        float(np.mean(ends)),
        column.share(_STARTS_SENTENCE),
        column.share(_STRUCTURED),
        column.share(_CODE),
        column.share(_DATE),
        column.share(_LINK),
        column.share(_IDENTIFIER),
        column.share(_FLAG),
        bool(column.scale),
        are_chats([first]) if first is not None else False,
        any(isinstance(cell, str) for cell in column.rows[:SAMPLE]),
    ]
    return np.array([*map(float, kinds), *map(float, general), *_number_features(column, numbers)])


def _number_features(column: Column, numbers: FloatArray) -> list[float]:
    """Return features of numbers: range, step, order, and whether they are consecutive."""
    if not len(numbers):
        return [0.0] * 20
    low, high, points = float(numbers.min()), float(numbers.max()), len({*column.numbers})
    whole, steps = column.is_whole, np.diff(numbers)
    dense = whole and high - low + 1 == points
    spread = high - low
    return [
        *map(
            float,
            [
                whole,
                low < 0,
                low in (0.0, 1.0),
                low >= 0 and high <= 1,
                whole and low >= 0 and high <= 1,
                whole and low >= 0 and 2 <= high <= 5,
                whole and low >= 0 and 5 < high <= 10,
                low >= 0 and 10 < high <= 100,
                high > 100,
                high > 1e4,
                whole and low > 1900 and high < 2100,
                points <= POINTS,
                min(math.log1p(points) / 4, 2.0),
                dense,
                dense and points == len(numbers),
                column.is_count,
                len(steps) > 0 and bool((steps >= 0).all()),
                len(steps) > 0 and bool((steps == 1).mean() > 0.4) and points > 3,
                min(math.log1p(abs(spread)) / 5, 2.0),
                _mean_decimals(column) / 6,
            ],
        )
    ]


def _mean_decimals(column: Column) -> float:
    """Return the mean number of written decimals, at most 6."""
    return float(np.mean([float(min(len(text.partition(".")[2]), 6)) for text in column.sample] or [0.0]))


CELLS = 60  # looked at
WORDS = 40  # of a cell
BUCKETS = 64  # of hashed words
CLASSES = (
    *("score", "reference", "output", "rater", "system", "rating", "input", "item", "winner"),
    *("fault", "criterion", "rank", "human_text", "people", "quality_noun"),
)
_WORD = re.compile(r"[^\W_]+")
_PATTERNS = tuple(
    map(re.compile, (r".*[?？]\s*$", r".*\n", r"[a-z]", r".*[\"“`]", r"\s*(?:\d+[.)]|[-*•])", r".*:", r".*[{}<>|\[\]]"))
)
WIDTH = len(CLASSES) + len(_PATTERNS) + 4 + 2 * BUCKETS


def content_features(column: Column) -> FloatArray:
    """Return features of the words in the cells, shape (width,)."""
    cells = column.sample[:: max(1, len(column.sample) // CELLS)][:CELLS]
    if not cells or column.kind in ("number", "empty"):
        return np.zeros(WIDTH)
    words = [[word.lower() for word in _WORD.findall(cell)[:WORDS]] for cell in cells]
    classes = [{name for word in {*own} for name in word_classes(word)} for own in words]
    shares = [float(np.mean([name in results for results in classes])) for name in CLASSES]
    shapes = [float(np.mean([pattern.match(cell) is not None for cell in cells])) for pattern in _PATTERNS]
    starts = Counter(tuple(own[:3]) for own in words)
    firsts = Counter(own[0] for own in words if own)
    total = [word for own in words for word in own]
    general: list[float] = [
        starts.most_common(1)[0][1] / len(words),
        max(firsts.values(), default=0) / len(words),
        len({*total}) / max(len(total), 1),
        min(sum(map(len, total)) / max(len(total), 1), 20) / 10,
    ]
    hashed = np.zeros((2, BUCKETS))
    for own in words:
        hashed[int(column.is_text), list({crc32(word.encode()) % BUCKETS for word in own})] += 1 / len(words)
    return np.concatenate([shares, shapes, general, hashed.ravel()])
