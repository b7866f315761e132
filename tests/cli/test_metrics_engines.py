"""`rainbow metrics` on a cluster, as far as it goes without one."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from rainbow.base import ray_tasks
from rainbow.cli import app
from rainbow.scoring.saved_scores import load_scores
from tests.scoring.stream.tables import table


def run(*arguments: str):
    return CliRunner().invoke(app, ["metrics", *arguments])


def test_without_ray_one_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ray_tasks, "find_spec", lambda name: None)
    found = run("demo", "--engine", "ray", "--metrics", "len", "--out", str(tmp_path / "out.parquet"))
    assert str(found.exception) == "Ray is not installed: pip install 'rainbow-nlg[ray]'"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("option", "told"), [
    (["--address", "auto"], "--engine ray"), (["--engine", "ray", "--workers", "2"], "omit this option")
])  # fmt: skip
def test_options_that_do_not_go_together_are_refused(option: list[str], told: str) -> None:
    found = run("demo", *option)
    assert found.exit_code == 2 and told in " ".join(found.output.split())


def test_from_a_pattern_into_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        table(10).to_csv(tmp_path / f"{name}.csv", index=False)
    assert (run("*.csv", "--metrics", "len", "--out", "out/").exit_code, len(load_scores("out"))) == (0, 20)
    assert "has a finished table" in str(run("*.csv", "--metrics", "len", "--out", "out").exception)
    assert run("*.csv", "--metrics", "len,TER", "--out", "out", "--anew").exit_code == 0
    assert list(load_scores("out").attrs["signatures"]) == ["len", "TER"]
