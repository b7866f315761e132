"""Columns of single raters that make one rating together, told by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rainbow.datasets.mapping.names import one_of, role_by_name, words_of

__all__ = ["OF_SEVERAL", "key_of", "rater_groups"]

# What a rating is called whose columns name raters alone.
UNNAMED = "rating"

_KEY = (
    "annotators?|annot|ann|raters?|judges?|judgements?|workers?|evaluators?|eval|coders?|assessors?|experts?|crowd|"
    "turkers?|humans?|participants?|persons?|subjects?|users?|reviewers?|votes?|dr|prof|[rajhpewu]"
)
_EDGE = r"[ _.\-:/()\[\]]"
_WHO = rf"(?:{_KEY}){_EDGE}*(?:\d+|[a-z])"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?P<stem>.+)\.\d+",  # entries of a list
        r"(?P<list>.+?)\.\d+\.(?P<stem>.+)",
        rf"(?P<stem>){_WHO}",
        rf"(?P<stem>.+?){_EDGE}+{_WHO}{_EDGE}*",
        rf"{_WHO}{_EDGE}+(?P<stem>.+)",
        rf"(?P<stem>.+?){_EDGE}*\d+{_EDGE}*",
        rf"(?P<stem>.+?){_EDGE}+[a-z]{_EDGE}*",
    )
)
# Numbered columns of these are different questions, not raters.
_QUESTIONS = frozenset(["q", "question", "item", "criterion", "dimension", "dim", "aspect", "task", "part", "scale"])

_BRACKETS = re.compile(r"(?P<stem>.+?) ?\((?P<who>[^\W\d]+[^()\d]*)\)")
_AROUND = frozenset(["value", "values", "result", "results", "responses", "annotations", "scores"])
# What columns hold of the marks of several raters, who are none of them.
OF_SEVERAL = one_of("mean avg ave average moy mittel media median min max std sd sem n count var")


def rater_groups(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return the ratings of which columns hold what single raters gave, with these columns in order.

    Examples
    --------
    >>> rater_groups(["ann1", "ann2", "ann3", "length"])
    {'rating': ['ann1', 'ann2', 'ann3']}
    >>> rater_groups(["fluency_1", "fluency_2", "ann1_adequacy", "ann2_adequacy", "q1", "q2"])
    {'fluency': ['fluency_1', 'fluency_2'], 'adequacy': ['ann1_adequacy', 'ann2_adequacy']}
    >>> rater_groups(["anna_quality", "ben_quality"])
    {'quality': ['anna_quality', 'ben_quality']}
    >>> rater_groups(["Sense (Zoé)", "Sense (Mia)", "Sense (mean)", "Answer Relevance", "Context Relevance"])
    {'Sense': ['Sense (Zoé)', 'Sense (Mia)']}
    >>> rater_groups(["human.fluency", "human.quality"])
    {}
    >>> rater_groups(["experts.0.fluency", "experts.1.fluency", "crowd.0.fluency", "crowd.1.fluency"])
    {'fluency': ['experts.0.fluency', 'experts.1.fluency'], 'crowd.fluency': ['crowd.0.fluency', 'crowd.1.fluency']}
    """
    groups: dict[str, list[str]] = {}
    lists: dict[str, str] = {}
    for column in columns:
        if not OF_SEVERAL.isdisjoint(words_of(column)):
            continue
        if (match := _form(column)) and (stem := match["stem"].strip(" _.-:/()[]")).lower() not in _QUESTIONS:
            own = match.groupdict().get("list", "")
            stem = key_of(stem) or key_of(own)
            if lists.setdefault(stem, own) != own:  # experts and a crowd, say
                stem = f"{own}.{stem}"
            groups.setdefault(stem or UNNAMED, []).append(column)
    found = {stem: group for stem, group in groups.items() if len(group) > 1}
    for more in (_in_brackets, _by_word):
        taken = {column for group in found.values() for column in group}
        found |= more([column for column in columns if column not in taken])
    return found


def _form(column: str) -> re.Match[str] | None:
    return next((match for form in _FORMS if (match := form.fullmatch(column))), None)


def key_of(path: str) -> str:
    """Return the key that a rating stands under, without numbers, and without words that say nothing.

    Examples
    --------
    >>> key_of("responses.quality.0.value"), key_of("fluency"), key_of("annotations.0.value")
    ('quality', 'fluency', '')
    """
    parts = [part for part in path.split(".") if not part.isdecimal() and part.lower() not in _AROUND]
    return parts[-1] if parts else ""


def _in_brackets(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return columns that have a word of their own in brackets, as "Meaning (Zoe)", or behind or before a stroke."""
    groups: dict[str, list[str]] = {}
    for column in columns:
        if (match := _BRACKETS.fullmatch(column)) and OF_SEVERAL.isdisjoint(words_of(match["who"])):
            groups.setdefault(match["stem"].rstrip(" ?"), []).append(column)
        elif len(parts := re.split(r" ?[/:] ?", column)) == 2:
            roles = [role_by_name(part) for part in parts]
            if roles.count("rating") == 1:
                groups.setdefault(parts[roles.index("rating")], []).append(column)
    return {stem: group for stem, group in groups.items() if len(group) > 1}


def _by_word(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return columns whose names are that of a rating and a word of their own, a rater's name."""
    groups: dict[str, list[str]] = {}
    for column in columns:
        words = words_of(column)
        for word in (words[0], words[-1]) if len(words) == 2 and OF_SEVERAL.isdisjoint(words) else ():
            other = words[0] if word is words[-1] else words[-1]
            if role_by_name(word) == "rating" and role_by_name(other) in (None, "rater"):
                groups.setdefault(word, []).append(column)
                break
    return {word: group for word, group in groups.items() if len(group) > 1}
