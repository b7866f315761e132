"""Columns of single raters that make one rating together, told by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rainbow.datasets.mapping.contents.names import one_of, role_by_name, words_of

__all__ = ["OF_SEVERAL", "UNNAMED", "key_of", "people_among", "rater_groups"]

# What a rating is called whose columns name raters alone.
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
_QUALITIES = one_of(
    "plot tone ton tono style stil stile estilo styl character characters emotion pace voice topic theme detail "
    "details flow surprise suspense drama language format spelling trust risk bias harm order depth logic wit truth "
    "beauty novelty interest empathy humor humour sinn syntax semantics typos vocabulary focus content purpose rhyme "
    "rhythm imagery sarcasm irony joy anger fear likes views"
)
_A_MARK = one_of("note nota score mark grade voto punkte")
_PEOPLE = 3  # two may be anything
_AROUND = frozenset(["value", "values", "result", "results", "responses", "annotations", "scores"])
MARKS_OF = (".rating", ".score", ".mark")  # of what stands before them
# What columns hold of the marks of several raters, who are none of them.
OF_SEVERAL = one_of(
    "mean avg ave average ø moy moyenne mittel mittelwert media promedio srednia gemiddelde medel 平均 平均分 median "
    "sum total totale summe suma somme gesamt prumer min max std sd sem n count var"
)


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
    >>> rater_groups(["notes.dr_lee.accuracy", "notes.dr_kim.accuracy"])
    {'accuracy': ['notes.dr_lee.accuracy', 'notes.dr_kim.accuracy']}
    >>> rater_groups(["experts.0.fluency", "experts.1.fluency", "crowd.0.fluency", "crowd.1.fluency"])
    {'fluency': ['experts.0.fluency', 'experts.1.fluency'], 'crowd.fluency': ['crowd.0.fluency', 'crowd.1.fluency']}
    >>> rater_groups(["Sinn / Jana", "Sinn / Tom", "Stil / Jana", "Stil / Tom"])
    {'Sinn': ['Sinn / Jana', 'Sinn / Tom'], 'Stil': ['Stil / Jana', 'Stil / Tom']}
    >>> rater_groups(["Dra. Sol", "Dr. Gil"])
    {'rating': ['Dra. Sol', 'Dr. Gil']}
    >>> rater_groups(["Coh. MK", "Coh. TR", "Faith. MK", "Faith. TR"])
    {'Coh': ['Coh. MK', 'Coh. TR'], 'Faith': ['Faith. MK', 'Faith. TR']}
    """
    columns = [column for column in columns if OF_SEVERAL.isdisjoint(words_of(column))]
    found: dict[str, list[str]] = {}
    for told in (_by_title, _by_grid, _by_initials, _by_form, _by_who):
        taken = {column for group in found.values() for column in group}
        found |= told([column for column in columns if column not in taken])
    return found


def people_among(columns: Sequence[str], others: Sequence[str] = ()) -> list[str]:
    """Return columns that may be called after those who gave the marks in them: no quality is called so.

    That is all of them, three or more; or those in capitals, two or more, where no other column is.

    Examples
    --------
    >>> people_among(["Anna", "Ben", "Zoé"]), people_among(["AB", "Dr. Kim", "priya"])
    (['Anna', 'Ben', 'Zoé'], ['AB', 'Dr. Kim', 'priya'])
    >>> people_among(["Anna", "Ben"]), people_among(["empathy", "surprise", "plot"])
    ([], [])
    >>> people_among(["Anna", "Ben", "no. of faults"], ["source", "text"])
    ['Anna', 'Ben']
    >>> people_among(["Anna", "Ben"], ["Source", "Text"])
    []
    """
    if len(columns) >= _PEOPLE and all(map(_is_person, columns)):
        return [*columns]
    capital = [name for name in columns if name[:1].isupper()]
    told = len(capital) > 1 and others and not any(name[:1].isupper() for name in others)
    return capital if told and all(map(_is_person, capital)) else []


