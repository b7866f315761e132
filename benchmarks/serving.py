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
    yield from _scoring("top5", "references", rows, repeats)
    for given in ("inputs", "references", "inputs and references", "nothing else"):
        yield from _scoring("fast", given, rows, repeats)


def _scoring(model: str, given: str, rows: Rows, repeats: int) -> Iterator[Waiting]:
    from rainbow import PreparedReferences, Scorer

    scorer = Scorer(model)
    size = min(1024, len(rows.outputs))
    inputs = [f"inform(name='x{row % 64}',area=soma)" for row in range(size)]
    mrs = inputs if "inputs" in given else None
    references = rows.references[:size] if "references" in given else None
    prepared = PreparedReferences(references or [[]] * size, mrs) if references or mrs else None
    name = f"`Scorer({model!r})`, {given}"
    first = (rows.outputs[:1], references and references[:1], mrs and mrs[:1])
    yield Waiting(f"{name}: one output, as strings, p50", _median(lambda: scorer(*first), CALLS), 1e-3)
    batch = _median(lambda: scorer(rows.outputs[:size], prepared), repeats) / size
    yield Waiting(f"{name}: each of {size:,} outputs, prepared", batch, 60e-6)


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
