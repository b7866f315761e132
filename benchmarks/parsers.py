"""`python -m benchmarks.parsers`: what parsers and grammar checkers cost, into benchmarks/RESULTS.md."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.results import replace_part

RESULTS = Path(__file__).parent / "RESULTS.md"
METRICS = ("parser", "parser (corenlp)", "languagetool", "word-frequency")
WARM = 50  # texts that Java's compiler learns from before anything is timed

# Everything is measured in a process of its own: Java starts once, and memory only grows.
MEASURE = """
import json, resource, sys, time
start = time.perf_counter()
from rainbow.metrics import Batch, get
name, threads, rows, warm = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
backend = {"backend": "corenlp"} if name.endswith("(corenlp)") else {}
metric = get(name.split()[0], **backend)
metric.score(Batch(["the inn is cheap ."]))
first = time.perf_counter() - start
from rainbow import load_dataset
texts = list(dict.fromkeys(load_dataset("demo").frame["output"]))[: rows + warm]
metric.score(Batch(texts[:warm], threads=threads))
wall, cpu = time.perf_counter(), time.process_time()
metric.score(Batch(texts[warm:], threads=threads))
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
count = len(texts) - warm
peak = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
print(json.dumps({"first": first, "rows": count, "wall": count / wall, "cpu": 1000 * cpu / count, "peak": peak}))
"""
LONGEST = """
import sys, time, resource
from rainbow.metrics import Batch, get
metric = get("parser")
metric.score(Batch(["the inn is cheap . " * 20]))
start = time.process_time()
metric.score(Batch(["the inn is cheap and " * 20]))
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def main() -> None:
    """Measure everything and write the part of the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.parsers", description=__doc__)
    parser.add_argument("--rows", type=int, default=300, help="distinct outputs of the demo to time (default 300)")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the Markdown file to write")
    options = parser.parse_args()
    replace_part(options.out, "parsers", "\n".join(_page(options.rows)))


def _page(rows: int) -> Iterator[str]:
    loaded = os.getloadavg()[0]
    yield "## Parsers and grammar checkers"
    yield ""
    yield "Made by `python -m benchmarks.parsers`, each line in a process of its own, on distinct outputs of the demo."
    yield "*First*: import, start of Java, loading, one text. CPU time counts the process and its threads, not the"
    yield "CoreNLP server, whose start and stop are in each of its times."
    yield f"Load average when it began: {loaded:.1f} on {os.cpu_count()} processors."
    yield ""
    yield "| metric | threads | first | outputs per second | CPU ms per output | peak memory |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name in METRICS:
        for threads in (1, 2):
            found = json.loads(_run(MEASURE, name, str(threads), str(rows), str(WARM)))
            yield (
                f"| {name} | {threads} | {found['first']:.1f} s | {found['wall']:.1f} | {found['cpu']:.2f} "
                f"| {found['peak']:.0f} MB |"
            )
    seconds, peak = _run(LONGEST).split()
    yield ""
    yield f"A sentence of 100 tokens, the longest that is parsed: {float(seconds):.1f} s of CPU time,"
    yield f"{float(peak):.0f} MB peak."


def _run(script: str, *arguments: str) -> str:
    sys.stderr.write(f"{' '.join(arguments) or 'longest'}\n")
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


if __name__ == "__main__":
    main()
