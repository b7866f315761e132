"""Questions on the terminal about the role of each column."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from rainbow.datasets.columns import NO_COLUMNS, Columns, Rating, Score

if TYPE_CHECKING:
    from rainbow.datasets.folders.user_files import UserFiles
    from rainbow.datasets.roles.mapping import ColumnMapping

NONE, SEPARATOR = "-", ";"
WIDTH, CELL, SHOWN = 80, 40, 3  # of a line, of a cell, cells of a column
HELP = f"Name the columns. Enter keeps what is in brackets, {NONE} means none, {SEPARATOR} separates several."
# The questions by the field that each sets, and whether it takes several columns.
QUESTIONS = {
    "output": ("Column of outputs", True),
    "mr": ("Column of inputs", False),
    "references": ("Columns of references", True),
    "system": ("Column of systems", False),
    "ratings": ("Columns of ratings", True),
}
# Options of the file format, which the questions leave as detected.
WRITTEN = ("encoding", "delimiter", "decimal", "sheet", "joined", "background")
DIRECTIONS = ("higher", "lower", "neither", "unknown")
# Further fields that name one column each.
SINGLE = ("item", "id", "rater", "winner", "worst")


def is_usable(mapping: ColumnMapping) -> bool:
    """Return whether a reading has outputs or system comparisons."""
    return bool(mapping.columns.output or mapping.columns.pair)


def print_mapping(mapping: ColumnMapping) -> None:
    """Print one line per role, and what is uncertain."""
    for sentence in mapping.summary:
        typer.echo(sentence)
    lines: dict[str, list[str]] = {}
    for entry in mapping.taken:
        lines.setdefault(entry.role.partition(" (")[0], []).append(" ".join(entry.column.split()))
    for role, columns in lines.items():
        head, text = f"{role}: ", ", ".join(columns)
        typer.echo(truncate(head + text, WIDTH) if role == "unused" else head + text)
    for doubt in mapping.doubts:
        if doubt.column:
            typer.echo(f"not sure: {doubt.column} is taken as {doubt.role}, may be {doubt.other} ({doubt.why})")
    if mapping.taken:
        typer.echo("override with --output, --input, --reference, --system, --rating, --score, --ignore COLUMN")


def confirm_columns(opened: UserFiles, given: Columns) -> UserFiles:
    """Return the table with a reading that is sure or that the user accepts."""
    if is_usable(opened.mapping) and not any(doubt.stops for doubt in opened.mapping.doubts):
        return opened
    _print_cells(opened)
    while not (is_usable(opened.mapping) and typer.confirm("Is that right?", default=True)):
        if not is_usable(opened.mapping):
            typer.echo("No column holds the outputs.")
        opened = _reread(opened, _ask_roles(opened.mapping, given))
        print_mapping(opened.mapping)
    return opened


def _print_cells(opened: UserFiles) -> None:
    """Print three cells of each uncertain column."""
    from rainbow.datasets.files import FileRows
    from rainbow.datasets.shapes.nested_cells import column_cells, has_column

    doubtful = [doubt.column for doubt in opened.mapping.doubts if doubt.column]
    frame = next(opened.rows.frames(SHOWN)) if doubtful and isinstance(opened.rows, FileRows) else None
    for name in doubtful:
        if frame is not None and has_column(frame, name):
            cells = [truncate(" ".join(str(cell).split()), CELL) for cell in column_cells(frame, name)[:SHOWN]]
            typer.echo(f"  {name}: " + " | ".join(cells))


def truncate(text: str, width: int) -> str:
    """Return a text truncated to a width, with an ellipsis."""
    return text if len(text) <= width else text[: width - 1] + "\N{HORIZONTAL ELLIPSIS}"


def ask_directions(opened: UserFiles) -> UserFiles:
    """Ask for the direction of scores whose direction is unknown, and return the table with it."""
    columns = opened.mapping.columns
    scores = {score: Score.parse(score) for score in columns.scores}
    if not any(score.unknown for score in scores.values()):
        return opened
    answered = tuple(_ask_direction(score.name) if score.unknown else entry for entry, score in scores.items())
    return _reread(opened, replace(columns, scores=answered))


def _ask_direction(name: str) -> str:
    def parse(text: str) -> str:
        if text.strip() not in DIRECTIONS:
            raise typer.BadParameter(f"answer {', '.join(DIRECTIONS[:-1])} or {DIRECTIONS[-1]}")
        return text.strip()

    question = f"Which values of {name} are better ({', '.join(DIRECTIONS)})?"
    return f"{name}:{typer.prompt(question, default=DIRECTIONS[-1], value_proc=parse)}"


def _reread(opened: UserFiles, columns: Columns) -> UserFiles:
    from rainbow.datasets.files import FileRows
    from rainbow.datasets.table_mapping import read_mapping

    mapping = read_mapping(opened.files[0], columns)
    return replace(opened, mapping=mapping, rows=FileRows(opened.files[0], mapping.columns))


def _ask_roles(mapping: ColumnMapping, given: Columns) -> Columns:
    """Return the columns that the user names for each role, with the known file options."""
    typer.echo(HELP)
    known = [taken.column for taken in mapping.taken]
    answers: dict[str, tuple[str, ...]] = {}
    dropped: list[str] = []
    for field, (question, several) in QUESTIONS.items():
        used = _answered_columns(answers)
        current = [entry for entry in _entries(mapping.columns, field) if not used & {*_entry_columns(field, entry)}]
        answer = _ask_role(question, field, current, known, several)
        taken = {name for entry in answer for name in _entry_columns(field, entry)}
        # A column that is named again leaves the role that it had.
        answers = {
            other: tuple(entry for entry in entries if not taken & {*_entry_columns(other, entry)})
            for other, entries in answers.items()
        } | {field: answer}
        dropped += [] if answer else [name for entry in current for name in _entry_columns(field, entry)]
    return _merge_columns(mapping.columns, given, answers, dropped)


def _ask_role(question: str, field: str, current: list[str], known: list[str], several: bool) -> tuple[str, ...]:
    """Ask for the columns of one role until all of them exist."""
    default = f"{SEPARATOR} ".join(current) or NONE

    def parse(text: str) -> tuple[str, ...]:
        if text.strip() == default:
            return tuple(current)
        entries = [] if text.strip() == NONE else [part.strip() for part in text.split(SEPARATOR) if part.strip()]
        names = [name for entry in entries for name in _entry_columns(field, entry)]
        if unknown := [name for name in names if name not in known]:
            raise typer.BadParameter(f"unknown column {unknown[0]!r}; the columns are {', '.join(known)}")
        if len(entries) > 1 and not several:
            raise typer.BadParameter("name one column")
        return tuple(entries)

    answer: tuple[str, ...] = typer.prompt(question, default=default, value_proc=parse)
    return answer


def _merge_columns(read: Columns, given: Columns, answers: dict[str, tuple[str, ...]], dropped: list[str]) -> Columns:
    """Merge the answers with the options of the command and the file options."""
    used = _answered_columns(answers)
    format_of_file = replace(NO_COLUMNS, **{name: getattr(read, name) for name in WRITTEN})
    rest = given.without(*QUESTIONS, *(name for name in SINGLE if getattr(given, name) in used))
    rest = rest.with_defaults(format_of_file)
    scores = tuple(score for score in rest.scores if Score.parse(score).column not in used)
    ignored = tuple(name for name in dict.fromkeys((*given.ignored, *dropped)) if name not in used)
    named = {field: several if QUESTIONS[field][1] else next(iter(several), None) for field, several in answers.items()}
    return replace(rest, scores=scores, ignored=ignored, **named)  # type: ignore[arg-type]  # by the field's own kind


def _entries(columns: Columns, field: str) -> tuple[str, ...]:
    value = getattr(columns, field)
    return value if isinstance(value, tuple) else tuple(filter(None, [value]))


def _entry_columns(field: str, entry: str) -> tuple[str, ...]:
    return Rating.parse(entry).columns if field == "ratings" else (entry,)


def _answered_columns(answers: dict[str, tuple[str, ...]]) -> set[str]:
    return {name for field, entries in answers.items() for entry in entries for name in _entry_columns(field, entry)}
