"""Scores are the same, to the last bit, for any size of chunk and any number of processes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rainbow import Corpus, View, load_dataset, score_corpus
from rainbow.base.workers import in_order
from rainbow.corpus import RowError
from rainbow.metrics import Batch, all_metrics, get
from rainbow.scoring.chunks import chunk_size
from rainbow.scoring.missing import LISTED, MissingReasons
from tests.metrics.awkward_metrics import Fussy

ROOT = Path(__file__).parents[2]
SOME = ["len", "BLEU", "CIDEr", "NIST", "lm_mean", "slots", "msp"]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Return rows of the demo, some without references or meaning representation, or with blank texts."""
    frame = load_dataset("demo").frame.iloc[::16].copy()
    frame["references"] = [() if row % 9 == 4 else texts for row, texts in enumerate(frame["references"])]
    frame["references"] = [(" ",) if row % 11 == 5 else texts for row, texts in enumerate(frame["references"])]
    frame["mr"] = ["" if row % 7 == 3 else mr for row, mr in enumerate(frame["mr"])]
    frame["output"] = ["" if row % 13 == 6 else text for row, text in enumerate(frame["output"])]
    return Corpus(frame)


@pytest.fixture(scope="module")
def whole(corpus: Corpus) -> pd.DataFrame:
    return score_corpus(corpus, chunk_rows=len(corpus))


@pytest.mark.parametrize("rows", [1, 7])
def test_every_metric_gives_the_same_bits_in_chunks(corpus: Corpus, whole: pd.DataFrame, rows: int) -> None:
    chunked = score_corpus(corpus, chunk_rows=rows)
    pd.testing.assert_frame_equal(chunked, whole, check_exact=True)
    assert chunked.attrs == whole.attrs


def test_statistics_fitted_on_distinct_inputs_are_those_of_all_rows(corpus: Corpus, whole: pd.DataFrame) -> None:
    usual = {name: metric for name, metric in all_metrics().items() if not metric.needs & {"extra", "neural", "named"}}
    fitted = {name for name, metric in usual.items() if hasattr(metric, "statistics")}
    assert {"cider", "nist", "language-model", "slots"} <= fitted
    for name in fitted:
        batch = Batch.from_corpus(corpus, corpus.view("surface" if all_metrics()[name].surface_only else None))
        metric = get(name).fit(batch)
        for column, values in zip(metric.columns, metric.score(batch).T, strict=True):
            np.testing.assert_array_equal(whole[column.name], values)
            assert whole.attrs["signatures"][column.name].startswith(metric.signature)


def test_two_processes_give_the_same_bits_order_and_reasons(corpus: Corpus) -> None:
    expected = score_corpus(corpus, SOME, chunk_rows=1000)
    shared = score_corpus(corpus, SOME, workers=2, threads=2, chunk_rows=9)
    pd.testing.assert_frame_equal(shared, expected, check_exact=True)
    assert shared.attrs == expected.attrs


def test_collections_of_a_datasets_own_view_keep_their_statistics_in_chunks() -> None:
    texts = [f"the inn {n % 5}" for n in range(12)]
    references = tuple((f"an inn {n % 4}",) for n in range(12))
    view = View("own", tuple(texts), references, tuple("ab"[n % 2] for n in range(12)), {"b": (("x y",), ("the inn",))})
    corpus = Corpus(Corpus.from_texts(texts, references).frame, views={"own": view})
    one, many = (score_corpus(corpus, ["CIDEr", "NIST"], "own", chunk_rows=rows) for rows in (12, 5))
    pd.testing.assert_frame_equal(one, many, check_exact=True)
    assert one.attrs == many.attrs


def test_progress_counts_rows() -> None:
    told: list[tuple[str, int, int | None]] = []
    score_corpus(Corpus.from_texts(list("abcde")), "len", chunk_rows=2, progress=lambda *state: told.append(state))
    assert told == [("scoring", 2, 5), ("scoring", 4, 5), ("scoring", 5, 5)]


def test_chunks_suit_the_number_of_rows() -> None:
    assert [chunk_size(rows, None) for rows in (0, 1000, 100_000, 10**6)] == [500, 500, 6250, 8000]
    assert chunk_size(10**6, 123) == 123
    with pytest.raises(ValueError, match="chunk_rows is 0: use 1 or more"):
        score_corpus(Corpus.from_texts(["a"]), "len", chunk_rows=0)


