"""Memory does not grow with the rows."""

import tracemalloc
from pathlib import Path

import pytest

from tests.scoring.stream.tables import score, table, written


@pytest.mark.slow
def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    peaks = []
    for rows in (2_000, 2_000, 12_000):  # the first only fills caches
        path = written(tmp_path, frame=table(rows))
        tracemalloc.start()
        score(path, tmp_path / "out.parquet", metrics=["len", "wps"], chunk_rows=500)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] - peaks[1] < 10_000 * 100  # bytes; the texts of a row take more than 500
