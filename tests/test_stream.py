"""Tables of any size: the same as in memory, resumed after any end, never from parts that do not fit."""

import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from rainbow import load_dataset, open_dataset, score_corpus, score_rows
from rainbow.metrics.parts import Parts
from rainbow.metrics.stream import CorpusRows, Scored
from rainbow.metrics.table import load_scores, save_scores
from tests.awkward_metrics import Fussy

ROOT = Path(__file__).parents[1]
SOME = ["len", "BLEU4", "CIDEr", "slots", "lm_mean"]


WHERE = ["in soma", "near the park", "by the river", "and nice", "number two"]


def table(rows: int = 40) -> pd.DataFrame:
    """Give rows of five inputs; a later row has no reference, some no rating, and extra columns of several types."""
    inns = [f"inn {n % 5}" for n in range(rows)]
    return pd.DataFrame(
        {
            "output": [f"the {inn} is cheap, number {n}." for n, inn in enumerate(inns)],
            "gold_1": ["" if n == 17 else f"{inn} is cheap {WHERE[n % 5]}." for n, inn in enumerate(inns)],
            "gold_2": ["" if n % 3 or n == 17 else f"an inn named {inn}." for n, inn in enumerate(inns)],
            "mr": [f"inform(name='{inn}',price=cheap)" for inn in inns],
            "system": ["ab"[n % 2] for n in range(rows)],
            "quality": ["" if n == 30 else str(n % 6 + 1) for n in range(rows)],
            "note": [f"n{n}" for n in range(rows)],
        }
    )


OPTIONS = {"references": ["gold_1", "gold_2"], "ratings": ["quality"]}


def written(folder: Path, suffix: str = ".csv", frame: pd.DataFrame | None = None) -> Path:
    frame, path = table() if frame is None else frame, folder / f"mine{suffix}"
    match suffix:
        case ".csv" | ".tsv":
            frame.to_csv(path, index=False, sep="\t" if suffix == ".tsv" else ",")
        case ".jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in frame.to_dict("records")))
        case ".parquet":
            frame.to_parquet(path, row_group_size=7)
    return path


def score(path: Path, out: Path, **options: object) -> Scored:
    options = {"metrics": SOME, "chunk_rows": 6} | options
    return score_rows(open_dataset(path, **OPTIONS), out, **options)


def interrupted(path: Path, out: Path, after: int, **options: object) -> Path:
    """Score until so many rows are done, and give the folder of parts."""

    def stop(stage: str, done: int, rows: int | None) -> None:
        if stage == "scoring" and done >= after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score(path, out, progress=stop, **options)
    assert not out.exists()
    return out.with_name(f".{out.name}.partial")


