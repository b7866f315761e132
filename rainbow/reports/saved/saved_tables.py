"""Saved tables of a dataset: read so that no digit is lost, and asked for one number at a time."""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rainbow.reports.number import Number, NumberFormat, signed

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SavedFile", "SavedTables", "read_table", "tables_of"]

# Columns that hold names and sentences, however much they may look like numbers.
_TEXTS = frozenset(
    [
        *("dataset", "system", "rating", "metric", "other", "column", "first", "second", "stratum", "level", "by"),
        *("group", "measure", "check", "severity", "subject", "finding", "test", "scores", "method", "interval"),
        *("reason", "model", "preset", "protocol", "best_metric", "feature", "kind", "id", "item", "rater", "raters"),
        *("reference_system", "view", "groups", "place", "problem", "mended", "scale", "permutation_reason"),
        *(
            "verdict",
            "headline",
            "because",
            "cause",
            "way",
            "than",
            "mr",
            "found",
            "beside",
            "output",
            "references",
            "word",
        ),
    ]
)


class SavedFile(NamedTuple):
    """A file that a report was made from: its name, its content, and the SHA-256 of that."""

    name: str
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True, kw_only=True)
class SavedTables:
    """Tables that were saved about a dataset."""

    name: str  # of the dataset; ``-published`` is part of it where things were computed as they were published
    # the tables of ``analysis/NAME/`` by name; a row's label is its place in the file, from 0
    tables: Mapping[str, pd.DataFrame]
    files: tuple[SavedFile, ...]  # what all this was read from
    prefix: str = ""  # begins the sources of numbers, on a page about several datasets

    def __getstate__(self) -> dict[str, Any]:
        """Leave the files behind on the way to another process: what is drawn there is drawn from the tables."""
        return vars(self) | {"files": ()}

    @property
    def page(self) -> str:
        """The name of the page about it, which is that of a file."""
        return self.name.strip("/").replace("/", "-")

    @property
    def by_file(self) -> dict[str, pd.DataFrame]:
        """The tables by the names of their files, as far as these are CSV."""
        stems = {file.name: PurePosixPath(file.name) for file in self.files}
        return {name: self.tables[path.stem] for name, path in stems.items() if path.suffix == ".csv"}

    def number(self, table: str, row: Any, column: str, form: NumberFormat = signed) -> Number:
        """Return one number of a table with its source; `row` is its label."""
        value = float(self.tables[table].at[row, column])  # type: ignore[arg-type]  # a column of numbers
        return Number(value, form(value), f"{self.prefix}{table}:{row}:{column}")

    def rows(self, table: str, **wanted: str) -> pd.DataFrame:
        """Return the rows of a table that have these values, none if the table is not there."""
        if table not in self.tables:
            import pandas as pd

            return pd.DataFrame()
        frame = self.tables[table]
        found = np.ones(len(frame), dtype=bool)
        for column, value in wanted.items():
            found &= (frame[column] == value).to_numpy()
        return frame[found]

    def lookup(self, table: str, *columns: str, **wanted: str) -> dict[Any, Any]:
        """Return the rows of a table that have the `wanted` values, by what they have in `columns`.

        Rows are as ``itertuples`` gives them; a key is a tuple, or the one value where there is one column.
        """
        lines = list(self.rows(table, **wanted).itertuples())
        if len(columns) == 1:
            return {getattr(line, columns[0]): line for line in lines}
        return {tuple(getattr(line, column) for column in columns): line for line in lines}


def tables_of(files: tuple[SavedFile, ...]) -> dict[str, pd.DataFrame]:
    """Return the tables among some files by their names."""
    found = {file.name.rsplit("/", 1)[-1]: file.content for file in files if file.name.endswith(".csv")}
    return {name.removesuffix(".csv"): read_table(content) for name, content in found.items()}


def read_table(content: bytes) -> pd.DataFrame:
    """Read a CSV file so that every number is the very one that was written, and a system may be called NA or 1."""
    import pandas as pd

    table = pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)
    numbers = {name: _numbers(table[name].tolist()) for name in table if name not in _TEXTS}
    return table.assign(**{str(name): column for name, column in numbers.items()})


def _numbers(texts: list[str]) -> list[float] | list[str]:
    """Return a column as numbers, NaN for what is not written; as it is where it holds something else."""
    try:
        return [float(text) if text else math.nan for text in texts]
    except ValueError:
        return texts
