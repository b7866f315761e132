"""Detection of a table's columns, shared by all commands and functions."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rainbow.base.lazy import pd
from rainbow.base.storage import Place, path_of
from rainbow.datasets.columns import CONFIG_FILE, NO_COLUMNS, Columns, Score, saved_columns
from rainbow.datasets.files import FileRows, as_cells
from rainbow.datasets.read.delimiter import detect_delimiter
from rainbow.datasets.read.encoding import detect_encoding, name_file_in_errors
from rainbow.datasets.read.formats import BINARY, DELIMITED, file_extension
from rainbow.datasets.read.many_files import find_files, is_many_files
from rainbow.datasets.read.table_frames import convert_judgements, read_frames, unconverted_frames
from rainbow.datasets.roles.column import make_column
from rainbow.datasets.roles.mapping import ColumnMapping, map_columns
from rainbow.datasets.roles.plausibility_checks import Doubt
from rainbow.datasets.shapes.nested_cells import expand_nested_rows, has_column
from rainbow.datasets.sources import source

DETECTION_ROWS = 20_000  # rows


def read_mapping(name: str | Place, given: Columns = NO_COLUMNS, saved: Columns = NO_COLUMNS) -> ColumnMapping:
    """Return the content of each column of a file, or of many files with one name."""
    path = find_files(name)[1][0] if is_many_files(name) else _existing_path(name)
    known = given.with_defaults(saved_columns(path)).with_defaults(saved)
    if file_extension(path) == ".txt" or (saved.set_options() and known.output):
        return ColumnMapping(known.without("recipe"), ())
    with name_file_in_errors(path, known.encoding):
        known = detect_format(path, known)
        reading = path, DETECTION_ROWS, known.encoding, known.delimiter, known.sheet
        frame = next(read_frames(*reading, known.error_weights))
        _check_outputs(frame, given, lambda: next(unconverted_frames(*reading)))
        mapping = map_columns(frame, given.with_defaults(_drop_stale(path, frame, known)))
    for joined in known.joined:
        mapping = _add_joined(mapping, Path(joined))
    return mapping


def _existing_path(name: str | Place) -> Place:
    """Return the path of a file; raise an error if it is neither a file nor a dataset."""
    if not path_of(name).suffix:
        source(str(name))
    if not path_of(name).is_file():
        raise FileNotFoundError(f"no such file: {str(name)!r}")
    return path_of(name)


def open_table(frame: pd.DataFrame, given: Columns = NO_COLUMNS, name: str = "table") -> tuple[FileRows, ColumnMapping]:
    """Return the rows of a table in memory and its column mapping; errors as for `read_mapping`."""
    with name_file_in_errors(Path(name)):
        cells = convert_judgements(as_cells(frame))
        _check_outputs(cells, given, lambda: frame)
        mapping = map_columns(cells.head(DETECTION_ROWS), given)
    return FileRows(Path(name), mapping.columns, table=cells), mapping


def _check_outputs(frame: pd.DataFrame, given: Columns, original: Callable[[], pd.DataFrame]) -> None:
    """Raise an error that lists the original columns if one of the outputs is not a column."""
    rows = expand_nested_rows(frame, given.output)
    gone = [name for name in given.output if not has_column(rows, name)]
    if gone and gone[0] not in (known := [*map(str, original())]):
        raise ValueError(f"unknown column {gone[0]!r} for the output: the columns are {', '.join(known)}")


def detect_format(path: Place, known: Columns) -> Columns:
    """Return the options with detected encoding and delimiter, if not the defaults."""
    if file_extension(path) in BINARY:
        return known
    known = known if known.encoding else replace(known, encoding=detect_encoding(path))
    delimited = file_extension(path) in DELIMITED and not known.delimiter
    return replace(known, delimiter=detect_delimiter(path, known.encoding)) if delimited else known


def read_table(path: Path) -> pd.DataFrame:
    """Return the whole table in a file of any format."""
    known = detect_format(path, NO_COLUMNS)
    return next(iter(read_frames(path, None, known.encoding, known.delimiter)))


def _drop_stale(path: Place, frame: pd.DataFrame, known: Columns) -> Columns:
    """Return the saved options, without columns if the table lacks any of them."""
    kept = saved_columns(path)
    fields = ("output", "references", "pair", "mr", "system", "ratings")
    missing = [name for field in fields for name in kept.columns_of(field) if not has_column(frame, name)]
    if not missing or len(kept.output) > 1:
        return known
    warnings.warn(
        f"{path.with_name(CONFIG_FILE)} names a column {missing[0]!r}, which {path.name} does not have: the "
        "columns are detected again",
        stacklevel=5,
    )
    names = ("encoding", "delimiter", "decimal", "sheet", "background", "recipe")
    return replace(NO_COLUMNS, **{name: getattr(known, name) for name in names})


def _add_joined(mapping: ColumnMapping, path: Path) -> ColumnMapping:
    """Return a mapping with the scores of a joined table, and its ratings if there are none yet."""
    with name_file_in_errors(path):
        frame = read_table(path)
    known, joined_columns = mapping.roles(), mapping.columns
    numbers = [make_column(name, frame[name].tolist()) for name in map(str, frame) if name not in known]
    names = [column.name for column in numbers if column.kind == "number"]
    texts = [name for name in map(str, frame) if name in joined_columns.output or name == "output"]
    result = map_columns(frame[[*texts, *names]], replace(NO_COLUMNS, output=tuple(texts[:1])))
    ratings = result.columns.ratings if not joined_columns.ratings else ()
    scores = result.columns.scores
    columns = {*result.columns.columns_of("ratings"), *(Score.parse(score).column for score in scores)}
    taken = [entry._replace(why=f"in {path.name}") for entry in result.taken if entry.column in columns]
    scores = tuple(dict.fromkeys((*joined_columns.scores, *scores)))
    joined_columns = replace(joined_columns, ratings=(*joined_columns.ratings, *ratings), scores=scores)
    return replace(mapping, columns=joined_columns, taken=(*mapping.taken, *taken))


def check_certain(mapping: ColumnMapping, name: object) -> None:
    """Raise ValueError if it is uncertain which column holds outputs or human ratings."""
    if doubts := [doubt for doubt in mapping.doubts if doubt.stops]:
        raise ValueError(f"{name}: {uncertainty_message(doubts)}")


def uncertainty_message(doubts: Sequence[Doubt]) -> str:
    """Return the message about uncertain columns and the options to set."""
    first, more = doubts[0], len(doubts) - 1
    if not first.column:
        return f"{first.why}: name it with --output COLUMN"
    others = f", and {more} more" if more else ""
    options = " or ".join(_role_option(first.column, role) for role in dict.fromkeys((first.role, first.other)))
    return (
        f"column {first.column!r} may be {_phrase(first.role)} or {_phrase(first.other)}{others} "
        f"({first.why}): choose with {options}; `rainbow run` asks, and `rainbow run --yes` accepts the most "
        "likely reading"
    )


def _phrase(role: str) -> str:
    return role if role == "unused" else f"an {role}" if role[0] in "aeiou" else f"a {role}"


def _role_option(column: str, role: str) -> str:
    from shlex import quote

    if role == "score":
        return f"--score {quote(column + ':higher')}"
    option = {"unused": "ignore", "best": "winner", "id": "ignore", "mark": "rating", "rank": "rating"}.get(role, role)
    return f"--{option} {quote(column)}"
