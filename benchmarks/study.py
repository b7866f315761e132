"""`python -m benchmarks.study`: error rates and power of planned studies, into docs/lab/studies.md.

Raters are simulated: an output is worth what its system and its input have, and something of its own; a mark is that
and an error of the rater's, on the scale. A pilot of 64,000 inputs gives the plan, so that it errs little itself;
studies of the planned size are looked at ten times while answers come in.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmarks.results import replace_part
from rainbow._version import __version__
from rainbow.base.arrays import FloatArray
from rainbow.stats.agreement.chance_corrected import krippendorff_alpha
from rainbow.study.design import planned_items
from rainbow.study.questions import Question
from rainbow.study.results import check_raters, system_differences
from rainbow.study.settings import Settings, Target

PAGE = Path(__file__).parent.parent / "docs" / "lab" / "studies.md"
PILOT, LOOKS = 64_000, 10  # inputs; looks at a study, the last at its end


class Raters(NamedTuple):
    """How people rate, in standard deviations: of inputs, of an output beside its input, of a rater's error."""

    scale: str
    systems: int
    noise: float
    target: Target
    raters: int = 2
    apart: float = 0.0  # of the first system from the others, in points
    inputs: float = 0.8
    outputs: float = 0.6


def _cells() -> tuple[Raters, ...]:
    """Return what is simulated: targets that are intervals, then differences to be found, there or not."""
    margin, gap = Target("quality", margin=0.3), Target("quality", difference=0.4)
    hundred = Target("quality", margin=6.0)
    return (
        *(Raters("1-6", systems, noise, margin, apart=0.4) for systems in (2, 3) for noise in (0.6, 1.2)),
        Raters("0-100", 2, 1.2, hundred, apart=8.0),
        *(Raters("1-6", systems, noise, gap, apart=0.4) for systems in (2, 3) for noise in (0.6, 1.2)),
        *(Raters("1-6", systems, 1.2, gap) for systems in (2, 3)),
    )


CELLS = _cells()


def marks(cell: Raters, inputs: int, rng: np.random.Generator) -> FloatArray:
    """Draw marks, shape (inputs, systems, raters)."""
    question = Question.parse(f"quality={cell.scale}")
    point = (question.high - question.low) / 5  # of six marks
    worth = 3.5 + cell.inputs * rng.normal(size=(inputs, 1)) + cell.outputs * rng.normal(size=(inputs, cell.systems))
    worth[:, 0] += cell.apart / point
    drawn = worth[..., None] + cell.noise * rng.normal(size=(inputs, cell.systems, cell.raters))
    found: FloatArray = np.clip(np.round(question.low + (drawn - 1) * point), question.low, question.high)
    return found


def truth(cell: Raters) -> float:
    """Return the difference of the first system from the others, as marks on the scale have it."""
    drawn = marks(cell, 200_000, np.random.default_rng(0)).mean(axis=(0, 2))
    return float(drawn[0] - drawn[1]) if cell.apart else 0.0


def plan(cell: Raters) -> tuple[Settings, float]:
    """Return the study that is planned by a pilot, and the raters' agreement in it."""
    drawn = marks(cell, PILOT, np.random.default_rng(1))
    every = pd.MultiIndex.from_product([range(PILOT), range(cell.systems)], names=["item", "system"])
    single = drawn.reshape(-1, cell.raters)
    frame = every.to_frame(index=False).assign(dataset="", quality=single.mean(axis=1))
    frame = frame.assign(**{f"quality_{place}": column for place, column in enumerate(single.T, 1)})
    questions = (Question.parse(f"quality={cell.scale}"),)
    goal = cell.target
    if cell.apart and goal.difference:  # on the scale, where marks are cut off, it is less than what it was drawn by
        goal = replace(goal, difference=truth(cell))
    settings = Settings("pilot", questions, 1, cell.raters, cell.raters, target=goal)
    sized = replace(settings, items=planned_items(frame, settings))
    return sized, krippendorff_alpha(single, "interval", resamples=0).estimate


def answers(drawn: FloatArray) -> pd.DataFrame:
    """Return marks as a table of answers."""
    shape = tuple(map(range, drawn.shape))
    table = pd.MultiIndex.from_product(shape, names=["item", "system", "rater"]).to_frame(index=False)
    return table.assign(value=drawn.ravel(), rating="quality", control="", against="", dataset="")


