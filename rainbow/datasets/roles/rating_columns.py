"""Ratings and scores of a table: rater columns, directions, scales and names; the reasons for roles."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from shlex import quote
from typing import NamedTuple

import numpy as np

from rainbow.corpus import COLUMNS
from rainbow.datasets.columns import Rating
from rainbow.datasets.lexicon import bare_name, has_word_class, is_quality_name, split_name
from rainbow.datasets.roles.column import POINTS, Column, are_codes, are_links, pearson_or_nan
from rainbow.datasets.roles.raters import (
    MARKS_OF,
    UNNAMED,
    group_rater_columns,
    is_summary_name,
    person_columns,
    rating_key,
)
from rainbow.metrics.contract.registry import all_columns

AGREEMENT = 0.3  # correlation of two columns under names of people
TIMES_AS_HIGH, WITH_NEGATIVE = 10, 2  # largest ratio of two raters' highest marks
ROUNDED = 0.06  # largest rounding error of a mean
NEARLY_ALL = 0.9
_ASKED_OF = re.compile(r".+\[([^\[\]]*[^\W\d_][^\[\]]*)\]")  # the part of a survey's question in brackets
_GERMAN = re.compile(r"[äöüß]|\b(?:nr|und|der|die|des|anmerkung|bemerkung|ausgabe|quelle|antwort|modell)\b")
_SCHOOL, _CZECH = frozenset(["note", "noten", "schulnote"]), frozenset(["znamka", "znamky"])
_NOT_FAULTS = frozenset(["free", "freedom", "no", "without", "absence"])

# Codes of questionnaires and annotation tools for a missing rating.
CODES = frozenset([-999.0, -99.0, -9.0, -1.0, 99.0, 999.0, 9999.0])
MIN_NUMBERS = 3  # marks that show a scale
MAX_CENTRED = 2  # a scale that reaches no further may go as far below zero
MIN_DISTANCE = 2  # a code lies above the scale by at least this many times its width


class ColumnRole(NamedTuple):
    """A column, its role, the reason, and the options that override it."""

    column: str
    role: str
    why: str
    otherwise: str


class RatingOptions(NamedTuple):
    """Ratings, scores, scales and codes for "not rated" as options, and each column's role."""

    ratings: list[str]
    scores: list[str]
    scales: tuple[str, ...]
    not_rated: tuple[str, ...]
    taken: dict[str, ColumnRole]


def find_ratings(
    ratings: Sequence[Column],
    scores: Sequence[Column],
    names: Sequence[str],
    has_rater: bool,
    reasons: Mapping[str, str],
) -> RatingOptions:
    """Return the ratings and scores in these columns."""
    result = RatingOptions([], [], (), (), {})
    by_name = {column.name: column for column in ratings}
    groups = {} if has_rater else _group_raters(ratings, names)
    for name, columns in groups.items():
        _record_raters(result, name, columns)
    for column in ratings:
        others = [c for c in ratings if c is not column and c.name not in result.taken and not is_summary_name(c.name)]
        if column.name not in result.taken and (mean := _find_aggregate(column, groups, by_name, others)):
            result.taken[column.name] = ColumnRole(column.name, "unused", mean, f"--rating {quote(column.name)}")
    for column in ratings:
        if column.name not in result.taken:
            _record_rating(result, column, names, reasons.get(column.name, ""))
    for column in scores:
        _record_score(result, column, reasons.get(column.name, ""))
    codes: dict[str, None] = {}
    for column in ratings:
        own = [f"{code:g}" for code in unrated_codes(column.numbers)] if column.name in result.taken else []
        codes |= dict.fromkeys(own)
        if own:
            entry = result.taken[column.name]
            result.taken[column.name] = entry._replace(
                why=f"{entry.why}; {' and '.join(own)}: not rated", otherwise=f"{entry.otherwise}, --not-rated none"
            )
    scales = ["<".join(column.scale) for column in (*ratings, *scores) if column.scale]
    return result._replace(scales=tuple(dict.fromkeys(scales)), not_rated=tuple(codes))


def _group_raters(ratings: Sequence[Column], names: Sequence[str]) -> dict[str, list[str]]:
    """Return the rater columns of each rating."""
    by_name = {column.name: column for column in ratings}
    groups = {
        name: columns
        for name, columns in group_rater_columns([*by_name]).items()
        if _share_scale([by_name[each] for each in columns]) and not any({*each} & {*",="} for each in columns)
    }
    if groups:
        return groups
    others = [name for name in names if name not in by_name]
    people = person_columns([*by_name], others)
    return {UNNAMED: people} if people and _are_raters([by_name[name] for name in people]) else {}


