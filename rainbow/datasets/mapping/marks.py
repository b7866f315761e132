"""Which columns of numbers and words are human ratings, and which scores that others computed."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from math import ceil, floor
from shlex import quote
from typing import NamedTuple

from rainbow.corpus import COLUMNS
from rainbow.datasets.columns import EACH_ROW, Columns, Rating, Score
from rainbow.datasets.mapping.contents.names import (
    LOWER_IS_BETTER,
    any_of,
    is_rank,
    one_of,
    role_by_name,
    words_of,
)
from rainbow.datasets.mapping.contents.profile import Profile, correlation
from rainbow.datasets.mapping.kinds import (
    POINTS,
    WHOLE,
    are_ranks,
    is_computed,
    is_of_people,
    is_school_mark,
    is_score,
    may_be_mark,
    may_rate,
    mean_of,
    of_faults,
    why_rating,
)
from rainbow.datasets.mapping.raters import MARKS_OF, UNNAMED, key_of, people_among, rater_groups
from rainbow.datasets.shapes.wide import bare_name
from rainbow.metrics.contract.registry import all_columns

__all__ = ["Marks", "marks_of"]

_AGREE = 0.3  # correlation
# So many times another's highest mark a rater's is at most; where some have marks below zero, and others none.
_TIMES_AS_HIGH, _WITH_NEGATIVE = 10, 2
_SPREAD, _WIDE = 0.5, 10  # so much of the scale, of so many points at most, numbers of no name take
_ASKED_OF = re.compile(r".+\[([^\[\]]*[^\W\d_][^\[\]]*)\]")  # what a question of a survey is asked of
_JUST_SCORES = one_of("score scores raw raw_score z_score zscore z mean avg_score average label labels response answer")


class Marks(NamedTuple):
    """What is said of ratings and scores, and of each column (what it is taken as, why, the option that mends it)."""

    ratings: list[str]
    scores: list[str]
    scales: tuple[str, ...]
    taken: dict[str, tuple[str, str, str]]


def marks_of(profiles: Sequence[Profile], said: Columns, of_systems: Collection[str] = ()) -> Marks:
    """Return which of these columns are ratings and which are scores.

    Parameters
    ----------
    profiles
        The columns that are nothing else.
    said
        What is said already: ratings that are named are all there are.
    of_systems
        Those of these columns of which each system has one.
    """
    found = Marks([], [], (), {})
    by_name = {profile.name: profile for profile in profiles}
    for rating in map(Rating.of, said.ratings):
        for column in () if rating.by_criterion else rating.columns:
            found.taken[column] = (f"rating {rating.name}", "as you said", "")
    for score in map(Score.of, said.scores):
        found.taken[score.column] = ("score of others", "as you said", "")
    marks = [p for p in profiles if p.is_mark and p.name not in found.taken and not is_rank(p.name)]
    mates = {name: columns for columns in rater_groups([p.name for p in marks]).values() for name in columns}
    of_people = {p.name for p in marks if is_of_people(p)}
    _take_scores(found, [p for p in marks if is_score(p) and of_people.isdisjoint(mates.get(p.name, ()))])
    if said.ratings:
        return found
    if found.scores or said.scores:
        _take_scores(found, [p for p in marks if p.name not in found.taken and may_be_mark(p) and is_computed(p)])
    if (said.system or len(said.output) > 1) and not said.compares:
        _take_ranks(found, [p for p in profiles if is_rank(p.name) and are_ranks(p)], by_name)
    likely = {p.name for p in marks if may_be_mark(p)}
    likely |= {mate for name in likely for mate in mates.get(name, ())}
    candidates = [p for p in marks if p.name not in found.taken and p.name in likely]
    whys = {p.name: why for p in candidates if (why := why_rating(p))}
    judged = said.rater not in (None, EACH_ROW)  # then no column is that of a rater
    groups = {} if judged else _take_raters(found, candidates, whys, said)
    whys = {name: why for name, why in whys.items() if name not in found.taken}
    for profile in candidates:
        others = [name for name in whys if name != profile.name and not of_faults(by_name[name])]
        if mean := mean_of(profile, groups, by_name, others):
            found.taken[profile.name] = ("unused", mean, f"--rating {quote(profile.name)}")
    for profile in candidates:
        if profile.name not in found.taken and profile.name in whys:
            _take_rating(found, profile, whys[profile.name], by_name)
    _take_alike(found, [p for p in candidates if p.name not in found.taken], by_name)
    _perhaps_raters(found, candidates)
    if not found.ratings:
        _take_means(found, [p for p in candidates if p.name not in found.taken], by_name)
    if not found.ratings:
        _last_of_all(found, by_name, of_systems)
    _take_undirected(found, [p for p in profiles if p.name not in found.taken], by_name)
    scales = [profile.scale for profile in marks if profile.name in found.taken and profile.scale]
    return found._replace(scales=tuple(dict.fromkeys("<".join(scale) for scale in scales)))


def _take_ranks(found: Marks, ranks: Sequence[Profile], by_name: Mapping[str, Profile]) -> None:
    """Take ranks, of one reader or of several."""
    why = "ranks, turned round: the best has the most"
    groups = [*rater_groups([profile.name for profile in ranks]).values()]
    for profile in ranks:
        if profile.name in found.taken:
            continue
        if group := next((own for own in groups if profile.name in own), None):
            _take_group(found, "reversed_rank:lower", group, why)
        else:
            _take_rating(found, profile, why, by_name, lower=True)


def _take_raters(
    found: Marks, candidates: Sequence[Profile], whys: Mapping[str, str], said: Columns
) -> dict[str, list[str]]:
    """Take columns of single raters, and return them by the rating that they make."""
    by_name = {profile.name: profile for profile in candidates}
    groups = rater_groups([*by_name])
    groups = {name: columns for name, columns in groups.items() if _may_be_raters([by_name[each] for each in columns])}
    for name, columns in groups.items():
        _take_group(found, name, columns)
    if groups:
        return groups
    others = [*filter(None, (*said.output, *said.references, said.mr, said.system))]
    people = people_among([name for name, why in whys.items() if why.startswith(WHOLE)], others)
    if not _same_scale([by_name[name] for name in people], whys):
        return {}
    why = "marks on one scale, under names of people: raters" + (", as they agree" if len(people) < 3 else "")
    _take_group(found, UNNAMED, people, why)
    return {UNNAMED: people}


def _take_alike(found: Marks, left: Sequence[Profile], by_name: Mapping[str, Profile]) -> None:
    """Take numbers on the very scale of ratings that are known, under a name that says nothing."""
    known = [by_name[name] for name in found.ratings if name in by_name and by_name[name].numbers]
    for profile in left if known else ():
        if profile.kind != "number" or role_by_name(profile.name) not in (None, "input") or is_rank(profile.name):
            continue
        low, high = min(profile.numbers), max(profile.numbers)
        lows, highs = floor(min(min(p.numbers) for p in known)), ceil(max(max(p.numbers) for p in known))
        lows = min(lows, 1) if highs <= _WIDE else lows  # where scales begin
        whole = any(all(number == int(number) for number in p.numbers) for p in known)
        same = whole == all(number == int(number) for number in profile.numbers)
        if (
            same
            and not _against(profile, known)
            and lows <= low
            and high <= highs
            and high - low >= _SPREAD * (highs - lows)
            and highs - lows <= _WIDE
        ):
            _take_rating(found, profile, "numbers on the scale of the other ratings", by_name)


def _against(profile: Profile, known: Sequence[Profile]) -> bool:
    """Return whether marks fall where others rise, as shares of faults do."""
    others = [p.numbers for p in known if len(p.numbers) == len(profile.numbers)]
    return any(correlation(profile.numbers, numbers) <= 0 for numbers in others)


def _perhaps_raters(found: Marks, candidates: Sequence[Profile]) -> None:
    """Say how columns are made one rating that may be raters, by names that nobody can know."""
    why = {name: why for name, (_, why, _) in found.taken.items()}
    scales = {p.name: (min(p.numbers), max(p.numbers)) for p in candidates if why.get(p.name, "").startswith(WHOLE)}
    alike = [name for name, scale in scales.items() if list(scales.values()).count(scale) > 1]
    for name in alike:
        role, reason, otherwise = found.taken[name]
        raters = quote(f"rating={','.join(other for other in alike if scales[other] == scales[name])}")
        found.taken[name] = (role, reason, f"if raters: --rating {raters}; {otherwise}")


def _take_means(found: Marks, left: Sequence[Profile], by_name: Mapping[str, Profile]) -> None:
    """Where no column is a rating by its name or its marks, take means of these."""
    for profile in left:
        if profile.mean_marks and role_by_name(profile.name) is None:
            _take_rating(found, profile, "means of whole marks", by_name)


def _last_of_all(found: Marks, by_name: Mapping[str, Profile], of_systems: Collection[str]) -> None:
    """Where no column is a rating, take marks of each system, or what is called a score and nothing more."""
    numbers = [p for p in by_name.values() if p.kind == "number" and not is_rank(p.name)]
    of_each = [p for p in numbers if p.name in of_systems and p.name not in found.taken]
    computed = {by_name[Score.of(score).column].texts for score in found.scores if "." in Score.of(score).column}
    just = [p for p in numbers if p.name.lower() in _JUST_SCORES and p.texts not in computed]
    for profile in [*of_each, *just][:1]:
        found.scores[:] = [score for score in found.scores if Score.of(score).column != profile.name]
        why = "marks, a column for each system" if of_each else "no other column may be a rating"
        _take_rating(found, profile, why, by_name)


def _take_scores(found: Marks, scores: Sequence[Profile]) -> None:
    for profile in scores:
        direction = "lower" if any_of(words_of(profile.name), LOWER_IS_BETTER) else "higher"
        other = {"higher": "lower", "lower": "higher"}[direction]
        why = "by its name" if role_by_name(profile.name) == "score" else "numbers with many decimals"
        name = profile.name
        if ours := all_columns().get(name):
            direction = {True: "higher", False: "lower", None: "neither"}[ours[0].higher_is_better]
            name, why = f"{name}_file={name}", f"a metric here is called so, too: this one is called {name}_file"
        found.scores.append(f"{name}:{direction}")
        found.taken[profile.name] = (
            f"score of others, {direction} is better",
            why,
            f"--score {quote(f'{name}:{other}')}, --rating {quote(profile.name)}",
        )


def _take_undirected(found: Marks, left: Sequence[Profile], by_name: Mapping[str, Profile]) -> None:
    """Beside scores of others take numbers with decimals, of no known name, as scores of no known direction."""
    beside = any(Score.of(score).column in by_name for score in found.scores)
    for profile in left if beside else ():
        decimals = any(number != int(number) for number in profile.numbers)
        if decimals and role_by_name(profile.name) is None and len({*profile.numbers}) > POINTS:
            name = quote(profile.name)
            found.scores.append(f"{profile.name}:neither")
            found.taken[profile.name] = (
                "score of others, of no known direction",
                "numbers with decimals, beside other scores",
                f"--score {name}:higher, --score {name}:lower, --rating {name}",
            )


def _same_scale(profiles: Sequence[Profile], whys: Mapping[str, str]) -> bool:
    """Return whether all are whole marks that have most of one scale; two agree, too, and their scale is small."""
    if not profiles or not all(whys[p.name].startswith(WHOLE) for p in profiles):
        return False
    wide = max(max(p.numbers) for p in profiles) - min(min(p.numbers) for p in profiles)
    one, other = profiles[0].numbers, profiles[-1].numbers
    agree = len(profiles) > 2 or (len(one) == len(other) and correlation(one, other) > max(_AGREE, 2 / len(one) ** 0.5))
    small = wide <= (100 if len(profiles) > 2 else _WIDE)
    return agree and small and all(max(p.numbers) - min(p.numbers) >= _SPREAD * wide for p in profiles)


def _take_group(found: Marks, name: str, columns: Sequence[str], why: str = "") -> None:
    # --rating NAME=COLUMN,COLUMN has no bracket in the name; two that differ in what stands there keep it
    short, whole = (re.sub(part, "", name).strip() or UNNAMED for part in (r"[(?].*", r"[(?]"))
    name = whole if short in {Rating.of(rating).name for rating in found.ratings} else short
    usual = [f"{name}_{place}" for place in range(1, len(columns) + 1)]
    found.ratings.append(f"{name}={','.join(columns)}")
    why = why or (
        f"{len(columns)} columns of raters make one rating" if list(columns) != usual else "its single raters"
    )
    for column in columns:
        found.taken[column] = (f"rating {name.removesuffix(':lower')} (a rater)", why, f"--rating {quote(column)}")


def _take_rating(found: Marks, profile: Profile, why: str, others: Collection[str], *, lower: bool = False) -> None:
    key = key_of(profile.name)  # of human.fluency, where no other is of fluency
    told = role_by_name(key) == "rating" or profile.name.endswith(MARKS_OF)
    alone = told and key not in all_columns() and [key_of(other) for other in others].count(key) == 1
    school = is_school_mark(profile, others)
    lower = lower or school or of_faults(profile)
    name = f"reversed_{bare_name(profile.name)}" if lower else bare_name(key if alone else profile.name)
    if asked := _ASKED_OF.fullmatch(name):
        name = asked[1]
    if name != profile.name:  # NAME=COLUMN has none of these
        name = profile.name if {*",="} & {*profile.name} else re.sub(r"[(?].*", "", name).strip() or profile.name
    name = f"{name}_mark" if name in COLUMNS else name
    direction = ":lower" if lower else ""
    if lower and not is_rank(profile.name):
        why = f"{why}; {'school marks' if school else 'faults'}, turned round: the best has the most"
    found.ratings.append(f"{name}{direction}={profile.name}" if name != profile.name else profile.name)
    scale = f", {' < '.join(profile.scale)}" if profile.scale else ""
    as_it_is = f"--rating {quote(profile.name)}, " if direction else ""
    found.taken[profile.name] = (
        f"rating {name}",
        why + scale,
        f"{as_it_is}--ignore {quote(profile.name)}, --score {quote(f'{profile.name}:higher')}",
    )


def _may_be_raters(profiles: Sequence[Profile]) -> bool:
    """Return whether columns may be those of raters, on one scale: unlike marks and what was made of them."""
    highest = [max(p.numbers) for p in profiles if p.numbers] or [0]
    signs = {min(p.numbers) < 0 for p in profiles if p.numbers}
    times = _TIMES_AS_HIGH if len(signs) < 2 else _WITH_NEGATIVE
    listed = not any({*p.name} & {*",="} for p in profiles)  # as NAME=COLUMN,COLUMN has them
    return listed and all(map(may_rate, profiles)) and max(highest) <= times * max(min(highest), 1)
