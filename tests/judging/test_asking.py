"""A local server is asked, with all that servers do: too busy, broken down, without probabilities, gone."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from rainbow import load_dataset
from rainbow.cli import app
from rainbow.judging.answer_store import Answers
from tests.judging.local_server import LocalServer, chance_of, completion, serving, usual

pytest.importorskip("openai", reason="openai is not installed: pip install 'rainbow-nlg[judge]'")
pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[2]
TEMPLATE = "How good is it, from {low} to {high}? {output}"
KEY = "sk-0123456789"


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")


@contextmanager
def asked(folder: Path, local: LocalServer, rows: int = 40, more: str = "", about: str = "") -> Iterator[str]:
    """Serve, with a file of so many different outputs, and a judge.toml that asks for a mark of each."""
    frame = pd.DataFrame({"output": [f"inn number {row}" for row in range(rows)], "item": range(rows)})
    frame.assign(system="A", quality=[1 + row % 6 for row in range(rows)]).to_csv(folder / "mine.csv", index=False)
    (folder / "mine.txt").write_text(TEMPLATE)
    with serving(local) as url:
        text = f'model = "small"\nurl = "{url}"\n{more}\n[judge]\ntemplate = "mine.txt"\nrating = "quality"\n{about}\n'
        (folder / "judge.toml").write_text(text)
        yield url


def run(folder: Path, *words: str) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return CliRunner().invoke(app, ["judge", "mine.csv", "--rating", "quality", *words])


def expected(rows: int = 40) -> list[float]:
    """Return the marks that the usual server's probabilities come to."""
    texts = [TEMPLATE.format(low=1, high=6, output=f"inn number {row}") for row in range(rows)]
    found = [{int(mark): chance for mark, chance in chance_of(text).items() if mark != "The"} for text in texts]
    return [sum(mark * chance for mark, chance in each.items()) / 0.9 for each in found]


