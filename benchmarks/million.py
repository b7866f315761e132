"""`python -m benchmarks.million`: score a million rows, kill it halfway, go on, and compare with an unbroken run."""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.results import replace_part
from rainbow import Corpus, load_dataset

SEED = 2017
WRITTEN = 10_000  # rows of the input that are written at a time
SAMPLED = 0.1  # seconds between two looks at the memory
SMALLER = 10  # by how much the smaller run that growth is measured from is smaller
KB, MB = 1024, 1024**2


class Run(NamedTuple):
    """A run of the command: seconds by the clock and of CPU time, the largest memory in bytes, what it printed."""

    seconds: float
    processor: float
    peak: int
    printed: dict[str, Any]


def main() -> None:
    """Make the rows, score them unbroken and broken, and print what was found."""
    options = _options()
    with _folder(options.folder) as folder:
        few, many = options.rows // SMALLER, options.rows
        source, corpus = _source(options.source)
        small, large = (_input(folder, corpus, size) for size in (few, many))
        arguments = [f"--workers={options.workers}", f"--threads={options.threads}"]
        arguments += [f"--chunk-rows={options.chunk_rows}"]
        arguments += ["--metrics", options.metrics] if options.metrics else []
        less = _run(small, folder / "small.parquet", arguments)
        whole = _run(large, folder / "whole.parquet", arguments)
        broken = _broken_run(large, folder / "broken.parquet", arguments, -(-many // options.chunk_rows))
        same = filecmp.cmp(folder / "whole.parquet", folder / "broken.parquet", shallow=False)
        text = "\n".join(_page(source, options, less, whole, broken, same))
    sys.stdout.write(f"{text}\n")
    if options.out:
        replace_part(options.out, "million", text)
    if not same:
        sys.exit("the run that was killed and the unbroken one differ")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.million", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="how many (default 1000000)")
    parser.add_argument("--source", help="a dataset or file whose outputs are varied; by default e2e, or else demo")
    parser.add_argument("--metrics", help="as for `rainbow metrics`; by default all")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--threads", type=int, default=1, help="threads of each process (default 1)")
    parser.add_argument("--chunk-rows", type=int, default=8000, help="rows of a chunk (default 8000)")
    parser.add_argument("--folder", type=Path, help="where files are made and stay; by default one that is removed")
    parser.add_argument("--out", type=Path, help="the Markdown file to write the table into, benchmarks/RESULTS.md say")
    return parser.parse_args()


@contextmanager
def _folder(wanted: Path | None) -> Iterator[Path]:
    if wanted:
        wanted.mkdir(parents=True, exist_ok=True)
        yield wanted
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _source(name: str | None) -> tuple[str, Corpus]:
    if name:
        return Path(name).stem, load_dataset(name)
    try:
        return "e2e", load_dataset("e2e")
    except (FileNotFoundError, ValueError):
        return "demo", load_dataset("demo")


# The rows


def _input(folder: Path, corpus: Corpus, size: int) -> Path:
    """Write so many rows as a Parquet file: those of the corpus again and again, no two texts the same."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / f"{size}.parquet"
    _say(f"writing {size:,} rows")
    names = ("system", "mr", "references")
    columns = {name: corpus.frame[name].tolist() for name in names}
    schema = pa.schema([("output", pa.string()), ("system", pa.string()), ("mr", pa.string())])
    schema = schema.append(pa.field("references", pa.list_(pa.string())))
    with pq.ParquetWriter(path, schema) as writer:
        varied = _distinct_texts(corpus.frame["output"].tolist(), size)
        for start in range(0, size, WRITTEN):
            rows = {"output": list(islice(varied, WRITTEN))}
            places = [number % len(corpus) for number in range(start, start + len(rows["output"]))]
            rows |= {name: [columns[name][place] for place in places] for name in names}
            writer.write_table(pa.table(rows, schema=schema))
    return path


def _distinct_texts(outputs: list[str], size: int) -> Iterator[str]:
    """Return texts with a few words doubled, left out or exchanged, as many times over as needed."""
    rng = np.random.default_rng(SEED)
    seen: set[int] = set()
    for number in range(size):
        words = outputs[number % len(outputs)].split() or ["nothing"]
        text = " ".join(words)
        while hash(text) in seen:
            _vary(words, rng)
            text = " ".join(words)
        seen.add(hash(text))
        yield text


def _vary(words: list[str], rng: np.random.Generator) -> None:
    place, other = (int(rng.integers(len(words))) for _ in range(2))
    match int(rng.integers(3)):
        case 0 if len(words) > 1:
            del words[place]
        case 1:
            words[place], words[other] = words[other], words[place]
        case _:
            words.insert(place, words[other])


# The runs


def _run(rows: Path, out: Path, arguments: list[str]) -> Run:
    _say(f"scoring {rows.name}")
    start, used = time.perf_counter(), _processor_time()
    process = _start(rows, out, arguments)
    peak = 0
    while process.poll() is None:
        peak = max(peak, _memory(process.pid))
        time.sleep(SAMPLED)
    seconds = time.perf_counter() - start
    printed, _ = process.communicate()
    if process.returncode:
        sys.exit(f"`rainbow metrics` ended with status {process.returncode}")
    return Run(seconds, _processor_time() - used, peak, json.loads(printed))


def _broken_run(rows: Path, out: Path, arguments: list[str], chunks: int) -> tuple[float, Run]:
    """Kill the command when half of the chunks lie on disk, and start it again; give the seconds of both."""
    _say(f"scoring {rows.name}, to be killed")
    start = time.perf_counter()
    process = _start(rows, out, arguments)
    parts = out.with_name(f".{out.name}.partial")
    while process.poll() is None and len(list(parts.glob("*.parquet"))) < chunks // 2:
        time.sleep(SAMPLED)
    process.kill()
    process.communicate()
    seconds = time.perf_counter() - start
    if out.exists():
        sys.exit("the command had finished before it could be killed: give more rows")
    return seconds, _run(rows, out, arguments)


def _start(rows: Path, out: Path, arguments: list[str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "rainbow", "metrics", str(rows), "--out", str(out), "--json", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _processor_time() -> float:
    """Return the CPU seconds of all processes that were started and have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _memory(process: int) -> int:
    """Return the memory that a process and its descendants hold (RSS) in bytes; 0 where there is no /proc."""
    parents: dict[int, int] = {}
    pages: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        parents[int(folder.name)], pages[int(folder.name)] = int(status[1]), int(status[21])

    def belongs(number: int) -> bool:
        return number == process or (number in parents and belongs(parents[number]))

    return sum(held for number, held in pages.items() if belongs(number)) * os.sysconf("SC_PAGE_SIZE")


# What is printed


def _page(
    source: str, options: argparse.Namespace, less: Run, whole: Run, broken: tuple[float, Run], same: bool
) -> Iterator[str]:
    killed, resumed = broken
    rows, columns = options.rows, len(whole.printed["signatures"])
    growth = (whole.peak - less.peak) / (rows - rows // SMALLER)
    yield f"## {rows:,} rows"
    yield ""
    yield f"Made by `python -m benchmarks.million`: the outputs of {source}, varied so that no two are the same, as a"
    yield f"Parquet file; {columns} columns of scores ({options.metrics or 'all metrics'}); {options.workers} processes"
    yield f"with {options.threads} thread each, chunks of {options.chunk_rows:,} rows. Seconds by the clock and of CPU"
    yield "time; memory is that of all processes together (RSS)."
    yield ""
    yield "| run | seconds | CPU | rows per second | largest memory |"
    yield "| --- | --- | --- | --- | --- |"
    scored = rows - resumed.printed["resumed"]
    yield _line(f"{rows // SMALLER:,} rows", rows // SMALLER, less)
    yield _line(f"{rows:,} rows", rows, whole)
    yield f"| the same, killed (SIGKILL) when half was done | {killed:,.0f} | | | |"
    yield _line(f"the same command again, {scored:,} rows left", scored, resumed)
    yield ""
    yield f"The two tables of {rows:,} rows are {'equal' if same else '**NOT equal**'}, byte for byte."
    yield f"Memory grows by {growth / KB:.2f} KB for each row more (aim: none, and at most 4)."


def _line(name: str, rows: int, run: Run) -> str:
    speed = f"{rows / run.seconds:,.0f}"
    return f"| {name} | {run.seconds:,.0f} | {run.processor:,.0f} | {speed} | {run.peak / MB:,.0f} MB |"


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    main()
