"""Parquet files: rows in chunks, and footers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from rainbow.base.lazy import pa, pd, pq
from rainbow.base.storage import Place, readable_source
from rainbow.datasets.read.header import check_columns
from rainbow.datasets.read.judgement_tables import find_conversion

BUFFER = 1 << 20  # bytes of a column that are read at a time
BATCH_ROWS = 8000  # that are read at a time if only some are wanted


@contextmanager
def _open_file(path: Place) -> Iterator[Any]:
    """Open a Parquet file with buffered reading, as it may have only one row group."""
    try:
        with pq.ParquetFile(readable_source(path), buffer_size=BUFFER, pre_buffer=False) as file:
            check_columns(file.schema_arrow.names)
            yield file
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError, OverflowError, MemoryError, KeyError, TypeError) as error:  # as of its metadata
        raise ValueError(
            f"the Parquet file cannot be read ({str(error).split(chr(10))[0].strip()}): save it again"
        ) from None


def parquet_frames(path: Place, rows: int | None) -> Iterator[pd.DataFrame]:
    """Yield the table in frames of this many rows; as one frame for None."""
    with _open_file(path) as file:
        if rows is None or not file.metadata.num_rows:
            yield _as_frame(file.read())
            return
        left, missing = list[Any](), file.metadata.num_rows
        for batch in file.iter_batches(rows, use_threads=False):
            left.append(batch)
            missing -= len(batch)
            if sum(map(len, left)) >= rows:  # batches may end with a row group
                table = pa.Table.from_batches(left)
                yield _as_frame(table.slice(0, rows))
                left = table.slice(rows).to_batches()
        if missing:
            raise ValueError(f"the Parquet file is damaged: {missing} rows are missing: save it again")
        if left:
            yield _as_frame(pa.Table.from_batches(left))


class Footer(NamedTuple):
    """Column names of a Parquet file, and the number of rows of each row group."""

    names: tuple[str, ...]
    groups: tuple[int, ...]


def read_footer(path: Place) -> Footer:
    """Return the footer of a Parquet file, cached until the file changes."""
    status = path.stat()
    return _cached_footer(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=1 << 14)
def _cached_footer(path: Place, size: int, changed: int) -> Footer:
    with _open_file(path) as file:
        names = tuple(file.schema_arrow.names)
        if find_conversion(names):  # its rows are made of several: none is read without the others
            return Footer(names, (sys.maxsize,))
        return Footer(names, tuple(file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)))


def read_rows(path: Place, start: int, stop: int) -> pd.DataFrame:
    """Return a range of rows, reading only the row groups that contain them."""
    with _open_file(path) as file:
        sizes = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
        ends = list(accumulate(sizes))
        groups = [number for number, end in enumerate(ends) if end > start and end - sizes[number] < stop]
        before, taken = ends[groups[0]] - sizes[groups[0]], list[Any]()
        for batch in file.iter_batches(BATCH_ROWS, row_groups=groups, use_threads=False):
            taken.append(batch.slice(max(start - before, 0), max(stop - max(start, before), 0)))
            before += len(batch)
            if before >= stop:
                break
        return _as_frame(pa.Table.from_batches(taken))


def _as_frame(table: Any) -> pd.DataFrame:
    """Return a table as a DataFrame, validating UTF-8 only on use."""
    table.validate(full=True)
    frame: pd.DataFrame = table.to_pandas()
    return frame
