"""How the peak of memory grows with the rows that are scored: each number of rows in a process of its own."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.growth import BASE
from benchmarks.rows import Rows, load_rows, tiled, tiles
from rainbow import Corpus, score_corpus, score_rows

__all__ = ["CHUNK_ROWS", "TARGET", "Memory", "memory"]

SIZES = (20_000, 50_000, 100_000)
CHUNK_ROWS = 5_000
WARM_UP = 1_000  # rows
KB = 1024
TARGET = 4 * KB  # for each row more, at most


class Memory(NamedTuple):
    """Peaks in bytes by the number of rows."""

    what: str
    peaks: dict[int, int]

    @property
    def bytes_per_row(self) -> float:
        """The slope of the line through the peaks."""
        return float(np.polyfit(list(self.peaks), list(self.peaks.values()), 1)[0])


def memory(rows: Rows) -> Iterator[Memory]:
    """Measure a table that is held in memory, and rows that are read, scored and written chunk by chunk."""
    for what in WORKS:
        yield Memory(f"`{what}`", {size: _in_new_process(what, size, len(rows.outputs)) for size in SIZES})


def _in_new_process(what: str, size: int, varied: int) -> int:
    command = [sys.executable, "-m", "benchmarks.memory", what, str(size), str(varied)]
    return int(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def _corpus(rows: Rows, size: int) -> None:
    """Score rows as one corpus."""
    many = tiled(rows, size)
    score_corpus(Corpus.from_texts(many.outputs, many.references), BASE, chunk_rows=CHUNK_ROWS)


class _Tiled:
    """Rows that are made when they are asked for, as those of a file are read."""

    ratings: tuple[str, ...] = ()
    background: Corpus | None = None

    def __init__(self, rows: Rows, size: int) -> None:
        self.rows, self.size = rows, size

    def chunks(self, rows: int) -> Iterator[Corpus]:
        """Return the rows, so many at a time."""
        made = tiles(self.rows, self.size)
        while chunk := list(islice(made, rows)):
            yield Corpus.from_texts([output for output, _ in chunk], [references for _, references in chunk])

    def state(self) -> object:
        """Return nothing: they do not change."""
        return None

    def metadata(self) -> dict[str, Any]:
        """Return nothing: they are of no file."""
        return {}


def _rows(rows: Rows, size: int) -> None:
    """Score rows chunk by chunk into a file."""
    with tempfile.TemporaryDirectory() as folder:
        score_rows(_Tiled(rows, size), Path(folder, "scores.parquet"), BASE, chunk_rows=CHUNK_ROWS)


WORKS: dict[str, Callable[[Rows, int], None]] = {"score_corpus": _corpus, "score_rows": _rows}


def _forget_peak() -> None:
    """Let the peak be counted anew, where the system can: what loading took before would hide it."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def _peak() -> int:
    """Return the peak of this process's memory in bytes."""
    status = Path("/proc/self/status")
    if status.is_file():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * KB
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * KB


def main() -> None:
    """Print the peak of one way of scoring so many rows, made of so many different ones."""
    what, size, varied = sys.argv[1:]
    rows = load_rows(int(varied))[-1]
    WORKS[what](rows, WARM_UP)
    _forget_peak()
    WORKS[what](rows, int(size))
    sys.stdout.write(f"{_peak()}\n")


if __name__ == "__main__":
    main()
