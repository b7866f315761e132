"""`rainbow list` and `rainbow list METRIC`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from rainbow.cli import app


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["list", *words])


def test_the_list_has_a_sentence_for_every_metric() -> None:
    assert all(entry["plain"].endswith(".") for entry in json.loads(run("--json").stdout))
    assert "Edits per reference word that turn the output into the nearest reference" in " ".join(run().stdout.split())


def test_one_metric_has_its_definition_source_cost_and_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAINBOW_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    text = run("TER").stdout
    for told in ("Translation edit rate", "Source: Snover", "Needs: references", "Checked against sacrebleu", "Cost: "):
        assert told in text
    assert "lower" in text and "no rated dataset available" in text


def test_agreement_with_people_is_that_of_the_data_at_hand(data_dir, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    monkeypatch.chdir(tmp_path)
    about = json.loads(run("ter", "--json").stdout)
    lines = {(line["dataset"], line["rating"]): line for line in about["agreement"]}
    assert {"sfhotel", "sfrest", "bagel"} <= {dataset for dataset, _ in lines}
    assert (len(lines), lines["bagel", "quality"]["n"]) == (len(about["agreement"]), 404)
    assert -0.3 < lines["bagel", "quality"]["low"] < lines["bagel", "quality"]["r"] < 0
    assert 0 < about["seconds_per_row"] < 0.1


def test_an_unknown_metric_is_a_wrong_use_that_names_the_nearest() -> None:
    done = run("BLUE4")
    assert done.exit_code == 2 and "did you mean bleu4?" in done.output
