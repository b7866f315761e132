"""Write what was measured as a page of Markdown."""

from __future__ import annotations

import hashlib
import platform
import re
import subprocess
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from benchmarks.comparisons import Comparison
from benchmarks.growth import Grown
from benchmarks.lengths import LENGTHS, REFERENCES, Long
from benchmarks.memory import CHUNK_ROWS, TARGET, Memory
from benchmarks.rows import Rows
from benchmarks.serving import Waiting

__all__ = ["Results", "Timed", "fingerprint", "measured_on", "replace_part", "waited_for", "write"]

PEERS = (
    "pycocoevalcap",
    "rouge-score",
    "nltk",
    "sacrebleu",
    "hLepor",
    "textstat",
    "pyspellchecker",
    "scikit-learn",
    "numpy",
)
COLUMNS = ("work", "rows", "peers", "sum", "from strings", "ratio", "tokenised", "ratio", "aim", "largest difference")
COMMENTS = re.compile(r'"""(?:.|\n)*?"""|#[^\n]*|\s+')
CPP_COMMENTS = re.compile(r"//[^\n]*|\s+")
BEGIN, END = "<!-- begin: {} -->", "<!-- end: {} -->"


class Timed(NamedTuple):
    """A comparison, the largest difference between scores, and the median microseconds per row of everyone."""

    comparison: Comparison
    difference: float
    microseconds: dict[str, float]

    @property
    def peers(self) -> float:
        """The peers' times, added up."""
        return sum(value for name, value in self.microseconds.items() if name not in ("ours", "prepared"))

    def ratio(self, own: str) -> float:
        """Say how many times as long the peers take."""
        return self.peers / self.microseconds[own]

    @property
    def target(self) -> float | None:
        """The ratio aimed at."""
        targets = self.comparison.targets
        return targets.get(self.comparison.rows.name, targets.get(""))


class Results(NamedTuple):
    """All that is on the page."""

    repeats: int
    sources: list[Rows]
    timed: list[Timed]
    everything: Timed
    memory: list[Memory]
    waiting: list[Waiting]
    growth: list[Grown]
    lengths: list[Long]


def fingerprint() -> str:
    """Return a fingerprint of the code of kernels and metrics, without comments, docstrings and blanks."""
    root = Path(__file__).parents[1]
    files = [*root.glob("native/*.[ch]pp"), *root.glob("rainbow/metrics/**/*.py")]
    code = (f"{file.relative_to(root).as_posix()} {_code(file)}" for file in sorted(files))
    return hashlib.sha256("\n".join(code).encode()).hexdigest()[:12]


def _code(file: Path) -> str:
    left_out = COMMENTS if file.suffix == ".py" else CPP_COMMENTS
    return left_out.sub("", file.read_text("utf-8"))


def measured_on() -> str:
    """Say which commit and which code is measured, so that a test tells when figures are older than it."""
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return f"Commit `{commit.stdout.strip() or 'unknown'}`; kernels and metrics `{fingerprint()}`."


def write(path: Path, results: Results) -> None:
    """Write the page; parts of it that other benchmarks wrote stay."""
    replace_part(path, "peers", "\n".join(_page(results)))


def replace_part(path: Path, name: str, text: str) -> None:
    """Put a part of the page in the place of the part of that name, or at the end."""
    begin, end = BEGIN.format(name), END.format(name)
    page = path.read_text("utf-8") if path.is_file() else "# What scoring costs\n"
    part = f"{begin}\n{text.strip()}\n{end}"
    before, found, rest = page.partition(begin)
    page = before + part + rest.partition(end)[2] if found else f"{page.rstrip()}\n\n{part}\n"
    path.write_text(page, "utf-8")


