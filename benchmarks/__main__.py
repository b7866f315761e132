"""`python -m benchmarks`: time RAINBOW beside the tools people use today, and write benchmarks/RESULTS.md."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.comparisons import Comparison, comparisons
from benchmarks.forest import forests
from benchmarks.growth import BASE, growth
from benchmarks.lengths import lengths
from benchmarks.memory import memory
from benchmarks.results import Results, Timed, write
from benchmarks.rows import Rows, load_rows
from benchmarks.serving import waiting
from benchmarks.timing import Work, medians
from rainbow.base.native import kernels

RESULTS = Path(__file__).parent / "RESULTS.md"


def main() -> None:
    """Run everything and write the table."""
    options = _options()
    if kernels() is None:
        sys.exit("the compiled kernels are not built: python setup.py build_ext --inplace, or unset RAINBOW_NATIVE")
    sources = load_rows(options.rows)[-1 if options.check else 0 :]
    compared = [comparison for rows in sources for comparison in comparisons(rows)] + forests()
    timed = [_timed(comparison, options.repeats) for comparison in compared]
    dearest = sources[-1]
    if options.check:
        sys.exit(_slow([*timed, _everything(dearest, timed, options.repeats)]))
    write(
        options.out,
        Results(
            options.repeats,
            sources,
            timed,
            _everything(dearest, timed, options.repeats),
            [*memory(dearest)],
            [*waiting(dearest, options.repeats)],
            [*growth(dearest)],
            [*lengths(dearest)],
        ),
    )
    _say(f"wrote {options.out}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rows", type=int, default=1000, help="rows of every source (default 1000)")
    parser.add_argument("--repeats", type=int, default=5, help="turns; the median is shown (default 5)")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the Markdown file to write")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, print ratios; fail below a third of what is aimed at"
    )
    return parser.parse_args()


def _timed(comparison: Comparison, repeats: int) -> Timed:
    """Check that the scores agree, then time everyone turn by turn."""
    name = f"{comparison.rows.name} {comparison.work}".strip()
    _say(name)
    difference, allowed = comparison.check() if comparison.check else (0.0, 0.0)
    if not difference <= allowed:
        sys.exit(f"{name}: scores differ by {difference:g}, more than {allowed:g}: nothing is timed before they agree")
    works = comparison.peers | {"ours": comparison.ours}
    if comparison.prepared:
        works["prepared"] = comparison.prepared
    seconds = medians(works, repeats)
    rows = len(comparison.rows.outputs)
    return Timed(comparison, difference, {name: value / rows * 1e6 for name, value in seconds.items()})


def _slow(timed: list[Timed]) -> str | None:
    """Print what the peers take in our times; say what is below a third of its aim, which no busy machine explains."""
    slow = []
    for entry in timed:
        own = "prepared" if "prepared" in entry.microseconds else "ours"
        ratio, name = entry.ratio(own), f"{entry.comparison.rows.name} {entry.comparison.work}".strip()
        _say(f"{ratio:8,.0f}x  {name}" + (f" (aim {entry.target:,.0f}x)" if entry.target else ""))
        if entry.target and ratio < entry.target / 3:
            slow.append(f"{name}: {ratio:.0f} times as fast as its peers, a third of the aim is {entry.target / 3:.0f}")
    return "\n".join(slow) or None


def _everything(rows: Rows, timed: list[Timed], repeats: int) -> Timed:
    """Time all base metrics at once beside the sum of the peers."""
    import time

    from rainbow import Corpus, score_corpus

    _say(f"{rows.name} all base metrics")
    corpus = Corpus.from_texts(rows.outputs, rows.references)
    ours = Work(lambda _: score_corpus(corpus, BASE), clock=time.process_time)
    seconds = medians({"ours": ours}, repeats)["ours"] / len(rows.outputs) * 1e6
    peers = {
        name: value
        for entry in timed
        if entry.comparison.rows.name == rows.name
        for name, value in entry.microseconds.items()
        if name not in ("ours", "prepared")
    }
    everything = Comparison(
        "Every base metric at once, corpus statistics fitted anew", rows, {}, ours, targets={"E2E": 150, "": 50}
    )
    return Timed(everything, 0.0, peers | {"ours": seconds})


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    main()
