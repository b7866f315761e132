"""Whatever a server answers, and whenever a run is killed: each question is answered once, or has a reason."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

from rainbow.cli import app
from tests.judging.local_server import LocalServer, serving
from tests.judging.odd_answers import KEY, ODD, oddly, orderly
from tests.judging.test_asking import ROOT, TEMPLATE, no_proxy  # noqa: F401  # a fixture

pytest.importorskip("openai", reason="openai is not installed: pip install 'rainbow-nlg[judge]'")
pytestmark = pytest.mark.once

COMMAND = [sys.executable, "-m", "rainbow", "judge", "mine.csv", "--yes"]
AT_ONCE = 4
COLUMNS = ("judge", "words", "object")


def prepare(folder: Path, url: str, rows: int, more: str = "") -> None:
    pd.DataFrame({"id": range(rows), "output": [f"inn number {row}" for row in range(rows)]}).to_csv(
        folder / "mine.csv", index=False
    )
    (folder / "mine.txt").write_text(TEMPLATE)
    text = f'model = "small"\nurl = "{url}"\nkey = "THE_KEY"\nretries = 0\nseconds = 5\nat_once = {AT_ONCE}\n{more}\n'
    for column, read in zip(COLUMNS, ("logprobs", "text", "json"), strict=True):
        text += f'[{column}]\ntemplate = "mine.txt"\nread = "{read}"\n'
    (folder / "judge.toml").write_text(text)


def start(folder: Path, **options: Any) -> "subprocess.Popen[str]":
    environment = os.environ | {"PYTHONPATH": str(ROOT), "THE_KEY": KEY, "NO_PROXY": "127.0.0.1"}
    return subprocess.Popen(
        COMMAND, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options
    )


def kept(folder: Path) -> list[str]:
    """Return the requests that have an answer, as the server counts them."""
    with sqlite3.connect(folder / "judged" / "answers.sqlite") as file:
        rows = file.execute("SELECT request FROM answers").fetchall()
    return [json.dumps(json.loads(request), sort_keys=True) for (request,) in rows]


def check_marks(folder: Path, rows: int) -> None:
    """Each mark is there, or its reason; no key and no order to a terminal is anywhere."""
    table = pd.read_csv(folder / "judged" / "mine.csv")
    for column in COLUMNS:
        assert len(table) == rows and table[column].dropna().between(1, 6).all()
        assert (table[column].isna() == table[f"{column}_missing"].notna()).all()
        assert table[column][len(ODD) :].notna().all()
    written = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    for form in (KEY, json.dumps(KEY)[1:-1], json.dumps(json.dumps(KEY))[3:-3]):
        assert form.encode() not in written
    assert b"\x1b" not in (folder / "judged" / "mine.csv").read_bytes()


def test_no_answer_ends_a_run_and_each_question_has_a_mark_or_a_reason(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("THE_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    rows, local = len(ODD) + 9, LocalServer(oddly)
    with serving(local) as url:
        prepare(tmp_path, url, rows)
        done = CliRunner().invoke(app, COMMAND[3:])
        assert done.exit_code == 0, done.exception
        assert "\x1b" not in done.output and KEY not in done.output
        check_marks(tmp_path, rows)
        first = (tmp_path / "judged" / "mine.csv").read_bytes()
        assert (max(local.asked.values()), len(local.asked)) == (1, rows * len(COLUMNS))
        assert CliRunner().invoke(app, COMMAND[3:]).exit_code == 0
        assert (tmp_path / "judged" / "mine.csv").read_bytes() == first
        local.answer = orderly
        assert CliRunner().invoke(app, COMMAND[3:]).exit_code == 0
    asked = Counter(kept(tmp_path))
    assert max(asked.values()) == 1
    assert len(asked) == rows * len(COLUMNS)  # what had no answer has one of the good server now
    assert {local.asked[request] for request in asked} == {1, 3}


@pytest.mark.slow
@pytest.mark.parametrize("kills", [3, 20])
def test_a_run_that_is_killed_again_and_again_asks_each_question_once(tmp_path: Path, kills: int) -> None:
    rows, number, done, seed = len(ODD) + 9 + 3 * kills, 0, 0, random.SystemRandom().randrange(10**6)
    chance, moment = random.Random(seed), 0
    process: subprocess.Popen[str] | None = None

    def kill(request: int) -> None:
        if request == moment and process is not None:
            process.send_signal(signal.SIGKILL)
            process.wait()

    local = LocalServer(oddly, before=kill)
    with serving(local) as url:
        prepare(tmp_path, url, rows)
        while number < kills:
            moment = local.requests + chance.randint(1, max(2, (rows * len(COLUMNS) - done) // (kills - number)))
            process = start(tmp_path)
            number += process.wait(60) == -signal.SIGKILL
            while local.open:
                time.sleep(0.01)
            done = len(kept(tmp_path))
        moment = 0
        assert start(tmp_path).wait(60) == 0, seed
    check_marks(tmp_path, rows)
    answers = kept(tmp_path)
    assert len(answers) == len({*answers})
    twice = sum(local.asked[request] - 1 for request in answers)
    print(
        f"\n{rows * len(COLUMNS)} questions, {len(answers)} answered; {number} kills, asked again: {twice}; seed {seed}"
    )
    assert twice <= number * AT_ONCE, seed  # what was on its way when the process was killed


def test_runs_at_the_same_time_share_the_questions_and_two_may_be_killed(tmp_path: Path) -> None:
    killed: list[subprocess.Popen[str]] = []

    def kill(request: int) -> None:
        if request == 150:
            for process in killed:
                process.kill()
        time.sleep(0.005)

    local = LocalServer(orderly, before=kill)
    with serving(local) as url:
        prepare(tmp_path, url, 100)
        runs = [start(tmp_path) for _ in range(3)]
        killed += runs[:2]
        ends = [run.wait(60) for run in runs]
    assert ends == [-signal.SIGKILL, -signal.SIGKILL, 0]
    answers = kept(tmp_path)
    assert len(answers) == len({*answers}) == 300 and len(local.asked) == 300
    assert sum(local.asked.values()) <= 300 + 2 * AT_ONCE  # those on their way to the two that were killed
    assert pd.read_csv(tmp_path / "judged" / "mine.csv")[[*COLUMNS]].notna().all(axis=None)


def test_two_runs_at_the_same_time_ask_nothing_twice(tmp_path: Path) -> None:
    local = LocalServer(orderly, before=lambda _: time.sleep(0.005))
    with serving(local) as url:
        prepare(tmp_path, url, 100)
        assert [run.wait(60) for run in [start(tmp_path), start(tmp_path)]] == [0, 0]
    assert sum(local.asked.values()) == len(local.asked) == 300
