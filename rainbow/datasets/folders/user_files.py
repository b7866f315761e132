"""A user's input: a table, several tables, a folder of plain texts, or a named dataset."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rainbow.base.formatting import format_count
from rainbow.base.lazy import pd
from rainbow.base.storage import path_of
from rainbow.datasets.columns import NO_COLUMNS, Columns, saved_columns
from rainbow.datasets.files import FileRows
from rainbow.datasets.folders.folder_rows import FolderRows
from rainbow.datasets.folders.line_files import add_line_ratings, read_parallel_texts
from rainbow.datasets.read.encoding import detect_encoding, name_file_in_errors
from rainbow.datasets.read.formats import TABLES, file_extension, unreadable_message
from rainbow.datasets.read.table_frames import read_frames
from rainbow.datasets.roles.mapping import ColumnMapping
from rainbow.datasets.sources import dataset_names, open_named
from rainbow.datasets.spans.span_table import read_span_table
from rainbow.datasets.table_mapping import open_table, read_mapping
from rainbow.scoring.chunks import CorpusRows, Rows

# Files that may accompany text files.
_NO_TEXTS = {".log", ".yaml", ".yml", ".toml", ".cfg", ".ini", ".py", ".sh", ".md", ".rst", ".pdf", ".html", ".png"}
_NO_TEXTS |= {".jpg", ".zip", ".gz", ".pt", ".bin", ".arrow", ".pkl", ".npy", ".lock"}


@dataclass(frozen=True)
class UserFiles:
    """Opened user files."""

    name: str  # what its tables and pages are called
    files: tuple[Path, ...]  # the files; none for a dataset of a name
    rows: Rows  # a row per output
    mapping: ColumnMapping  # what each column, or file of lines, is taken as

    @property
    def is_table(self) -> bool:
        """Whether this is a single table, whose columns ``rainbow.toml`` may define."""
        return len(self.files) == 1 and file_extension(self.files[0]) in TABLES

    def tables(self) -> Iterator[pd.DataFrame]:
        """Yield the unmodified table of each file."""
        if isinstance(self.rows, FileRows) and self.rows.table is not None:
            yield self.rows.table
        columns = self.mapping.columns
        for file in self.files:
            with name_file_in_errors(file, columns.encoding):
                yield from read_frames(
                    file, None, columns.encoding, columns.delimiter, columns.sheet, columns.error_weights
                )

    @property
    def identity(self) -> list[object]:
        """What identifies the rows: the files, the hash of a table, or a dataset name."""
        if isinstance(self.rows, FileRows) and self.rows.table is not None:
            return [self.rows.state()]
        return [*self.files] or [self.name]


def open_user_table(frame: pd.DataFrame, given: Columns = NO_COLUMNS, name: str = "table") -> UserFiles:
    """Open a table in memory, as :func:`open_user_files` opens files."""
    rows, mapping = open_table(frame, given, name)
    return UserFiles(name, (), rows, mapping)


def open_user_files(names: Sequence[str], given: Columns = NO_COLUMNS) -> UserFiles:
    """Open files and detect their content."""
    if len(names) == 1 and names[0] in dataset_names():
        return UserFiles(names[0], (), open_named(names[0], **given.set_options()), ColumnMapping(given, ()))
    files = [file for name in names for file in _expand_folder(name)]
    label = Path(names[0]).resolve().stem if len(names) == 1 else "+".join(file.stem for file in files[:3])
    kinds = [file.suffix.lower() if len(files) > 1 else file_extension(file) for file in files]
    if {*kinds} - {*TABLES, *_NO_TEXTS} and (len(files) > 1 or kinds == [".txt"]):
        if len(files) == 1:
            with name_file_in_errors(files[0]):
                given = replace(given, encoding=given.encoding or detect_encoding(files[0]))
            return UserFiles(label, tuple(files), FileRows(files[0], given), ColumnMapping(given, ()))
        corpus, mapping = read_parallel_texts([file for file in files if file.suffix.lower() not in TABLES], given)
        for table in [file for file in files if file.suffix.lower() in TABLES]:
            corpus, mapping = add_line_ratings(corpus, mapping, table)
        return UserFiles(label, tuple(files), CorpusRows(corpus), mapping)
    if other := [file for file, kind in zip(files, kinds, strict=True) if kind not in TABLES]:
        raise ValueError(f"{other[0].name}: {unreadable_message(other[0])}")
    spans = read_span_table(files, saved_columns(files[0]).error_weights) if len(files) > 1 else None
    if spans is not None:
        return replace(open_user_table(spans, given, label), files=tuple(files))
    mapping = read_mapping(files[0], given)
    if len(files) == 1:
        return UserFiles(label, tuple(files), FileRows(files[0], mapping.columns), mapping)
    return UserFiles(label, tuple(files), _stack_tables(files, label, mapping.columns), mapping)


def _stack_tables(files: Sequence[Path], label: str, columns: Columns) -> FolderRows:
    """Return the rows of several tables, each a system's unless a column names the system."""
    named = columns.system or len(columns.output) > 1 or columns.is_comparison
    columns = columns if named else replace(columns, system="system")
    # Ids of rows count within each file.
    columns = replace(columns, item=columns.item or columns.id, id=None)
    parts = tuple(FileRows(file, columns, label, () if named else (("system", file.stem),)) for file in files)
    return FolderRows(parts, columns)


def _has_outputs(table: Path) -> bool:
    """Return whether a table clearly contains outputs, not just ratings of texts in other files."""
    mapping = read_mapping(table)
    return bool(mapping.columns.output) and not any(doubt.stops for doubt in mapping.doubts)


def _expand_folder(name: str) -> list[Path]:
    """Return the file itself, or the tables of a folder, else its texts at any depth."""
    path = path_of(name)
    if not isinstance(path, Path):
        raise ValueError(f"{name} is remote: download it first, or score it remotely with rainbow metrics {name}")
    if path.is_file():
        return [path]
    if not path.is_dir():
        near = "" if path.suffix else f"; it is not a dataset either: the datasets are {', '.join(dataset_names())}"
        raise FileNotFoundError(f"no such file: {name!r}{near}")
    within = sorted(file for file in path.rglob("*") if file.is_file() and not file.name.startswith((".", "README")))
    tables = [file for file in within if file.suffix.lower() in TABLES]
    texts = [file for file in within if file.suffix.lower() not in (*TABLES, *_NO_TEXTS)]
    states = [file for file in tables if file.name == "user_state.json"]  # of Potato, one per annotator
    samples = [file for file in tables if file.name.startswith("samples_")]  # of lm-evaluation-harness
    here = [file for file in tables if file.parent == path]
    if len(texts) > 1 and here and not any(map(_has_outputs, here)):
        return [*texts, *here]  # marks of these texts
    result = samples or states or here or texts or tables
    if not result:
        raise FileNotFoundError(f"{name!r} contains no table or text: it needs {', '.join(TABLES)} or .txt")
    (kind, _), *others = Counter(file.suffix.lower() for file in result).most_common()
    if result is texts:
        return texts
    if others:
        left = ", ".join(f"{format_count(count, 'file')} {other}" for other, count in others)
        warnings.warn(f"{name}: only the {kind} files are read, not {left}: name files to read those", stacklevel=2)
    return [file for file in result if file.suffix.lower() == kind]
