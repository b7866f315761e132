"""What is found of a table: which of its columns is what, role by role, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from rainbow.datasets.columns import Columns, Rating, Score
from rainbow.datasets.mapping.blocks import Blocks, blocks_of
from rainbow.datasets.mapping.contents.names import role_by_name, words_of
from rainbow.datasets.mapping.contents.profile import Profile, profile_of
from rainbow.datasets.mapping.criteria import may_be_criterion, preferences_by_criterion, ratings_by_criterion
from rainbow.datasets.mapping.items import about_inputs, about_raters, items_of, rater_of, twice
from rainbow.datasets.mapping.long import Long, long_table
from rainbow.datasets.mapping.marks import Marks, marks_of
from rainbow.datasets.mapping.sides import best_and_worst, two_outputs, two_sides, two_systems, winner_of
from rainbow.datasets.mapping.texts import marked, separator_in, told_apart
from rainbow.datasets.mapping.unused import lengths_in, otherwise, why_unused
from rainbow.datasets.shapes.cells import is_chat
from rainbow.datasets.shapes.shape import Shape
from rainbow.datasets.shapes.wide import own_column, own_columns, system_names, without_number
from rainbow.metrics.contract.registry import all_columns

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Found", "Mapping", "Taken"]


class Taken(NamedTuple):
    """A column, what it is taken as, why, and the option that says otherwise."""

    column: str
    role: str
    why: str
    otherwise: str


@dataclass(frozen=True)
class Mapping:
    """What is known of a file.

    Attributes
    ----------
    columns
        What each command and function needs to be told.
    taken
        Every column of the file, the unused ones last.
    """

    columns: Columns
    taken: tuple[Taken, ...]

    def roles(self) -> dict[str, str]:
        """Return what each column is taken as."""
        return {taken.column: taken.role for taken in self.taken}


@dataclass
class Found:
    """What is found of a table, role by role."""

    frame: pd.DataFrame
    given: Columns
    choices: dict[str, dict[int, str]]
    taken: dict[str, Taken] = field(default_factory=dict)
    known: dict[str, Profile] = field(default_factory=dict)
    long: Long | None = None
    blocks: Blocks | None = None

    def mapping(self) -> Mapping:
        """Return all of it."""
        said = self.given
        for name in said.ignored:
            self._take(name, "unused", "as you said", "")
        marks = [column for rating in map(Rating.of, said.ratings) for column in rating.columns]
        for name in (*marks, *(Score.of(score).column for score in said.scores)):
            self._take(name, "rating" if name in marks else "score of others", "as you said", "")
        profiles = self._profiles(self.frame.drop(columns=[name for name in said.ignored if name in self.frame]))
        said = self._pair(said, profiles)
        if not (said.output or said.compares or said.system):
            self.blocks = blocks_of([profile for profile in profiles if profile.name not in self.taken])
            said = self._in_blocks(said) if self.blocks else said
        said = self._best_and_worst(self._texts(said, profiles), profiles)
        nothing = ("ratings", "scores", "scale", "rater", "winner", "worst")
        shaped = said if said.compares else said.without(*nothing)
        frame, renamed = self.frame, dict[str, str]()
        if len(said.output) > 1 and not said.compares:
            frame = Shape(replace(shaped, decimal=None)).rows(self.frame)
            systems = list(system_names(said.output).values())
            others = [name for name in map(str, self.frame) if name not in said.output]
            renamed = {name: what for name, (_, what) in own_columns(others, systems).items()}
        rest = [profile for profile in self._profiles(frame) if profile.name not in self.taken]
        rest = [profile for profile in rest if profile.name in self.frame or profile.name in renamed.values()]
        rest = [profile for profile in rest if profile.name != said.system or not self.blocks]
        said = self._names(said, rest)
        said = self._marks(said, rest, renamed)
        self._unused(rest, renamed)
        # What is called as a metric here, and nothing else, would be in its way.
        gone = [name for name in all_columns() if name in self.taken and self.taken[name].role == "unused"]
        if "id" in self.taken and self.taken["id"].role == "unused" and (row := twice(self.frame["id"])):
            self._take("id", "unused", f"what stands in row {row} stands there before, too", "--item id")
            gone.append("id")
        said = replace(said, ignored=tuple(dict.fromkeys((*said.ignored, *gone))))
        order = {str(name): place for place, name in enumerate(self.frame)}
        used = sorted(
            self.taken.values(), key=lambda taken: (taken.role == "unused", order.get(taken.column, len(order)))
        )
        return Mapping(said, tuple(part for taken in used for part in self._choices_of(taken)))

    def _choices_of(self, taken: Taken) -> list[Taken]:
        """Return the columns that a question's choices stand in, or the column itself."""
        columns = self.choices.get(taken.column, {})
        why = f"true in one of {len(columns)} columns"
        return [
            taken._replace(column=column, role=f"{taken.role}: {number}", why=why) for number, column in columns.items()
        ] or [taken]

    def _take(self, column: str, role: str, why: str, otherwise: str) -> None:
        self.taken[column] = Taken(column, role, why, otherwise)

    def _profiles(self, frame: pd.DataFrame) -> list[Profile]:
        """Return the profiles of columns, those of the table itself looked at once."""
        same = len(frame) == len(self.frame)  # a row for each output is another table
        known = self.known if same else {}
        for name in map(str, frame):
            if name not in known:
                known[name] = profile_of(name, frame[name].tolist(), self.given.decimal)
        return [known[name] for name in map(str, frame)]

    def _in_blocks(self, said: Columns) -> Columns:
        """Take numbered columns: texts with the systems and marks of the same numbers, or systems with their ranks."""
        outputs, systems, _, ranks = self.blocks or Blocks()
        for name in systems:
            self._take(
                name, "system", "a few names, of which a row has each once; by its number", f"--ignore {quote(name)}"
            )
        for name in ranks if systems else ():
            self._take(name, "rank: the least is preferred", "by its name, and its number", "--winner COLUMN")
        for name in outputs if systems and ranks else ():
            self._take(name, "output, compared", "a text beside each system", "--output COLUMN")
        if systems and ranks:
            return replace(said, pair=systems, winner=without_number(ranks[0])[0], output=outputs)
        own = own_columns(systems, [*system_names(outputs).values()])
        return replace(said, output=outputs, system=own[systems[0]][1] if systems else None)

    def _pair(self, said: Columns, profiles: Sequence[Profile]) -> Columns:
        """Take two columns of systems, of outputs, or both, and the one that says which is preferred."""
        names = [p.name for p in profiles if p.kind in ("names", "text", "list", "number", "marks in words")]
        written = [p.name for p in profiles if p.kind == "text" and p.distinct > len(p.texts) / 2]  # not names
        pair = said.pair or two_sides([name for name in names if name not in written], "system")
        outputs = said.output or two_outputs([p for p in profiles if p.name not in pair])
        if not (pair or outputs):
            pair, outputs = two_systems(profiles)
        if not (pair or outputs) or len(outputs) not in (0, 2):
            return said
        winner = said.winner or winner_of(self.frame, names, pair, outputs)
        if winner is None:
            return said
        for name in pair:
            self._take(name, "system, compared", "by its name", f"--ignore {quote(name)}")
        if winner not in outputs:
            which = "systems" if pair else "outputs"
            self._take(winner, "which is preferred", f"it names one of the two {which}, or a tie", "--winner COLUMN")
        for name in outputs:
            role = "output, preferred" if name == winner else "output, compared"
            self._take(name, role, "as you said" if said.output else "by its name", "--output COLUMN")
        for profile in profiles:
            if profile.is_mark and not pair and own_column(profile.name, outputs):
                self._take(profile.name, "unused", "of one of the two outputs", "")
        said = replace(said, pair=pair, winner=winner, output=outputs)
        chats = [profile.name for profile in profiles if profile.name in outputs and is_chat(profile.cells)]
        if chats and not said.mr and not any(role_by_name(name) == "input" for name in names if name not in chats):
            said = replace(said, mr=chats[0])
        return said

    def _best_and_worst(self, said: Columns, profiles: Sequence[Profile]) -> Columns:
        """Take the columns that say which of several outputs is the best, and which the worst."""
        if said.compares or len(said.output) < 3 or said.ratings:
            return said
        free = [profile.name for profile in profiles if profile.name not in self.taken]
        best, worst = best_and_worst(self.frame, free, said.output, said.system)
        said = replace(said, winner=said.winner or best, worst=said.worst or worst)
        for name, option in ((said.winner, "winner"), (said.worst, "worst")):
            if name:
                role = "which is the best" if option == "winner" else "which is the worst"
                self._take(name, role, "it names one of the outputs", f"--{option} COLUMN")
        return said

    def _texts(self, said: Columns, profiles: Sequence[Profile]) -> Columns:
        """Take outputs, references and the input."""
        given = dict.fromkeys(said.output, "output") | dict.fromkeys(said.references, "reference")
        given |= {name: "input" for name in (said.mr,) if name} | dict.fromkeys(self.taken, "taken")
        of_systems = marked([p.name for p in profiles if p.is_text], [p.name for p in profiles if p.is_mark])
        system = said.system or (None if of_systems else self._system_by_name(profiles))
        if said.compares:
            profiles = [p for p in profiles if p.is_text or role_by_name(p.name) == "input"]
            profiles = [p for p in profiles if not (may_be_criterion(p) and self._of_comparisons(p.name, said))]
        free = [profile for profile in profiles if profile.name not in self.taken]
        self.long = None if said.compares or len(said.output) > 1 else long_table(free, system)
        texts = told_apart(profiles, given, not system and not said.compares and not self.long, self.long)
        if said.compares:
            only = len(texts.outputs) == 1 and not (texts.inputs or said.mr)
            inputs = dict.fromkeys(texts.outputs, "the only other column of texts") if only else texts.inputs
            left = [name for name in texts.outputs if not only and name not in said.output]
            others = texts.others | dict.fromkeys(left, "texts of no system")
            texts = texts._replace(outputs={}, inputs=inputs, others=others)
        outputs = said.output or (() if said.compares else tuple(texts.outputs))
        references = said.references or tuple(texts.references)
        for name, why in texts.outputs.items():
            why = f"numbered, as {self.blocks.beside} is" if self.blocks and not self.given.output else why
            one_each = len(outputs) > 1 and name in outputs and not said.system
            several = f"output of {system_names(outputs)[name]}" if one_each else "output"
            self._take(name, several, why, "--output COLUMN")
        for name, why in texts.references.items():
            self._take(name, "reference", why, "--reference COLUMN")
        for name, why in texts.inputs.items():
            self._take(name, "input", why, "--input COLUMN")
        for name, why in texts.others.items():
            self._take(name, "unused", why, f"--reference {quote(name)}, --input {quote(name)}")
        separator = said.reference_separator or separator_in([p for p in profiles if p.name in references])
        said = replace(said, output=outputs, references=references, reference_separator=separator)
        return replace(said, mr=said.mr or next(iter(texts.inputs), None))

    def _of_comparisons(self, name: str, said: Columns) -> bool:
        """Return whether a column says different things of the same comparison, as criteria do, unlike questions."""
        about = [self.frame[column].map(repr) for column in (*said.pair, *said.output)]
        return bool(self.frame[name].map(repr).groupby(about).nunique().mean() > 1)

    def _system_by_name(self, profiles: Sequence[Profile]) -> str | None:
        fitting = [p for p in profiles if role_by_name(p.name) == "system" and p.kind in ("names", "number", "text")]
        fitting += [p for p in profiles if words_of(p.name) == ["llm"] and p.kind == "names"]  # of numbers a judge
        if sum(profile.is_text for profile in fitting) > 1:
            return None  # a column of outputs for each system
        fitting = [p for p in fitting if p.distinct <= max(2, len(p.texts) / 2) and p.name not in self.taken]
        several = [p for p in fitting if p.distinct > 1]
        if several or not fitting:
            return several[0].name if several else None
        left = [p for p in profiles if p.name not in self.taken and p not in fitting]
        return None if long_table(left, None) else fitting[0].name  # the same in all rows: others tell outputs apart

    def _names(self, said: Columns, rest: Sequence[Profile]) -> Columns:
        """Take the columns that name system, input, row and rater."""
        if not said.compares and len(said.output) < 2:
            told = self.long.system if self.long else self._system_by_name(rest)
            system, by_name = said.system or told, not self.long or role_by_name(self.long.system) == "system"
            if system:
                why = "by its name" if by_name else "a few names, which tell the outputs for an input apart"
                self._take(system, "system", why, "--system COLUMN")
            said = replace(said, system=system, mr=None if said.mr == system else said.mr)
        said = self._item(said, rest)
        free = [profile for profile in rest if profile.name not in self.taken]
        rater, why = (said.rater, "as you said") if said.rater else rater_of(self.frame, free, said)
        if rater and rater not in said.ignored:
            self._take(rater, "rater", why, f"--ignore {quote(rater)}")
            if said.id and not self.given.id:
                self._take(said.id, "unused", "a row is a judgement, not an output", "")
                said = replace(said, id=None)
            said = replace(said, rater=rater)
        about = about_raters(self.frame, free, said.rater)
        marks = [profile for profile in free if profile.name not in (*self.taken, *about)]
        for name, why in (about | about_inputs(self.frame, marks, said)).items():
            if name not in self.taken:
                self._take(name, "unused", why, f"--rating {quote(name)}")
        return said

    def _item(self, said: Columns, rest: Sequence[Profile]) -> Columns:
        """Take a column that repeats with its input as what names the input, one that never does as that of the row."""
        free = [profile for profile in rest if profile.name not in self.taken]
        roles = {"item": ("names the input", "--item COLUMN"), "id": ("names the row", "--ignore ")}
        for name, (which, why) in items_of(self.frame, free, said, self.long).items():
            said = replace(said, item=name) if which == "item" else replace(said, id=name)
            role, otherwise = roles[which]
            self._take(name, role, why, otherwise + quote(name) if which == "id" else otherwise)
        for told, role in ((said.item, "names the input"), (said.id, "names the row")):
            if told and told not in self.taken:
                self._take(told, role, "as you said", "")
        return said

    def _marks(self, said: Columns, rest: Sequence[Profile], renamed: dict[str, str]) -> Columns:
        """Take ratings and scores."""
        rows = [name for name, profile in self.known.items() if profile.counts_rows]
        left = [profile for profile in rest if profile.name not in (*self.taken, *rows)]
        output = self.known.get(said.output[0]) if len(said.output) == 1 else None
        for name in lengths_in(left, output) if output else ():
            self._take(name, "unused", "how long the output is", f"--score {quote(name)}:neither")
        for profile in left if (len(said.output) > 1 or said.compares) and not said.ratings else ():
            if profile.is_mark and profile.name not in renamed.values():
                self._take(profile.name, "unused", "of a row with several outputs, and of none of them", "")
        if not said.ratings:
            said = self._by_criterion(said, [profile for profile in left if profile.name not in self.taken], output)
        left = [profile for profile in left if profile.name not in self.taken]
        found = marks_of(left, said, [*renamed.values()])
        origin: dict[str, list[str]] = {}
        for old, new in renamed.items():
            origin.setdefault(new, []).append(old)
        for column, said_of_it in found.taken.items():
            for name in origin.get(column, [column]):
                self._take(name, *said_of_it)
        return _with_marks(said, found)

    def _by_criterion(self, said: Columns, left: Sequence[Profile], output: Profile | None) -> Columns:
        """Take a column that says what each mark is for, or by what two are compared."""
        about = [said.item, said.mr, said.system, *said.pair, *said.output, said.rater]
        names = [name for name in about if name in self.frame]
        told = said.compares or said.rater in names
        judged = [*self.frame[names].map(repr).itertuples(index=False, name=None)] if told else []
        found = preferences_by_criterion(left, judged) if said.compares else ratings_by_criterion(left, output, judged)
        if not found:
            return said
        mark, criterion = Rating.of(found[0]).by_criterion
        if mark in self.frame:
            self._take(mark, "a mark", f"for what {criterion} says", "--ignore " + mark)
        self._take(criterion, "names the rating", "a row for each mark", "--ignore " + criterion)
        return replace(said, ratings=tuple(found))

    def _unused(self, rest: Sequence[Profile], renamed: dict[str, str]) -> None:
        for name in map(str, self.frame):
            if name in self.taken:
                continue
            profile = next((p for p in rest if p.name == renamed.get(name, name)), None)
            self._take(name, "unused", why_unused(profile), otherwise(name, profile))


def _with_marks(said: Columns, found: Marks) -> Columns:
    scores = {Score.of(score).column: score for score in (*found.scores, *said.scores)}  # what is said comes last
    ratings = {Rating.of(rating).name: rating for rating in found.ratings} if not said.ratings else {}
    return replace(
        said,
        ratings=said.ratings or tuple(ratings.values()),
        scores=tuple(scores.values()),
        scale=said.scale or found.scales,
    )
