"""`python -m benchmarks.cluster`: score on a Ray cluster that loses machines, and compare with this machine alone.

Three machines of one processor are simulated on this one (`ray.cluster_utils.Cluster`): they share its disk, its clock
and its processors, so that read ratios and bytes here, not seconds.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from itertools import count
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any, NamedTuple

from benchmarks.results import replace_part
from rainbow import load_dataset

METRICS = "BLEU4,TER,len,slots_realised,CIDEr"
GROUP = 10_000  # rows of a group of the Parquet file, which is written so many at a time
CHUNK_ROWS = 4000
NODES = 3
SAMPLED, WEIGHED = 0.1, 10  # seconds between two looks at the processes; every so many their memory is looked at
PARTS_OF_TEN = 10  # files that the rows are also written as
MB = 1024**2
TICKS = os.sysconf("SC_CLK_TCK")


class Run(NamedTuple):
    """A run: seconds by the clock and of CPU time of all processes, the largest memory in bytes, and rows found done.

    `peak` is that of the workers of one simulated machine, `command` that of the command itself.
    """

    seconds: float
    processor: float
    peak: float = 0.0
    command: float = 0.0
    resumed: int = 0


def main() -> None:
    """Make the rows, score them in all the ways, and print what was found."""
    options = _options()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        lines = list(_page(Path(name), options))
    text = "\n".join(lines)
    sys.stdout.write(f"{text}\n")
    if options.out:
        replace_part(options.out, "cluster", text)
    if "NOT" in text:
        sys.exit("files differ that should be equal")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000, help="how many (default 200000)")
    parser.add_argument("--many", type=int, default=1_000_000, help="how many for memory (default 1000000; 0: none)")
    parser.add_argument("--source", default="demo", help="the dataset whose outputs are repeated (default demo)")
    parser.add_argument("--kills", type=int, default=5, help="how often a machine is ended (default 5)")
    parser.add_argument("--seed", type=int, default=2024, help="of the moments at which machines end (default 2024)")
    parser.add_argument("--folder", type=Path, help="where files are made and removed again")
    parser.add_argument("--out", type=Path, help="the Markdown file to write the table into")
    return parser.parse_args()


def _page(folder: Path, options: argparse.Namespace) -> Iterator[str]:
    rows, rng = options.rows, random.Random(options.seed)
    table = _table(folder / "rows.parquet", options.source, rows)
    yield f"Made by `python -m benchmarks.cluster --rows {rows} --many {options.many}` on {date.today()}:"
    yield f"outputs of {options.source} again and again, {METRICS}, chunks of {CHUNK_ROWS:,} rows; {NODES} machines of"
    yield f"one processor, simulated on one of {os.cpu_count()}. Seconds by the clock and of CPU time of all processes."
    yield ""
    yield "| run | seconds | CPU | file |"
    yield "| --- | --- | --- | --- |"
    local = _local(table, folder / "local.parquet")
    yield f"| {rows:,} rows, this machine alone, 2 processes | {local.seconds:,.0f} | {local.processor:,.0f} | |"
    with _cluster() as cluster:
        whole = _on_ray(cluster, table, folder / "ray.parquet")
        same = _same(folder / "local.parquet", folder / "ray.parquet")
        yield f"| the same on Ray | {whole.seconds:,.0f} | {whole.processor:,.0f} | {same} |"
        for number in range(1, options.kills + 1):
            share, out = rng.uniform(0.2, 0.8), folder / f"killed{number}.parquet"
            run = _on_ray(cluster, table, out, _after(out, share, rows, cluster.end_one))
            same = _same(folder / "local.parquet", out)
            yield f"| a machine ended at {share:.0%} | {run.seconds:,.0f} | {run.processor:,.0f} | {same} |"
            cluster.begin_one()
        out = folder / "driver.parquet"
        _on_ray(cluster, table, out, _after(out, 0.5, rows, None))
        rest = _local(table, out)
        same = _same(folder / "local.parquet", out)
        ended = f"the command ended (SIGKILL) at 50%, then `--engine local`: {rest.resumed:,} rows were done"
        yield f"| {ended} | {rest.seconds:,.0f} | {rest.processor:,.0f} | {same} |"
        _on_ray(cluster, _as_many(table), folder / "many.parquet")
        yield f"| {PARTS_OF_TEN} files as one table, on Ray | | | {_same_scores(folder)} |"
        yield f"| from s3:// to s3:// on Ray | | | {_over_s3(cluster, folder, table)} |"
        yield ""
        yield f"CPU time on Ray: {whole.processor / local.processor:.2f} times that of this machine alone (aim: 1.6)."
        if options.many:
            more = _on_ray(
                cluster, _table(folder / "many_rows.parquet", options.source, options.many), folder / "m.parquet"
            )
            yield f"The {options.many:,} rows took {more.seconds:,.0f} s ({more.processor:,.0f} of CPU). Memory of the"
            yield f"fullest machine: {whole.peak / MB:,.0f} MB with {rows:,} rows, {more.peak / MB:,.0f} MB with"
            yield f"{options.many:,}; of the command: {whole.command / MB:,.0f} MB and {more.command / MB:,.0f} MB."


# The rows


def _table(path: Path, source: str, rows: int) -> Path:
    """Write so many rows as a Parquet file: those of a dataset again and again, each with an id of its own."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    frame = load_dataset(source).frame
    columns = {name: frame[name].tolist() for name in ("system", "output", "mr", "references")}
    kinds = {"references": pa.list_(pa.string())}
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in ("id", *columns)])
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, GROUP):
            numbers = range(start, min(start + GROUP, rows))
            taken = {name: [values[n % len(frame)] for n in numbers] for name, values in columns.items()}
            writer.write_table(pa.table({"id": list(map(str, numbers)), **taken}, schema=schema))
    return path


