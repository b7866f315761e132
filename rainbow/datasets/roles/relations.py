"""Features of pairs of columns: repetition, differences between systems, copies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.datasets.lexicon import has_word_class, split_name
from rainbow.datasets.roles.column import Column, is_empty, pearson_or_nan
from rainbow.datasets.shapes.cell_values import fold_cell, output_text
from rainbow.datasets.shapes.comparisons import preference_value
from rainbow.datasets.shapes.wide_tables import find_system_columns, split_number, system_names

MAX_SYSTEMS = 50
MAX_CANDIDATES = 8  # columns of each part that are crossed with each other
REPEATS = 1.3  # rows of a value, on average, at least
CROSSED = 0.7  # share of all pairs of an item and a system that stand in the table
ONE = 1.05  # values, on average, of a column that another one determines
OVERLAP_ROWS = 40
MIN_STEPS = 6  # of a counter within groups
COPIES = 0.97  # correlation


def count_distinct_rows(*codes: IntArray) -> int:
    """Return the number of distinct rows of some columns."""
    joined = codes[0]
    for other in codes[1:]:
        joined = np.unique(joined * (other.max(initial=0) + 1) + other, return_inverse=True)[1]
    return len(np.unique(joined))


def relation_features(columns: Sequence[Column]) -> FloatArray:
    """Return the features of each column relative to the others, shape (columns, width)."""
    values = np.zeros((len(columns), 0))
    for part in (
        _repetition_features,
        _crossing_features,
        _constancy_features,
        _copy_features,
        _text_features,
        _side_features,
        _sibling_features,
    ):
        values = np.hstack([values, np.array(part(columns), dtype=float).reshape(len(columns), -1)])
    return values


def _repetition_features(columns: Sequence[Column]) -> list[list[float]]:
    """Return how far each column determines others, and separates repeated texts as raters do."""
    size = max((len(column.rows) for column in columns), default=0)
    texts = _longest_texts([column for column in columns if column.kind == "text" and column.distinct > 1])
    rows = []
    for column in columns:
        repeats = 1 < column.distinct <= size / REPEATS
        others = [text for text in texts if text is not column]
        pairs = {text.name: count_distinct_rows(column.codes, text.codes) for text in others}
        determined = [pairs[text.name] <= ONE * column.distinct for text in others if repeats]
        determines = [pairs[text.name] <= ONE * text.distinct for text in others if text.distinct < size]
        again = [text for text in others if text.distinct <= 0.7 * size] if repeats and column.kind != "text" else []
        judges = [pairs[text.name] >= 0.98 * size for text in again]
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


def _longest_texts(texts: list[Column]) -> list[Column]:
    return sorted(texts, key=lambda column: -column.words)[:MAX_CANDIDATES]


def _crossing_features(columns: Sequence[Column]) -> list[list[float]]:
    """Return whether a column is the item, system, output or input of a crossed table."""
    size = max((len(column.rows) for column in columns), default=0)
    items = [c for c in columns if c.kind != "words" and 2 <= c.distinct <= size / REPEATS]
    items = sorted(items, key=lambda c: (-c.distinct, not c.is_text))[:MAX_CANDIDATES]
    systems = [c for c in columns if c.kind in ("names", "number") and 2 <= c.distinct <= MAX_SYSTEMS]
    systems = sorted(systems, key=lambda c: (not has_word_class(c.name, "system"), c.kind != "names"))[:MAX_CANDIDATES]
    texts = _longest_texts([c for c in columns if c.kind in ("text", "list") or (c.kind == "names" and c.words > 1)])
    marked = {column.name: np.zeros(5) for column in columns}
    known = {c.name: {text.name: count_distinct_rows(c.codes, text.codes) for text in texts} for c in items}
    for item in items:
        for system in systems:
            pairs = 0 if system is item else count_distinct_rows(item.codes, system.codes)
            if pairs < max(CROSSED * item.distinct * system.distinct, REPEATS * item.distinct):
                continue
            differ = [
                text
                for text in texts
                if text not in (item, system)
                and known[item.name][text.name] >= REPEATS * item.distinct
                and count_distinct_rows(item.codes, system.codes, text.codes) <= ONE * pairs
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


def _constancy_features(columns: Sequence[Column]) -> list[list[float]]:
    """Return how often a rating or name is constant within groups, and whether it counts rows."""
    size = max((len(column.rows) for column in columns), default=0)
    keys = [c for c in columns if 3 <= c.distinct <= size / 2 and c.kind in ("names", "number", "text")]
    texts = [c for c in keys if c.kind == "text"][:MAX_CANDIDATES]
    names = sorted((c for c in keys if c.kind != "text"), key=lambda c: -c.distinct)[:MAX_CANDIDATES]
    groups = {c.name: count_distinct_rows(c.codes) for c in (*texts, *names)}
    rows = []
    for column in columns:
        if not (column.is_mark or column.kind == "names") or column.distinct < 2:
            rows.append([0.0, 0.0, 0.0, 0.0])
            continue
        of_texts, of_names = (
            max((_constant_share(column, key, groups[key.name]) for key in part if key is not column), default=0.0)
            for part in (texts, names)
        )
        raters = (c for c in names if has_word_class(c.name, "rater"))
        of_raters = max((_constant_share(column, c, c.distinct) for c in raters), default=0.0)
        counts = any(is_row_count(column, key) for key in (*names, *texts) if key is not column)
        rows.append([of_texts, of_names, of_raters, float(counts)])
    return rows


def _constant_share(column: Column, key: Column, groups: int) -> float:
    """Return 1 if a column is constant for each value of a key, 0 if it always varies."""
    return max(0.0, 1 - (count_distinct_rows(key.codes, column.codes) - groups) / groups)


def is_row_count(column: Column, key: Column) -> bool:
    """Return whether integers count the rows of each key value consecutively from one start."""
    if not column.is_whole or len(column.numbers) != len(column.rows) or len({*column.numbers}) < 3:
        return False
    order = np.argsort(key.codes, kind="stable")
    codes, numbers = key.codes[order], np.array(column.numbers)[order]
    inside = codes[1:] == codes[:-1]
    if inside.sum() < MIN_STEPS:
        return False
    starts = {*numbers[np.r_[True, ~inside]].tolist()}
    long = len(numbers) >= 3 * (len(numbers) - int(inside.sum()))
    return long and bool((np.diff(numbers)[inside] == 1).mean() > 0.95) and starts in ({0.0}, {1.0})


def _copy_features(columns: Sequence[Column]) -> list[list[float]]:
    """Return maximum correlations with earlier and later columns and text lengths, and equality."""
    numbers = [c for c in columns if c.is_mark][:60]
    rows_of = {c.name: c.row_numbers for c in numbers}
    longest = _longest_texts([c for c in columns if c.kind == "text"])
    texts = [[str(output_text(cell)) for cell in c.rows] for c in longest]
    lengths = [np.array([float(len(text.split())) for text in own]) for own in texts]
    lengths += [np.array([float(len(text)) for text in own]) for own in texts]
    place = {column.name: number for number, column in enumerate(columns)}
    rows = []
    for column in columns:
        if column.name not in rows_of or column.distinct < 3:
            rows.append([0.0, 0.0, 0.0, 0.0])
            continue
        mine = rows_of[column.name]
        apart = {other: place[other] - place[column.name] for other in rows_of}
        values = {other: abs(shared_correlation(mine, rows_of[other])) for other in rows_of if apart[other]}
        before, after = (
            max((value for other, value in values.items() if apart[other] * side > 0), default=0.0) for side in (-1, 1)
        )
        length = max((shared_correlation(mine, by) for by in lengths), default=0.0)
        rows.append([before, after, max(length, 0.0), float(length > COPIES)])
    return rows


def shared_correlation(one: FloatArray, other: FloatArray, fewest: int = 5) -> float:
    """Return Pearson's correlation in the rows that both columns have; 0 for few rows, or if one is constant."""
    both = ~(np.isnan(one) | np.isnan(other))
    value = pearson_or_nan(one[both], other[both]) if both.sum() >= fewest else 0.0
    return 0.0 if np.isnan(value) else value


