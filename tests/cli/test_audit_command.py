"""`rainbow audit`: what a user types, what is printed and written, and the exit status."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

import rainbow
from rainbow.audit.audit import COLUMNS, audit_metrics
from rainbow.audit.perturbations import PERTURBATIONS
from rainbow.cli.audit import add_to
from rainbow.corpus import Corpus
from rainbow.datasets import load_dataset


class Words:
    """Stands in for a model: more words are better."""

    def predict(self, corpus: Corpus) -> np.ndarray:
        return np.array([len(text.split()) for text in corpus.frame["output"]], dtype=float)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Run `audit ARGUMENTS` in an empty folder, expect an exit status, and give what is printed or raised."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    app.callback()(lambda: None)
    add_to(app)

    def run_command(*arguments: str, status: int = 0) -> str:
        result = CliRunner().invoke(app, ["audit", *arguments])
        assert result.exit_code == status, result.output
        return f"{result.output}{result.exception or ''}"

    return run_command


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str | None]]:
    """Let `rainbow.Scorer` know the model `words`, and tell what it was asked for."""
    asked: list[tuple[str, str | None]] = []

    def scorer(name: str, *, rating: str) -> SimpleNamespace:
        asked.append((name, rating))
        if name not in ("words", "words.rainbow"):
            raise ValueError(f"there is no model {name!r}")
        return SimpleNamespace(model=Words())

    monkeypatch.setattr(rainbow, "Scorer", scorer, raising=False)
    return asked


def test_a_metric_has_a_line_for_each_kind_and_a_verdict(run: Callable[..., str]) -> None:
    kinds = ["dropped-slot", "truncated", "unrelated-sentence"]
    header, *lines, blind, weak, about = run("BLEU4", "demo", "--kinds", ",".join(kinds)).splitlines()
    table = audit_metrics(load_dataset("demo"), "BLEU4", kinds=kinds)
    assert header.split() == ["BLEU4", "texts", "falls", "95", "%", "interval", "mean", "change"]
    shares = [f"{100 * share:.1f}" for share in table["falls"]]
    for line, kind, n, share in zip(lines, kinds, table["n"], shares, strict=True):
        assert line.split()[:3] == [kind, str(n), share]
    assert blind == f"falls below 80 %: dropped-slot ({shares[0]} %)"
    assert weak == f"falls below 95 %, not below 80 %: truncated ({shares[1]} %)"
    assert about == "1038 outputs of demo, seed 2017"


def test_a_metric_without_direction_says_what_a_fall_is(run: Callable[..., str]) -> None:
    printed = run("len", "--kinds", "empty", "--limit", "20")
    assert "falls for at least 95 % of the texts of every kind" in printed
    assert "a fall is a lower number" in printed


def test_a_model_is_audited_by_its_name(run: Callable[..., str], models: list[tuple[str, str | None]]) -> None:
    printed = run("words", "--kinds", "empty, length-padding")
    assert models == [("words", "quality")]
    assert "falls below 80 %: length-padding (0.0 %)" in printed
    run("words.rainbow", "--rating", "naturalness", "--kinds", "empty")
    assert models[-1] == ("words.rainbow", "naturalness")


def test_the_table_is_written_where_asked(run: Callable[..., str], models: object, tmp_path: Path) -> None:
    printed = run("words", "--kinds", "empty,truncated", "--limit", "50", "--out", "tables/audit.csv")
    assert "50 outputs of demo, seed 2017: tables/audit.csv" in printed
    table = pd.read_csv(tmp_path / "tables" / "audit.csv")
    assert tuple(table) == COLUMNS
    assert table["kind"].tolist() == ["empty", "truncated"]
    assert table["falls"].tolist() == [1.0, 1.0]


def test_json_has_the_table_and_the_weak_kinds(run: Callable[..., str]) -> None:
    report = json.loads(run("len", "--limit", "30", "--seed", "3", "--json"))
    assert (report["model"], report["rows"], report["seed"]) == ("len", 30, 3)
    assert [line["kind"] for line in report["kinds"]] == list(PERTURBATIONS)
    assert "length-padding" in report["weak"][0]["below_80"]
    assert set(report["weak"][0]["below_80"]) <= set(report["weak"][0]["below_95"])


def test_references_can_be_perturbed_instead_of_outputs(run: Callable[..., str]) -> None:
    items = load_dataset("demo").frame["item"].nunique()
    assert f"{items} references of demo" in run("BLEU1", "--texts", "references", "--kinds", "empty")


def test_a_file_of_ones_own_needs_no_meaning_representations(run: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("output,references\nthe inn is cheap,the inn is cheap\n")
    printed = run("TER", "mine.csv", "--kinds", "dropped-slot,empty")
    lines = [line.split() for line in printed.splitlines()]
    assert lines[1] == ["dropped-slot", "0", "-", "-", "-"]
    assert lines[2][:3] == ["empty", "1", "100.0"]
    assert "no text could be perturbed" in run("TER", "mine.csv", "--kinds", "mr-copied")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["BLEU4", "--kinds", "emty"], 2, "did you mean empty?"),
        (["BLEU4", "--texts", "sources"], 2, "neither outputs nor references"),
        (["BLEU4", "--rating", "quality"], 2, "it predicts no rating"),
        (["BLEU4", "--limit", "0"], 2, "--limit"),
        (
            ["BLUE4"],
            1,
            "no metric 'BLUE4': did you mean bleu4? `rainbow list` shows them all; nor is it a model: there",
        ),
        (["my.model"], 1, "there is no model 'my.model'"),
        (["BLEU4", "nowhere"], 1, "there is no dataset 'nowhere'"),
    ],
)
def test_mistakes_are_told(
    run: Callable[..., str], models: object, arguments: list[str], status: int, message: str
) -> None:
    assert message in " ".join(run(*arguments, status=status).split())


def test_help_names_every_kind_and_has_examples(run: Callable[..., str]) -> None:
    printed = run("--help")
    assert all(f"\n    {kind} " in printed for kind in PERTURBATIONS)
    assert "\n    rainbow audit METEOR sfhotel --kinds dropped-slot,wrong-value\n" in printed
