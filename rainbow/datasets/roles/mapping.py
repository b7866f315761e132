"""Conversion of column roles to the options of commands and functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from shlex import quote

from rainbow.base.lazy import pd
from rainbow.corpus.error_spans import ERROR_SPANS
from rainbow.datasets.columns import FIELD_ROLES, NO_COLUMNS, ROW_IS_JUDGEMENT, Columns, Rating, Score
from rainbow.datasets.read.delimiter import detect_decimal_mark
from rainbow.datasets.read.header import check_names
from rainbow.datasets.recipes import find_recipe, span_recipe
from rainbow.datasets.roles.assignment import CHOICES, COMPARISONS, MARKS, RANKS
from rainbow.datasets.roles.column import Column, make_column
from rainbow.datasets.roles.column_detection import Reading, read_columns
from rainbow.datasets.roles.flattening import flatten
from rainbow.datasets.roles.network import Network
from rainbow.datasets.roles.plausibility_checks import Doubt, find_doubts
from rainbow.datasets.roles.rating_columns import ColumnRole, RatingOptions, find_ratings, role_reason
from rainbow.datasets.shapes.cell_values import are_chats
from rainbow.datasets.shapes.comparisons import PREFERENCE
from rainbow.datasets.shapes.nested_cells import column_cells, find_choices
from rainbow.datasets.shapes.wide_tables import find_system_columns, split_number, system_names
from rainbow.metrics.contract.registry import all_columns

NEARLY_ALL = 0.9
NO_OUTPUT_REASON = "the row has several outputs"
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
    "item": "input id",
    "id": "row id",
    "winner": "preferred output",
    "best": "best output",
    "worst": "worst output",
    "rank": "rank, lower is better",
    "criterion": "name of the rating",
    "mark": "mark",
}
IGNORED_TO_OVERRIDE = ("id", "rater", "mark", "criterion", "rank")


@dataclass(frozen=True)
class ColumnMapping:
    """Column options of a table, with roles and doubts."""

    columns: Columns  # options passed by commands and functions
    taken: tuple[ColumnRole, ...]  # every column of the table, the unused ones last
    doubts: tuple[Doubt, ...] = ()  # the doubts; empty for a certain reading
    summary: tuple[str, ...] = ()  # what was read, if the table was converted from another structure

    def roles(self) -> dict[str, str]:
        """Return the role of each column."""
        return {taken.column: taken.role for taken in self.taken}

    def accept_doubts(self) -> ColumnMapping:
        """Accept an uncertain mapping, with its doubts in the reasons."""
        other = {doubt.column: doubt.other for doubt in self.doubts}
        taken = tuple(
            entry._replace(why=f"assumed: {entry.why}; may be {other[entry.column]}")
            if entry.column in other
            else entry
            for entry in self.taken
        )
        return replace(self, taken=taken, doubts=())


def map_columns(frame: pd.DataFrame, given: Columns = NO_COLUMNS, network: Network | None = None) -> ColumnMapping:
    """Return the column mapping of a table, with options in `given` taken as fixed."""
    table = flatten(frame.drop(columns=ERROR_SPANS, errors="ignore"))
    check_names([*map(str, table)])
    choices = find_choices(table)
    single = [column for each in choices.values() for column in each.values()]
    table = table.assign(**{name: column_cells(table, name) for name in choices}).drop(columns=single)
    names = [*map(str, table)]
    recipe = span_recipe(frame.attrs) or find_recipe(names, given.recipe)
    given = given.without("recipe")
    known = given.with_defaults(recipe.columns_in(names)) if recipe else given
    if known.decimal is None and (comma := detect_decimal_mark(cell for name in table for cell in table[name])):
        known = replace(known, decimal=comma)
    columns = [make_column(name, table[name].tolist(), known.decimal) for name in names]
    if not columns:
        return ColumnMapping(given, ())
    reading = read_columns(columns, known, network)
    mapping = _Conversion(reading, known, table, recipe.name if recipe else "", given.ignored).mapping(choices)
    return replace(mapping, summary=tuple(frame.attrs.get("summary", ())))


@dataclass
class _Conversion:
    """Conversion of a reading of a table to column options."""

    reading: Reading
    given: Columns
    table: pd.DataFrame
    recipe: str = ""
    ignored: tuple[str, ...] = ()  # by the user, not by the recipe
    taken: dict[str, ColumnRole] = field(default_factory=dict)

    def mapping(self, choices: dict[str, dict[int, str]]) -> ColumnMapping:
        """Return the mapping; `choices` are columns of questions answered in several columns."""
        names, reading = self.reading.names, self.reading
        mr, item, identity, rater = (next(iter(names(role)), None) for role in ("input", "item", "id", "rater"))
        result = Columns(names("output"), names("reference"), mr=mr, item=item, id=identity, rater=rater)
        result = self._set_sides(result)
        self._record_roles()
        result = self.given.with_defaults(self._set_ratings(result))
        result = self._set_rater(result)
        separator = self.given.reference_separator or _detect_separator(reading.columns_with("reference"))
        result = replace(result, reference_separator=separator, ignored=self._conflicting_columns())
        unplaced = [name for name, entry in self.taken.items() if entry.why == NO_OUTPUT_REASON]
        doubts = find_doubts(reading, result, self.given, self.table, unplaced)
        return ColumnMapping(result, self._sort_roles(choices), tuple(doubts))

    def _set_sides(self, columns: Columns) -> Columns:
        """Return the options with system columns and preferences."""
        names, layout = self.reading.names, self.reading.assignment.layout
        systems = names("system")
        if layout == RANKS:
            ranks = names("rank")
            return replace(columns, pair=systems, winner=split_number(ranks[0])[0] if ranks else None)
        # Of a chat, the turns before the last are the input.
        chats = (column.name for column in self.reading.columns_with("output") if are_chats(column.rows))
        if layout == COMPARISONS:
            mr = columns.mr or next(chats, None)
            return replace(columns, pair=systems, winner=next(iter(names("winner")), None), mr=mr)
        if preferred := _preferred_side(columns.output):
            pair, mr = systems if len(systems) == 2 else (), columns.mr or next(chats, None)
            return replace(columns, output=preferred, winner=preferred[0], pair=pair, mr=mr)
        system = next(iter(systems), None)
        if len(columns.output) > 1 and systems:
            own = find_system_columns(systems, [*system_names(columns.output).values()])
            system = own[systems[0]][1] if systems[0] in own else None
        best, worst = names("best"), names("worst")
        return replace(columns, system=system, winner=next(iter(best), None), worst=next(iter(worst), None))

    def _record_roles(self) -> None:
        """Record the role of every column but ratings and scores."""
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
            self._record(column.name, shown, self._role_reason(column, role), self._override_option(column, role))

    def _record(self, column: str, role: str, reason: str, option: str) -> None:
        self.taken[column] = ColumnRole(column, role, reason, option)

    def _role_reason(self, column: Column, role: str) -> str:
        named = {name for field in FIELD_ROLES for name in self.given.columns_of(field)}
        return (self.recipe or "given") if column.name in named else role_reason(column, role)

    def _override_option(self, column: Column, role: str) -> str:
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

    def _set_ratings(self, columns: Columns) -> Columns:
        """Return the options with ratings, scores, scales and codes for "not rated"."""
        layout, given = self.reading.assignment.layout, self.given
        if layout == MARKS:
            return self._set_criteria(columns, "mark")
        ratings, scores = self.reading.columns_with("rating"), self.reading.columns_with("score")
        if given.ratings:
            known = {*given.columns_of("ratings")}
            for column in ratings:
                if column.name not in known:
                    self._record(column.name, "unused", "other ratings were chosen", f"--rating {quote(column.name)}")
            ratings = [column for column in ratings if column.name in known or len(columns.output) > 1]
        if layout in (COMPARISONS, RANKS, CHOICES):
            for column in (*ratings, *scores):
                self._record(column.name, "unused", "the row has several outputs", "")
            return self._set_criteria(columns, PREFERENCE) if self.reading.columns_with("criterion") else columns
        ratings += self.reading.columns_with("rank") if not given.ratings else []
        of_system: dict[str, list[str]] = {}
        if len(columns.output) > 1:
            ratings, of_system = self._merge_systems(ratings, columns)
            scores, others = self._merge_systems(scores, columns)
            of_system |= others
        scores = [column for column in scores if column.name not in given.columns_of("scores")]
        names = [column.name for column in self.reading.columns]
        whys = {column.name: self._role_reason(column, "rating") for column in ratings}
        whys |= {column.name: self._role_reason(column, "score") for column in scores}
        marks = find_ratings(ratings, scores, names, self.reading.columns_with("rater") != [], whys)
        self._record_ratings(marks, of_system)
        for name in given.columns_of("scores"):
            self._record(name, "score", "given", "")
        return _add_ratings(columns, marks, given)

    def _record_ratings(self, marks: RatingOptions, of_system: dict[str, list[str]]) -> None:
        given = {name: rating.name for rating in map(Rating.parse, self.given.ratings) for name in rating.columns}
        for column, entry in marks.taken.items():
            for name in of_system.get(column, [column]):
                self.taken[name] = entry._replace(column=name)
                if name in given:
                    self._record(name, f"rating {given[name]}", self.recipe or "given", f"--ignore {quote(name)}")

    def _set_criteria(self, columns: Columns, mark: str) -> Columns:
        """Return the options with a rating for each criterion that a row may rate."""
        if self.given.ratings:
            return columns
        (criterion,) = self.reading.columns_with("criterion")
        value = mark if mark == PREFERENCE else self.reading.names("mark")[0]
        names = [name for name in dict.fromkeys(criterion.texts) if not {*name} & {*"=@,"}]
        scales = ["<".join(column.scale) for column in self.reading.columns_with("mark") if column.scale]
        ratings = tuple(f"{name}={value}@{criterion.name}" for name in names)
        return replace(columns, ratings=ratings, scale=tuple(scales))

    def _merge_systems(self, marks: list[Column], detected: Columns) -> tuple[list[Column], dict[str, list[str]]]:
        """Return one column for all systems' columns of a kind, and the columns it combines."""
        systems = [*system_names(detected.output).values()]
        others = [column.name for column in self.reading.columns if column.name not in detected.output]
        own = find_system_columns(others, systems)
        parts: dict[str, list[Column]] = {}
        for column in marks:
            if column.name in own:
                parts.setdefault(own[column.name][1], []).append(column)
            else:
                self._record(column.name, "unused", NO_OUTPUT_REASON, f"--rating {quote(column.name)}")
        joined = [
            make_column(what, [cell for column in columns for cell in column.rows], self.given.decimal)
            for what, columns in parts.items()
        ]
        return joined, {what: [column.name for column in columns] for what, columns in parts.items()}

    def _set_rater(self, columns: Columns) -> Columns:
        """Return the options with the rater, or with rows as anonymous judgements."""
        about = [name for name in (columns.item or columns.mr, columns.system, *columns.output) if name in self.table]
        marked = bool(columns.ratings) and not columns.is_comparison and len(columns.output) == 1
        if not columns.rater and marked and len({*about}) == 3 and ROW_IS_JUDGEMENT not in self.given.ignored:
            sizes = self.table[about].map(repr).groupby(about).size()
            if (sizes > 1).mean() >= NEARLY_ALL:
                columns, reason = (
                    replace(columns, rater=ROW_IS_JUDGEMENT),
                    "outputs occur in several rows, one judgement each",
                )
                self._record(ROW_IS_JUDGEMENT, "rater", reason, "--ignore '#'")
        if columns.rater and columns.id and not self.given.id:
            self._record(columns.id, "unused", "a row is a judgement, not an output", "")
            columns = replace(columns, id=None)
        if columns.id in self.table and not self.given.id and (row := first_duplicate(self.table[columns.id].tolist())):
            name = str(columns.id)
            self._record(name, "unused", f"row {row} repeats an earlier value", f"--item {quote(name)}")
            columns = replace(columns, id=None)
        return columns

    def _conflicting_columns(self) -> tuple[str, ...]:
        """Return unused columns that would conflict: named like a metric, or repeated ids."""
        unused = [name for name, entry in self.taken.items() if entry.role == "unused"]
        ours = all_columns()
        repeated = "id" in unused and first_duplicate(self.table["id"].tolist())
        gone = [name for name in unused if name in ours or (name == "id" and repeated)]
        return tuple(dict.fromkeys((*self.ignored, *(name for name in gone if name in self.table))))

    def _sort_roles(self, choices: dict[str, dict[int, str]]) -> tuple[ColumnRole, ...]:
        """Return every column in table order, unused ones last."""
        order = {str(name): place for place, name in enumerate(self.table)}
        used = sorted(self.taken.values(), key=lambda t: (t.role == "unused", order.get(t.column, len(order))))
        result = []
        for entry in used:  # a question may have a column for each choice
            ticked = choices.get(entry.column, {})
            why = f"the choice is spread over {len(ticked)} columns"
            parts = [(name, f"{entry.role}: {number}") for number, name in ticked.items()]
            result += [ColumnRole(name, role, why, entry.otherwise) for name, role in parts] or [entry]
        return tuple(result)


