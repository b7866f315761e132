"""An interrupted run goes on where it was, and never from parts that do not fit."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from rainbow import load_dataset, score_corpus
from rainbow.scoring.parts import lock_parts_folder
from rainbow.scoring.saved_scores import load_scores
from tests.scoring.stream.tables import OPTIONS, interrupted, parts, score, stop_after, table, written


def test_an_interrupted_run_goes_on_where_it_was(mine: Path, tmp_path: Path, expected: bytes) -> None:
    out = tmp_path / "out.parquet"
    folder = interrupted(mine, out, after=18)
    assert len(parts(folder)) == 3
    told: list[str] = []
    assert score(mine, out, notify=told.append).resumed == 18
    assert told == [f"resuming an interrupted run: 3 finished chunks are in {folder}"]
    assert out.read_bytes() == expected and not folder.exists()


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
            first.rename(second.with_name(second.name.rpartition("-")[0] + "-" + first.name.rpartition("-")[2]))
            content.clear()
    second.write_bytes(content)
    assert (score(mine, out).resumed, out.read_bytes()) == (6 if damage == "other part" else 12, expected)


def test_a_part_half_written_is_no_part(mine: Path, tmp_path: Path, expected: bytes) -> None:
    out = tmp_path / "out.parquet"
    folder = interrupted(mine, out, after=18)
    (folder / f".{parts(folder)[0].name}.123.part").write_bytes(b"PAR1")
    assert (score(mine, out).resumed, out.read_bytes()) == (18, expected)


def test_rows_that_have_changed_are_scored_anew_and_only_they(mine: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    interrupted(mine, out, after=18)
    frame = table()
    frame.loc[7, "output"] = "another text."
    written(tmp_path, frame=frame)
    assert (score(mine, out).resumed, load_scores(out)["len"][7]) == (12, len("anothertext"))


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


def test_parts_of_the_compiled_kernels_are_not_used_without_them(mine, tmp_path, monkeypatch) -> None:
    from rainbow.base.native import kernels

    if kernels() is None:
        pytest.skip("the compiled kernels were not built: a C++20 compiler is needed")
    interrupted(mine, tmp_path / "out.parquet", after=18)
    monkeypatch.setenv("RAINBOW_NATIVE", "0")
    assert score(mine, tmp_path / "out.parquet").resumed == 0


def test_a_run_may_start_anew(mine: Path, tmp_path: Path, expected: bytes) -> None:
    out = tmp_path / "out.parquet"
    interrupted(mine, out, after=18)
    assert (score(mine, out, resume=False).resumed, out.read_bytes()) == (0, expected)


def test_the_old_table_stays_until_the_new_one_is_whole(mine: Path, tmp_path: Path, expected: bytes) -> None:
    out = tmp_path / "unbroken.parquet"
    with pytest.raises(KeyboardInterrupt):
        score(mine, out, metrics="len", progress=stop_after(0, "writing"))
    assert out.read_bytes() == expected


def test_two_runs_may_not_write_the_same_table(mine: Path, tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="Windows does not tell two runs from one another")
    with (
        lock_parts_folder(tmp_path / "out.parquet"),
        pytest.raises(OSError, match=r"another run is writing .*out\.parquet"),
    ):
        score(mine, tmp_path / "out.parquet")


ROOT = Path(__file__).parents[3]


COMMAND = """
from rainbow.cli import main
from rainbow.metrics import register
from tests.metrics.awkward_metrics import Slow

if __name__ == "__main__":
    register(Slow)
    main()
"""


@pytest.mark.slow
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
    assert "resuming an interrupted run" in done.stderr and json.loads(done.stdout)["resumed"] >= 75
    found = load_scores(tmp_path / "metrics" / "mine.parquet")
    assert found["id"].tolist() == [str(row) for row in range(1, 301)]
    scores = score_corpus(load_dataset(tmp_path / "mine.parquet", references="gold_1"), ["CIDEr"])
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
    assert err.splitlines() == [
        "mine.parquet: --output output --reference gold_1 --reference gold_2 --input mr --system system --rating "
        "quality, detected; `rainbow run mine.parquet` shows why",
        "interrupted: out.csv is incomplete; run the same command to resume",
    ]
    assert len(parts(folder)) >= 3


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
