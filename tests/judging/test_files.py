"""What happens to the files: judge.toml that asks what cannot be asked, answers that cannot be kept, an interrupt."""

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from rainbow.cli import app
from rainbow.judging import answer_store as of_answers
from rainbow.judging.answer_store import Answers
from tests.judging.local_server import LocalServer
from tests.judging.test_asking import ROOT, asked, no_proxy, run  # noqa: F401  # no_proxy is a fixture

pytest.importorskip("openai", reason="openai is not installed: pip install 'rainbow-nlg[judge]'")
pytestmark = pytest.mark.once

STORE = Path("judged") / "answers.sqlite"


def told(folder: Path, *words: str) -> str:
    """Return what a run that ends with a mistake says: one sentence."""
    done = run(folder, "--yes", *words)
    assert done.exit_code == 1 and isinstance(done.exception, (ValueError, OSError, RuntimeError))
    assert "\n" not in str(done.exception)
    return str(done.exception)


@pytest.mark.parametrize(("column", "message"), [
    *((name, f"[{name}]: mine.csv already has a column {name}") for name in ("id", "output", "mr", "quality", "note")),
    ("reference_2", "[reference_2]: mine.csv already has a column reference_2"),
    ("quality_1", "quality_1 is the name of a single rater"),
    ("METEOR", "METEOR is the name of a metric"),
])  # fmt: skip
def test_a_column_of_marks_overwrites_none_and_nothing_is_asked(tmp_path: Path, column: str, message: str) -> None:
    local = LocalServer()
    with asked(tmp_path, local):
        pd.read_csv(tmp_path / "mine.csv").assign(note="good").to_csv(tmp_path / "mine.csv", index=False)
        text = (tmp_path / "judge.toml").read_text()
        (tmp_path / "judge.toml").write_text(text.replace("[judge]", f"[{column}]"))
        assert f"{message}: rename the table" in told(tmp_path)
        (tmp_path / "judge.toml").write_text(text)
        pd.read_csv(tmp_path / "mine.csv").assign(judge_missing="").to_csv(tmp_path / "mine.csv", index=False)
        assert "[judge]: mine.csv already has a column judge_missing" in told(tmp_path)
    assert local.requests == 0


def test_marks_are_written_neither_over_the_input_nor_where_they_cannot_be(tmp_path: Path) -> None:
    local = LocalServer()
    with asked(tmp_path, local):
        before = (tmp_path / "mine.csv").read_bytes()
        assert "mine.csv is the judged file" in told(tmp_path, "--out", "mine.csv")
        assert "make the file and its folder writable" in told(tmp_path, "--answers", "mine.csv/answers.sqlite")
        assert "choose another place with --out" in told(tmp_path, "--out", "mine.csv/marks.csv")
        (tmp_path / "marks.csv").mkdir()
        assert "marks.csv is a folder" in told(tmp_path, "--out", "marks.csv")
    assert ((tmp_path / "mine.csv").read_bytes(), local.requests) == (before, 0)


@pytest.mark.skipif(os.geteuid() == 0, reason="whoever may do all may write anywhere")
def test_a_folder_made_read_only_between_runs_is_said_before_anything_is_asked(tmp_path: Path) -> None:
    local = LocalServer()
    with asked(tmp_path, local):
        assert run(tmp_path, "--yes", "--items", "5").exit_code == 0
        (tmp_path / "judged").chmod(0o500)
        try:
            assert "is not writable (Permission denied)" in told(tmp_path)
        finally:
            (tmp_path / "judged").chmod(0o700)
    assert local.requests == 5


def test_an_input_that_is_replaced_between_runs_is_asked_about_as_it_is_now(tmp_path: Path) -> None:
    local = LocalServer()
    with asked(tmp_path, local):
        assert run(tmp_path, "--yes").exit_code == 0
        frame = pd.read_csv(tmp_path / "mine.csv")
        frame["output"] = [*frame["output"][:20], *(f"pub number {row}" for row in range(20))]
        frame[::-1].to_csv(tmp_path / "mine.csv", index=False)
        assert run(tmp_path, "--yes").exit_code == 0
        table = pd.read_csv(tmp_path / "judged" / "mine.csv")
    assert table["output"].tolist() == frame["output"].tolist()[::-1] and table["judge"].notna().all()
    assert len(local.asked) == sum(local.asked.values()) == 60


