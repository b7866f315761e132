"""From the roles of columns to what every command and function needs to know of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import TYPE_CHECKING

from rainbow.datasets.columns import EACH_ROW, NOTHING, Columns, Rating, Score
from rainbow.datasets.read.delimiter import decimal_mark
from rainbow.datasets.read.header import check_names
from rainbow.datasets.recipes import recipe_for
from rainbow.datasets.roles.assign import CHOICES, COMPARISONS, MARKS, RANKS
from rainbow.datasets.roles.column import Column, column_of_cells
from rainbow.datasets.roles.flat import flat
from rainbow.datasets.roles.marks import Marks, Taken, marks_of
from rainbow.datasets.roles.network import Network
from rainbow.datasets.roles.plausible import Doubt, doubts_of
from rainbow.datasets.roles.reading import Reading, reading_of
from rainbow.datasets.roles.reasons import reason
from rainbow.datasets.shapes.cells import is_chat
from rainbow.datasets.shapes.pairs import PREFERENCE
from rainbow.datasets.shapes.paths import column_of, ticked
from rainbow.datasets.shapes.wide import own_columns, system_names, without_number
from rainbow.metrics.contract.registry import all_columns

if TYPE_CHECKING:
    import pandas as pd

NEARLY_ALL = 0.9
OF_NO_OUTPUT = "of a row with several outputs"
SEPARATORS = ("|||", "||", "<sep>", "[SEP]", "</s>")  # between references in a cell
# Names of two columns of outputs, the first of which is preferred.
PREFERRED = (
    ("chosen", "rejected"),
    ("preferred", "rejected"),
    ("preferred", "dispreferred"),
    ("accepted", "rejected"),
    ("scelta", "scartata"),
    ("elegida", "rechazada"),
    ("choisie", "rejetee"),
    ("bevorzugt", "abgelehnt"),
)
ROLE_NAMES = {
    "item": "names the input",
    "id": "names the row",
    "winner": "which is preferred",
    "best": "which is the best",
    "worst": "which is the worst",
    "rank": "rank, lowest preferred",
    "criterion": "names the rating",
    "mark": "mark",
}
IGNORED_TO_OVERRIDE = ("id", "rater", "mark", "criterion", "rank")


@dataclass(frozen=True)
class Mapping:
    """What is known of a table."""

    columns: Columns  # what commands and functions are told
    taken: tuple[Taken, ...]  # every column of the table, the unused ones last
    doubts: tuple[Doubt, ...] = ()  # what is not sure; empty where the reading is

    def roles(self) -> dict[str, str]:
        """Return what each column is taken as."""
        return {taken.column: taken.role for taken in self.taken}

    def assumed(self) -> Mapping:
        """Return the same as accepted: what was not sure says so in its reason."""
        other = {doubt.column: doubt.other for doubt in self.doubts}
        taken = tuple(
            entry._replace(why=f"assumed: {entry.why}; may be {other[entry.column]}")
            if entry.column in other
            else entry
            for entry in self.taken
        )
        return replace(self, taken=taken, doubts=())


def mapping_of_frame(frame: pd.DataFrame, given: Columns = NOTHING, network: Network | None = None) -> Mapping:
    """Return what the columns of a table are, as far as `given` does not say it."""
    table = flat(frame)
    check_names([*map(str, table)])
    choices = ticked(table)
    single = [column for each in choices.values() for column in each.values()]
    table = table.assign(**{name: column_of(table, name) for name in choices}).drop(columns=single)
    names = [*map(str, table)]
    recipe = recipe_for(names, given.recipe)
    given = given.without("recipe")
    known = given.over(recipe.columns_in(names)) if recipe else given
    if known.decimal is None and (comma := decimal_mark(cell for name in table for cell in table[name])):
        known = replace(known, decimal=comma)
    columns = [column_of_cells(name, table[name].tolist(), known.decimal) for name in names]
    if not columns:
        return Mapping(given, ())
    reading = reading_of(columns, known, network)
    return _Conversion(reading, known, table, recipe.name if recipe else "", given.ignored).mapping(choices)


@dataclass
class _Conversion:
    """The reading of a table on its way to options."""

    reading: Reading
    given: Columns
    table: pd.DataFrame
    recipe: str = ""
    ignored: tuple[str, ...] = ()  # by the user, not by the recipe
    taken: dict[str, Taken] = field(default_factory=dict)

    def mapping(self, choices: dict[str, dict[int, str]]) -> Mapping:
        """Return the mapping; `choices` are the columns of questions whose answers are ticked in several columns."""
        names, reading = self.reading.names, self.reading
        found = Columns(
            output=names("output"),
            references=names("reference"),
            mr=next(iter(names("input")), None),
            item=next(iter(names("item")), None),
            id=next(iter(names("id")), None),
            rater=next(iter(names("rater")), None),
        )
        found = self._sides(found)
        self._take_simple()
        found = self.given.over(self._marks(found))
        found = self._judgements(found)
        separator = self.given.reference_separator or _separator(reading.of("reference"))
        found = replace(found, reference_separator=separator, ignored=self._ignored())
        unplaced = [name for name, entry in self.taken.items() if entry.why == OF_NO_OUTPUT]
        doubts = doubts_of(reading, found, self.given, self.table, unplaced)
        return Mapping(found, self._sorted(choices), tuple(doubts))

    def _sides(self, found: Columns) -> Columns:
        """Return what is known with the columns of systems, and of what is preferred."""
        names, layout = self.reading.names, self.reading.assignment.layout
        systems = names("system")
        if layout == COMPARISONS:
            chats = [column.name for column in self.reading.of("output") if is_chat(column.rows)]
            found = replace(found, mr=found.mr or next(iter(chats), None))  # the turns before the last are the input
            return replace(found, pair=systems, winner=next(iter(names("winner")), None))
        if layout == RANKS:
            ranks = names("rank")
            return replace(found, pair=systems, winner=without_number(ranks[0])[0] if ranks else None)
        if preferred := _preferred_side(found.output):
            pair = systems if len(systems) == 2 else ()
            chats = [column.name for column in self.reading.of("output") if is_chat(column.rows)]
            mr = found.mr or next(iter(chats), None)
            return replace(found, output=preferred, winner=preferred[0], pair=pair, mr=mr)
        several = len(found.output) > 1
        if several and systems:
            own = own_columns(systems, [*system_names(found.output).values()])
            system = own[systems[0]][1] if systems[0] in own else None
        else:
            system = next(iter(systems), None)
        best, worst = names("best"), names("worst")
        return replace(found, system=system, winner=next(iter(best), None), worst=next(iter(worst), None))

    def _take_simple(self) -> None:
        """Note every column but ratings and scores."""
        outputs = self.reading.names("output")
        systems = system_names(outputs) if len(outputs) > 1 else {}
        pair = self.reading.assignment.layout == COMPARISONS
        for column, role in zip(self.reading.columns, self.reading.assignment.roles, strict=True):
            if role in ("rating", "score"):
                continue
            shown = ROLE_NAMES.get(role, role)
            if role in ("output", "system") and pair:
                shown = f"{role}, compared"
            elif role == "output" and systems:
                shown = f"output of {systems[column.name]}"
            self._take(column.name, shown, self._why(column, role), self._override(column, role))

    def _take(self, column: str, role: str, why: str, otherwise: str) -> None:
        self.taken[column] = Taken(column, role, why, otherwise)

    def _why(self, column: Column, role: str) -> str:
        fields = ("output", "references", "mr", "system", "item", "id", "ratings", "rater", "pair", "winner", "worst")
        named = {name for name in (*fields, "scores", "ignored") for name in self.given.columns_of(name)}
        return (self.recipe or "given") if column.name in named else reason(column, role)

    def _override(self, column: Column, role: str) -> str:
        """Return the options that give a column another role."""
        name = quote(column.name)
        if role in IGNORED_TO_OVERRIDE:
            return f"--ignore {name}"
        if role != "unused":
            return f"--{ {'best': 'winner'}.get(role, role) } COLUMN"
        if column.is_mark:
            return f"--rating {name}, --score {quote(column.name + ':higher')}"
        if column.is_text:
            return f"--reference {name}, --input {name}"
        return f"--system {name}" if column.kind == "names" else ""

    def _marks(self, found: Columns) -> Columns:
        """Return what is known with ratings, scores, scales, and codes for "not rated"."""
        layout, given = self.reading.assignment.layout, self.given
        if layout == MARKS:
            return self._by_criterion(found, "mark")
        ratings, scores = self.reading.of("rating"), self.reading.of("score")
        if given.ratings:
            known = {*given.columns_of("ratings")}
            for column in ratings:
                if column.name not in known:
                    self._take(column.name, "unused", "other ratings are named", f"--rating {quote(column.name)}")
            ratings = [column for column in ratings if column.name in known or len(found.output) > 1]
        if layout in (COMPARISONS, RANKS, CHOICES):
            for column in (*ratings, *scores):
                self._take(column.name, "unused", "of a row with several outputs", "")
            return self._by_criterion(found, PREFERENCE) if self.reading.of("criterion") else found
        ratings += self.reading.of("rank") if not given.ratings else []
        of_system: dict[str, list[str]] = {}
        if len(found.output) > 1:
            ratings, of_system = self._melted(ratings, found)
            scores, others = self._melted(scores, found)
            of_system |= others
        scores = [column for column in scores if column.name not in given.columns_of("scores")]
        names = [column.name for column in self.reading.columns]
        whys = {column.name: self._why(column, "rating") for column in ratings}
        whys |= {column.name: self._why(column, "score") for column in scores}
        marks = marks_of(ratings, scores, names, self.reading.of("rater") != [], whys)
        self._take_marks(marks, of_system)
        for name in given.columns_of("scores"):
            self._take(name, "score", "given", "")
        return _with_marks(found, marks, given)

    def _take_marks(self, marks: Marks, of_system: dict[str, list[str]]) -> None:
        given = {name: rating.name for rating in map(Rating.of, self.given.ratings) for name in rating.columns}
        for column, entry in marks.taken.items():
            for name in of_system.get(column, [column]):
                self.taken[name] = entry._replace(column=name)
                if name in given:
                    self._take(name, f"rating {given[name]}", self.recipe or "given", f"--ignore {quote(name)}")

    def _by_criterion(self, found: Columns, mark: str) -> Columns:
        """Return what is known with a rating for each criterion that a row's mark may be for."""
        if self.given.ratings:
            return found
        (criterion,) = self.reading.of("criterion")
        value = mark if mark == PREFERENCE else self.reading.names("mark")[0]
        names = [name for name in dict.fromkeys(criterion.texts) if not {*name} & {*"=@,"}]
        scales = ["<".join(column.scale) for column in self.reading.of("mark") if column.scale]
        ratings = tuple(f"{name}={value}@{criterion.name}" for name in names)
        return replace(found, ratings=ratings, scale=tuple(scales))

    def _melted(self, marks: list[Column], found: Columns) -> tuple[list[Column], dict[str, list[str]]]:
        """Return a column for what the columns of all systems hold, and the columns that each is made of."""
        systems = [*system_names(found.output).values()]
        others = [column.name for column in self.reading.columns if column.name not in found.output]
        own = own_columns(others, systems)
        parts: dict[str, list[Column]] = {}
        for column in marks:
            if column.name in own:
                parts.setdefault(own[column.name][1], []).append(column)
            else:
                self._take(column.name, "unused", OF_NO_OUTPUT, f"--rating {quote(column.name)}")
        joined = [
            column_of_cells(what, [cell for column in columns for cell in column.rows], self.given.decimal)
            for what, columns in parts.items()
        ]
        return joined, {what: [column.name for column in columns] for what, columns in parts.items()}

    def _judgements(self, found: Columns) -> Columns:
        """Return what is known where a row is a judgement: who judged, or that each row is one of somebody unnamed."""
        about = [name for name in (found.item or found.mr, found.system, *found.output) if name in self.table]
        marked = bool(found.ratings) and not found.compares and len(found.output) == 1
        if not found.rater and marked and len({*about}) == 3 and EACH_ROW not in self.given.ignored:
            sizes = self.table[about].map(repr).groupby(about).size()
            if (sizes > 1).mean() >= NEARLY_ALL:
                found = replace(found, rater=EACH_ROW)
                self._take(EACH_ROW, "rater", "outputs stand in several rows: a judgement each", "--ignore '#'")
        if found.rater and found.id and not self.given.id:
            self._take(found.id, "unused", "a row is a judgement, not an output", "")
            found = replace(found, id=None)
        if found.id in self.table and not self.given.id and (row := twice(self.table[found.id].tolist())):
            self._take(str(found.id), "unused", f"row {row} repeats an earlier value", f"--item {quote(str(found.id))}")
            found = replace(found, id=None)
        return found

    def _ignored(self) -> tuple[str, ...]:
        """Return the unused columns that would be in the way: called as a metric here is, or ids that repeat."""
        unused = [name for name, entry in self.taken.items() if entry.role == "unused"]
        ours = all_columns()
        gone = [name for name in unused if name in ours or (name == "id" and twice(self.table["id"].tolist()))]
        return tuple(dict.fromkeys((*self.ignored, *(name for name in gone if name in self.table))))

    def _sorted(self, choices: dict[str, dict[int, str]]) -> tuple[Taken, ...]:
        """Return every column in the order of the table, the unused ones last."""
        order = {str(name): place for place, name in enumerate(self.table)}
        used = sorted(self.taken.values(), key=lambda t: (t.role == "unused", order.get(t.column, len(order))))
        return tuple(part for entry in used for part in _ticked(entry, choices.get(entry.column, {})))


