"""What a column of marks may be: a rating, a score that others computed, faults, ranks, the mean of others."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.datasets.mapping.contents.names import any_of, is_of_raters, one_of, role_by_name, words_of
from rainbow.datasets.mapping.contents.profile import Profile
from rainbow.datasets.mapping.contents.scales import GRADED
from rainbow.datasets.mapping.raters import OF_SEVERAL, key_of
from rainbow.datasets.shapes.cells import mark_of
from rainbow.metrics.contract.registry import all_columns

__all__ = ["POINTS", "WHOLE", "are_ranks", "is_computed", "is_of_people", "is_school_mark", "is_score", "may_be_mark"]
__all__ += ["may_rate", "mean_of", "of_faults", "why_rating"]

WHOLE = "whole marks"
POINTS = 11  # a scale has at most
_METRICS = frozenset(["metric", "metrics"])  # what stands in an object called so is a score
_OF_TOOLS = re.compile(r"(?:.+\.)?(?:scores\.[^.]+\.value|namedScores\.[^.]+)")  # of Inspect, of promptfoo
# Of people's marks too, where they are whole.
_OF_PEOPLE_TOO = frozenset(["accuracy", "acc"])
_JUDGES, _ROUNDED = 60, 0.0006  # of a mean, at most, times the points of their scale; how far decimals are cut
_NEARLY_ALL = 0.9
_ROUNDED_MEAN = 0.06  # how far a mean is rounded, at most
_FAULTS = one_of(
    "error errors mistakes hallucinated hallucination hallucinations unsupported fehler erreurs errores erros errori "
    "bledow fouten typos minor major chyb sakfel"
)
_FAULT_SIGNS = re.compile("誤|错误|錯誤|오류")
_SCHOOL_MARKS, _CZECH = one_of("note noten schulnote"), one_of("znamka znamky")
_GERMAN = re.compile(r"[äöüß]|\b(?:nr|und|der|die|des|anmerkung|bemerkung|ausgabe|quelle|antwort|modell)\b")
_NONE_OF = one_of("free freedom no without absence")  # faults
# Of texts and remarks too, where they are no numbers.
_GRADES = one_of("note noten voto nota punkte puntos meaning semantic semantics sens style content structure")
# As "(Y/N)", "/5", "1-5".
_SAYS_SCALE = re.compile(r"\([^\W\d]+ ?/ ?[^\W\d]+\)$|/ ?\d+$|\(?\b\d+ ?(?:-|\u2013|to|bis|a|à) ?\d+\)?$|\(\d.*\d.*\)$")
_STATEMENT = re.compile(r"(?:the|this|it|i|they|text) (?:\S+ ){2,}\S+", re.IGNORECASE)  # that raters agree with


def may_be_mark(profile: Profile) -> bool:
    """Return whether a column may hold marks, by its name."""
    name = profile.name
    return (
        _is_grade(profile)
        or _counts_faults(profile)
        or _STATEMENT.fullmatch(name) is not None
        or (_SAYS_SCALE.search(name.strip()) is not None and not is_of_raters(name))
        or (
            (role_by_name(key_of(name)) not in ("meta", "item", "output") or key_of(name) == "votes")
            and words_of(name)[-1:] not in (["by"], ["id"])
        )
    )


def _is_grade(profile: Profile) -> bool:
    words = words_of(profile.name)
    return profile.kind == "number" and any_of(words, _GRADES) and not any_of(words, _FAULTS)


def of_faults(profile: Profile) -> bool:
    """Return whether less of these is better: how many faults there are, or whether there are any."""
    words = words_of(profile.name)
    said = any_of(words, _FAULTS) or {"made", "up"} <= {*words} or _FAULT_SIGNS.search(profile.name)
    return bool(said) and not any_of(words, _NONE_OF)


def is_school_mark(profile: Profile, others: Iterable[str]) -> bool:
    """Return whether these are marks as German and Czech schools give them: 1 is the best, and 6 the worst."""
    german = any(_GERMAN.search(name.lower()) for name in others)
    words = words_of(profile.name)
    named = (german and any_of(words, _SCHOOL_MARKS)) or any_of(words, _CZECH)
    return profile.kind == "number" and named and min(profile.numbers) >= 1 and max(profile.numbers) <= 6


def _counts_faults(profile: Profile) -> bool:
    """Return whether these are small whole numbers of faults, under a name of several words or for several faults."""
    words = words_of(profile.name)
    whole = profile.kind == "number" and all(number == int(number) >= 0 for number in profile.numbers)
    said = len(words) > 1 or words[-1:] not in (["error"], ["hallucination"])
    return of_faults(profile) and said and whole and 1 < len({*profile.numbers}) <= POINTS


def is_of_people(profile: Profile) -> bool:
    """Return whether what a metric may be called is a mark of people's: whole, on a scale of several points."""
    return any_of(words_of(profile.name), _OF_PEOPLE_TOO) and profile.whole_marks


