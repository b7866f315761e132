"""`rainbow audit --words`: what it prints, and the table that it leaves for the report."""

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from rainbow import Scorer
from rainbow.audit.word_changes import COLUMNS
from rainbow.cli import app

MODEL, MR = "quality-fast", "inform(name='the inn',area=soma)"
TEXT = "the inn is in soma soma"
TABLE = Path("analysis/mine/word_changes.csv")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Run `audit --words ARGUMENTS` beside mine.csv, expect an exit status, and give what is printed or raised."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    Path("mine.csv").write_text("output,reference,mr\n" + f'{TEXT},the inn is in soma,"{MR}"\n' * 6)

    def run_command(*arguments: str, status: int = 0) -> str:
        result = CliRunner().invoke(app, ["audit", "--words", *arguments])
        assert result.exit_code == status, result.output
        return f"{result.output}{result.exception or ''}"

    return run_command


def test_the_words_that_change_a_model_most_are_printed_and_all_are_saved(run: Callable[..., str]) -> None:
    printed, table = run(MODEL, "mine.csv"), pd.read_csv(TABLE)
    assert (list(table), table["word"].tolist()) == (["metric", *COLUMNS], TEXT.split() * 6)
    whole, without = Scorer(MODEL)([TEXT, "the inn is in soma"], ([["the inn is in soma"]] * 2), [MR, MR])
    assert table["change"].iloc[5] == pytest.approx(whole - without) and f"words that raise {MODEL}" in printed
    assert printed.splitlines()[-1] == f"6 outputs of mine.csv, one row per word: {TABLE}"


def test_further_scores_stand_beside_those_before_and_the_same_is_replaced(run: Callable[..., str]) -> None:
    for name in ("METEOR", "BLEU", "METEOR"):
        run(name, "mine.csv")
    counts = pd.read_csv(TABLE)["metric"].value_counts()
    assert counts.to_dict() == dict.fromkeys(["METEOR", "BLEU1", "BLEU2", "BLEU3", "BLEU4"], 6 * 6)


def test_json_has_the_words_of_every_column(run: Callable[..., str]) -> None:
    told = json.loads(run("TER", "mine.csv", "--json", "--out", "here.csv"))
    assert told["dataset"] == "mine.csv" and told["file"] == "here.csv"
    assert {word["word"]: word["outputs"] for word in told["words"]["TER"]} == dict.fromkeys(TEXT.split(), 6)
    assert not TABLE.exists()


def test_outputs_without_a_score_are_counted(run: Callable[..., str]) -> None:
    Path("bare.csv").write_text("output\nan inn\na pub\n")
    assert "TER: 2 of 2 outputs without a score" in run("TER", "bare.csv")


def test_what_is_neither_metric_nor_model_is_named(run: Callable[..., str]) -> None:
    assert "unknown metric 'nosuch'" in run("nosuch", "mine.csv", status=1)


def test_scores_of_others_cannot_be_explained(run: Callable[..., str]) -> None:
    assert "judge is an external score" in run("judge", "mine.csv", "--score", "judge:higher", status=1)


def test_texts_are_not_written_into_a_file_that_a_browser_opens(run: Callable[..., str], tmp_path: Path) -> None:
    printed = run("TER", "mine.csv", "--out", "x.html", status=1)
    assert printed.endswith("x.html: tables are written as CSV: use the name x.csv")
    assert not (tmp_path / "x.html").exists()