def _share_scale(columns: Sequence[Column]) -> bool:
    """Return whether ratings share one scale, unlike ratings and their z-scores."""
    if len({bool(column.scale) for column in columns}) > 1:
        return False
    highest = [max(column.numbers) for column in columns if column.numbers] or [0.0]
    signs = {min(column.numbers) < 0 for column in columns if column.numbers}
    times = TIMES_AS_HIGH if len(signs) < 2 else WITH_NEGATIVE
    return max(highest) <= times * max(min(highest), 1)


def _are_raters(columns: Sequence[Column]) -> bool:
    """Return whether integer columns look like raters: one small scale, and correlated if two."""
    if not all(column.is_whole for column in columns):
        return False
    wide = max(max(c.numbers) for c in columns) - min(min(c.numbers) for c in columns)
    one, other = columns[0].numbers, columns[-1].numbers
    same = len(one) == len(other) and pearson_or_nan(one, other) > max(AGREEMENT, 2 / max(len(one), 1) ** 0.5)
    small = wide <= (100 if len(columns) > 2 else POINTS - 1)
    return (len(columns) > 2 or same) and small and all(max(c.numbers) - min(c.numbers) >= wide / 2 for c in columns)


def _record_raters(options: RatingOptions, name: str, columns: Sequence[str]) -> None:
    # --rating NAME=COLUMN,COLUMN has no bracket in the name; two that differ only there keep it
    short, whole = (re.sub(part, "", name).strip() or UNNAMED for part in (r"[(?].*", r"[(?]"))
    name = whole if short in {Rating.parse(rating).name for rating in options.ratings} else short
    if has_word_class(name, "rank"):
        name = f"reversed_{name}:lower"
    options.ratings.append(f"{name}={','.join(columns)}")
    role, why = f"rating {name.removesuffix(':lower')} (a rater)", f"one of {len(columns)} columns of single raters"
    for column in columns:
        options.taken[column] = ColumnRole(column, role, why, f"--rating {quote(column)}")


def _find_aggregate(
    column: Column, groups: Mapping[str, Sequence[str]], by_name: Mapping[str, Column], others: Sequence[Column]
) -> str | None:
    """Return a description if a column is the mean or sum of others, else None."""
    if column.kind != "number" or any(column.name in columns for columns in groups.values()):
        return None
    words = {*split_name(column.name)}
    if is_summary_name(column.name) and (named := [name for name in groups if {*split_name(name)} <= words]):
        return f"mean of the raters of {max(named, key=len)}"
    of = {f"the raters of {name}": [by_name[each] for each in columns] for name, columns in groups.items()}
    if is_summary_name(column.name) and len(others) > 1:
        of["other ratings"] = [*others]
    for what, columns in of.items():
        marks = np.array([each.row_numbers for each in columns])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # rows without a mark
            means = np.nanmean(marks, axis=0)
        both = ~np.isnan(column.row_numbers) & ~np.isnan(means)
        for kind, numbers in (("mean", means), ("sum", means * (~np.isnan(marks)).sum(axis=0))):
            if both.any() and (np.abs(column.row_numbers - numbers)[both] < ROUNDED).mean() >= NEARLY_ALL:
                return f"{kind} of {what}"
    return None


def _record_rating(options: RatingOptions, column: Column, names: Sequence[str], reason: str) -> None:
    key = rating_key(column.name)  # of human.fluency, where no other is of fluency
    is_rating = has_word_class(key, "rating") or column.name.endswith(MARKS_OF)
    alone = is_rating and key not in all_columns() and [rating_key(other) for other in names].count(key) == 1
    school, rank = _is_school_mark(column, names), has_word_class(column.name, "rank") and not column.scale
    lower = school or rank or is_error_count(column)
    name = f"reversed_{bare_name(column.name)}" if lower else bare_name(key if alone else column.name)
    if asked := _ASKED_OF.fullmatch(name):
        name = asked[1]
    if name != column.name:  # NAME=COLUMN has none of these
        name = column.name if {*",="} & {*column.name} else re.sub(r"[(?].*", "", name).strip() or column.name
    name = f"{name}_mark" if name in COLUMNS else name
    direction = ":lower" if lower else ""
    if lower:
        reason += f"; {'ranks' if rank else 'school marks' if school else 'faults'}: reversed, so that higher is better"
    options.ratings.append(f"{name}{direction}={column.name}" if name != column.name else column.name)
    reason += f", {' < '.join(column.scale)}" if column.scale else ""
    shown = quote(column.name)
    as_it_is = f"--rating {shown}, " if direction else ""
    otherwise = f"{as_it_is}--ignore {shown}, --score {quote(f'{column.name}:higher')}"
    options.taken[column.name] = ColumnRole(column.name, f"rating {name}", reason, otherwise)