def is_score(profile: Profile) -> bool:
    """Return whether these are scores that others computed, by the column's name."""
    if profile.scale == GRADED or _OF_TOOLS.fullmatch(profile.name):
        return True
    of_metrics = any_of(words_of(profile.name.rpartition(".")[0]), _METRICS)
    if role_by_name(profile.name) == "score" or profile.name in all_columns() or of_metrics:
        return profile.is_mark and not is_of_people(profile)
    decimals = profile.kind == "number" and any(number != int(number) for number in profile.numbers)
    score = words_of(profile.name)[-1:] == ["score"] and not _says_people(profile)
    return score and decimals and len({*profile.numbers}) > POINTS


def is_computed(profile: Profile) -> bool:
    """Return whether these are numbers from 0 to 1 that are no means of marks of so few raters: computed ones."""
    numbers = profile.numbers
    if not numbers or not 0 <= min(numbers) < max(numbers) <= 1 or len({*numbers}) <= POINTS or _says_people(profile):
        return False
    means = (
        all(abs(number * of - round(number * of)) < _ROUNDED * of for number in numbers) for of in range(1, _JUDGES)
    )
    return not any(means)


def _says_people(profile: Profile) -> bool:
    return any_of(words_of(profile.name), frozenset(["human", "humans", "people"]))


def may_rate(profile: Profile) -> bool:
    """Return whether these may be marks of a rater: numbers of few kinds, or words for them."""
    if profile.kind == "marks in words" or role_by_name(profile.name) in ("rating", "rater"):
        return True
    return len({*profile.numbers}) <= max(POINTS, 0.5 * len(profile.numbers)) or profile.whole_marks


def why_rating(profile: Profile) -> str:
    """Return why a column is a rating; nothing where it is none."""
    if role_by_name(profile.name) in ("rating", "rater"):
        return "by its name"
    if _is_grade(profile) or (role_by_name(profile.name) == "score" and is_of_people(profile)):
        return "by its name"
    if _counts_faults(profile):
        return "by its name"
    if "correct" in words_of(profile.name) and ({*profile.numbers} <= {0, 1} or profile.whole_marks):
        return "by its name"
    if _SAYS_SCALE.search(profile.name.strip()):
        return "its name says the scale"
    if profile.kind == "marks in words":
        return "words that stand for marks" if len(profile.scale) > 2 else ""
    if profile.whole_marks and (role_by_name(profile.name) is None or _STATEMENT.fullmatch(profile.name)):
        return f"{WHOLE} from {min(profile.numbers):g} to {max(profile.numbers):g}"
    return ""


def mean_of(
    profile: Profile, groups: Mapping[str, Sequence[str]], by_name: Mapping[str, Profile], others: Sequence[str]
) -> str | None:
    """Return of which raters, or other ratings, a column holds the mean or the sum, if it does."""
    if profile.kind != "number" or any(profile.name in columns for columns in groups.values()):
        return None
    words = words_of(profile.name)
    if named := [name for name in groups if any_of(words, OF_SEVERAL) and {*words_of(name)} <= {*words}]:
        return f"the mean of the raters of {max(named, key=len)}"
    of = {f"the raters of {name}": columns for name, columns in groups.items()}
    if any_of(words, OF_SEVERAL) and len(others) > 1:
        of["other ratings"] = others
    mine = _by_rows(profile)
    for what, columns in of.items():
        marks = np.array([_by_rows(by_name[column]) for column in columns])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # rows without a mark
            means = np.nanmean(marks, axis=0)
        both = ~np.isnan(mine) & ~np.isnan(means)
        sums = means * (~np.isnan(marks)).sum(axis=0)
        for told, numbers in ((f"the mean of {what}", means), (f"the sum of {what}", sums)):
            if both.any() and (np.abs(mine - numbers)[both] < _ROUNDED_MEAN).mean() >= _NEARLY_ALL:
                return told
    return None


def _by_rows(profile: Profile) -> FloatArray:
    """Return the number of each row, NaN where it has none."""
    marks = (mark_of(cell, profile.scale, ",") for cell in profile.rows)
    return np.array([float(mark) if isinstance(mark, Real) else np.nan for mark in marks])


def are_ranks(profile: Profile) -> bool:
    """Return whether these may be the ranks of systems: whole numbers from 1, or 0."""
    whole = profile.kind == "number" and all(number == int(number) for number in profile.numbers)
    return whole and min(profile.numbers) in (0, 1) and 1 < len({*profile.numbers}) <= POINTS
