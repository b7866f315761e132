"""Time two ways to do the same work, turn by turn, so that both meet the same machine."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["Work", "medians"]

Clock = Callable[[], float]

TURN = 0.05  # seconds: a shorter run is repeated, since cold caches and a busy machine would be most of it
MOST_RUNS = 20


class Work:
    """Something to time: `prepare` makes anew what `run` works on, and is not timed.

    Parameters
    ----------
    run
        What is timed; it gives scores.
    prepare
        What gives the argument of `run`.
    clock
        CPU time of this process; wall time where another process does the work.
    """

    def __init__(
        self, run: Callable[[Any], Any], prepare: Callable[[], Any] = lambda: None, clock: Clock = time.process_time
    ) -> None:
        self.run, self.prepare, self.clock = run, prepare, clock

    def scores(self) -> Any:
        """Return the scores, untimed."""
        return self.run(self.prepare())

    def seconds(self) -> float:
        """Return the fastest run of one turn: one, or several of what takes milliseconds, as `timeit` advises."""
        runs: list[float] = []
        gc.collect()
        gc.disable()
        try:
            while sum(runs) < TURN and len(runs) < MOST_RUNS:
                runs.append(self._once())
        finally:
            gc.enable()
        return min(runs)

    def _once(self) -> float:
        argument = self.prepare()
        start = self.clock()
        self.run(argument)
        return self.clock() - start


def medians(works: Mapping[str, Work], repeats: int) -> dict[str, float]:
    """Return the median seconds of each work over so many turns, each turn timing every work once."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            seconds[name].append(work.seconds())
    return {name: statistics.median(values) for name, values in seconds.items()}
