"""`python -m benchmarks.stages`: seconds of each stage of `rainbow run`, into docs/large-files.md."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.results import replace_part
from rainbow import load_dataset

PAGE = Path(__file__).parents[1] / "docs" / "large-files.md"
SIZES = (60, 2_500, 50_000)
STAGES = ("metrics", "learned score", "analysis", "systems", "report")
SEED = 2017


def made(path: Path, rows: int) -> None:
    """Write the outputs of the demo's systems for ever new inputs: names of inns are numbered, marks drawn anew."""
    frame = load_dataset("demo").frame
    whole = frame.groupby("item")["system"].transform("nunique") == frame["system"].nunique()
    frame = frame[whole].drop_duplicates(["item", "system"]).sort_values(["item", "system"])
    frame = frame.iloc[np.arange(rows) % len(frame)].reset_index(drop=True)
    number = (np.arange(rows) // (whole.sum() or 1)).astype(str)
    marks = np.random.default_rng(SEED).normal(frame["quality"].to_numpy(float), 0.7)
    table = frame[["system", "mr", "output"]].assign(
        id=frame["item"].astype(str) + "-" + number,
        output=[text.replace(" ", f" {n} ", 1) for text, n in zip(frame["output"], number, strict=True)],
        reference=[texts[0] for texts in frame["references"]],
        quality=np.clip(np.rint(marks), 1, 6),
    )
    table.to_csv(path, index=False)


def seconds(rows: int) -> dict[str, float]:
    """Run a file of so many rows in a process of its own, and return the seconds of each stage."""
    with tempfile.TemporaryDirectory() as folder:
        made(Path(folder) / "mine.csv", rows)
        command = [sys.executable, "-m", "rainbow", "run", "mine.csv", "--yes", "--json"]
        printed = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout
    return {stage["name"]: stage["seconds"] for stage in json.loads(printed)["stages"]}


def table(sizes: list[int]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| rows | " + " | ".join(STAGES) + " | all |"
    yield "| --- |" + " --- |" * (len(STAGES) + 1)
    for rows in sizes:
        taken = seconds(rows)
        times = [*(taken[name] for name in STAGES), sum(taken.values())]
        yield f"| {rows:,} | " + " | ".join(f"{time:.0f} s" for time in times) + " |"


def main() -> None:
    """Run everything and write the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stages", description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=list(SIZES), help="of the files")
    lines = list(table(parser.parse_args().rows))
    replace_part(PAGE, "stages", "\n".join(lines))


if __name__ == "__main__":
    main()