def _preferred_side(outputs: Sequence[str]) -> tuple[str, ...]:
    """Return two outputs whose names say which is preferred, that one first; empty for others."""
    by_word = {name.rpartition("_")[2].casefold(): name for name in outputs}
    return next((tuple(by_word[side] for side in pair) for pair in PREFERRED if {*pair} == {*by_word}), ())


def _ticked(entry: Taken, columns: dict[int, str]) -> list[Taken]:
    """Return the columns that a question's choices are ticked in, or the column itself."""
    why = f"ticked in one of {len(columns)} columns"
    return [
        entry._replace(column=name, role=f"{entry.role}: {number}", why=why) for number, name in columns.items()
    ] or [entry]


def _with_marks(found: Columns, marks: Marks, given: Columns) -> Columns:
    scores = {Score.of(score).column: score for score in marks.scores}
    ratings = {Rating.of(rating).name: rating for rating in marks.ratings}
    return replace(
        found,
        ratings=given.ratings or tuple(ratings.values()),
        scores=tuple(scores.values()),
        scale=given.scale or marks.scales,
        not_rated=given.not_rated or marks.not_rated,
    )


def _separator(references: list[Column]) -> str | None:
    """Return the separator of references in most cells; None where each holds one."""
    texts = [text for column in references if column.kind == "text" for text in column.texts]
    return next((mark for mark in SEPARATORS if 2 * sum(mark in text for text in texts) > len(texts)), None)


def twice(cells: list[object]) -> int | None:
    """Return the first row, from 1, whose cell an earlier row has too; None where no cell repeats."""
    seen: set[str] = set()
    for row, cell in enumerate(map(repr, cells), 1):
        if cell in seen:
            return row
        seen.add(cell)
    return None
