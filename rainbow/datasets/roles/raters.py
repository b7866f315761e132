"""Grouping of rater columns into ratings, by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rainbow.datasets.lexicon import has_word_class, read_lexicon, split_name

# Name of a rating whose columns are named after raters only.
UNNAMED = "rating"

_KEY = (
    "annotators?|annot|ann|raters?|judges?|judgements?|workers?|evaluators?|eval|coders?|assessors?|experts?|crowd|"
    "turkers?|humans?|participants?|persons?|subjects?|users?|reviewers?|votes?|teachers?|editors?|readers?|doctors?|nurses?|"
    "students?|linguists?|translators?|jurors?|jurys?|dr|prof|评分员|评分人|评审|评委|标注员|标注者|評価者|평가자|[rajhpewu]"
)
_EDGE = r"[ _.\-:/()\[\]]"
_WHO = rf"(?:{_KEY}){_EDGE}*(?:\d+|[a-z]|[甲乙丙丁戊])"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?P<stem>.+)\.\d+",  # entries of a list
        r"(?P<list>.+?)\.\d+\.(?P<stem>.+)",
        rf"(?P<stem>){_WHO}",
        rf"(?P<stem>.+?){_EDGE}+{_WHO}{_EDGE}*",
        rf"{_WHO}{_EDGE}+(?P<stem>.+)",
        rf"(?P<stem>.+?){_EDGE}*\d+{_EDGE}*",
        rf"(?P<stem>.+?){_EDGE}+(?:[a-z]|[\u4e00-\u9fff]){_EDGE}*",  # a letter, or a Chinese surname
    )
)
# Numbered columns of these are different questions, not raters.
_QUESTIONS = frozenset(["q", "question", "item", "criterion", "dimension", "dim", "aspect", "task", "part", "scale"])

_BRACKETS = re.compile(r"(?P<stem>.+?) ?\((?P<who>[^\W\d]+[^()\d]*)\)")
_INITIALS = re.compile(rf"(?P<stem>.*[a-z].*?){_EDGE}+(?P<who>[A-Z]{{2,3}}|[a-z]{{2}})\)?")
# A first name, initials, or a name with a title; not what qualities are called in many languages.
_TITLE = r"(?:dra?|prof|mrs?|ms|mme|sra?|herr|frau)\b\.? ?"
_TITLED = re.compile(rf"{_TITLE}[^\W\d_]{{2,}}", re.IGNORECASE)
_PERSON = re.compile(rf"(?:{_TITLE})?[^\W\d_]{{2,}}(?: [^\W\d_]\.?)?", re.IGNORECASE)
_QUALITY = re.compile(
    r".*(?:ness|i?[ei]ty|ency|[ai]nce|[tsg]ion|.{4}ment|ism|ship|.{3}[iu]ng|ful|[ts]ive|ous|[ai]ble|[itur]cal|ual|[tsc]ure|"
    r"heit|keit|tät|schaft|ité|rté|dade?|ción|sión|zione|tà|ção|ość|ezz?a|度|性)"
)
_A_MARK = frozenset(["note", "nota", "score", "mark", "grade", "voto", "punkte"])
_PEOPLE = 3  # two may be anything
_AROUND = frozenset(["value", "values", "result", "results", "responses", "annotations", "scores"])
MARKS_OF = (".rating", ".score", ".mark")  # of the preceding text


def group_rater_columns(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return the ratings with several raters' columns, with these columns in order."""
    columns = [column for column in columns if not is_summary_name(column)]
    result: dict[str, list[str]] = {}
    for grouping in (_group_by_title, _group_by_grid, _group_by_initials, _group_by_form, _group_by_person):
        taken = {column for group in result.values() for column in group}
        result |= grouping([column for column in columns if column not in taken])
    return result


def person_columns(columns: Sequence[str], others: Sequence[str] = ()) -> list[str]:
    """Return columns that may be named after raters, if no quality is named like them."""
    if len(columns) >= _PEOPLE and all(map(_is_person, columns)):
        return [*columns]
    capital = [name for name in columns if name[:1].isupper()]
    has_names = len(capital) > 1 and others and not any(name[:1].isupper() for name in others)
    return capital if has_names and all(map(_is_person, capital)) else []