def test_a_file_of_others_is_left_as_it_is(tmp_path: Path) -> None:
    local = LocalServer()
    with asked(tmp_path, local):
        for name, table in {
            "foreign": "CREATE TABLE places (url TEXT)",
            "alike": "CREATE TABLE answers (id INTEGER PRIMARY KEY, text TEXT)",
        }.items():
            with sqlite3.connect(tmp_path / name) as file:
                file.execute(table)
            file.close()
            before = (tmp_path / name).read_bytes()
            assert f"{name} is not a file of answers" in told(tmp_path, "--answers", name)
            assert (tmp_path / name).read_bytes() == before
        (tmp_path / "text").write_text("What is this?" * 100)
        assert "choose another file with --answers" in told(tmp_path, "--answers", "text")
    assert local.requests == 0


def test_a_damaged_page_is_said_with_what_to_do(tmp_path: Path) -> None:
    local = LocalServer()
    with asked(tmp_path, local):
        assert run(tmp_path, "--yes").exit_code == 0
        whole = (tmp_path / STORE).read_bytes()
        pages = len(whole) // 4096
        for page in range(1, pages):
            damaged = bytearray(whole)
            damaged[page * 4096 : page * 4096 + 100] = b"\xff" * 100
            (tmp_path / STORE).write_bytes(damaged)
            assert "is damaged" in (said := told(tmp_path)) and "move it away to ask everything again" in said
    assert local.requests == 40


def test_an_answer_that_was_damaged_is_asked_for_again(tmp_path: Path) -> None:
    local = LocalServer()
    with asked(tmp_path, local):
        assert run(tmp_path, "--yes").exit_code == 0
        first = (tmp_path / "judged" / "mine.csv").read_bytes()
        with sqlite3.connect(tmp_path / STORE) as file:
            file.execute("UPDATE answers SET answer = substr(answer, 1, 50) WHERE rowid = 3")
            file.execute("UPDATE answers SET answer = CAST(x'ff00fe' AS TEXT) WHERE rowid = 4")
            file.execute("UPDATE answers SET answer = NULL WHERE rowid = 5")
        file.close()
        assert run(tmp_path, "--yes").exit_code == 0
    assert (local.requests, (tmp_path / "judged" / "mine.csv").read_bytes()) == (43, first)


def test_answers_that_an_earlier_version_kept_are_marks_or_have_a_reason(tmp_path: Path) -> None:
    """They were kept before they were read."""
    with asked(tmp_path, LocalServer(lambda _: {"choices": [{"message": {}}]}), 6, about='read = "text"'):
        assert run(tmp_path, "--yes").exit_code == 0
    odd = ['{"choices": "abc"}', '{"choices": [null]}', '{"choices": [{"message": "4"}], "usage": "much"}', "[]", "4"]
    with sqlite3.connect(tmp_path / STORE) as file:
        for row, answer in enumerate(odd, start=1):
            file.execute("UPDATE answers SET answer = ? WHERE rowid = ?", (answer, row))
    file.close()
    done = run(tmp_path, "--yes")  # the server is not there any more
    assert done.exit_code == 0, done.exception
    table = pd.read_csv(tmp_path / "judged" / "mine.csv")
    found = table["judge_missing"].value_counts().to_dict()
    assert found == {"the response is not a valid chat completion": 5, "the answer is empty": 1}


def test_a_disk_that_is_almost_full_is_said_before_a_question_is_paid_for(tmp_path, monkeypatch) -> None:
    local = LocalServer()
    with asked(tmp_path, local):
        monkeypatch.setattr(of_answers, "ROOM", 1 << 60)
        said = told(tmp_path)
        assert (
            "MB are free for judged/answers.sqlite: free space on its disk, then run the same command to resume"
        ) in said
        assert local.requests == 0
        monkeypatch.undo()
        assert run(tmp_path, "--yes").exit_code == 0
    assert local.requests == 40


COMMAND = [sys.executable, "-m", "rainbow", "judge", "mine.csv", "--rating", "quality", "--yes"]


