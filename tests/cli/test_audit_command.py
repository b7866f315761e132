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
from rainbow.audit.search.random_search import COLUMNS as FOUND
from rainbow.cli.scorers.audit import add_to
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
    assert weak == f"drops below 95 %, not below 80 %: truncated ({shares[1]} %)"
    assert about == "1038 outputs of demo, seed 2017"


def test_a_metric_without_direction_says_what_a_fall_is(run: Callable[..., str]) -> None:
    printed = run("len", "--kinds", "empty", "--rows", "20")
    assert "drops for at least 95 % of the texts of every kind" in printed and "a drop is a lower value" in printed


def test_a_model_is_audited_by_its_name(run: Callable[..., str], models: list[tuple[str, str | None]]) -> None:
    printed = run("words", "--kinds", "empty, length-padding")
    assert models == [("words", "quality")] and "falls below 80 %: length-padding (0.0 %)" in printed
    run("words.rainbow", "--rating", "naturalness", "--kinds", "empty")
    assert models[-1] == ("words.rainbow", "naturalness")


def test_the_table_is_written_where_asked(run: Callable[..., str], models: object, tmp_path: Path) -> None:
    printed = run("words", "--kinds", "empty,truncated", "--rows", "50", "--out", "tables/audit.csv")
    assert "50 outputs of demo, seed 2017: tables/audit.csv" in printed
    table = pd.read_csv(tmp_path / "tables" / "audit.csv")
    assert (tuple(table), table["kind"].tolist()) == (COLUMNS, ["empty", "truncated"])
    assert table["falls"].tolist() == [1.0, 1.0]


def test_json_has_the_table_and_the_weak_kinds(run: Callable[..., str]) -> None:
    report = json.loads(run("len", "--rows", "30", "--seed", "3", "--json"))
    assert (report["model"], report["rows"], report["seed"]) == ("len", 30, 3)
    assert [line["kind"] for line in report["kinds"]] == list(PERTURBATIONS)
    assert "length-padding" in report["weak"][0]["below_80"]
    assert set(report["weak"][0]["below_80"]) <= set(report["weak"][0]["below_95"])


def test_references_can_be_perturbed_instead_of_outputs(run: Callable[..., str]) -> None:
    items = load_dataset("demo").frame["item"].nunique()
    assert f"{items} references of demo" in run("BLEU1", "--texts", "references", "--kinds", "empty")


def test_a_file_of_ones_own_needs_no_meaning_representations(run: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("output,references\nthe inn is cheap,the inn is cheap\n")
    lines = [line.split() for line in run("TER", "mine.csv", "--kinds", "dropped-slot,empty").splitlines()]
    assert (lines[1], lines[2][:3]) == (["dropped-slot", "0", "-", "-", "-"], ["empty", "1", "100.0"])
    assert "no text could be perturbed" in run("TER", "mine.csv", "--kinds", "mr-copied")


def test_a_search_prints_shares_and_leaves_what_it_found_for_the_report(run: Callable[..., str]) -> None:
    header, *lines, last = run("len", "--search", "--items", "3", "--evaluations", "480").splitlines()
    assert header.split() == ["len", "found", "above", "inputs", "of", "them", "95", "%", "interval"]
    assert lines[0].split()[:4] == ["plain", "worst", "3", "100.0"]
    assert sum("the references" in line for line in lines) == 3
    assert last == "480 texts scored per input and strategy, seed 2017, demo: analysis/demo/audit_found.csv"
    found, summary = (pd.read_csv(f"analysis/demo/audit_{name}.csv") for name in ("found", "search"))
    assert tuple(found) == ("metric", *FOUND)
    assert summary["metric"].tolist() == ["len"] * 6


def test_what_was_found_for_other_metrics_stays_and_the_same_metric_is_replaced(run: Callable[..., str]) -> None:
    for name in ("len", "SE", "len"):
        run(name, "--search", "--items", "2", "--evaluations", "48")
    found = pd.read_csv("analysis/demo/audit_found.csv", keep_default_na=False)
    assert found["metric"].tolist() == ["SE"] * 4 + ["len"] * 4
    assert pd.read_csv("analysis/demo/audit_search.csv")["metric"].tolist() == ["SE"] * 6 + ["len"] * 6


def test_a_model_is_searched_by_its_name(run: Callable[..., str], models: list[tuple[str, str | None]]) -> None:
    report = json.loads(run("words.rainbow", "--search", "--items", "2", "--evaluations", "96", "--json"))
    assert (report["dataset"], report["seed"], report["evaluations"]) == ("demo", 2017, 96)
    assert {line["metric"] for line in report["found"]} == {"words"}
    assert all(line["score"] == len(line["text"].split()) for line in report["found"])
    assert [line["baseline"] for line in report["shares"]] == ["worst", "median", "best"] * 2


def test_a_search_without_references_stands_beside_outputs(run: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("output,item\nthe inn is cheap,1\nan inn,1\n")
    printed = run("len", "mine.csv", "--search", "--evaluations", "480", "--out", "found.csv")
    assert "the outputs 5.000 (worst), 9.000 (median), 13.00 (best)" in printed
    assert pd.read_csv(tmp_path / "found.csv")["compared_with"].tolist() == ["outputs"] * 2
    assert not (tmp_path / "analysis").exists()


@pytest.mark.parametrize(("arguments", "status", "message"), [
    (["BLEU4", "--search", "--kinds", "empty"], 2, "has no effect with --search"),
    (["BLEU4", "--search", "--texts", "references"], 2, "has no effect with --search"),
    (["BLEU4", "--items", "3"], 2, "needs --search"),
    (["BLEU4", "--kinds", "emty"], 2, "did you mean empty?"),
    (["BLEU4", "--texts", "sources"], 2, "is not one of outputs, references"),
    (["BLEU4", "--rating", "quality"], 2, "and does not predict ratings"),
    (["BLEU4", "--rows", "0"], 2, "--rows"),
    (["BLUE4"], 1,
     "unknown metric 'BLUE4': did you mean bleu4? run `rainbow list` to see all metrics, and it is not a "
     "model either: there is no"),
    (["my.model"], 1, "there is no model 'my.model'"),
    (["BLEU4", "nowhere"], 1, "unknown dataset 'nowhere'"),
])  # fmt: skip
def test_mistakes_are_told(run, models, arguments, status, message) -> None:
    assert message in " ".join(run(*arguments, status=status).split())


def test_help_names_every_kind_and_has_examples(run: Callable[..., str]) -> None:
    printed = run("--help")
    assert all(f"\n    {kind} " in printed for kind in PERTURBATIONS)
    assert "\n    rainbow audit METEOR sfhotel --kinds dropped-slot,wrong-value\n" in printed
