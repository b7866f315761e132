"""What a user waits for: importing, the first score, one score, a batch."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from benchmarks.rows import Rows

__all__ = ["Waiting", "waiting"]

ONE = "the inn is a cheap hotel in soma"
FIRST = f"""import time; start = time.perf_counter()
import rainbow
rainbow.score({ONE!r}, ["a cheap inn in soma", "the inn is cheap"])
print(time.perf_counter() - start)"""
IMPORT = "import time; start = time.perf_counter()\nimport rainbow\nprint(time.perf_counter() - start)"
METEOR = """import time; start = time.perf_counter()
from rainbow.metrics import Batch, get
get("meteor").score(Batch(["the inn is cheap"], [["a cheap inn"]]))
print(time.perf_counter() - start)"""
CALLS = 300


class Waiting(NamedTuple):
    """Something a user waits for: the seconds measured, and the most that it should take, where that is set."""

    what: str
    seconds: float
    target: float | None


def waiting(rows: Rows, repeats: int) -> Iterator[Waiting]:
    """Measure everything, the median of so many repeats."""
    yield Waiting("`import rainbow`, in a new process", _in_new_process(IMPORT, repeats), 0.3)
    yield Waiting("import and first `rainbow.score`, in a new process", _in_new_process(FIRST, repeats), 1.5)
    yield Waiting("import and first METEOR, in a new process", _in_new_process(METEOR, repeats), 1.0)
    for model in ("top5", "referenceless"):
        yield from _scoring(model, rows, repeats)


def _scoring(model: str, rows: Rows, repeats: int) -> Iterator[Waiting]:
    from rainbow import PreparedReferences, Scorer

    scorer = Scorer(model)
    size = min(1024, len(rows.outputs))
    references = rows.references[:size]
    mrs = [f"inform(name='x{row % 64}',area=soma)" for row in range(size)] if "mrs" in scorer.needs else None
    prepared = PreparedReferences(references, mrs)
    one = PreparedReferences(references[:1], mrs and mrs[:1])
    name = f"`Scorer({model!r})`"
    yield Waiting(
        f"{name}, one output, prepared references, p50", _median(lambda: scorer(rows.outputs[:1], one), CALLS), 1e-3
    )
    yield Waiting(
        f"{name}, one output, references as strings, p50",
        _median(lambda: scorer(rows.outputs[:1], references[:1], mrs and mrs[:1]), CALLS),
        1e-3,
    )
    batch = _median(lambda: scorer(rows.outputs[:size], prepared), repeats) / size
    yield Waiting(f"{name}, each of {size:,} outputs, prepared references", batch, 60e-6)


def _median(call: Callable[[], object], times: int) -> float:
    call()
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def _in_new_process(code: str, repeats: int) -> float:
    def seconds() -> float:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        return float(done.stdout.splitlines()[-1])

    seconds()
    return statistics.median(seconds() for _ in range(repeats))
