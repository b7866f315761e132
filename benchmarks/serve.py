"""`python -m benchmarks.serve`: what a score over HTTP takes, and whether any answer is wrong, into RESULTS.md."""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmarks.results import replace_part
from rainbow import Scorer, load_dataset
from rainbow.serving import Reward

__all__ = ["hostile", "latency", "load"]

RESULTS = Path(__file__).parent / "RESULTS.md"
COMPLETIONS, REPEATS = 64, 300
MOST_ROWS = 16  # of a request under load
PROCESSES = 4  # that the callers stand in
MB = 10**6
NONSENSE = (b"", b"{", b"[" * 10**5, b"\0" * 999, b'{"outputs": 1}', b'{"outputs": [[]], "mrs": {}}', b"null")


class Texts(NamedTuple):
    """Outputs and inputs with what is expected of each: the score, and the reward."""

    outputs: list[str]
    mrs: list[str]
    scores: list[float]


class Caller:
    """One who asks again and again on a connection that is kept."""

    def __init__(self, port: int) -> None:
        self.port, self.connection = port, http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def asks(self, path: str, body: Any) -> tuple[int, Any]:
        """Return the status and what was answered."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.connection.request("POST", path, data, {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def asks_for(self, texts: Texts, rows: slice, way: int) -> bool:
        """Ask for the scores or the rewards of some rows, and say whether each is what the library gives."""
        outputs, mrs, expected = texts.outputs[rows], texts.mrs[rows], texts.scores[rows]
        if way == 0:
            return self.asks("/score", {"outputs": outputs, "mrs": mrs})[1].get("scores") == expected
        if way == 1:
            body = {"query": [f"say it: {text}" for text in outputs], "prompts": ["say it: "] * len(outputs)}
            return self.asks("/get_reward", body | {"labels": mrs})[1].get("rewards") == expected
        row = {"data_source": "demo", "solution_str": outputs[0], "ground_truth": mrs[0]}
        return self.asks("/compute_score", row)[1].get("score") == expected[0]


def main() -> None:
    """Measure everything and write the part of the page; exit status 1 where an answer is wrong or missing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serve", description=__doc__)
    parser.add_argument("--callers", type=int, default=200, help="callers at once (default 200)")
    parser.add_argument("--seconds", type=float, default=60, help="how long they ask (default 60)")
    parser.add_argument("--requests", type=int, default=20_000, help="requests of words never met (default 20,000)")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the Markdown file to write")
    options = parser.parse_args()
    frame = load_dataset("demo").frame
    outputs, mrs = frame["output"].tolist(), frame["mr"].tolist()
    texts = Texts(outputs, mrs, Scorer()(outputs, inputs=mrs).tolist())
    with server() as (port, process):
        local, remote = latency(port, texts)
        counted, seconds = load(port, texts, options.callers, options.seconds)
        megabytes = memory(port, process, options.requests)
    told = [*_page(local, remote, counted, seconds, options), _memory_line(options.requests, megabytes)]
    replace_part(options.out, "serve", "\n".join(told))
    sys.stdout.write("\n".join(told) + "\n")
    bad = [kind for kind in ("wrong", "lost", "hostile and not refused") if counted[kind]]
    grown = megabytes[-1] > 1.1 * megabytes[len(megabytes) // 2]
    sys.exit(1 if bad or grown or remote > 1.5 * local + 0.005 else 0)


@contextmanager
def server() -> Iterator[tuple[int, int]]:
    """Start `rainbow serve` on a free port, and give the port and the number of the process."""
    command = [sys.executable, "-m", "rainbow", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        line = next(line for line in process.stderr or [] if " on http" in line)
        port = int(re.findall(r":(\d+),", line)[0])
        while True:
            with suppress(ConnectionError):
                Caller(port).asks("/score", {"outputs": []})
                break
            time.sleep(0.05)
        try:
            yield port, process.pid
        finally:
            process.terminate()


def latency(port: int, texts: Texts) -> tuple[float, float]:
    """Return the median seconds of the reward of 64 completions, in this process and by HTTP, turn by turn."""
    reward, caller = Reward(inputs="label"), Caller(port)
    seconds: dict[str, list[float]] = {"local": [], "remote": []}
    places = Random(2017)
    for _ in range(REPEATS):
        start = places.randrange(len(texts.outputs) - COMPLETIONS)
        rows = slice(start, start + COMPLETIONS)
        outputs, mrs = texts.outputs[rows], texts.mrs[rows]
        body = {"query": outputs, "prompts": [""] * COMPLETIONS, "labels": mrs}
        ways = {
            "local": partial(reward, prompts=outputs, completions=outputs, label=mrs),
            "remote": partial(caller.asks, "/get_reward", body),
        }
        for name, way in ways.items():
            begin = time.perf_counter()
            way()
            seconds[name].append(time.perf_counter() - begin)
    return statistics.median(seconds["local"]), statistics.median(seconds["remote"])


def load(port: int, texts: Texts, callers: int, seconds: float) -> tuple[Counter[str], list[float]]:
    """Return what came of the requests of many callers at once, hostile ones among them, and their seconds."""
    counted: Counter[str] = Counter()
    waited: list[float] = []
    ends = time.time() + seconds
    shares = [range(process, callers, PROCESSES) for process in range(PROCESSES)]
    with ProcessPoolExecutor(PROCESSES + 1) as processes:
        enemy = processes.submit(hostile, port, ends)
        for counts, times in processes.map(partial(_crowd, port, texts, ends), shares):
            counted += counts
            waited += times
        return counted + enemy.result(), waited


def _crowd(port: int, texts: Texts, ends: float, numbers: range) -> tuple[Counter[str], list[float]]:
    """Run the callers of one process, a thread each."""
    with ThreadPoolExecutor(len(numbers)) as threads:
        found = list(threads.map(partial(_one_caller, port, texts, ends), numbers))
    return sum((counts for counts, _ in found), Counter()), [wait for _, waits in found for wait in waits]


def _one_caller(port: int, texts: Texts, ends: float, number: int) -> tuple[Counter[str], list[float]]:
    """Ask until the time is over, and compare every answer with the score in process."""
    places, counts, waited = Random(number), Counter[str](), []
    caller = Caller(port)
    while time.time() < ends:
        start = places.randrange(len(texts.outputs) - MOST_ROWS)
        rows, way = slice(start, start + places.randint(1, MOST_ROWS)), places.randrange(3)
        begin = time.perf_counter()
        try:
            good = caller.asks_for(texts, rows, way)
            counts.update(["right" if good else "wrong"])
            counts["rows"] += 1 if way == 2 else rows.stop - rows.start
        except (OSError, http.client.HTTPException, ValueError):
            counts["lost"] += 1
            caller = Caller(port)
        waited.append(time.perf_counter() - begin)
    return counts, waited


def hostile(port: int, ends: float) -> Counter[str]:
    """Send 100 MB, by length and in pieces, and nonsense, until the time is over; all of it must get a 4xx."""
    counts: Counter[str] = Counter()
    while time.time() < ends:
        for told in (True, False):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            pieces = (b"x" * MB for _ in range(100))
            size = {"Content-Length": str(100 * MB)} if told else {}
            connection.request("POST", "/score", pieces, {"Content-Type": "application/json"} | size)
            counts[_kind(connection.getresponse().status)] += 1
        for body in NONSENSE:
            counts[_kind(Caller(port).asks("/score", body)[0])] += 1
        time.sleep(1)
    return counts


def memory(port: int, process: int, requests: int) -> list[float]:
    """Return the megabytes of the server before so many requests, each of words never met, and after each quarter."""
    found = [_megabytes(process)]
    for quarter in range(4):
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(partial(_new_words, port, requests // 32), range(8 * quarter, 8 * quarter + 8)))
        found.append(_megabytes(process))
    return found


def _new_words(port: int, requests: int, seed: int) -> None:
    letters, caller = Random(seed), Caller(port)

    def word() -> str:
        return "".join(letters.choices("abcdefghijklmnopqrstuvwxyz", k=7))

    for number in range(requests):
        outputs = [" ".join(word() for _ in range(letters.choice((1, 5, 20, 200)))), word() * letters.choice((1, 250))]
        mrs = [f"inform({','.join(f'{word()}={word()}' for _ in range(letters.choice((1, 4, 100))))})", ""]
        status, _ = caller.asks("/score", {"outputs": outputs, "mrs": mrs} if number % 20 else letters.choice(NONSENSE))
        if status >= 500:
            raise RuntimeError(f"the server answered {status}")


def _megabytes(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text("ascii")
    return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) / 1024


def _memory_line(requests: int, megabytes: list[float]) -> str:
    told = ", ".join(f"{size:.0f}" for size in megabytes)
    return f"| MB of the server before {requests:,} requests of new words, and after each quarter | {told} | flat |"


def _kind(status: int) -> str:
    return "hostile and refused" if 400 <= status < 500 else "hostile and not refused"


def _page(
    local: float, remote: float, counted: Counter[str], waited: list[float], options: argparse.Namespace
) -> list[str]:
    middle, most = statistics.median(waited), max(waited)
    tail = statistics.quantiles(waited, n=100)[98]
    rates = (counted["right"] / options.seconds, counted["rows"] / options.seconds)
    return [
        "## A score over HTTP",
        "",
        f"Made by `python -m benchmarks.serve` on {datetime.now(UTC):%Y-%m-%d}, with the server and its callers on",
        f"the same {os.cpu_count()} processors; load average when it ended: {os.getloadavg()[0]:.1f}.",
        "",
        "| what | measured | aim |",
        "| --- | --- | --- |",
        f"| Reward of {COMPLETIONS} completions in process, p50 | {local * 1e3:.1f} ms | |",
        f"| the same by HTTP, p50 | {remote * 1e3:.1f} ms | {(1.5 * local + 0.005) * 1e3:.1f} ms |",
        f"| {options.callers} callers for {options.seconds:g} s: right answers | {counted['right']:,} | |",
        f"| wrong or crossed answers | {counted['wrong']:,} | 0 |",
        f"| lost answers | {counted['lost']:,} | 0 |",
        f"| requests and rows each second | {rates[0]:,.0f}, {rates[1]:,.0f} | |",
        f"| seconds of a request: p50, p99, most | {middle:.2f}, {tail:.2f}, {most:.2f} | |",
        f"| 100 MB or nonsense among them: refused with a 4xx | {counted['hostile and refused']:,} | |",
        f"| not refused | {counted['hostile and not refused']:,} | 0 |",
    ]


if __name__ == "__main__":
    main()