def _is_person(name: str) -> bool:
    quality = _QUALITY.fullmatch(name.lower()) or has_word_class(name, "quality_noun", "rating")
    return _PERSON.fullmatch(name) is not None and not quality


def _group_by_title(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return columns that are all titled person names."""
    titled = [column for column in columns if _TITLED.fullmatch(column)]
    return {UNNAMED: titled} if len(titled) > 1 else {}


def _group_by_grid(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return columns named by rating and person in a grid: "Sinn / Jana", "Stil / Jana"."""
    parted = {column: parts for column in columns if len(parts := re.split(r" ?[/:] ?", column)) == 2}
    stems, people = ({parts[side] for parts in parted.values()} for side in (0, 1))
    whole = min(len(stems), len(people)) > 1 and len(stems) * len(people) == len(parted)
    if not whole or any(has_word_class(name, *read_lexicon()) for name in people) or not all(map(_is_person, people)):
        return {}
    return {stem: [column for column, parts in parted.items() if parts[0] == stem] for stem in sorted(stems)}


def _group_by_form(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return columns named by rating and numbered rater: "fluency_1", "ann1"."""
    groups: dict[str, list[str]] = {}
    lists: dict[str, str] = {}
    for column in columns:
        match = next((match for form in _FORMS if (match := form.fullmatch(column))), None)
        if match and (stem := match["stem"].strip(" _.-:/()[]")).lower() not in _QUESTIONS:
            own = match.groupdict().get("list", "")
            stem = rating_key(stem) or rating_key(own)
            if lists.setdefault(stem, own) != own:  # experts and a crowd, say
                stem = f"{own}.{stem}"
            groups.setdefault(stem or UNNAMED, []).append(column)
    return {stem: group for stem, group in groups.items() if len(group) > 1}


def rating_key(path: str) -> str:
    """Return the key of a rating in a nested name, without numbers and filler words."""
    parts = [part for part in re.split(r"\.(?! )", path) if not part.isdecimal() and part.lower() not in _AROUND]
    return parts[-2] if len(parts) > 1 and path.endswith(MARKS_OF) else parts[-1] if parts else ""


def _group_by_person(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return columns named by rating and person: "Sense (Zoe)", "zoe/sense", "sense_zoe"."""
    groups: dict[str, list[str]] = {}
    for column in columns:
        match = _BRACKETS.fullmatch(column)
        parts = [match["stem"].rstrip(" ?"), match["who"]] if match else re.split(r" ?[/:] ?|\.", column)[-2:]
        has_person = len(parts) == 2
        parts = parts if has_person else [*split_name(column)]
        roles = ["rating", None] if match else [_word_role(part) for part in parts]
        # A mark with a name behind it is somebody's: "note Claire".
        if len(parts) == 2 and parts[0] in _A_MARK and column.split()[-1][:1].isupper() and not column[:1].isupper():
            roles = ["rating", None]
        if has_person and roles.count("rater") == 1 and len(parts) == 2:  # whatever the other is
            roles = ["rater" if role == "rater" else "rating" for role in roles]
        if len(parts) == 2 and roles.count("rating") == 1 and (has_person or {*roles} <= {"rating", "rater", None}):
            groups.setdefault(parts[roles.index("rating")], []).append(column)
    return {stem: group for stem, group in groups.items() if len(group) > 1}


def _group_by_initials(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return columns named by rating and initials: three people, or the same two repeatedly."""
    named = {column: match for column in columns if (match := _INITIALS.fullmatch(column))}
    groups: dict[str, dict[str, str]] = {}
    for column, match in named.items():
        groups.setdefault(match["stem"], {})[match["who"]] = column
    people = [{*group} for group in groups.values()]
    return {
        stem: [*group.values()]
        for stem, group in groups.items()
        if len(group) >= _PEOPLE or (len(group) > 1 and people.count({*group}) > 1)
    }


def _word_role(word: str) -> str | None:
    """Return whether a word names a rater or a rating, else None."""
    return "rater" if has_word_class(word, "rater") else "rating" if has_word_class(word, "rating", "score") else None


def is_summary_name(name: str) -> bool:
    """Return whether a column is named as a mean, a sum or another summary."""
    return not read_lexicon()["several"].isdisjoint(split_name(name))
