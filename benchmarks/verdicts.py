"""`python -m benchmarks.verdicts`: accuracy of verdicts on tables with known truth, into docs/lab/verdicts.md."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from datetime import date
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmarks.results import replace_part
from rainbow._version import __version__
from rainbow.analysis.verdicts.evidence import gather_evidence
from rainbow.analysis.verdicts.verdict import STATES, decide_verdicts
from rainbow.base.arrays import FloatArray

PAGE = Path(__file__).parent.parent / "docs" / "lab" / "verdicts.md"
COLUMNS, FAMILIES = 40, 4  # of scores; those of a family share seven tenths of their noise
LIKED = 0.245  # so far people like length where it agrees with them as columns do by .2 within systems
RARE = "green at most 5 %"


class Truth(NamedTuple):
    """What columns have in common with people, as shares of one standard deviation each."""

    says: str  # what stands in the table
    systems: int = 5
    inputs: int = 60
    of_systems: float = 0.0  # correlation of all columns with people over the systems
    of_inputs: float = 0.0  # of all columns, over the inputs
    of_outputs: float = 0.0  # Spearman's correlation of some columns, within systems
    telling: int = 1  # how many columns these are
    of_length: float = 0.0  # of all columns with the length of the output, which people like
    liked: float = 0.0  # how far people like length, of which columns know nothing
    split: bool = False  # whether the first half of the columns has of inputs and the second half of length alone
    crossed: bool = True  # whether every system answers every input
    wrong: float = 0.0  # of all columns, within systems, the wrong way round
    wanted: str = ""  # which verdict is right, and how often it should come


TRUTHS = (
    Truth("nothing in common with people", wanted=RARE),
    Truth("nothing in common with people", systems=3, inputs=20, wanted=RARE),
    Truth("nothing in common with people", systems=12, inputs=80, wanted=RARE),
    Truth("nothing, one output for an input", crossed=False, inputs=300, wanted=RARE),
    Truth("tells systems apart", systems=3, inputs=20, of_systems=0.95, wanted="green at most 5 %, amber never"),
    Truth("tells systems apart", systems=3, inputs=100, of_systems=0.95, wanted="green at most 5 %, amber never"),
    Truth("tells systems apart", systems=5, of_systems=0.95, wanted=RARE),
    Truth("tells systems apart", systems=12, inputs=25, of_systems=0.95, wanted="amber at least 90 %"),
    Truth("tells systems apart", systems=12, inputs=100, of_systems=0.95, wanted="amber at least 90 %"),
    Truth("tells inputs apart", of_inputs=0.7, wanted=RARE),
    Truth("tells inputs apart", inputs=200, of_inputs=0.7, wanted=RARE),
    Truth("tells long outputs from short ones", inputs=200, of_length=0.6, wanted=RARE),
    Truth(
        "half tell inputs apart, half long outputs", inputs=200, of_inputs=0.7, of_length=0.6, split=True, wanted=RARE
    ),
    Truth("ten agree as length does", liked=LIKED, of_outputs=0.2, telling=10, wanted="green about 5 %: the border"),
    Truth(
        "ten agree as length does",
        inputs=200,
        liked=LIKED,
        of_outputs=0.2,
        telling=10,
        wanted="green about 5 %: the border",
    ),
    Truth("one column tells outputs apart, .2", of_outputs=0.2),
    Truth("one column tells outputs apart, .3", of_outputs=0.3, wanted="green at least 80 %"),
    Truth("one column tells outputs apart, .3", inputs=20, systems=3, of_outputs=0.3),
    Truth("one column tells outputs apart, .3", of_outputs=0.3, crossed=False, inputs=300),
    Truth("one column tells outputs apart, .4", of_outputs=0.4, wanted="green at least 80 %"),
    Truth("all columns point the wrong way, .3", wrong=0.3, wanted="red"),
)


def table(truth: Truth, rng: np.random.Generator) -> pd.DataFrame:
    """Draw a table of outputs with ratings from 1 to 6 and columns c0, c1, ..., and texts of some length."""
    systems, inputs = _design(truth, rng)
    of_system, of_input = rng.normal(size=truth.systems), rng.normal(size=inputs.max() + 1)
    length = rng.normal(size=len(inputs))
    share = truth.of_length + truth.liked
    liked = share * length + np.sqrt(1 - share**2) * rng.normal(size=len(inputs))
    rated = np.clip(np.round(3.5 + 0.8 * of_system[systems] + 0.6 * of_input[inputs] + 0.9 * liked), 1, 6)
    scores = _noise(truth, systems, inputs, rng)
    scores += 0.8 * _shared(truth.of_systems, of_system, rng)[systems]
    first = np.arange(COLUMNS) < COLUMNS // 2
    scores += 0.6 * _shared(truth.of_inputs, of_input, rng)[inputs] * (first if truth.split else 1)
    scores += truth.of_length * length[:, None] * (~first if truth.split else 1)
    within = _within(rated[:, None], systems)
    within /= within.std()
    telling = scores[:, : truth.telling]
    spread = _within(telling, systems).std(axis=0)
    r = 2 * np.sin(np.pi * truth.of_outputs / 6)  # Pearson's, of normal columns
    telling += r / np.sqrt(1 - r**2) * within * spread
    scores -= truth.wrong / np.sqrt(1 - truth.wrong**2) * within
    frame = pd.DataFrame(scores, columns=[f"c{place}" for place in range(COLUMNS)])
    words = np.maximum(1, np.round(15 + 4 * length)).astype(int)
    frame = frame.assign(dataset="", system=[f"S{place}" for place in systems], item=inputs, rated=rated)
    return frame.assign(output=["word " * count for count in words])


def _within(table: FloatArray, systems: np.ndarray) -> FloatArray:
    return table - pd.DataFrame(table).groupby(systems).transform("mean").to_numpy()


def _design(truth: Truth, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    if truth.crossed:
        return np.tile(np.arange(truth.systems), truth.inputs), np.repeat(np.arange(truth.inputs), truth.systems)
    return rng.integers(truth.systems, size=truth.inputs), np.arange(truth.inputs)


def _shared(r: float, people: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return what every column has of systems, or inputs: r of it as people have it; shape (len(people), columns)."""
    return r * people[:, None] + np.sqrt(1 - r**2) * rng.normal(size=(len(people), COLUMNS))


