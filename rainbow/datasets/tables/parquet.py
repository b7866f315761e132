"""Parquet files: their rows, so many at a time, and what they say of themselves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow.base.storage import Place, opened
from rainbow.datasets.tables.headers import check_columns

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Footer", "footer", "frame_between", "parquet_frames"]

BUFFER = 1 << 20  # bytes of a column that are read at a time
ROWS = 8000  # that are read at a time where only some are wanted


def parquet_frames(path: Place, rows: int | None) -> Iterator[pd.DataFrame]:
    """Return the table in frames of so many rows, the last with what is left; whole for None.

    Raises
    ------
    ValueError
        If two columns have one name, or there are too many.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Pages are read as they are needed: a file may have but one row group, as large as itself.
    with pq.ParquetFile(opened(path), buffer_size=BUFFER, pre_buffer=False) as file:
        check_columns(file.schema_arrow.names)
        if rows is None or not file.metadata.num_rows:
            yield file.read().to_pandas()
            return
        left: list[Any] = []
        for batch in file.iter_batches(rows, use_threads=False):
            left.append(batch)
            if sum(map(len, left)) >= rows:  # batches may end with a row group
                table = pa.Table.from_batches(left)
                yield table.slice(0, rows).to_pandas()
                left = table.slice(rows).to_batches()
        if left:
            yield pa.Table.from_batches(left).to_pandas()


class Footer(NamedTuple):
    """What a Parquet file says of itself: the names of its columns, and the number of rows of each of its groups."""

    names: tuple[str, ...]
    groups: tuple[int, ...]


def footer(path: Place) -> Footer:
    """Return the footer of a Parquet file; it is read again when the file has changed.

    Raises
    ------
    ValueError
        If it is none, or has two columns of one name.
    """
    status = path.stat()
    return _footer(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=1 << 14)
def _footer(path: Place, size: int, changed: int) -> Footer:
    import pyarrow.parquet as pq

    with pq.ParquetFile(opened(path)) as file:
        check_columns(file.schema_arrow.names)
        groups = tuple(file.metadata.row_group(number).num_rows for number in range(file.num_row_groups))
        return Footer(tuple(file.schema_arrow.names), groups)


def frame_between(path: Place, start: int, stop: int) -> pd.DataFrame:
    """Return some rows of a Parquet file, of which only the groups that hold them are read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(opened(path), buffer_size=BUFFER, pre_buffer=False) as file:
        sizes = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
        ends = list(accumulate(sizes))
        groups = [number for number, end in enumerate(ends) if end > start and end - sizes[number] < stop]
        before, taken = ends[groups[0]] - sizes[groups[0]], list[Any]()
        for batch in file.iter_batches(ROWS, row_groups=groups, use_threads=False):
            taken.append(batch.slice(max(start - before, 0), max(stop - max(start, before), 0)))
            before += len(batch)
            if before >= stop:
                break
        frame: pd.DataFrame = pa.Table.from_batches(taken).to_pandas()
        return frame