def parts(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.parquet"))


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return written(tmp_path)


@pytest.fixture
def expected(mine: Path, tmp_path: Path) -> bytes:
    """Give the table that an unbroken run writes."""
    score(mine, tmp_path / "unbroken.parquet")
    return (tmp_path / "unbroken.parquet").read_bytes()


# The same table as in memory


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_a_file_read_in_chunks_gives_the_table_that_it_gives_as_a_whole(tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path, suffix)
    corpus = load_dataset(path, **OPTIONS)
    whole = save_scores(tmp_path / "whole.parquet", corpus, score_corpus(corpus, SOME))
    scored = score(path, tmp_path / "chunks.parquet")
    pd.testing.assert_frame_equal(load_scores(scored.paths[0]), load_scores(whole), check_exact=True)
    assert load_scores(scored.paths[0]).attrs == load_scores(whole).attrs
    assert load_scores(whole).attrs["missing"]["BLEU4"] == {"there is no reference": [17]}


def test_csv_and_parquet_are_written_at_once(mine: Path, tmp_path: Path) -> None:
    corpus = load_dataset(mine, **OPTIONS)
    whole = save_scores(tmp_path / "whole.csv", corpus, score_corpus(corpus, SOME))
    rows = open_dataset(mine, **OPTIONS)
    scored = score_rows(rows, [tmp_path / "a.parquet", tmp_path / "a.csv"], SOME, chunk_rows=6)
    assert scored.paths == (tmp_path / "a.parquet", tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == whole.read_text()


def test_processes_and_chunks_make_no_difference(mine: Path, tmp_path: Path, expected: bytes) -> None:
    score(mine, tmp_path / "shared.parquet", workers=2)
    assert (tmp_path / "shared.parquet").read_bytes() == expected
    score(mine, tmp_path / "large.parquet", chunk_rows=100)
    one, other = (load_scores(tmp_path / f"{name}.parquet") for name in ("unbroken", "large"))
    pd.testing.assert_frame_equal(one, other, check_exact=True)
    assert one.attrs == other.attrs


def test_the_demo_goes_the_same_way(tmp_path: Path) -> None:
    corpus = load_dataset("demo").take(range(0, 1000, 20))
    whole = save_scores(tmp_path / "whole.parquet", corpus, score_corpus(corpus, SOME))
    score_rows(CorpusRows(corpus), tmp_path / "chunks.parquet", SOME, chunk_rows=9)
    one, other = load_scores(tmp_path / "chunks.parquet"), load_scores(whole)
    pd.testing.assert_frame_equal(one, other, check_exact=True)
    assert one.attrs == other.attrs


def test_a_summary_is_that_of_all_rows(mine: Path, tmp_path: Path) -> None:
    scored = score(mine, tmp_path / "out.parquet")
    scores = load_scores(scored.paths[0])[list(scored.signatures)]
    for name, moments in scored.table.moments.items():
        column = scores[name]
        found = (moments.mean, moments.deviation, moments.low, moments.high)
        assert found == pytest.approx((column.mean(), column.std(), column.min(), column.max()), rel=1e-12)
        assert moments.count == column.notna().sum()


def test_meaning_representations_in_the_last_rows_only_make_the_view_delexicalised(tmp_path: Path) -> None:
    frame = table().assign(mr=["inform(name='inn 4')" if n == 39 else "" for n in range(40)])
    assert score(written(tmp_path, frame=frame), tmp_path / "out.parquet", metrics=["TER"]).view == "delexicalised"


def test_columns_may_come_late_and_take_the_type_that_holds_all(tmp_path: Path) -> None:
    lines = [{"output": "a", "n": 1}, {"output": "b", "n": 0.5, "mr": "inform(x=b)"}, {"output": "c", "late": "yes"}]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    rows = open_dataset(tmp_path / "mine.jsonl")
    score_rows(rows, tmp_path / "out.parquet", "len", chunk_rows=1)
    found = load_scores(tmp_path / "out.parquet")
    assert found["n"].tolist()[:2] == [1.0, 0.5]
    assert found["late"].isna().tolist() == [True, True, False]
    assert found["mr"].tolist() == ["", "inform(x=b)", ""]


def test_a_table_without_rows_stays_one(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("output,mr\n")
    score_rows(open_dataset(tmp_path / "mine.csv"), tmp_path / "out.parquet", ["len", "TER"])
    found = load_scores(tmp_path / "out.parquet")
    assert found.shape == (0, 10)
    assert found.attrs["view"] == "surface"


# Interrupted runs


def test_an_interrupted_run_goes_on_where_it_was(mine: Path, tmp_path: Path, expected: bytes) -> None:
    out = tmp_path / "out.parquet"
    folder = interrupted(mine, out, after=18)
    assert len(parts(folder)) == 3
    told: list[str] = []
    scored = score(mine, out, notify=told.append)
    assert scored.resumed == 18
    assert told == [f"going on with an interrupted run: 3 finished chunks lie in {folder}"]
    assert out.read_bytes() == expected
    assert not folder.exists()


COMMAND = """
from rainbow.cli import main
from rainbow.metrics import register
from tests.awkward_metrics import Slow

if __name__ == "__main__":
    register(Slow)
    main()
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_killed_command_goes_on_without_loss_or_duplicate(tmp_path: Path, workers: str) -> None:
    frame = table(300)
    written(tmp_path, ".parquet", frame)
    (tmp_path / "command.py").write_text(COMMAND)
    arguments = [sys.executable, "command.py", "metrics", "mine.parquet", "--metrics", "slow,CIDEr", "--reference"]
    arguments += ["gold_1", "--chunk-rows", "15", "--workers", workers]
    run = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": str(ROOT)}, "text": True}
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **run)
    folder = tmp_path / "metrics" / ".mine.parquet.partial"
    wait_for(lambda: len(parts(folder)) >= 5 or process.poll() is not None)
    process.kill()
    process.wait()
    assert not (tmp_path / "metrics" / "mine.parquet").exists()
    done = subprocess.run([*arguments, "--json"], capture_output=True, check=True, **run)
    assert "going on with an interrupted run" in done.stderr
    assert json.loads(done.stdout)["resumed"] >= 75
    found = load_scores(tmp_path / "metrics" / "mine.parquet")
    assert found["id"].tolist() == [str(row) for row in range(1, 301)]
    corpus = load_dataset(tmp_path / "mine.parquet", references="gold_1")
    scores = score_corpus(corpus, ["CIDEr"])
    assert scores["CIDEr"].nunique() > 2
    pd.testing.assert_series_equal(found["CIDEr"], scores["CIDEr"], check_exact=True)
    assert found["slow"].tolist() == [len(text) / 3 for text in frame["output"]]
    assert found.attrs["signatures"]["CIDEr"] == scores.attrs["signatures"]["CIDEr"]
    assert [path.name for path in (tmp_path / "metrics").iterdir()] == ["mine.parquet"]


def test_control_c_leaves_the_finished_parts_and_says_how_to_go_on(tmp_path: Path) -> None:
    written(tmp_path, ".parquet", table(300))
    (tmp_path / "command.py").write_text(COMMAND)
    arguments = [sys.executable, "command.py", "metrics", "mine.parquet", "--metrics", "slow", "--chunk-rows", "15"]
    process = subprocess.Popen(
        [*arguments, "--workers", "2", "--out", "out.csv"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        text=True,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    folder = tmp_path / ".out.csv.partial"
    wait_for(lambda: len(parts(folder)) >= 3 or process.poll() is not None)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to all processes
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == "interrupted: out.csv is not whole; the same command goes on where it was\n"
    assert len(parts(folder)) >= 3


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("damage", ["a bit", "cut", "empty", "other table", "other part"])
def test_a_damaged_or_foreign_part_is_made_anew(mine: Path, tmp_path: Path, expected: bytes, damage: str) -> None:
    out = tmp_path / "out.parquet"
    first, second, _ = parts(interrupted(mine, out, after=18))
    content = bytearray(second.read_bytes())
    match damage:
        case "a bit":
            content[len(content) // 2] ^= 1
        case "cut":
            content = content[:-9]
        case "empty":
            content.clear()
        case "other table":
            content = bytearray((tmp_path / "unbroken.parquet").read_bytes())
        case "other part":  # whole, under the name it must have for its place
            first.rename(second.with_name(second.name.split("-")[0] + "-" + first.name.split("-")[1]))
            content.clear()
    second.write_bytes(content)
    assert score(mine, out).resumed == (6 if damage == "other part" else 12)
    assert out.read_bytes() == expected


def test_a_part_half_written_is_no_part(mine: Path, tmp_path: Path, expected: bytes) -> None:
    out = tmp_path / "out.parquet"
    folder = interrupted(mine, out, after=18)
    (folder / f".{parts(folder)[0].name}.123.part").write_bytes(b"PAR1")
    assert score(mine, out).resumed == 18
    assert out.read_bytes() == expected


def test_rows_that_have_changed_are_scored_anew_and_only_they(mine: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    interrupted(mine, out, after=18)
    frame = table()
    frame.loc[7, "output"] = "another text."
    written(tmp_path, frame=frame)
    assert score(mine, out).resumed == 12
    assert load_scores(out)["len"][7] == len("anothertext")


def test_parts_do_not_outlive_the_statistics_that_they_were_scored_with(mine: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    interrupted(mine, out, after=18)
    frame = table()
    frame.loc[39, "gold_1"] = "another reference, in the last row."
    written(tmp_path, frame=frame)
    assert score(mine, out).resumed == 0
    corpus = load_dataset(mine, **OPTIONS)
    assert load_scores(out)["CIDEr"].tolist() == pytest.approx(score_corpus(corpus, ["CIDEr"])["CIDEr"], nan_ok=True)


@pytest.mark.parametrize("other", [{"metrics": ["len"]}, {"view": "surface"}, {"chunk_rows": 5}])
def test_parts_made_with_other_parameters_are_not_used(mine: Path, tmp_path: Path, other: dict[str, object]) -> None:
    out = tmp_path / "out.parquet"
    interrupted(mine, out, after=18, **other)
    assert score(mine, out).resumed == 0


def test_parts_of_the_compiled_kernels_are_not_used_without_them(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rainbow.native import kernels

    if kernels() is None:
        pytest.skip("the compiled kernels were not built: a C++20 compiler is needed")
    interrupted(mine, tmp_path / "out.parquet", after=18)
    monkeypatch.setenv("RAINBOW_NATIVE", "0")
    assert score(mine, tmp_path / "out.parquet").resumed == 0


def test_a_run_may_start_anew(mine: Path, tmp_path: Path, expected: bytes) -> None:
    out = tmp_path / "out.parquet"
    interrupted(mine, out, after=18)
    assert score(mine, out, resume=False).resumed == 0
    assert out.read_bytes() == expected


def test_the_old_table_stays_until_the_new_one_is_whole(mine: Path, tmp_path: Path, expected: bytes) -> None:
    out = tmp_path / "unbroken.parquet"
    with pytest.raises(KeyboardInterrupt):
        score(mine, out, metrics="len", progress=_stop_writing)
    assert out.read_bytes() == expected


def _stop_writing(stage: str, done: int, rows: int | None) -> None:
    if stage == "writing":
        raise KeyboardInterrupt


def test_two_runs_may_not_write_the_same_table(mine: Path, tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="Windows does not tell two runs from one another")
    with Parts(tmp_path / "out.parquet"), pytest.raises(OSError, match=r"another run is writing .*out\.parquet"):
        score(mine, tmp_path / "out.parquet")


# What is wrong in the rows


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("mr", "inform(", "row 28, mr: cannot read the meaning representation 'inform('"),
        ("quality", "good", "row 28, quality: 'good' is no number"),
        ("id", "3", "row 28, id: '3' already stands in row 3"),
    ],
)
def test_a_bad_row_is_named_with_file_row_and_field_and_finished_parts_stay(
    mine: Path, tmp_path: Path, column: str, value: str, problem: str
) -> None:
    out = tmp_path / "out.parquet"
    good = table().assign(id=[str(n) for n in range(1, 41)])
    folder = interrupted(written(tmp_path, frame=good), out, after=18)
    bad = good.copy()
    bad.loc[27, column] = value
    with pytest.raises(ValueError, match=rf"mine\.csv: {problem}".replace("(", r"\(")):
        score(written(tmp_path, frame=bad), out)
    assert len(parts(folder)) == 3
    assert score(written(tmp_path, frame=good), out).resumed == 18


def test_lines_that_are_no_json_are_named_wherever_they_stand(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text('{"output": "a"}\n' * 20 + '{"output": \n')
    with pytest.raises(ValueError, match=r"mine\.jsonl: line 21 is no JSON"):
        score_rows(open_dataset(tmp_path / "mine.jsonl"), tmp_path / "out.parquet", "len", chunk_rows=5)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.jsonl"]


def test_a_column_of_numbers_and_texts_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text('{"output": "a", "n": 1}\n' * 20 + '{"output": "a", "n": "one"}\n')
    with pytest.raises(ValueError, match="column 'n' holds values of several kinds"):
        score_rows(open_dataset(tmp_path / "mine.jsonl"), tmp_path / "out.parquet", "len", chunk_rows=20)


def test_a_column_that_a_metric_gives_is_refused_before_anything_is_scored(tmp_path: Path) -> None:
    path = written(tmp_path, frame=table().assign(len="x"))
    with pytest.raises(ValueError, match="the corpus already has a column 'len'"):
        score(path, tmp_path / "out.parquet", progress=_fail_scoring)


def _fail_scoring(stage: str, done: int, rows: int | None) -> None:
    assert stage == "reading"


def test_a_row_that_a_metric_fails_for_is_counted_from_the_first_of_the_file(tmp_path: Path) -> None:
    frame = table()
    frame.loc[27, "output"] = "fail"
    with pytest.raises(ValueError, match="row 28, fussy: a text too many"):
        score(written(tmp_path, frame=frame), tmp_path / "out.parquet", metrics=[Fussy()])


def test_a_file_that_changes_while_it_is_scored_is_refused(mine: Path, tmp_path: Path) -> None:
    def change(stage: str, done: int, rows: int | None) -> None:
        if (stage, done) == ("scoring", 18):
            with mine.open("a") as file:
                file.write("\n")

    with pytest.raises(ValueError, match="the rows have changed while they were read"):
        score(mine, tmp_path / "out.parquet", progress=change)
    assert not (tmp_path / "out.parquet").exists()


# Memory


def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    peaks = []
    for rows in (2_000, 2_000, 12_000):  # the first only fills caches
        path = written(tmp_path, frame=table(rows))
        tracemalloc.start()
        score(path, tmp_path / "out.parquet", metrics=["len", "wps"], chunk_rows=500)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] - peaks[1] < 10_000 * 100  # bytes; the texts of a row take more than 500