def study(drawn: tuple[int, int, Settings, float]) -> tuple[float, ...]:
    """Simulate one: do all intervals hold at the end, share of pairs at the target, is it wrong, when does it end."""
    place, time, settings, gap = drawn
    cell, target = CELLS[place], settings.target or CELLS[place].target
    table = answers(marks(cell, settings.items, np.random.default_rng([place, time])))
    whole = system_differences(table, settings, complete=True)
    true = np.where(whole["first"] == 0, gap, 0.0)
    held = ((whole["low"] <= true) & (true <= whole["high"])).all()
    reached = whole["settled"] if target.margin else ((whole["low"] > 0) | (whole["high"] < 0))[whole["first"] == 0]
    ended, wrong = 1.0, _wrong(whole, true, target)
    for look in range(1, LOOKS):
        there = table[table["item"] < round(settings.items * look / LOOKS)]
        found = system_differences(there, settings, complete=False)
        if found["settled"].all():  # as the verdict has it
            ended, wrong = look / LOOKS, _wrong(found, true, target)
            break
    return float(held), float(reached.astype(bool).mean()), float(wrong), ended


def _wrong(found: pd.DataFrame, true: FloatArray, target: Target) -> bool:
    """Return whether something is said that is not so: by an interval that misses, or of a pair."""
    low, high = found["low"].to_numpy(), found["high"].to_numpy()
    if target.margin:
        return bool(((low > true) | (high < true)).any())
    says = (low > 0) & (true <= 0) | (high < 0) & (true >= 0)
    none = (low > -target.difference) & (high < target.difference) & (np.abs(true) >= target.difference)
    return bool((says | none).any())


def flags(times: int) -> Iterator[str]:
    """Yield how often raters are flagged who look, and who do not."""
    from rainbow import load_dataset
    from rainbow.study.design import design_tasks

    yield "| raters | flagged |"
    yield "| --- | --- |"
    corpus, settings = load_dataset("demo"), Settings("demo", (Question.parse("quality"),), 30, people=3, controls=0.1)
    worth = dict(zip(corpus.frame["id"], corpus.frame["quality"], strict=True))
    tasks = design_tasks(corpus, settings)
    own = tasks[tasks["rater"] == "r1"].assign(rating="quality", against="", spans="", seconds=8.0)
    level = own["id"].map(worth).fillna(own["control"].map({"worse": 1.0, "reference": 6.0})).to_numpy(dtype=float)
    rng = np.random.default_rng(1)
    kinds = {
        "look, and err by one mark (standard deviation)": lambda: level + rng.normal(size=len(own)),
        "look, and err by two marks": lambda: level + 2 * rng.normal(size=len(own)),
        "answer at random": lambda: rng.integers(1, 7, size=len(own)),
        "answer 4 or 5 at random": lambda: rng.integers(4, 6, size=len(own)),
    }
    for said, draw in kinds.items():
        found = sum(
            check_raters(own.assign(value=np.clip(np.round(draw()), 1, 6)), settings)["flagged"].ne("").any()
            for _ in range(times)
        )
        yield f"| {said} | {found / times:.1%} |"


def lines(times: int, workers: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"Version {__version__}, {date.today()}: {times} studies a line, {LOOKS} looks each."
    yield ""
    yield (
        "| scale | systems | agreement (alpha) | target | inputs | all intervals hold at the end | target reached | "
        "ended wrongly | mean share of inputs when it ends |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    with Pool(workers) as pool:
        for place, cell in enumerate(CELLS):
            (settings, alpha), gap = plan(cell), truth(cell)
            drawn = [(place, time, settings, gap) for time in range(times)]
            held, reached, wrong, ended = np.mean(list(pool.imap_unordered(study, drawn, chunksize=10)), axis=0)
            target = settings.target or cell.target
            goal = f"± {target.margin:g}" if target.margin else f"find {target.difference:.2f}"
            there = f"{gap:.2f} there" if gap else "nothing there"
            yield (
                f"| {cell.scale} | {cell.systems} | {alpha:.2f} | {goal}, {there} | {settings.items} | {held:.3f} | "
                f"{reached:.3f} | {wrong:.3f} | {ended:.2f} |"
            )


def main() -> None:
    """Simulate everything and write the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.study", description=__doc__)
    parser.add_argument("--times", type=int, default=1000, help="studies of a line")
    parser.add_argument("--workers", type=int, default=2, help="processes that share them")
    options = parser.parse_args()
    replace_part(PAGE, "flags", "\n".join(flags(options.times // 2)))
    replace_part(PAGE, "study", "\n".join(lines(options.times, options.workers)))


if __name__ == "__main__":
    main()
