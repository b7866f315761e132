"""Tables with a row for each mark, in which one column says what is rated and another holds the mark."""

from __future__ import annotations

from collections.abc import Sequence

from rainbow.datasets.mapping.contents.names import any_of, one_of, role_by_name, words_of
from rainbow.datasets.mapping.contents.profile import Profile
from rainbow.datasets.shapes.pairs import PREFERENCE

__all__ = ["may_be_criterion", "preferences_by_criterion", "ratings_by_criterion"]

_CRITERIA = one_of(
    "criterion criteria dimension dim aspect attribute measure construct metric question rating scale category"
)
_MARKS = one_of("score value rating mark answer response label points stars grade")
_MOST = 20  # criteria
_OFTEN = 1.5  # so many rows, at least, an output has on average


def ratings_by_criterion(
    profiles: Sequence[Profile], output: Profile | None, judged: Sequence[object] = ()
) -> list[str]:
    """Return the ratings of such a table, as ``fluency=score@dimension``; none where it is no such table.

    Parameters
    ----------
    profiles
        The columns that are nothing else.
    output
        The column of the outputs, which repeat: once for each criterion at least.
    judged
        What each row says that somebody judged, if it is known who did: several rows are for several criteria.

    Examples
    --------
    >>> from rainbow.datasets.mapping.contents.profile import profile_of
    >>> texts = profile_of("text", ["the inn is cheap", "a cheap inn for all"] * 2)
    >>> rest = [profile_of("aspect", ["fluency"] * 2 + ["style"] * 2), profile_of("mark", [4, 3, 3, 5])]
    >>> ratings_by_criterion(rest, texts)
    ['fluency=mark@aspect', 'style=mark@aspect']
    """
    if output is None or len(output.texts) < _OFTEN * output.distinct:
        return []
    marks = [p for p in profiles if p.is_mark]
    named = [p for p in marks if any_of(words_of(p.name), _MARKS)]
    for criterion in profiles:
        names = list(dict.fromkeys(criterion.texts))
        told = len(marks) == 1 and _tells(criterion, judged)
        if (
            (told or (named and any_of(words_of(criterion.name), _CRITERIA)))
            and criterion.kind in ("names", "text")
            and 2 <= len(names) <= _MOST
            and _within_outputs(criterion, output)
            and not any(role_by_name(name) == "score" or {*name} & {*"=@,"} for name in names)
        ):
            return [f"{name}={(marks if told else named)[0].name}@{criterion.name}" for name in names]
    return []


def preferences_by_criterion(profiles: Sequence[Profile], compared: Sequence[object]) -> list[str]:
    """Return the ratings of a table in which the same two are compared for several criteria; none for others.

    Parameters
    ----------
    profiles
        The columns that are nothing else.
    compared
        What each row says is compared, and who did.

    Examples
    --------
    >>> from rainbow.datasets.mapping.contents.profile import profile_of
    >>> preferences_by_criterion([profile_of("aspect", ["fluency", "style"] * 3)], ["p", "p", "q", "q", "r", "r"])
    ['fluency=preference@aspect', 'style=preference@aspect']
    """
    for criterion in filter(may_be_criterion, profiles):
        names = list(dict.fromkeys(criterion.texts))
        if _tells(criterion, compared) and not any({*name} & {*"=@,?("} for name in names):
            return [f"{name}={PREFERENCE}@{criterion.name}" for name in names]
    return []


def may_be_criterion(profile: Profile) -> bool:
    """Return whether a column is called so, and has a few names, or questions, again and again.

    Examples
    --------
    >>> from rainbow.datasets.mapping.contents.profile import profile_of
    >>> may_be_criterion(profile_of("Question", ["Which is more fluent?", "Which says more?"] * 3))
    True
    """
    few = profile.kind in ("names", "text") and 2 <= profile.distinct <= min(_MOST, len(profile.texts) / 2)
    return few and any_of(words_of(profile.name), _CRITERIA)


def _tells(criterion: Profile, judged: Sequence[object]) -> bool:
    """Return whether raters have several rows for an output, one for each criterion."""
    whole = {*zip(judged, map(str, criterion.rows), strict=False)}
    return len(judged) >= max(_OFTEN * len({*judged}), 1) and len(whole) == len(judged)


def _within_outputs(criterion: Profile, output: Profile) -> bool:
    """Return whether outputs are marked for several criteria each."""
    both = {*zip(map(str, criterion.rows), map(str, output.rows), strict=True)}
    return len(both) >= _OFTEN * output.distinct
