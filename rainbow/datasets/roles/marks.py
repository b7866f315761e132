"""Ratings and scores from the columns that hold them: raters' columns together, directions, scales, names."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from shlex import quote
from typing import NamedTuple

import numpy as np

from rainbow.corpus import COLUMNS
from rainbow.datasets.columns import Rating
from rainbow.datasets.lexicon import bare_name, names_a_quality, says, words_of
from rainbow.datasets.roles.column import POINTS, Column, correlation
from rainbow.datasets.roles.raters import MARKS_OF, UNNAMED, is_summary, key_of, people_among, rater_groups
from rainbow.datasets.roles.unrated_codes import unrated_codes
from rainbow.metrics.contract.registry import all_columns

AGREEMENT = 0.3  # correlation of two columns under names of people
TIMES_AS_HIGH, WITH_NEGATIVE = 10, 2  # largest ratio of two raters' highest marks
ROUNDED = 0.06  # largest rounding error of a mean
NEARLY_ALL = 0.9
_ASKED_OF = re.compile(r".+\[([^\[\]]*[^\W\d_][^\[\]]*)\]")  # the part of a survey's question in brackets
_GERMAN = re.compile(r"[äöüß]|\b(?:nr|und|der|die|des|anmerkung|bemerkung|ausgabe|quelle|antwort|modell)\b")
_SCHOOL, _CZECH = frozenset(["note", "noten", "schulnote"]), frozenset(["znamka", "znamky"])
_NO_FAULTS = frozenset(["free", "freedom", "no", "without", "absence"])


class Taken(NamedTuple):
    """A column, its role, the reason, and the options that override it."""

    column: str
    role: str
    why: str
    otherwise: str


class Marks(NamedTuple):
    """Ratings and scores as options write them, scales, codes for "not rated", and each column's reading."""

    ratings: list[str]
    scores: list[str]
    scales: tuple[str, ...]
    not_rated: tuple[str, ...]
    taken: dict[str, Taken]


def marks_of(
    ratings: Sequence[Column],
    scores: Sequence[Column],
    names: Sequence[str],
    has_rater: bool,
    whys: Mapping[str, str],
) -> Marks:
    """Return the ratings and scores that these columns make."""
    found = Marks([], [], (), (), {})
    by_name = {column.name: column for column in ratings}
    groups = {} if has_rater else _rater_columns(ratings, names)
    for name, columns in groups.items():
        _take_group(found, name, columns)
    for column in ratings:
        others = [c for c in ratings if c is not column and c.name not in found.taken and not is_summary(c.name)]
        if column.name not in found.taken and (mean := _mean_of(column, groups, by_name, others)):
            found.taken[column.name] = Taken(column.name, "unused", mean, f"--rating {quote(column.name)}")
    for column in ratings:
        if column.name not in found.taken:
            _take_rating(found, column, names, whys.get(column.name, ""))
    for column in scores:
        _take_score(found, column, whys.get(column.name, ""))
    codes: dict[str, None] = {}
    for column in ratings:
        own = [f"{code:g}" for code in unrated_codes(column.numbers)] if column.name in found.taken else []
        codes |= dict.fromkeys(own)
        if own:
            entry = found.taken[column.name]
            found.taken[column.name] = entry._replace(
                why=f"{entry.why}; {' and '.join(own)}: not rated", otherwise=f"{entry.otherwise}, --not-rated none"
            )
    scales = ["<".join(column.scale) for column in (*ratings, *scores) if column.scale]
    return found._replace(scales=tuple(dict.fromkeys(scales)), not_rated=tuple(codes))


def _rater_columns(ratings: Sequence[Column], names: Sequence[str]) -> dict[str, list[str]]:
    """Return the columns of single raters by the rating that they make."""
    by_name = {column.name: column for column in ratings}
    groups = {
        name: columns
        for name, columns in rater_groups([*by_name]).items()
        if _on_one_scale([by_name[each] for each in columns]) and not any({*each} & {*",="} for each in columns)
    }
    if groups:
        return groups
    others = [name for name in names if name not in by_name]
    people = people_among([*by_name], others)
    return {UNNAMED: people} if people and _people_agree([by_name[name] for name in people]) else {}


def _on_one_scale(columns: Sequence[Column]) -> bool:
    """Return whether marks have one scale, unlike marks and z-scores of them."""
    if len({bool(column.scale) for column in columns}) > 1:
        return False
    highest = [max(column.numbers) for column in columns if column.numbers] or [0.0]
    signs = {min(column.numbers) < 0 for column in columns if column.numbers}
    times = TIMES_AS_HIGH if len(signs) < 2 else WITH_NEGATIVE
    return max(highest) <= times * max(min(highest), 1)


def _people_agree(columns: Sequence[Column]) -> bool:
    """Return whether whole marks have most of one scale; two columns must correlate, too, on a small scale."""
    if not all(column.is_whole for column in columns):
        return False
    wide = max(max(c.numbers) for c in columns) - min(min(c.numbers) for c in columns)
    one, other = columns[0].numbers, columns[-1].numbers
    same = len(one) == len(other) and correlation(one, other) > max(AGREEMENT, 2 / max(len(one), 1) ** 0.5)
    small = wide <= (100 if len(columns) > 2 else POINTS - 1)
    return (len(columns) > 2 or same) and small and all(max(c.numbers) - min(c.numbers) >= wide / 2 for c in columns)


