"""A user's files, whatever they are: a table, several of one shape, plain texts in a folder, or a dataset by name."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rainbow.base.formatting import format_count
from rainbow.base.storage import path_of
from rainbow.datasets import dataset_names, open_dataset
from rainbow.datasets.columns import NOTHING, Columns
from rainbow.datasets.files import FileRows
from rainbow.datasets.folders.folder_rows import FolderRows
from rainbow.datasets.folders.line_files import line_corpus
from rainbow.datasets.folders.rated_lines import with_ratings
from rainbow.datasets.read.encoding import encoding_of, named
from rainbow.datasets.read.formats import TABLES, cannot_read, ending
from rainbow.datasets.read.frames import frames
from rainbow.datasets.reading import open_table, read_mapping
from rainbow.datasets.roles.mapping import Mapping
from rainbow.scoring.chunks import CorpusRows

if TYPE_CHECKING:
    import pandas as pd

    from rainbow.scoring.chunks import Rows


# What lies beside texts.
_NO_TEXTS = frozenset(
    [".log", ".yaml", ".yml", ".toml", ".cfg", ".ini", ".py", ".sh", ".md", ".rst", ".pdf", ".html", ".png", ".jpg"]
)
_NO_TEXTS |= {".zip", ".gz", ".pt", ".bin", ".arrow", ".pkl", ".npy", ".lock"}


@dataclass(frozen=True)
class UserFiles:
    """What was opened."""

    name: str  # what its tables and pages are called
    files: tuple[Path, ...]  # the files; none for a dataset of a name
    rows: Rows  # a row per output
    mapping: Mapping  # what each column, or file of lines, is taken as

    @property
    def is_table(self) -> bool:
        """Whether it is one table, of which ``rainbow.toml`` may say what its columns are."""
        return len(self.files) == 1 and ending(self.files[0]) in TABLES

    def tables(self) -> Iterator[pd.DataFrame]:
        """Return the tables as they are, one of each file."""
        if isinstance(self.rows, FileRows) and self.rows.table is not None:
            yield self.rows.table
        said = self.mapping.columns
        for file in self.files:
            with named(file, said.encoding):
                yield from frames(file, None, said.encoding, said.delimiter, said.sheet)

    @property
    def identity(self) -> list[object]:
        """What differs where the rows do: the files, the hash of a table, or the name of a dataset."""
        if isinstance(self.rows, FileRows) and self.rows.table is not None:
            return [self.rows.state()]
        return [*self.files] or [self.name]


def open_user_table(frame: pd.DataFrame, given: Columns = NOTHING, name: str = "table") -> UserFiles:
    """Open a table in memory, as :func:`open_user_files` does files."""
    rows, mapping = open_table(frame, given, name)
    return UserFiles(name, (), rows, mapping)


def open_user_files(names: Sequence[str], given: Columns = NOTHING) -> UserFiles:
    """Open files, and find out what is in them."""
    if len(names) == 1 and names[0] in dataset_names():
        return UserFiles(names[0], (), open_dataset(names[0], **given.declared()), Mapping(given, ()))
    files = [file for name in names for file in _expanded(name)]
    label = Path(names[0]).resolve().stem if len(names) == 1 else "+".join(file.stem for file in files[:3])
    kinds = [file.suffix.lower() if len(files) > 1 else ending(file) for file in files]
    if {*kinds} - {*TABLES, *_NO_TEXTS} and (len(files) > 1 or kinds == [".txt"]):
        if len(files) == 1:
            with named(files[0]):
                given = replace(given, encoding=given.encoding or encoding_of(files[0]))
            return UserFiles(label, tuple(files), FileRows(files[0], given), Mapping(given, ()))
        corpus, mapping = line_corpus([file for file in files if file.suffix.lower() not in TABLES], given)
        for table in [file for file in files if file.suffix.lower() in TABLES]:
            corpus, mapping = with_ratings(corpus, mapping, table)
        return UserFiles(label, tuple(files), CorpusRows(corpus), mapping)
    if other := [file for file, kind in zip(files, kinds, strict=True) if kind not in TABLES]:
        raise ValueError(f"{other[0].name}: {cannot_read(other[0])}")
    mapping = read_mapping(files[0], given)
    if len(files) == 1:
        return UserFiles(label, tuple(files), FileRows(files[0], mapping.columns), mapping)
    return UserFiles(label, tuple(files), _stacked(files, label, mapping.columns), mapping)


def _stacked(files: Sequence[Path], label: str, columns: Columns) -> FolderRows:
    """Return the rows of several tables, each of which is a system's where no column says which."""
    named = columns.system or len(columns.output) > 1 or columns.compares
    columns = columns if named else replace(columns, system="system")
    # Ids of rows count within each file.
    columns = replace(columns, item=columns.item or columns.id, id=None)
    parts = tuple(FileRows(file, columns, label, () if named else (("system", file.stem),)) for file in files)
    return FolderRows(parts, columns)


def _has_outputs(table: Path) -> bool:
    """Return whether a table is one of outputs for sure, unlike one of marks of texts in other files."""
    mapping = read_mapping(table)
    return bool(mapping.columns.output) and not any(doubt.stops for doubt in mapping.doubts)


def _expanded(name: str) -> list[Path]:
    """Return the file, or those of a folder that are of one kind: the tables in it, or else texts at any depth."""
    path = path_of(name)
    if not isinstance(path, Path):
        raise ValueError(f"{name}: bring it here first, or score it where it lies: rainbow metrics {name}")
    if path.is_file():
        return [path]
    if not path.is_dir():
        near = "" if path.suffix else f", nor a dataset of that name: there are {', '.join(dataset_names())}"
        raise FileNotFoundError(f"there is no file {name!r}{near}")
    within = sorted(file for file in path.rglob("*") if file.is_file() and not file.name.startswith((".", "README")))
    tables = [file for file in within if file.suffix.lower() in TABLES]
    texts = [file for file in within if file.suffix.lower() not in (*TABLES, *_NO_TEXTS)]
    samples = [file for file in tables if file.name.startswith("samples_")]  # of lm-evaluation-harness
    here = [file for file in tables if file.parent == path]
    if len(texts) > 1 and here and not any(map(_has_outputs, here)):
        return [*texts, *here]  # marks of these texts
    found = samples or here or texts or tables
    if not found:
        raise FileNotFoundError(f"there is no table and no text in {name!r}: it needs {', '.join(TABLES)} or .txt")
    (kind, _), *others = Counter(file.suffix.lower() for file in found).most_common()
    if found is texts:
        return texts
    if others:
        left = ", ".join(f"{format_count(count, 'file')} {other}" for other, count in others)
        warnings.warn(f"{name}: the {kind} files are read, and not {left}: name files to read those", stacklevel=2)
    return [file for file in found if file.suffix.lower() == kind]