def test_what_cannot_be_written_ends_the_run_in_one_sentence_and_the_next_goes_on(tmp_path: Path) -> None:
    """A limit on the size of files, which no look at the disk foretells."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    local = LocalServer()
    environment = os.environ | {"PYTHONPATH": str(ROOT), "NO_PROXY": "127.0.0.1", "PYTHONDONTWRITEBYTECODE": "1"}
    with asked(tmp_path, local, 200):
        done = subprocess.run(
            COMMAND, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, preexec_fn=limit
        )
        assert done.returncode == 1
        assert "free space on its disk, then run the same command to resume" in done.stderr.splitlines()[-1]
        assert "Traceback" not in done.stderr
        with Answers(tmp_path / STORE), sqlite3.connect(tmp_path / STORE) as file:
            ((kept,),) = file.execute("SELECT count(*) FROM answers").fetchall()
        file.close()
        assert 0 < kept <= local.requests <= kept + 4 and run(tmp_path, "--yes").exit_code == 0
    assert len(local.asked) == 200 and sum(local.asked.values()) <= 200 + 4


def test_an_interrupt_waits_a_little_for_what_is_paid_for_and_no_longer(tmp_path: Path) -> None:
    """Three questions are answered soon after it, one never."""
    local = LocalServer()

    def slowly(number: int) -> None:
        if number == 10:
            process.send_signal(signal.SIGINT)
            time.sleep(60)
        elif number > 7:
            time.sleep(0.3)

    local.before = slowly
    environment = os.environ | {"PYTHONPATH": str(ROOT), "NO_PROXY": "127.0.0.1"}
    with asked(tmp_path, local):
        process = subprocess.Popen(COMMAND, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
        start = time.monotonic()
        _, said = process.communicate(timeout=40)
        assert process.returncode == 130 and time.monotonic() - start < 30
        assert "answers are saved in judged/answers.sqlite; run the same command to resume" in said.splitlines()[-1]
        assert "Traceback" not in said and "never retrieved" not in said
        answered = sum(local.asked.values())
        local.before = lambda _: None
        assert run(tmp_path, "--yes").exit_code == 0
    assert answered >= 9 and sum(local.asked.values()) == len(local.asked) == 40


def test_a_redirect_is_not_followed_and_is_said(tmp_path: Path) -> None:
    elsewhere, local = LocalServer(), LocalServer()
    from tests.judging.local_server import serving
    from tests.judging.odd_answers import sent

    with serving(elsewhere) as other, asked(tmp_path, local, 2):
        for status in (301, 307):
            local.answer = lambda _, status=status: (
                lambda handler: sent(  # type: ignore[misc,assignment]
                    handler, status, b"", Location=f"{other}/chat/completions"
                )
            )
            done = run(tmp_path, "--yes")
            assert done.exit_code == 0, done.exception
            reasons = pd.read_csv(tmp_path / "judged" / "mine.csv")["judge_missing"]
            assert set(reasons) == {
                f"the server returned {status} and redirects to {other}/chat/completions: redirects are not followed"
            }
    assert elsewhere.requests == 0


def test_negative_tokens_are_no_credit_to_a_budget(tmp_path: Path) -> None:
    def crediting(body: dict[str, object]) -> dict[str, object]:
        from tests.judging.local_server import usual

        return usual(body) | {"usage": {"total_tokens": -(10**6)}}

    with asked(tmp_path, LocalServer(crediting)):
        assert run(tmp_path, "--yes", "--budget", "2000").exit_code == 0
    assert json.loads((tmp_path / "judged" / "mine.json").read_text())["tokens"] == 0


@pytest.mark.parametrize("key", ["short key", "abc", "schlüssel-123", "sk-12\n"])
def test_what_is_no_key_is_not_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("THE_KEY", key)
    monkeypatch.chdir(tmp_path)
    local = LocalServer()
    with asked(tmp_path, local, more='key = "THE_KEY"'):
        done = CliRunner().invoke(app, ["judge", "mine.csv", "--yes"])
    assert "THE_KEY is not a valid key" in str(done.exception) and key not in str(done.exception)
    assert local.requests == 0