def _take_group(found: Marks, name: str, columns: Sequence[str]) -> None:
    # --rating NAME=COLUMN,COLUMN has no bracket in the name; two that differ in what stands there keep it
    short, whole = (re.sub(part, "", name).strip() or UNNAMED for part in (r"[(?].*", r"[(?]"))
    name = whole if short in {Rating.of(rating).name for rating in found.ratings} else short
    if says(name, "rank"):
        name = f"reversed_{name}:lower"
    found.ratings.append(f"{name}={','.join(columns)}")
    for column in columns:
        role, why = f"rating {name.removesuffix(':lower')} (a rater)", f"one of {len(columns)} columns of raters"
        found.taken[column] = Taken(column, role, why, f"--rating {quote(column)}")


def _mean_of(
    column: Column, groups: Mapping[str, Sequence[str]], by_name: Mapping[str, Column], others: Sequence[Column]
) -> str | None:
    """Return what a column is the mean or the sum of, if it is one."""
    if column.kind != "number" or any(column.name in columns for columns in groups.values()):
        return None
    if named := [name for name in groups if is_summary(column.name) and {*words_of(name)} <= {*words_of(column.name)}]:
        return f"mean of the raters of {max(named, key=len)}"
    of = {f"the raters of {name}": [by_name[each] for each in columns] for name, columns in groups.items()}
    if is_summary(column.name) and len(others) > 1:
        of["other ratings"] = [*others]
    for what, columns in of.items():
        marks = np.array([each.by_row for each in columns])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # rows without a mark
            means = np.nanmean(marks, axis=0)
        both = ~np.isnan(column.by_row) & ~np.isnan(means)
        for kind, numbers in (("mean", means), ("sum", means * (~np.isnan(marks)).sum(axis=0))):
            if both.any() and (np.abs(column.by_row - numbers)[both] < ROUNDED).mean() >= NEARLY_ALL:
                return f"{kind} of {what}"
    return None


def _take_rating(found: Marks, column: Column, names: Sequence[str], why: str) -> None:
    key = key_of(column.name)  # of human.fluency, where no other is of fluency
    told = says(key, "rating") or column.name.endswith(MARKS_OF)
    alone = told and key not in all_columns() and [key_of(other) for other in names].count(key) == 1
    school, rank = _is_school_mark(column, names), says(column.name, "rank") and not column.scale
    lower = school or rank or is_fault(column)
    name = f"reversed_{bare_name(column.name)}" if lower else bare_name(key if alone else column.name)
    if asked := _ASKED_OF.fullmatch(name):
        name = asked[1]
    if name != column.name:  # NAME=COLUMN has none of these
        name = column.name if {*",="} & {*column.name} else re.sub(r"[(?].*", "", name).strip() or column.name
    name = f"{name}_mark" if name in COLUMNS else name
    direction = ":lower" if lower else ""
    if lower:
        why += f"; {'ranks' if rank else 'school marks' if school else 'faults'}: reversed, so that higher is better"
    found.ratings.append(f"{name}{direction}={column.name}" if name != column.name else column.name)
    why += f", {' < '.join(column.scale)}" if column.scale else ""
    shown = quote(column.name)
    as_it_is = f"--rating {shown}, " if direction else ""
    otherwise = f"{as_it_is}--ignore {shown}, --score {quote(f'{column.name}:higher')}"
    found.taken[column.name] = Taken(column.name, f"rating {name}", why, otherwise)


def is_fault(column: Column) -> bool:
    """Return whether a column counts faults or says whether there are any: less is better."""
    return says(column.name, "fault") and _NO_FAULTS.isdisjoint(words_of(column.name))


def _is_school_mark(column: Column, names: Sequence[str]) -> bool:
    """Return whether these are marks of German or Czech schools: 1 is the best, 6 the worst."""
    german, words = any(_GERMAN.search(name.lower()) for name in names), {*words_of(column.name)}
    named = (german and words & _SCHOOL) or words & _CZECH
    return bool(named) and column.kind == "number" and min(column.numbers) >= 1 and max(column.numbers) <= 6


def _take_score(found: Marks, column: Column, why: str) -> None:
    name, shown = column.name, quote(column.name)
    direction = "lower" if says(name, "lower_is_better") else "higher"
    if ours := all_columns().get(name):
        direction = {True: "higher", False: "lower", None: "neither"}[ours[0].higher_is_better]
        name, why = f"{name}_file={name}", f"{why}; called {name}_file here, next to our own {name}"
    if not (ours or names_a_quality(column.name) or {"score", "scores"} & {*words_of(column.name)}):
        found.scores.append(f"{name}:unknown")
        options = f"--score {shown}:higher, --score {shown}:lower, --rating {shown}"
        found.taken[column.name] = Taken(column.name, "score, direction unknown", why, options)
        return
    other = {"higher": "lower", "lower": "higher"}.get(direction, "higher")
    found.scores.append(f"{name}:{direction}")
    options = f"--score {quote(f'{column.name}:{other}')}, --rating {shown}"
    found.taken[column.name] = Taken(column.name, f"score, {direction} is better", why, options)