def _as_many(table: Path) -> str:
    """Write the rows as many files, and return the pattern that stands for them."""
    import pyarrow.parquet as pq

    folder, whole = table.with_suffix(""), pq.read_table(table)
    folder.mkdir()
    size = -(-len(whole) // PARTS_OF_TEN)
    for number in range(PARTS_OF_TEN):
        pq.write_table(whole.slice(number * size, size), folder / f"{number:02d}.parquet", row_group_size=GROUP)
    return f"{folder}/*.parquet"


# The runs


class _Machines:
    """The simulated machines of a cluster."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self._cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        self._nodes = [self._cluster.add_node(num_cpus=1) for _ in range(NODES)]
        self.address = str(self._cluster.address)

    def end_one(self) -> None:
        """End a machine without a word."""
        self._cluster.remove_node(self._nodes.pop(), allow_graceful=False)

    def begin_one(self) -> None:
        """Add a machine."""
        self._nodes.append(self._cluster.add_node(num_cpus=1))

    def end(self) -> None:
        """End all."""
        self._cluster.shutdown()


@contextmanager
def _cluster() -> Iterator[_Machines]:
    # The machines need the keys of the store too, which are what they have in their environment when they begin.
    os.environ.update(RAY_USAGE_STATS_ENABLED="0", AWS_ACCESS_KEY_ID="any", AWS_SECRET_ACCESS_KEY="any")
    machines = _Machines()
    try:
        yield machines
    finally:
        machines.end()


def _command(table: Path | str, out: Path | str, *further: str) -> Popen[bytes]:
    options = ["--metrics", METRICS, "--chunk-rows", str(CHUNK_ROWS), "--out", str(out), "--anew", "--json", *further]
    _say(f"rainbow metrics {table} --out {out} {' '.join(further)}")
    return Popen([sys.executable, "-m", "rainbow", "metrics", str(table), *options], stdout=PIPE, stderr=PIPE)


def _local(table: Path, out: Path) -> Run:
    return _watched(_command(table, out, "--workers", "2"))


def _on_ray(
    cluster: _Machines,
    table: Path | str,
    out: Path | str,
    meanwhile: Callable[[Popen[bytes]], bool] = lambda process: True,
) -> Run:
    return _watched(_command(table, out, "--engine", "ray", "--address", cluster.address), meanwhile)


def _after(out: Path, share: float, rows: int, do: Callable[[], None] | None) -> Callable[[Popen[bytes]], bool]:
    """Return what does this once so much of the parts lies on disk, or ends the command, and says that it is done."""
    parts = out.with_name(f".{out.name}.partial")

    def meanwhile(process: Popen[bytes]) -> bool:
        if len(list(parts.glob("part-*"))) < share * rows / CHUNK_ROWS:
            return False
        if do:
            do()
        else:
            process.kill()
        return True

    return meanwhile


def _watched(process: Popen[bytes], meanwhile: Callable[[Popen[bytes]], bool] = lambda process: True) -> Run:
    """Wait for a command, and say what it and the simulated machines used until then."""
    start, before, used, done = time.perf_counter(), _used(), dict[int, float](), False
    peak = command = 0.0
    for look in count():
        if process.poll() is not None:
            break
        done = done or meanwhile(process)
        used |= _used()
        if look % WEIGHED == 0:
            peak, command = max(peak, _fullest()), max(command, _weight(process.pid))
        time.sleep(SAMPLED)
    seconds = time.perf_counter() - start
    used |= _used()
    printed, told = process.communicate()
    if process.returncode > 0 or not done:
        sys.exit(f"`rainbow metrics` ended with status {process.returncode}, after {seconds:.0f} s: {told.decode()}")
    own = sum(ticks - before.get(number, 0.0) for number, ticks in used.items())
    return Run(seconds, own, peak, command, json.loads(printed)["resumed"] if printed else 0)


def _below() -> dict[int, tuple[int, float]]:
    """Return of all processes that this one has started, and they: who started each, and its CPU seconds."""
    found: dict[int, tuple[int, float]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        found[int(folder.name)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS

    def ours(number: int) -> bool:
        parent = found[number][0] if number in found else 0
        return parent == os.getpid() or (parent > 1 and ours(parent))

    return {number: facts for number, facts in found.items() if ours(number)}


def _used() -> dict[int, float]:
    return {number: seconds for number, (_, seconds) in _below().items()}


def _fullest() -> float:
    """Return the memory of the workers of that simulated machine which holds most, shared pages shared out (PSS)."""
    processes, held = _below(), dict[int, float]()
    for number, (parent, _) in processes.items():
        try:
            if Path(f"/proc/{number}/comm").read_text().startswith("ray::"):
                held[parent] = held.get(parent, 0.0) + _weight(number)
        except OSError:  # it has just ended
            continue
    return max(held.values(), default=0.0)


def _weight(number: int) -> float:
    """Return the memory of a process in bytes, shared pages shared out (PSS); 0 where it has just ended."""
    try:
        lines = Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(1024.0 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def _same(one: Path, other: Path) -> str:
    return "equal, byte for byte" if filecmp.cmp(one, other, shallow=False) else "**NOT equal**"


def _same_scores(folder: Path) -> str:
    """Compare the scores of many files with those of one: parts of the tables begin elsewhere, numbers are the same."""
    from rainbow.scoring.saved_scores import load_scores

    one, other = (load_scores(folder / f"{name}.parquet")[METRICS.split(",")] for name in ("local", "many"))
    return "the same scores" if one.equals(other) else "**NOT the same scores**"


def _over_s3(cluster: _Machines, folder: Path, table: Path) -> str:
    """Score from and to a server that speaks S3, which runs here."""
    from moto.server import ThreadedMotoServer

    from rainbow.base.storage import Remote

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        _, port = server.get_host_and_port()
        where = f"endpoint_override=127.0.0.1:{port}&scheme=http&region=us-east-1&allow_bucket_creation=true"
        bucket: Any = Remote(f"s3://bucket?{where}")
        system, path = bucket.reached
        system.create_dir(path)
        source, out = bucket / "rows.parquet", bucket / "out.parquet"
        source.upload(table)
        _on_ray(cluster, str(source), str(out))
        (folder / "s3.parquet").write_bytes(out.read_bytes())
    finally:
        server.stop()
    return _same(folder / "local.parquet", folder / "s3.parquet")


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    main()
