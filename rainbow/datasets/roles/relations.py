"""Features of pairs of columns: what repeats with what, what differs between systems, what copies another column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.datasets.lexicon import says, words_of
from rainbow.datasets.roles.column import Column, correlation, is_empty
from rainbow.datasets.shapes.cells import folded, text_of
from rainbow.datasets.shapes.pairs import preferred
from rainbow.datasets.shapes.wide import own_columns, system_names, without_number

MOST_SYSTEMS = 50
MOST_CANDIDATES = 8  # columns of each part that are crossed with each other
REPEATS = 1.3  # rows of a value, on average, at least
CROSSED = 0.7  # share of all pairs of an item and a system that stand in the table
ONE = 1.05  # values, on average, of a column that another one determines
OVERLAP_ROWS = 40
FEWEST_STEPS = 6  # of a counter within groups
COPIES = 0.97  # correlation
WIDTH = 38


def kinds_of(*codes: IntArray) -> int:
    """Return the number of different rows of some columns."""
    joined = codes[0]
    for other in codes[1:]:
        joined = np.unique(joined * (other.max(initial=0) + 1) + other, return_inverse=True)[1]
    return len(np.unique(joined))


def relation_features(columns: Sequence[Column]) -> FloatArray:
    """Return the features of each column next to the others, shape (columns, width)."""
    found = np.zeros((len(columns), 0))
    for part in (_repetition, _crossing, _constancy, _copies, _texts, _sides, _siblings):
        found = np.hstack([found, np.array(part(columns), dtype=float).reshape(len(columns), -1)])
    return found


def _repetition(columns: Sequence[Column]) -> list[list[float]]:
    """Return how far each column determines others, and tells repeated texts apart as raters do."""
    size = max((len(column.rows) for column in columns), default=0)
    texts = _longest([column for column in columns if column.kind == "text" and column.distinct > 1])
    rows = []
    for column in columns:
        repeats = 1 < column.distinct <= size / REPEATS
        others = [text for text in texts if text is not column]
        determined = [kinds_of(column.codes, text.codes) <= ONE * column.distinct for text in others if repeats]
        determines = [
            kinds_of(column.codes, text.codes) <= ONE * text.distinct for text in others if text.distinct < size
        ]
        again = [text for text in others if text.distinct <= 0.7 * size] if repeats and column.kind != "text" else []
        judges = [kinds_of(column.codes, text.codes) >= 0.98 * size for text in again]
        rows.append(
            [
                float(repeats),
                min(size / max(column.distinct, 1), 20) / 20,
                float(np.mean(determined or [False])),
                float(np.mean(determines or [False])),
                float(any(judges)),
                float(len(again) > 0),
            ]
        )
    return rows


def _longest(texts: list[Column]) -> list[Column]:
    return sorted(texts, key=lambda column: -column.words)[:MOST_CANDIDATES]


def _crossing(columns: Sequence[Column]) -> list[list[float]]:
    """Return whether a column is the item, the system, the output or the input of a table of items and systems."""
    size = max((len(column.rows) for column in columns), default=0)
    items = [c for c in columns if c.kind != "words" and 2 <= c.distinct <= size / REPEATS]
    items = sorted(items, key=lambda c: (-c.distinct, not c.is_text))[:MOST_CANDIDATES]
    systems = [c for c in columns if c.kind in ("names", "number") and 2 <= c.distinct <= MOST_SYSTEMS]
    systems = sorted(systems, key=lambda c: (not says(c.name, "system"), c.kind != "names"))[:MOST_CANDIDATES]
    texts = _longest([c for c in columns if c.kind in ("text", "list") or (c.kind == "names" and c.words > 1)])
    marked = {column.name: np.zeros(5) for column in columns}
    known = {c.name: {text.name: kinds_of(c.codes, text.codes) for text in texts} for c in items}
    for item in items:
        for system in systems:
            pairs = 0 if system is item else kinds_of(item.codes, system.codes)
            if pairs < max(CROSSED * item.distinct * system.distinct, REPEATS * item.distinct):
                continue
            differ = [
                text
                for text in texts
                if text not in (item, system)
                and known[item.name][text.name] >= REPEATS * item.distinct
                and kinds_of(item.codes, system.codes, text.codes) <= ONE * pairs
            ]
            stay = [t for t in texts if t is not system and known[item.name][t.name] <= ONE * item.distinct]
            for text in differ:
                marked[text.name][0] = 1
            if differ:
                marked[item.name][1] = marked[system.name][2] = 1
                marked[system.name][3] = max(marked[system.name][3], item.distinct / size)
                for text in stay:
                    marked[text.name][4] = 1
    return [list(marked[column.name]) for column in columns]


def _constancy(columns: Sequence[Column]) -> list[list[float]]:
    """Return in which share of the groups of other columns a mark or a name is constant, and whether it counts rows."""
    size = max((len(column.rows) for column in columns), default=0)
    keys = [c for c in columns if 3 <= c.distinct <= size / 2 and c.kind in ("names", "number", "text")]
    texts = [c for c in keys if c.kind == "text"][:MOST_CANDIDATES]
    names = sorted((c for c in keys if c.kind != "text"), key=lambda c: -c.distinct)[:MOST_CANDIDATES]
    groups = {c.name: kinds_of(c.codes) for c in (*texts, *names)}
    rows = []
    for column in columns:
        if not (column.is_mark or column.kind == "names") or column.distinct < 2:
            rows.append([0.0, 0.0, 0.0, 0.0])
            continue
        of_texts, of_names = (
            max((_constant(column, key, groups[key.name]) for key in part if key is not column), default=0.0)
            for part in (texts, names)
        )
        of_raters = max((_constant(column, c, c.distinct) for c in names if says(c.name, "rater")), default=0.0)
        counts = any(counts_rows(column, key) for key in (*names, *texts) if key is not column)
        rows.append([of_texts, of_names, of_raters, float(counts)])
    return rows


def _constant(column: Column, key: Column, groups: int) -> float:
    """Return 1 where a column has one value for each value of a key, 0 where every one has several."""
    return max(0.0, 1 - (kinds_of(key.codes, column.codes) - groups) / groups)


def counts_rows(column: Column, key: Column) -> bool:
    """Return whether whole numbers count the rows of each value of a key, from the same start, one by one."""
    if not column.is_whole or len(column.numbers) != len(column.rows) or len({*column.numbers}) < 3:
        return False
    order = np.argsort(key.codes, kind="stable")
    codes, numbers = key.codes[order], np.array(column.numbers)[order]
    inside = codes[1:] == codes[:-1]
    if inside.sum() < FEWEST_STEPS:
        return False
    starts = {*numbers[np.r_[True, ~inside]].tolist()}
    long = len(numbers) >= 3 * (len(numbers) - int(inside.sum()))
    return long and bool((np.diff(numbers)[inside] == 1).mean() > 0.95) and starts in ({0.0}, {1.0})


def _copies(columns: Sequence[Column]) -> list[list[float]]:
    """Return the highest correlation with a column before and after, with a length of text, and equal cells."""
    numbers = [c for c in columns if c.is_mark][:60]
    rows_of = {c.name: c.by_row for c in numbers}
    lengths = {
        c.name: np.array([float(len(str(text_of(cell)).split())) for cell in c.rows])
        for c in _longest([c for c in columns if c.kind == "text"])
    }
    letters = {
        c.name: np.array([float(len(str(text_of(cell)))) for cell in c.rows])
        for c in _longest([c for c in columns if c.kind == "text"])
    }
    place = {column.name: number for number, column in enumerate(columns)}
    rows = []
    for column in columns:
        if column.name not in rows_of or column.distinct < 3:
            rows.append([0.0, 0.0, 0.0, 0.0])
            continue
        mine = rows_of[column.name]
        before = after = 0.0
        for other, theirs in rows_of.items():
            if other == column.name:
                continue
            value = abs(_correlated(mine, theirs))
            if place[other] < place[column.name]:
                before = max(before, value)
            else:
                after = max(after, value)
        length = max((_correlated(mine, by) for by in (*lengths.values(), *letters.values())), default=0.0)
        rows.append([before, after, max(length, 0.0), float(length > COPIES)])
    return rows


def _correlated(one: FloatArray, other: FloatArray) -> float:
    both = ~(np.isnan(one) | np.isnan(other))
    if both.sum() < 5:
        return 0.0
    value = correlation(one[both], other[both])
    return 0.0 if np.isnan(value) else value


def _texts(columns: Sequence[Column]) -> list[list[float]]:
    """Return where each column of texts stands among those of the table: order, length, shared words, equal cells."""
    texts = [c for c in columns if c.is_text]
    words = {c.name: max(c.words, 0.1) for c in texts}
    longest, median = max(words.values(), default=1.0), float(np.median([*words.values()] or [1.0]))
    shortest = min(words.values(), default=1.0)
    bags = {c.name: _bags(c) for c in texts[:12]}
    rows = []
    for column in columns:
        if column not in texts:
            rows.append([len(texts) / 6, *[0.0] * 9])
            continue
        number = texts.index(column)
        others = [bags[name] for name in bags if name != column.name] if column.name in bags else []
        shared = [_shared(bags[column.name], other) for other in others]
        equal = [_equal(column, other) for other in texts[:12] if other is not column]
        mine = words[column.name]
        rows.append(
            [
                len(texts) / 6,
                number / 6,
                (len(texts) - 1 - number) / 6,
                np.log(mine / longest) / 3,
                np.log(mine / median) / 3,
                np.log(mine / shortest) / 3,
                float(mine == longest and len(texts) > 1),
                max(shared, default=0.0),
                float(np.mean(shared or [0.0])),
                max(equal, default=0.0),
            ]
        )
    return rows


def _bags(column: Column) -> list[Counter[str]]:
    return [Counter(re.findall(r"\w+", str(text_of(cell)).lower())) for cell in column.rows[:OVERLAP_ROWS]]


def _shared(one: Sequence[Counter[str]], other: Sequence[Counter[str]]) -> float:
    """Return the mean share of the words of two texts that both have."""
    both = [(a & b).total() / (a | b).total() for a, b in zip(one, other, strict=True) if a and b]
    return float(np.mean(both or [0.0]))


def _equal(one: Column, other: Column) -> float:
    pairs = [
        (str(a).strip(), str(b).strip())
        for a, b in zip(one.rows[:OVERLAP_ROWS], other.rows[:OVERLAP_ROWS], strict=True)
        if not is_empty(a)
    ]
    return float(np.mean([a == b for a, b in pairs] or [False]))


def _sides(columns: Sequence[Column]) -> list[list[float]]:
    """Return how far cells name one of two sides, another column, or the cell of another column in their row."""
    short = [c for c in columns if c.kind in ("names", "words", "number") and c.distinct <= MOST_SYSTEMS]
    names = [c for c in short if c.kind != "words" and c.distinct > 1][:12]
    texts = [c for c in columns if c.kind in ("text", "names", "list")][:12]
    turns = _turns(names)
    suffixes = {folded(word) for c in texts for word in ({c.name, words_of(c.name)[-1] if words_of(c.name) else ""})}
    suffixes |= {folded(name) for name in system_names([c.name for c in texts]).values()} if len(texts) > 1 else set()
    rows = []
    for column in columns:
        cells = [cell for cell in column.rows[:OVERLAP_ROWS] if not is_empty(cell)]
        values = [preferred(cell, "\0a", "\0b") for cell in cells]
        side = sum(value is not None for value in values) / max(len(cells), 1)
        both = {0.0, 1.0} <= {value for value in values if value is not None}
        named = sum(folded(cell) in suffixes for cell in cells) / max(len(cells), 1)
        others = [c for c in texts if c is not column]
        among = 0.0
        if column in short or column.kind == "text":
            within = [
                sum(folded(cell) == folded(other.rows[row]) for other in others) == 1
                for row, cell in enumerate(column.rows[:OVERLAP_ROWS])
                if not is_empty(cell)
            ]
            among = float(np.mean(within or [False]))
        rows.append([side, float(both), named, among, float(column.name in turns)])
    return rows


def _turns(names: Sequence[Column]) -> set[str]:
    """Return the columns of the same few names, of which hardly any row has one twice."""
    found: set[str] = set()
    for one, other in combinations([c for c in names if c.kind == "names"], 2):
        shared = {*one.texts} & {*other.texts}
        if len(shared) >= 2 or (shared and one.distinct <= 2):
            same = np.mean([folded(a) == folded(b) for a, b in zip(one.rows, other.rows, strict=True)])
            if same <= 0.1:
                found |= {one.name, other.name}
    return found


def _siblings(columns: Sequence[Column]) -> list[list[float]]:
    """Return how many columns of the same kind have the same stem, and whether marks are called after a text."""
    stems = Counter((without_number(c.name)[0], c.is_text, c.is_mark) for c in columns)
    texts, marks = [c.name for c in columns if c.is_text], [c.name for c in columns if c.is_mark]
    systems = [*system_names(texts).values()] if len(texts) > 1 else []
    owners = Counter(system for system, _ in own_columns(marks, systems).values()) if len(systems) > 1 else Counter()
    of_system = dict(zip(texts, systems, strict=False))
    owned = set(own_columns(marks, systems)) if len(systems) > 1 else set()
    words = Counter(word for c in columns if c.is_text for word in {*words_of(c.name)})
    rows = []
    for column in columns:
        stem = stems[without_number(column.name)[0], column.is_text, column.is_mark]
        shares = any(words[word] > (column.is_text) for word in words_of(column.name))
        rows.append(
            [
                min(stem - 1, 5) / 3,
                float(owners[of_system.get(column.name, "")] > 0),
                float(column.name in owned),
                float(shares),
            ]
        )
    return rows