def _page(results: Results) -> Iterator[str]:
    yield "Made by `make bench`. CPU time on one thread, all in one process and turn by turn: the median over turns of"
    yield "the fastest run of each turn, where what takes milliseconds runs several times; METEOR by wall time, as its"
    yield f"peer is another process. {results.repeats} turns after scores were checked to agree."
    yield measured_on()
    yield ""
    yield f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}; "
    yield ", ".join(f"{name} {version(name)}" for name in PEERS) + "."
    yield ""
    for rows in results.sources:
        yield f"* **{rows.name}**: {rows.shape}."
    yield ""
    yield "## Beside the peers"
    yield ""
    yield "Microseconds per utterance. *From strings*: all that is needed is done anew, tokens too. *Tokenised*:"
    yield "without that, as the MS-COCO tools, nltk and hLepor get their texts; this ratio is the one aimed at."
    yield ""
    yield from _table(
        (
            "work",
            "rows",
            "peers",
            "peers' time",
            "from strings",
            "ratio",
            "tokenised",
            "ratio",
            "aim",
            "largest difference",
        ),
        map(_line, results.timed),
    )
    yield ""
    yield "nltk's NIST counts the information of n-grams in the references of one row, ours in all: times are compared,"
    yield "not scores. hLEPOR is compared where no word is repeated, the surface measures by the number of words."
    yield ""
    yield "## Everything at once"
    yield ""
    yield from _table(("work", "rows", "peers' time", "ours", "ratio", "aim"), [_everything(results.everything)])
    yield ""
    yield f"Peak of memory meanwhile, chunks of {CHUNK_ROWS:,} rows, each number of rows in a process of its own:"
    yield "`score_corpus` holds all texts and scores, `score_rows` reads and writes them chunk by chunk."
    yield ""
    sizes = list(results.memory[0].peaks)
    yield from _table(
        ("", *(f"{size:,} rows" for size in sizes), "for each row more", "at most"), map(_of_memory, results.memory)
    )
    yield ""
    yield "## What a user waits for"
    yield ""
    yield from waited_for(results.waiting)
    yield ""
    yield "## Growth"
    yield ""
    yield "All base metrics, microseconds of CPU time per utterance."
    yield ""
    yield from _table(
        ("varied", "value", "us"), [(g.varied, f"{g.value:,}", f"{g.microseconds:.0f}") for g in results.growth]
    )
    yield ""
    yield f"An output against {REFERENCES} references, all of so many words, milliseconds of CPU time:"
    yield ""
    yield from _table(
        ("metric", *(f"{length:,} words" for length in LENGTHS)),
        [(one.metric, *(f"{value:.2f}" for value in one.milliseconds)) for one in results.lengths],
    )


def waited_for(measured: Iterable[Waiting]) -> Iterator[str]:
    """Return the table of what a user waits for."""
    lines = [(one.what, _time(one.seconds), _time(one.target) if one.target else "") for one in measured]
    yield from _table(("what", "time", "aim"), lines)


def _line(timed: Timed) -> tuple[str, ...]:
    comparison, us = timed.comparison, timed.microseconds
    prepared = "prepared" in us
    return (
        comparison.work,
        f"{comparison.rows.name} {len(comparison.rows.outputs):,}".strip(),
        "; ".join(f"{name} {us[name]:,.0f}" for name in comparison.peers),
        f"{timed.peers:,.1f}",
        f"{us['ours']:,.2f}",
        f"{timed.ratio('ours'):,.0f}x",
        f"{us['prepared']:,.2f}" if prepared else "",
        f"{timed.ratio('prepared'):,.0f}x" if prepared else "",
        f"{timed.target:,.0f}x" if timed.target else "",
        f"{timed.difference:.0e}",
    )


def _of_memory(memory: Memory) -> tuple[str, ...]:
    peaks = (f"{peak / 2**20:,.0f} MB" for peak in memory.peaks.values())
    return (memory.what, *peaks, f"{memory.bytes_per_row / 1024:.2f} KB", f"{TARGET / 1024:.0f} KB")


def _everything(timed: Timed) -> tuple[str, ...]:
    rows = timed.comparison.rows
    return (
        timed.comparison.work,
        f"{rows.name} {len(rows.outputs):,}",
        f"{timed.peers:,.0f}",
        f"{timed.microseconds['ours']:,.0f}",
        f"{timed.ratio('ours'):,.0f}x",
        f"{timed.target:,.0f}x",
    )


def _table(header: tuple[str, ...], lines: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield f"|{' --- |' * len(header)}"
    for line in lines:
        yield f"| {' | '.join(line)} |"


def _time(seconds: float) -> str:
    if seconds >= 0.1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} us"
