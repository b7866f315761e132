"""A column of scores that stands for a rating, from the command line to the page."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from rainbow import load_dataset
from rainbow.cli import app
from tests.reports.reading import Reader

pytestmark = pytest.mark.xdist_group("judges")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with 120 rated outputs, and the marks of a judge that follows people a little."""
    folder = tmp_path_factory.mktemp("judges")
    frame = load_dataset("demo").frame.head(120)
    judge = frame["quality"] + np.random.default_rng(0).normal(0, 1, 120)
    columns = ["id", "system", "item", "output", "quality", "quality_1", "quality_2", "quality_3"]
    frame[columns].assign(judge=judge.clip(1, 6)).to_csv(folder / "mine.csv", index=False)
    return folder


def run(folder: Path, *words: str) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return CliRunner().invoke(app, list(words))


def test_analyse_and_report_put_the_judge_on_trial(folder: Path) -> None:
    said = "--rating", "quality", "--score", "judge:higher=quality"
    done = run(folder, "analyse", "mine.csv", *said, "--resamples", "50", "--raters", "skilled")
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.output.splitlines() if line.startswith(" quality ")]
    kinds = {line[1]: " ".join(line[2:4]) for line in lines}
    assert kinds["judge"].startswith("score")
    assert "caution: a constant also passes for quality" in done.output
    table = pd.read_csv(folder / "analysis" / "mine" / "alternative_annotators.csv")
    assert set(table["epsilon"]) == {0.15}
    assert set(table["kind"]) == {"score", "constant"}
    done = run(folder, "report", "mine.csv")
    assert done.exit_code == 0, done.output
    html = (folder / "reports" / "mine.html").read_text("utf-8")
    assert "A constant passes for quality" in html
    assert "system_preferences:0:preference" in {shown.source for shown in Reader(html).numbers}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--score", "judge:higher=fluency"),
            "judge predicts 'fluency', which is not a rating; the ratings are: quality",
        ),
        (("--score", "judge:lower=quality"), "it predicts quality only if higher is better"),
    ],
)
def test_what_stands_for_nothing_is_refused(folder: Path, words: tuple[str, str], message: str) -> None:
    done = run(folder, "analyse", "mine.csv", "--rating", "quality", *words, "--table", "other.parquet")
    assert done.exit_code != 0
    assert message in str(done.exception)


def test_raters_are_of_three_kinds(folder: Path) -> None:
    done = run(folder, "analyse", "mine.csv", "--raters", "friends")
    assert "'friends' is not one of experts, skilled, crowd" in done.output
