"""`rainbow compare`: two files of samples, item by item."""

import json
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from rainbow.cli import app


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write samples of two runs in the format of lm-evaluation-harness; the second has 15 more right, 2 wrong."""
    monkeypatch.chdir(tmp_path)
    for name, right in (("base", range(20, 60)), ("tuned", [*range(5, 58)])):
        lines = [{
            "doc_id": place,
            "target": f"the answer is {place}",
            "arguments": {"gen_args_0": {"arg_0": f"question {place}"}},
            "resps": [[f"the answer is {place if place in right else 'unknown'}"]],
            "filtered_resps": [f"the answer is {place if place in right else 'unknown'}"],
            "doc_hash": str(place),
            "exact_match": float(place in right),
        } for place in range(80)]  # fmt: skip
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return tmp_path


def test_samples_of_a_harness_are_compared_by_their_own_scores(folder: Path) -> None:
    result = run("compare", "base.jsonl", "tuned.jsonl")
    assert result.exit_code == 0, result.output
    assert "McNemar" in result.stdout and "exact_match: the second run is better" in result.stdout
    changed = pd.read_csv("analysis/compared/changed_items.csv")
    assert (changed["item"].tolist()[:2], (changed["difference"] > 0).sum()) == ([58, 59], 15)


def test_metrics_can_be_computed_for_both_and_printed_as_json(folder: Path) -> None:
    result = run("compare", "base.jsonl", "tuned.jsonl", "--metrics", "TER", "--json", "--out", "there")
    rows = {row["metric"]: row for row in json.loads(result.stdout)}
    assert (set(rows), rows["TER"]["better"], rows["TER"]["worse"]) == ({"exact_match", "TER"}, 15, 2)
    assert rows["TER"]["difference"] < 0 and Path("there/compared.csv").is_file()


def test_files_without_a_common_score_are_refused_with_what_to_do(folder: Path) -> None:
    Path("plain.csv").write_text("output,item\na text,1\nanother,2\n", "utf-8")
    assert run("compare", "plain.csv", "base.jsonl", "--output", "output").exit_code != 0
    assert run("compare", "plain.csv", "plain.csv").exception.args[0].endswith("name some, --metrics METEOR")
