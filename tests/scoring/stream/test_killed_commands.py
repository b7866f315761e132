"""A command that is killed goes on without loss, whatever it was killed by."""

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
from rainbow.scoring.saved_scores import load_scores
from tests.scoring.stream.tables import parts, table, written

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