def is_error_count(column: Column) -> bool:
    """Return whether a column counts errors or flags them, so that lower is better."""
    return has_word_class(column.name, "fault") and _NOT_FAULTS.isdisjoint(split_name(column.name))


def _is_school_mark(column: Column, names: Sequence[str]) -> bool:
    """Return whether these are German or Czech school marks: 1 best, 6 worst."""
    german, words = any(_GERMAN.search(name.lower()) for name in names), {*split_name(column.name)}
    named = (german and words & _SCHOOL) or words & _CZECH
    return bool(named) and column.kind == "number" and min(column.numbers) >= 1 and max(column.numbers) <= 6


def _record_score(ratings: RatingOptions, column: Column, reason: str) -> None:
    name, shown = column.name, quote(column.name)
    direction = "lower" if has_word_class(name, "lower_is_better") else "higher"
    if ours := all_columns().get(name):
        direction = {True: "higher", False: "lower", None: "neither"}[ours[0].higher_is_better]
        name, reason = f"{name}_file={name}", f"{reason}; renamed to {name}_file to distinguish it from our own {name}"
    if not (ours or is_quality_name(column.name) or {"score", "scores"} & {*split_name(column.name)}):
        ratings.scores.append(f"{name}:unknown")
        options = f"--score {shown}:higher, --score {shown}:lower, --rating {shown}"
        ratings.taken[column.name] = ColumnRole(column.name, "score, direction unknown", reason, options)
        return
    other = {"higher": "lower", "lower": "higher"}.get(direction, "higher")
    ratings.scores.append(f"{name}:{direction}")
    options = f"--score {quote(f'{column.name}:{other}')}, --rating {shown}"
    ratings.taken[column.name] = ColumnRole(column.name, f"score, {direction} is better", reason, options)


def unrated_codes(numbers: Sequence[float]) -> tuple[float, ...]:
    """Return the codes among ratings that lie outside the scale of the others."""
    marks = [number for number in numbers if number not in CODES]
    if len(marks) < MIN_NUMBERS or len(marks) * 2 < len(numbers):
        return ()
    low, high = min(marks), max(marks)
    above = high + MIN_DISTANCE * max(high - low, 1)
    result = {float(number) for number in numbers if number in CODES}
    return tuple(sorted(code for code in result if code > above or (code < 0 <= low and high > MAX_CENTRED)))


# The classes of words that name each role.
CLASSES = {
    "output": ("output", "made"),
    "reference": ("reference", "human_text", "people"),
    "input": ("input",),
    "system": ("system", "by"),
    "item": ("item", "input"),
    "id": ("item", "judgement"),
    "rater": ("rater",),
    "rating": ("rating", "fault", "rank", "asked"),
    "score": ("score",),
    "winner": ("winner", "best"),
    "best": ("best", "winner"),
    "worst": ("worst",),
    "rank": ("rank",),
    "criterion": ("criterion",),
    "mark": ("mark", "rating"),
}
BY_VALUES = {
    "output": "texts that look generated",
    "reference": "texts similar to the outputs",
    "input": "texts that look like inputs",
    "system": "few names, which distinguish outputs",
    "item": "repeats with the input",
    "id": "all values differ",
    "rater": "distinguishes rows with the same output",
    "score": "computed numbers",
    "winner": "one of the two sides",
    "best": "one of the outputs",
    "worst": "one of the outputs",
    "rank": "ranks from 1",
    "criterion": "name of what is rated",
    "mark": "a rating in each row",
}


def role_reason(column: Column, role: str) -> str:
    """Return the reason for a column's role."""
    if role == "unused":
        return _unused_reason(column)
    if has_word_class(column.name, *CLASSES[role]):
        return "its name"
    return _describe_ratings(column) if role == "rating" else BY_VALUES[role]


def _describe_ratings(column: Column) -> str:
    if column.scale:
        return "rating scale labels"
    if not column.numbers:
        return "marks"
    whole = "whole numbers" if column.is_whole else "numbers"
    return f"{whole} from {min(column.numbers):g} to {max(column.numbers):g}"


def _unused_reason(column: Column) -> str:
    if column.kind == "empty":
        return "empty"
    if column.distinct == 1 and len(column.texts) > 1:
        return "constant"
    if column.is_count:
        return "row numbers"
    if column.kind == "names" and are_links(column.texts):
        return "links or files"
    if column.kind == "names" and are_codes(column.texts):
        return "dates, times or codes"
    if has_word_class(column.name, "meta"):
        return "its name"
    return {"number": "numbers without a role", "names": "names without a role", "text": "texts without a role"}.get(
        column.kind, "no role"
    )