def test_reasons_of_many_rows_take_little_space() -> None:
    reasons = MissingReasons()
    for _ in range(3):
        reasons.add({"a": {"all of them": "all", "some": [1, 7999]}, "b": {"most": list(range(7999))}}, 8000)
    found = reasons.result()
    assert found["a"] == {"all of them": "all", "some": [1, 7999, 8001, 15999, 16001, 23999]}
    assert found["b"]["most"]["count"] == 3 * 7999
    assert found["b"]["most"]["first"] == [row for row in range(LISTED + 1) if row != 7999]


def outputs(at: int, text: str, rows: int = 20) -> Corpus:
    return Corpus.from_texts([text if row == at else "fine" for row in range(rows)])


@pytest.mark.parametrize("row", [0, 6, 13, 19])
def test_the_row_that_a_metric_fails_for_is_named(row: int) -> None:
    with pytest.raises(RowError, match=f"row {row + 1}, fussy: a text too many"):
        score_corpus(outputs(row, "fail"), [Fussy()], chunk_rows=8)


def test_what_fails_for_every_row_is_raised_as_it_is() -> None:
    with pytest.raises(RuntimeError, match=r"^this machine is broken$"):
        score_corpus(Corpus.from_texts(["never"] * 5), [Fussy()])


def test_an_exception_in_a_worker_is_raised_with_its_row_and_traceback() -> None:
    with pytest.raises(RowError, match="row 14, fussy: a text too many") as caught:
        score_corpus(outputs(13, "fail"), [Fussy()], workers=2, chunk_rows=4)
    assert "in compute" in caught.value.__notes__[0]


def test_a_worker_that_is_killed_is_told_with_advice() -> None:
    with pytest.raises(RuntimeError, match=r"was killed \(exit status -9\).*fewer workers or smaller chunks"):
        score_corpus(outputs(3, "kill"), [Fussy()], workers=2, chunk_rows=4)


def test_a_metric_that_workers_cannot_import_is_told_with_advice() -> None:
    @dataclass(frozen=True)
    class Local(Fussy):
        pass

    with pytest.raises(RuntimeError, match="define your metrics in an importable module"):
        score_corpus(Corpus.from_texts(["a"]), [Local()], workers=2)


def test_workers_are_counted_from_one() -> None:
    with pytest.raises(ValueError, match="workers is 0: use 1 or more"):
        score_corpus(Corpus.from_texts(["a"]), "len", workers=0)


def test_pieces_are_taken_only_as_they_are_needed() -> None:
    taken: list[int] = []

    def pieces() -> Iterator[str]:
        for number in range(1000):
            taken.append(number)
            yield "x" * number

    results = in_order(len, pieces(), workers=2)
    assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4] and len(taken) < 20
    results.close()


def run(script: Path, text: str) -> subprocess.Popen[str]:
    script.write_text(text)
    return subprocess.Popen(
        [sys.executable, str(script)],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def test_a_script_without_its_guard_is_told_what_it_lacks(tmp_path: Path) -> None:
    process = run(
        tmp_path / "script.py",
        "import rainbow\nrainbow.score_corpus(rainbow.Corpus.from_texts(['a'] * 9), 'len', workers=2, chunk_rows=3)",
    )
    _, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert 'put the code of your script below `if __name__ == "__main__":`' in err.splitlines()[-1]


SLOW = """import rainbow
from tests.metrics.awkward_metrics import Slow

if __name__ == "__main__":
    corpus = rainbow.Corpus.from_texts(["a"] * 100)
    progress = lambda *state: print(*state, flush=True)
    rainbow.score_corpus(corpus, [Slow(seconds=0.1)], workers=2, chunk_rows=1, progress=progress)
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked for in /proc: Linux only")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_their_parent_however_it_ends(tmp_path: Path, how: signal.Signals) -> None:
    process = run(tmp_path / "script.py", SLOW)
    assert process.stdout is not None
    process.stdout.readline()
    if how == signal.SIGINT:
        os.killpg(process.pid, how)  # as a terminal does it: to all processes
    else:
        process.kill()
    _, err = process.communicate(timeout=60)
    assert process.returncode == -how
    assert err.count("Traceback") == (how == signal.SIGINT)  # that of the script, none of a worker
    deadline = time.monotonic() + 30
    while (alive := members(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert alive == []


def members(session: int) -> list[int]:
    """Return the processes of a session that still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, its_session = path.read_text().rpartition(")")[2].split()[:4]
        except (OSError, ValueError):
            continue
        if int(its_session) == session and state != "Z":
            found.append(int(path.parent.name))
    return found