def _is_person(name: str) -> bool:
    quality = _QUALITY.fullmatch(name.lower()) or name.lower() in _QUALITIES
    return _PERSON.fullmatch(name) is not None and not quality


def _by_title(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return columns called after people with a title, and nothing else."""
    titled = [column for column in columns if _TITLED.fullmatch(column)]
    return {UNNAMED: titled} if len(titled) > 1 else {}


def _by_grid(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return columns called after ratings and people, every one of them: "Sinn / Jana", "Sinn / Tom", "Stil / Jana"."""
    parted = {column: parts for column in columns if len(parts := re.split(r" ?[/:] ?", column)) == 2}
    stems, people = ({parts[side] for parts in parted.values()} for side in (0, 1))
    whole = min(len(stems), len(people)) > 1 and len(stems) * len(people) == len(parted)
    if not whole or any(role_by_name(name) for name in people) or not all(map(_is_person, people)):
        return {}
    return {stem: [column for column, parts in parted.items() if parts[0] == stem] for stem in sorted(stems)}


def _by_form(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return columns called after a rating, perhaps, and a numbered rater: "fluency_1", "ann1", "rater A: fluency"."""
    groups: dict[str, list[str]] = {}
    lists: dict[str, str] = {}
    for column in columns:
        if (match := _form(column)) and (stem := match["stem"].strip(" _.-:/()[]")).lower() not in _QUESTIONS:
            own = match.groupdict().get("list", "")
            stem = key_of(stem) or key_of(own)
            if lists.setdefault(stem, own) != own:  # experts and a crowd, say
                stem = f"{own}.{stem}"
            groups.setdefault(stem or UNNAMED, []).append(column)
    return {stem: group for stem, group in groups.items() if len(group) > 1}


def _form(column: str) -> re.Match[str] | None:
    return next((match for form in _FORMS if (match := form.fullmatch(column))), None)


def key_of(path: str) -> str:
    """Return the key that a rating stands under, without numbers, and without words that say nothing.

    Examples
    --------
    >>> key_of("responses.quality.0.value"), key_of("fluency"), key_of("annotations.0.value")
    ('quality', 'fluency', '')
    >>> key_of("annotations.result.coverage.rating"), key_of("rating")
    ('coverage', 'rating')
    """
    parts = [part for part in re.split(r"\.(?! )", path) if not part.isdecimal() and part.lower() not in _AROUND]
    return parts[-2] if len(parts) > 1 and path.endswith(MARKS_OF) else parts[-1] if parts else ""


def _by_who(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return columns called after a rating and somebody: "Sense (Zoe)", "zoe/sense", "sense_zoe", "zoe.sense"."""
    groups: dict[str, list[str]] = {}
    for column in columns:
        match = _BRACKETS.fullmatch(column)
        parts = [match["stem"].rstrip(" ?"), match["who"]] if match else re.split(r" ?[/:] ?|\.", column)[-2:]
        told = len(parts) == 2
        parts = parts if told else words_of(column)
        roles = ["rating", None] if match else [role_by_name(part) for part in parts]
        # Of people: those of metrics are none of these. A mark with a name behind it is somebody's: "note Claire".
        roles = ["rating" if role == "score" else role for role in roles]
        if len(parts) == 2 and parts[0] in _A_MARK and column.split()[-1][:1].isupper() and not column[:1].isupper():
            roles = ["rating", None]
        if told and roles.count("rater") == 1 and len(parts) == 2:  # whatever the other is
            roles = ["rater" if role == "rater" else "rating" for role in roles]
        if len(parts) == 2 and roles.count("rating") == 1 and (told or {*roles} <= {"rating", "rater", None}):
            groups.setdefault(parts[roles.index("rating")], []).append(column)
    return {stem: group for stem, group in groups.items() if len(group) > 1}


def _by_initials(columns: Sequence[str]) -> dict[str, list[str]]:
    """Return columns called after a rating and initials: those of three, or of the same two for several ratings."""
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