def test_marks_are_saved_and_the_next_command_puts_them_on_trial(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("THE_KEY", KEY)
    local = LocalServer()
    with asked(tmp_path, local, more='key = "THE_KEY"'):
        done = run(tmp_path, "--yes")
    assert done.exit_code == 0, done.output
    np.testing.assert_allclose(pd.read_csv(tmp_path / "judged" / "mine.csv")["judge"], expected(), atol=1e-12)
    assert local.keys == {f"Bearer {KEY}"}
    assert not any(KEY.encode() in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    about = json.loads((tmp_path / "judged" / "mine.json").read_text())["columns"]["judge"]
    assert "model:small|template:mine.txt" in about["signature"]
    command = done.output.splitlines()[-1]
    assert command == ("rainbow analyse mine.csv --rating quality --score judge:higher=quality --join judged/mine.csv")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, [*command.split()[1:], "--resamples", "20"])
    assert done.exit_code == 0, done.output
    assert set(pd.read_csv(tmp_path / "analysis" / "mine" / "best_metrics.csv")["metric"].dropna()) == {"judge"}


def test_faults_are_asked_again_and_no_question_is_lost(tmp_path: Path) -> None:
    local = LocalServer(faults=lambda number: 429 if number % 17 == 0 else 500 if number % 23 == 0 else None)
    with asked(tmp_path, local, 400):
        done = run(tmp_path, "--yes")
    assert done.exit_code == 0, done.output
    np.testing.assert_allclose(pd.read_csv(tmp_path / "judged" / "mine.csv")["judge"], expected(400), atol=1e-12)
    assert len(local.asked) == sum(local.asked.values()) == 400 and local.requests > 430


def test_a_killed_run_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    """A question is asked again only if the process was killed before its answer was there: at most `at_once`."""
    process: subprocess.Popen[bytes] | None = None
    moment = random.Random().randrange(40, 360)

    def kill(number: int) -> None:
        if number == moment and process is not None:
            process.send_signal(signal.SIGKILL)
            process.wait()

    local = LocalServer(before=kill)
    with asked(tmp_path, local, 400):
        command = [sys.executable, "-m", "rainbow", "judge", "mine.csv", "--rating", "quality", "--yes"]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert process.wait(60) == -signal.SIGKILL
        while local.open:
            time.sleep(0.01)
        assert not (tmp_path / "judged" / "mine.csv").exists()
        kept, before = answered(tmp_path / "judged" / "answers.sqlite"), local.asked.copy()
        assert len(kept) >= moment - 4
        done = run(tmp_path, "--yes")
        assert done.exit_code == 0, done.output
        assert "400 requests" in done.output and f"{len(kept)} already answered" in done.output
        again = local.asked - before
        assert not kept & again.keys()  # by the server's own count
        assert len(kept) + sum(again.values()) == 400 and sum(local.asked.values()) <= 400 + 4
        np.testing.assert_allclose(pd.read_csv(tmp_path / "judged" / "mine.csv")["judge"], expected(400), atol=1e-12)
        total = local.requests
        assert run(tmp_path, "--yes").exit_code == 0
        assert local.requests == total  # a run that is whole asks nothing


def answered(path: Path) -> set[str]:
    """Return the requests that have an answer, as the server counts them."""
    with sqlite3.connect(path) as file:
        return {json.dumps(json.loads(row), sort_keys=True) for (row,) in file.execute("SELECT request FROM answers")}


def test_a_server_without_probabilities_is_named_after_one_question(tmp_path: Path) -> None:
    local = LocalServer(lambda body: completion({**body, "logprobs": False}, {"4": 1.0}))
    with asked(tmp_path, local) as url:
        done = run(tmp_path, "--yes")
        assert f'{url} returns no probabilities (logprobs) for small: set read = "text" under [judge]' in str(
            done.exception
        )
        assert local.requests == 1
        (tmp_path / "judge.toml").write_text((tmp_path / "judge.toml").read_text() + 'read = "text"\n')
        assert run(tmp_path, "--yes").exit_code == 0
    assert set(pd.read_csv(tmp_path / "judged" / "mine.csv")["judge"]) == {4}


def test_what_is_not_answered_is_missing_with_its_reason(tmp_path: Path) -> None:
    def answer(body: dict[str, Any]) -> dict[str, Any]:
        text = body["messages"][0]["content"]
        return completion(body, {"The": 0.8, "4": 0.2}) if text.endswith("number 7") else usual(body)

    too_long = LocalServer(answer, faults=lambda number: 400 if number == 3 else None)
    with asked(tmp_path, too_long, more="at_once = 1"):
        done = run(tmp_path, "--yes")
    assert done.exit_code == 0, done.output
    table = pd.read_csv(tmp_path / "judged" / "mine.csv")
    missing = table[table["judge"].isna()].set_index("output")["judge_missing"].to_dict()
    assert missing["inn number 7"] == "ratings have less than 0.5 of the probability"
    assert missing["inn number 2"].startswith("the server returned 400") and len(missing) == 2


@pytest.mark.parametrize("status", [401, 404])
def test_a_server_that_is_of_no_use_is_asked_no_further(tmp_path, monkeypatch, status) -> None:
    monkeypatch.setenv("THE_KEY", "fault")  # as if the message held the key
    local = LocalServer(faults=lambda _: status)
    with asked(tmp_path, local, more='key = "THE_KEY"'):
        done = run(tmp_path, "--yes")
    assert f"returned {status}" in str(done.exception) and "fault" not in str(done.exception) and local.requests == 1


def test_a_server_that_goes_away_leaves_what_was_answered(tmp_path: Path) -> None:
    with asked(tmp_path, LocalServer(), 10, more="retries = 0"):
        assert run(tmp_path, "--yes", "--items", "5").exit_code == 0
    done = run(tmp_path, "--yes")
    assert "does not respond" in str(done.exception) and "run the same command to resume" in str(done.exception)
    with Answers(tmp_path / "judged" / "answers.sqlite"):
        assert len(answered(tmp_path / "judged" / "answers.sqlite")) == 5


def test_tokens_are_estimated_before_and_kept_within_the_budget(tmp_path: Path) -> None:
    local = LocalServer()
    with asked(tmp_path, local):
        assert "rainbow: " not in run(tmp_path, "--dry-run").output and local.requests == 0
        done = run(tmp_path, "--budget", "100")
        assert "tokens are needed but the budget is 100" in str(done.exception)
        assert run(tmp_path).exit_code == 1  # it asks, and nobody says yes
        assert local.requests == 0
        local.answer = lambda body: usual(body) | {"usage": {"total_tokens": 400}}
        done = run(tmp_path, "--budget", "4000", "--yes")
        assert "the budget of 4,000 tokens is exhausted" in str(done.exception) and 9 <= local.requests <= 14
        done = run(tmp_path, "--budget", "40000", "--yes")
        assert done.exit_code == 0
    assert len(local.asked) == sum(local.asked.values()) == 40


def test_requests_are_no_more_than_so_many_a_minute(tmp_path: Path) -> None:
    times: list[float] = []
    local = LocalServer(
        faults=lambda number: 429 if number == 4 else None, before=lambda _: times.append(time.monotonic())
    )
    with asked(tmp_path, local, 9, more="requests_per_minute = 1200"):
        assert run(tmp_path, "--yes").exit_code == 0
    assert len(times) == 10 and max(times) - min(times) > 8.5 * 0.05


def test_answers_of_equal_outputs_are_not_joined_to_other_rows_in_silence(tmp_path: Path) -> None:
    local = LocalServer()
    with asked(tmp_path, local):
        pd.DataFrame({"output": ["Yes."] * 2, "gold": ["yes .", "no ."], "quality": [6, 1]}).to_csv(
            tmp_path / "mine.csv", index=False
        )
        (tmp_path / "mine.txt").write_text("{output} {references} {low} {high}")
        done = run(tmp_path, "--yes")
        assert "judge of 1 rows may be joined to other equal rows: add an id column to mine.csv" in done.output
        pd.read_csv(tmp_path / "mine.csv").assign(id=["a", "b"]).to_csv(tmp_path / "mine.csv", index=False)
        assert "beware" not in run(tmp_path, "--yes").output


def test_two_outputs_are_compared_by_a_server(tmp_path: Path) -> None:
    """The server likes the longer text, and the first a little."""

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        first, second = body["messages"][0]["content"].split("\nText ")[1:]
        longer = len(first) > len(second.split("\n")[0])
        return completion(body, {"A": 0.7, "B": 0.3} if longer else {"B": 0.6, "A": 0.4})

    with asked(tmp_path, LocalServer(answer)) as url:
        load_dataset("demo").frame.head(30)[["id", "system", "item", "mr", "output", "quality"]].to_csv(
            tmp_path / "mine.csv", index=False
        )
        (tmp_path / "judge.toml").write_text(f'model = "small"\nurl = "{url}"\n[better]\ntemplate = "preference"\n')
        done = run(tmp_path, "--yes")
    assert done.exit_code == 0, done.output
    assert "the answer changes with the order in" in done.output
    table = pd.read_csv(tmp_path / "judged" / "mine.csv")
    longest = table.loc[table.groupby("item")["output"].transform(lambda texts: texts.str.len()).argmax()]
    assert longest["better"] > 0.6 and "--score better:higher --join" in done.output


@pytest.mark.slow
def test_smollm2_is_asked_and_is_no_judge(tmp_path: Path) -> None:
    from scripts.text_vectors import loaded, missing_vectors

    if lacking := missing_vectors():
        pytest.skip(lacking)
    import torch

    tokenizer, model = loaded("AutoTokenizer"), loaded("AutoModelForCausalLM", dtype="float32").eval()

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        prompt = tokenizer.apply_chat_template(body["messages"], add_generation_prompt=True, tokenize=False)
        with torch.inference_mode():
            logits = model(**tokenizer(prompt, return_tensors="pt")).logits[0, -1]
        chances, tokens = logits.softmax(-1).topk(body["top_logprobs"])
        return completion(body, dict(zip(map(tokenizer.decode, tokens), chances.tolist(), strict=True)))

    with asked(tmp_path, LocalServer(answer), 1, more="at_once = 1", about="least_mass = 0") as url:
        load_dataset("demo").frame.head(8)[["id", "system", "item", "mr", "output", "quality"]].to_csv(
            tmp_path / "mine.csv", index=False
        )
        text = f'model = "SmolLM2-135M"\nurl = "{url}"\nat_once = 1\n'
        free = '[judge]\ntemplate = "quality"\nrating = "quality"\nleast_mass = 0\n'
        (tmp_path / "judge.toml").write_text(text + free + '[strict]\ntemplate = "quality"\n')
        done = run(tmp_path, "--yes")
    assert done.exit_code == 0, done.output
    table = pd.read_csv(tmp_path / "judged" / "mine.csv")
    assert table["judge"].between(1, 6).all()
    assert table["judge"].std() < 0.5  # whatever it is shown, it says the same
    assert table["strict"].isna().all()