def _preferred_side(outputs: Sequence[str]) -> tuple[str, ...]:
    """Return two output columns whose names mark the preferred one, preferred first; empty if there are none."""
    by_word = {name.rpartition("_")[2].casefold(): name for name in outputs}
    return next((tuple(by_word[side] for side in pair) for pair in PREFERRED if {*pair} == {*by_word}), ())


def _add_ratings(columns: Columns, marks: RatingOptions, given: Columns) -> Columns:
    scores = {Score.parse(score).column: score for score in marks.scores}
    ratings = {Rating.parse(rating).name: rating for rating in marks.ratings}
    return replace(
        columns,
        ratings=given.ratings or tuple(ratings.values()),
        scores=tuple(scores.values()),
        scale=given.scale or marks.scales,
        not_rated=given.not_rated or marks.not_rated,
    )


def _detect_separator(references: list[Column]) -> str | None:
    """Return the separator of references in most cells; None if each cell holds one reference."""
    texts = [text for column in references if column.kind == "text" for text in column.texts]
    return next((mark for mark in SEPARATORS if 2 * sum(mark in text for text in texts) > len(texts)), None)


def first_duplicate(cells: list[object]) -> int | None:
    """Return the first row, from 1, whose cell repeats an earlier one; None if none does."""
    seen: set[str] = set()
    for row, cell in enumerate(map(repr, cells), 1):
        if cell in seen:
            return row
        seen.add(cell)
    return None