def _noise(truth: Truth, systems: np.ndarray, inputs: np.ndarray, rng: np.random.Generator) -> FloatArray:
    family = np.arange(COLUMNS) % FAMILIES
    common = rng.normal(size=(len(inputs), FAMILIES))[:, family]
    return np.sqrt(0.7) * common + np.sqrt(0.3) * rng.normal(size=(len(inputs), COLUMNS))


def _verdict(drawn: tuple[int, int]) -> str:
    place, time = drawn
    rng = np.random.default_rng([place, time])
    frame = table(TRUTHS[place], rng)
    names = [f"c{column}" for column in range(COLUMNS)]
    found = gather_evidence(frame, names, ["rated"], dict.fromkeys(names, True), seed=time)
    return str(decide_verdicts(found)["verdict"].iloc[0])


def lines(times: int, workers: int) -> Iterator[str]:
    """Yield the lines of the table, each with the share of every verdict."""
    yield f"Version {__version__}, {date.today()}: {times} tables of a kind, {COLUMNS} columns in {FAMILIES} families."
    yield ""
    yield f"| columns | systems | outputs | {' | '.join(STATES)} | wanted |"
    yield f"| --- | --- | --- | {' | '.join('---' for _ in STATES)} | --- |"
    with Pool(workers) as pool:
        for place, truth in enumerate(TRUTHS):
            found = Counter(pool.imap_unordered(_verdict, [(place, time) for time in range(times)], chunksize=20))
            shares = [f"{100 * found[state] / times:.1f} %" for state in STATES]
            outputs = truth.inputs * (truth.systems if truth.crossed else 1)
            yield f"| {truth.says} | {truth.systems} | {outputs} | {' | '.join(shares)} | {truth.wanted} |"


def main() -> None:
    """Simulate everything and write the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verdicts", description=__doc__)
    parser.add_argument("--times", type=int, default=1000, help="tables of each kind")
    parser.add_argument("--workers", type=int, default=2, help="processes that share them")
    parser.add_argument("--out", type=Path, default=PAGE, help="the Markdown file to write")
    options = parser.parse_args()
    replace_part(options.out, "verdicts", "\n".join(lines(options.times, options.workers)))


if __name__ == "__main__":
    main()