def _text_features(columns: Sequence[Column]) -> list[list[float]]:
    """Return the relation of each text column to the others: order, length, overlap, equality."""
    texts = [c for c in columns if c.is_text]
    words = {c.name: max(c.words, 0.1) for c in texts}
    longest, median = max(words.values(), default=1.0), float(np.median([*words.values()] or [1.0]))
    shortest = min(words.values(), default=1.0)
    bags = {c.name: _word_counts(c) for c in texts[:12]}
    rows = []
    for column in columns:
        if column not in texts:
            rows.append([len(texts) / 6, *[0.0] * 9])
            continue
        number = texts.index(column)
        others = [bags[name] for name in bags if name != column.name] if column.name in bags else []
        shared = [_shared_words(bags[column.name], other) for other in others]
        equal = [_equal_share(column, other) for other in texts[:12] if other is not column]
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


def _word_counts(column: Column) -> list[Counter[str]]:
    return [Counter(re.findall(r"\w+", str(output_text(cell)).lower())) for cell in column.rows[:OVERLAP_ROWS]]


def _shared_words(one: Sequence[Counter[str]], other: Sequence[Counter[str]]) -> float:
    """Return the mean share of words common to two text columns."""
    both = [(a & b).total() / (a | b).total() for a, b in zip(one, other, strict=True) if a and b]
    return float(np.mean(both or [0.0]))


