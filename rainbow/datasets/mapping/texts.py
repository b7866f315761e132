"""Which columns of texts hold outputs, which references, and which the input."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rainbow.datasets.mapping.contents.likeness import LOOKED_AT, about_as_long, about_one_input, likeness
from rainbow.datasets.mapping.contents.names import (
    Role,
    any_of,
    one_of,
    people_write_too,
    role_by_name,
    role_of_texts,
    words_of,
)
from rainbow.datasets.mapping.contents.profile import SHORT, Profile, are_codes, are_dates
from rainbow.datasets.mapping.long import Long
from rainbow.datasets.mapping.raters import people_among, rater_groups
from rainbow.datasets.shapes.cells import is_chat, is_list, text_of
from rainbow.datasets.shapes.inner_rows import objects_in
from rainbow.datasets.shapes.wide import own_column, own_columns, system_names
from rainbow.meaning import read

__all__ = ["Texts", "marked", "separator_in", "told_apart"]

_FILLED = 0.9  # of its cells a column of texts has, that is the only one of its kind
_LONGER = 4.0  # times as many words as outputs texts of their kind have at most, or as few
_LONG = 3.0  # times as many words as others: an input, a document say
# Of several columns that may hold the input, those of these words come first.
_FIRST_INPUTS = (
    "arguments mr meaning input inputs source src triples tripleset article document prompt context dialogue "
    "conversation turns history question instruction"
)
_FIRST_OUTPUTS = "filtered completion output prediction predictions generated hypothesis"
_ENDS = (".", "!", "?", "。", "！", "？", "।")
_OF_SCORES = one_of("score scores")  # what was extracted to compute them
_FLAGS = 3  # different values
_KEY = re.compile(r"[A-Za-z]+[ _\-]?\d{2,}")
_SEPARATORS = ("|||", "||", "<sep>", "[SEP]", "</s>")
_USUAL_INPUTS = frozenset(["text", "sentence", "paragraph", "body", "abstract", "item", "utterance"])
_PAIRED = re.compile(r"(?:sentence|text|sent|s|segment|phrase)[ _]?([1-9a-e])", re.IGNORECASE)
_MADE_OF = re.compile(r"_?(hash|ids?|type|lang|language|tokens?)$", re.IGNORECASE)


class Texts(NamedTuple):
    """The columns of each role, and why."""

    outputs: dict[str, str]
    references: dict[str, str]
    inputs: dict[str, str]
    others: dict[str, str]


def told_apart(profiles: Sequence[Profile], given: Mapping[str, str], several: bool, long: Long | None = None) -> Texts:
    """Return what each column of texts holds, and why it is taken so.

    Parameters
    ----------
    profiles
        The columns.
    given
        Roles that are said already, by column.
    several
        Whether several columns of outputs may be outputs of several systems: not where a column names the system.
    long
        What repeats in a table where a column does.
    """
    found = Texts({}, {}, {}, {})
    free: list[Profile] = []
    short: list[Profile] = []
    marks = [profile.name for profile in profiles if profile.is_mark]
    texts = [profile.name for profile in profiles if profile.is_text and profile.name not in given]
    called = marked(texts, marks) if several and "output" not in given.values() else []
    for profile in profiles:
        role = given.get(profile.name) or (None if _MADE_OF.search(profile.name) else _role(profile))
        why = "as you said" if profile.name in given else "by its name"
        if profile.name in called:
            found.outputs[profile.name] = "columns of marks are called after it"
        elif role == "output" and _has_texts(profile) and not called:
            found.outputs[profile.name] = why
        elif role == "reference" and _has_texts(profile) and not _are_keys(profile):
            found.references[profile.name] = why
        elif role == "input" and (profile.is_text or _is_input(profile)):
            found.inputs[profile.name] = why
        elif (
            profile.is_text
            and (role != "meta" or (long and profile.name in long.outputs))
            and profile.name not in given
        ):
            free.append(profile)
        elif profile.kind == "names" and role is None and profile.name not in given:
            short.append(profile)
    by_name = {profile.name: profile for profile in profiles}
    constant = [profile for profile in free if profile.distinct == 1]
    if len(free) - len(constant) >= (not found.outputs) + (not found.inputs):  # there are others to choose from
        found.others.update({profile.name: "every cell is the same" for profile in constant})
        free = [profile for profile in free if profile not in constant]
    _same_again(found, by_name)
    if long:
        _take_originals(found, free, by_name, long)
        _take_long(found, free, by_name, long)
    if long and found.outputs:
        differ = [profile.name for profile in free if profile.name in long.outputs and not _lists_texts(profile)]
        found.others.update(dict.fromkeys(differ, f"it differs where {long.system} does, and is no output by name"))
        free[:] = [profile for profile in free if profile.name not in differ]
    if several and not found.outputs:
        _take_pair(found, free)
    if found.outputs:
        _take_usual(found, free, by_name)
    _take_called_alike(found, free, by_name)
    _choose_input(found, free, short)
    _choose_outputs(found, free, by_name, given, marks if several else None)
    return found


def separator_in(references: Sequence[Profile]) -> str | None:
    """Return what stands between several references in most cells; None where each holds one."""
    texts = [text for profile in references if profile.kind == "text" for text in profile.texts]
    return next((mark for mark in _SEPARATORS if 2 * sum(mark in text for text in texts) > len(texts)), None)


def _role(profile: Profile) -> Role | None:
    return role_of_texts(profile.name) if profile.is_text else role_by_name(profile.name)


def _has_texts(profile: Profile) -> bool:
    """Return whether a column holds texts, in lists, chats or objects too."""
    if profile.kind in ("text", "names") or not profile.is_text:
        return profile.kind in ("text", "names")
    first = profile.cells[0]
    return isinstance(text_of(first), str) and (is_chat([first]) or not objects_in(first))


def _are_keys(profile: Profile) -> bool:
    """Return whether what is called a reference names rows, as "Ref. 12" does, or is the same in all of them."""
    keys = all(_KEY.fullmatch(text.strip()) for text in profile.texts)
    return profile.kind == "names" and (keys or (profile.distinct == 1 and len(profile.texts) > 1))


def _is_input(profile: Profile) -> bool:
    """Return whether short texts, as of a few slots, are inputs, and not kinds of them."""
    if profile.kind != "names" or are_dates(profile.texts):
        return False
    return 4 * profile.distinct >= len(profile.texts) or _meanings(profile) > 0.5


def _same_again(found: Texts, by_name: Mapping[str, Profile]) -> None:
    """Leave out references that stand in another column already, and outputs that stand there as they were taken."""
    for name in [name for name in found.outputs if f"filtered_{name}" in found.outputs]:  # of lm-evaluation-harness
        del found.outputs[name]
        found.others[name] = f"filtered_{name} is taken as the output"
    seen: dict[tuple[str, ...], str] = {}
    for name, why in list(found.references.items()):
        first = seen.setdefault(by_name[name].texts, name)
        if first != name and why != "as you said":
            del found.references[name]
            found.others[name] = f"the same as {first}"


def _choose_input(found: Texts, free: list[Profile], short: list[Profile]) -> None:
    """Keep one input: the others are unused; of columns whose names say nothing, one that slots can be read from."""
    if not found.inputs:
        for profile in (*free, *short):
            if _meanings(profile) > 0.5:
                found.inputs[profile.name] = "slots and values can be read from it"
                free[:] = [other for other in free if other is not profile]
                break
    said = [name for name, why in found.inputs.items() if why == "as you said"]
    ranked = said or sorted(found.inputs, key=lambda name: _rank(name, _FIRST_INPUTS))
    for name in ranked[1:]:
        del found.inputs[name]
        if people_write_too(name) and not found.references:
            found.references[name] = "texts of people, beside those of a system"
        else:
            found.others[name] = f"{ranked[0]} is taken as the input"


def _take_pair(found: Texts, free: list[Profile]) -> None:
    """Take the second of two sentences that are compared as the output, and the first as its reference."""
    sides = {p.name: side[1].lower() for p in free if (side := _PAIRED.fullmatch(p.name))}
    pair = [profile for profile in free if profile.name in sides]
    if "".join(sides.values()) in ("12", "ab") and not found.outputs and not found.references:
        found.references[pair[0].name] = why = "one of two texts that are compared"
        found.outputs[pair[1].name] = why
        free[:] = [profile for profile in free if profile not in pair]


def marked(texts: Sequence[str], marks: Sequence[str]) -> list[str]:
    """Return the columns of texts that columns of marks are called after, if there are several.

    Examples
    --------
    >>> marked(["input", "Text (A)", "Text (B)"], ["mark A", "mark B"]), marked(["text"], ["text mark"])
    (['Text (A)', 'Text (B)'], [])
    >>> marked(["brief", "Ann's copy", "GPT copy"], ["GPT stars", "Ann's stars"])
    ["Ann's copy", 'GPT copy']
    """
    texts = [name for name in texts if not (_MADE_OF.search(name) or any_of(words_of(name), _OF_SCORES))]
    short = {name: {system_names([name, *other])[name] for other in ([], *zip(texts))} | {name} for name in texts}
    said = {
        name: {own[1] for mark in marks for system in short[name] if (own := own_column(mark, [system]))}
        for name in texts
    }
    found = [name for name in texts if any(said[name] & said[other] for other in texts if other != name)]
    return found if len(found) > 1 else []


def _take_originals(found: Texts, free: list[Profile], by_name: Mapping[str, Profile], long: Long) -> None:
    """Take an original as a reference, and no input, where outputs are called alike and there are longer texts."""
    kinds = {word for name in found.outputs for word in words_of(name)[-1:]}
    longest = max((profile.words for profile in free if profile.name in long.about), default=0)
    for name in [name for name, why in found.inputs.items() if why == "by its name" and {*words_of(name)[-1:]} & kinds]:
        if longest > 2 * by_name[name].words and not found.references:
            del found.inputs[name]
            found.references[name] = "what people wrote, beside outputs of that name"


def _take_long(found: Texts, free: list[Profile], by_name: Mapping[str, Profile], long: Long) -> None:
    """Take what differs from system to system as the output, and what stays with an input as references and input."""
    for name in [name for name, why in found.inputs.items() if why == "by its name" and name in long.outputs]:
        del found.inputs[name]  # a question that was generated, say
        free.append(by_name[name])
    differ = [profile for profile in free if profile.name in long.outputs]
    for name in [name for name, why in found.outputs.items() if why == "by its name" and name in long.about]:
        if differ or len(found.outputs) > 1:
            del found.outputs[name]
            free.append(by_name[name])
    for name in [name for name, why in found.outputs.items() if why == "by its name" and differ]:
        if by_name[name].kind == "names" and by_name[name].distinct <= _FLAGS:  # whether a task was accepted, say
            del found.outputs[name]
    about = [profile for profile in free if profile.name in long.about]
    if not found.outputs:
        differ = differ or [by_name[name] for name in long.outputs if name not in found.inputs]
        if not differ:
            return
        best = max(
            differ,
            key=lambda p: (len(p.texts) > _FILLED * len(p.rows), not _lists_texts(p), likeness(p, about)),
        )
        found.references.pop(best.name, None)
        found.outputs[best.name] = f"it differs where {long.system} does"
    stays = f"it stays the same where {long.system} does not"
    numbered = [p for p in about if sum(_numbered([p, other]) for other in about) > 1]
    if not found.references:
        outputs = [by_name[name] for name in found.outputs]
        kinds = {word for name in found.outputs for word in words_of(name)}
        alike = sorted(
            filter(_has_texts, about), key=lambda p: (kinds.isdisjoint(words_of(p.name)), -likeness(p, outputs))
        )
        if not numbered and (found.inputs or len(about) > 1 or any(people_write_too(p.name) for p in about)):
            output = by_name[next(iter(found.outputs))]
            fitting = [profile for profile in alike[:1] if about_as_long(profile, output, 2)]
            numbered = fitting if found.inputs else alike[:1]
        found.references.update({profile.name: stays for profile in numbered})
    left = [profile for profile in about if profile.name not in found.references]
    if left and not found.inputs:
        found.inputs[max(left, key=lambda profile: (_has_texts(profile), profile.words)).name] = stays
    used = {*found.outputs, *found.references, *found.inputs}
    free[:] = [profile for profile in free if profile.name not in used]


def _take_called_alike(found: Texts, free: list[Profile], by_name: Mapping[str, Profile]) -> None:
    """Take texts that are called as the outputs are as their references: "Label (AI)" and "Label of the curator"."""
    heads = {(*words_of(name)[:1],) for name in found.outputs if len(words_of(name)) > 1}
    alike = [p for p in free if (*words_of(p.name)[:1],) in heads and len(words_of(p.name)) > 1]
    near = [p for p in alike if all(about_as_long(p, by_name[name], _LONGER) for name in found.outputs)]
    if len(near) == 1 and len(heads) == 1 and not found.references:
        found.references[near[0].name] = "called as the outputs are, and none of them"
        free.remove(near[0])


def _take_usual(found: Texts, free: list[Profile], by_name: Mapping[str, Profile]) -> None:
    """Beside outputs that are named so, take texts of a kind as references, and others as the input, if it has none."""
    outputs = [by_name[name] for name in found.outputs]
    alike = [p for p in free if all(about_as_long(p, output, _LONGER) for output in outputs)]
    usual = [profile for profile in alike if people_write_too(profile.name)]
    if not found.references:
        found.references.update({profile.name: "texts of the kind of the outputs" for profile in usual})
        free[:] = [profile for profile in free if profile not in usual]
    inputs = [profile for profile in free if not _USUAL_INPUTS.isdisjoint(words_of(profile.name))]
    if not found.inputs and len(inputs) == 1:
        found.inputs[inputs[0].name] = "the only other column of texts that may be it"
        free.remove(inputs[0])


def _choose_outputs(
    found: Texts,
    free: list[Profile],
    by_name: Mapping[str, Profile],
    given: Mapping[str, str],
    marks: Sequence[str] | None,
) -> None:
    """Choose the columns of outputs; several only where there are no `marks` of None."""
    several = marks is not None
    named = [by_name[name] for name in found.outputs]
    told = {*found.outputs.values()} == {"as you said"}
    if (
        len(named) > 1
        and not told
        and not (several and (_numbered(named) or _rated(named, marks) or about_one_input(named)))
    ):
        ranked = sorted(found.outputs, key=lambda name: _rank(name, _FIRST_OUTPUTS))
        for name in ranked[1:]:
            del found.outputs[name]
            found.others[name] = f"{ranked[0]} is taken as the output"
    _choose_longest(found, free, [by_name[name] for name in found.outputs])
    if found.outputs:
        lists = [profile for profile in free if _lists_texts(profile)]
        numbered = [p for p in free if sum(_numbered([p, other]) for other in free) > 1]
        if not found.references and (numbered or len(lists) == 1):
            why = "numbered, beside outputs" if numbered else "lists of texts, beside outputs"
            found.references.update({profile.name: why for profile in numbered or lists})
            free[:] = [profile for profile in free if profile.name not in found.references]
        whole = [profile for profile in free if len(profile.texts) > _FILLED * len(profile.rows)]
        outputs = [by_name[name] for name in found.outputs]
        longer = [p for p in whole if _LONGER * p.words > min(output.words for output in outputs)]
        near = [p for p in longer if all(about_as_long(p, output, 2) and _written_as(p, output) for output in outputs)]
        if len(outputs) > 1 and not (found.inputs or found.references) and (len(longer), len(near)) == (2, 1):
            found.references[near[0].name] = "as long as the outputs beside it, or in sentences, and the other is not"
            free[:] = [profile for profile in free if profile is not near[0]]
            whole = [profile for profile in longer if profile is not near[0]]
        if not found.inputs and len(whole) == 1 and (len(found.outputs) > 1 or whole[0].words > SHORT):
            found.inputs[whole[0].name] = "the only other column of texts"
            free.remove(whole[0])
        found.others.update({profile.name: "texts that nothing is made of" for profile in free})
        return
    numbered = [p for p in free if sum(_numbered([p, other]) for other in free) > 1]
    if several and not found.references and numbered and len(free) > len(numbered) + 1:
        found.references.update({profile.name: "numbered, beside texts of systems" for profile in numbered})
        free[:] = [profile for profile in free if profile not in numbered]
    people = [profile for profile in free if people_write_too(profile.name) and "huma" in profile.name.lower()]
    if several and len(free) == 2 and len(people) == 1 and not found.references and about_one_input(free):
        found.references[people[0].name] = "texts of people, beside those of a system"
        free.remove(people[0])
    if several and len(free) > 1 and _marks_the_row([by_name[name] for name in marks or ()]):
        _take_one(found, free)
    elif several and len(free) > 1 and about_one_input(free):
        found.outputs.update({profile.name: "texts about the same inputs: one system each" for profile in free})
    elif free:
        best = max(free, key=lambda profile: (profile.distinct, -free.index(profile)))
        why = "the only other column of texts" if len(free) == 1 else "of the columns of texts, the most different ones"
        found.outputs[best.name] = why
        found.others.update(
            {profile.name: f"{best.name} is taken as the output" for profile in free if profile != best}
        )
    else:
        _last_of_all(found, by_name, given)


def _written_as(profile: Profile, output: Profile) -> bool:
    """Return whether texts end as sentences do, where outputs do."""
    ends = [sum(text.rstrip().endswith(_ENDS) for text in p.texts) / max(len(p.texts), 1) for p in (profile, output)]
    return ends[0] > 0.2 or ends[1] < 0.8


def _lists_texts(profile: Profile) -> bool:
    """Return whether a column holds lists of texts, unlike lists of tokens."""
    lists = [cell for cell in profile.cells[:LOOKED_AT] if is_list(cell)] if profile.kind == "list" else []
    entries = [entry for cell in lists for entry in cell]
    return bool(entries) and all(isinstance(entry, str) and " " in entry.strip() for entry in entries)


def _marks_the_row(marks: Sequence[Profile]) -> bool:
    """Return whether marks that belong to no column of texts say that a row holds one output."""
    names = [profile.name for profile in marks]
    people = [profile.name for profile in marks if role_by_name(profile.name) is None and profile.whole_marks]
    return "rating" in map(role_by_name, names) or bool(rater_groups(names)) or bool(people_among(people))


def _take_one(found: Texts, free: list[Profile]) -> None:
    """Take one column as the output, of others the one with texts most like it in length as references, or inputs."""
    best = max(free, key=lambda profile: (role_by_name(profile.name) in ("output", "system"), free.index(profile)))
    why = "a row is rated as a whole, so that it has one output"
    found.outputs[best.name] = why
    left = sorted((p for p in free if p is not best), key=lambda profile: abs(profile.words - best.words))
    if len(left) > 1 and not found.references:
        found.references[left.pop(0).name] = why
    if left and not found.inputs:
        found.inputs[left.pop().name] = why
    found.others.update({profile.name: f"{best.name} is taken as the output" for profile in left})


def _choose_longest(found: Texts, free: list[Profile], outputs: Sequence[Profile]) -> None:
    """Take texts that are much longer than all others, outputs among them, as the input."""
    if found.inputs or not free:
        return
    longest = max(free, key=lambda profile: profile.words)
    others = [profile for profile in (*free, *outputs) if profile is not longest]
    if others and all(longest.words > _LONG * profile.words for profile in others):
        found.inputs[longest.name] = "much longer texts than the others"
        free.remove(longest)


def _last_of_all(found: Texts, by_name: Mapping[str, Profile], given: Mapping[str, str]) -> None:
    """Where nothing else holds texts, take those of the only column, though it is called "target"; or short ones."""
    short = [p for p in by_name.values() if p.kind == "names" and role_by_name(p.name) is None and p.name not in given]
    short = [profile for profile in short if not are_codes(profile.texts)]
    references = [name for name in found.references if by_name[name].is_text and name not in given]
    written = [p for p in by_name.values() if p.kind == "number" and all(isinstance(cell, str) for cell in p.cells)]
    numbers = [p for p in written if role_by_name(p.name) == "output"]
    if len(references) == 1:
        del found.references[references[0]]
        found.outputs[references[0]] = "the only column of texts that may be outputs"
    elif len(numbers) == 1 and not short:
        found.outputs[numbers[0].name] = "by its name: numbers, as texts"
    elif short:
        best = max(short, key=lambda profile: (profile.distinct, profile.words))
        found.outputs[best.name] = "short texts: no other column holds texts"


def _rank(name: str, first: str) -> tuple[int, int]:
    words = words_of(name)
    places = [place for place, word in enumerate(first.split()) if word in words and "retrieved" not in words]
    return (min(places, default=len(first)), len(name))


def _meanings(profile: Profile) -> float:
    """Return the share of cells that a meaning representation can be read from."""
    if profile.kind == "object":
        return 1.0
    some = [text for text in profile.texts[:LOOKED_AT] if profile.kind in ("text", "names")]
    return sum(_is_meaning(text) for text in some) / len(some) if some else 0.0


def _is_meaning(text: str) -> bool:
    try:
        return read(text) is not None
    except ValueError:
        return False


def _numbered(profiles: Sequence[Profile]) -> bool:
    """Return whether the names of columns differ in a number alone."""
    return len({re.sub(r"\d+$", "", profile.name) for profile in profiles}) == 1


def _rated(profiles: Sequence[Profile], marks: Sequence[str] | None) -> bool:
    """Return whether columns of marks are called after several of these systems."""
    systems = [*system_names([profile.name for profile in profiles]).values()]
    return len({system for system, _ in own_columns(marks or (), systems).values()}) > 1