def _equal_share(one: Column, other: Column) -> float:
    rows = zip(one.rows[:OVERLAP_ROWS], other.rows[:OVERLAP_ROWS], strict=True)
    return float(np.mean([str(a).strip() == str(b).strip() for a, b in rows if not is_empty(a)] or [False]))


def _side_features(columns: Sequence[Column]) -> list[list[float]]:
    """Return how often cells name one of two sides, another column, or another cell of the row."""
    short = [c for c in columns if c.kind in ("names", "words", "number") and c.distinct <= MAX_SYSTEMS]
    names = [c for c in short if c.kind != "words" and c.distinct > 1][:12]
    texts = [c for c in columns if c.kind in ("text", "names", "list")][:12]
    turns = _alternating_columns(names)
    called = [c.name for c in texts]
    sides = [word for name in called for word in (name, *(split_name(name)[-1:] or ("",)))]
    suffixes = {fold_cell(word) for word in (*sides, *(system_names(called).values() if len(called) > 1 else ()))}
    rows = []
    for column in columns:
        cells = [cell for cell in column.rows[:OVERLAP_ROWS] if not is_empty(cell)]
        values = [preference_value(cell, "\0a", "\0b") for cell in cells]
        side = sum(value is not None for value in values) / max(len(cells), 1)
        both = {0.0, 1.0} <= {value for value in values if value is not None}
        named = sum(fold_cell(cell) in suffixes for cell in cells) / max(len(cells), 1)
        others = [c for c in texts if c is not column]
        among = 0.0
        if column in short or column.kind == "text":
            within = [
                sum(fold_cell(cell) == fold_cell(other.rows[row]) for other in others) == 1
                for row, cell in enumerate(column.rows[:OVERLAP_ROWS])
                if not is_empty(cell)
            ]
            among = float(np.mean(within or [False]))
        rows.append([side, float(both), named, among, float(column.name in turns)])
    return rows


def _alternating_columns(names: Sequence[Column]) -> set[str]:
    """Return columns with the same few names, which rarely repeat within a row."""
    result: set[str] = set()
    for one, other in combinations([c for c in names if c.kind == "names"], 2):
        shared = {*one.texts} & {*other.texts}
        if len(shared) >= 2 or (shared and one.distinct <= 2):
            same = np.mean([fold_cell(a) == fold_cell(b) for a, b in zip(one.rows, other.rows, strict=True)])
            if same <= 0.1:
                result |= {one.name, other.name}
    return result


def _sibling_features(columns: Sequence[Column]) -> list[list[float]]:
    """Return the number of columns of the same kind that share a name stem, and whether a text has rating columns."""
    stems = Counter((split_number(c.name)[0], c.is_text, c.is_mark) for c in columns)
    texts, marks = [c.name for c in columns if c.is_text], [c.name for c in columns if c.is_mark]
    systems = [*system_names(texts).values()] if len(texts) > 1 else []
    owned = find_system_columns(marks, systems) if len(systems) > 1 else {}
    owners = {system for system, _ in owned.values()}
    of_system = dict(zip(texts, systems, strict=False))
    words = Counter(word for c in columns if c.is_text for word in {*split_name(c.name)})
    rows = []
    for column in columns:
        stem = stems[split_number(column.name)[0], column.is_text, column.is_mark]
        shares = any(words[word] > (column.is_text) for word in split_name(column.name))
        has_marks, is_mark = of_system.get(column.name) in owners, column.name in owned
        rows.append([min(stem - 1, 5) / 3, float(has_marks), float(is_mark), float(shares)])
    return rows
