"""A column of scores that stands for a rating, from the command line to the page."""

import json
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
    assert {line[1]: " ".join(line[2:4]) for line in lines}["judge"].startswith("score")
    assert "caution: a constant also passes for quality" in done.output
    table = pd.read_csv(folder / "analysis" / "mine" / "alternative_annotators.csv")
    assert (set(table["epsilon"]), set(table["kind"])) == ({0.15}, {"score", "constant"})
    done = run(folder, "report", "mine.csv")
    assert done.exit_code == 0, done.output
    html = (folder / "reports" / "mine.html").read_text("utf-8")
    assert "A constant passes for quality" in html
    assert "system_preferences:0:preference" in {shown.source for shown in Reader(html).numbers}


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with 120 outputs that people pass or fail, and two versions of a judge in files of their own."""
    folder = tmp_path_factory.mktemp("labelled")
    frame = load_dataset("demo").frame.head(120)
    words, rng = np.array(["fail", "pass"]), np.random.default_rng(1)
    people = (frame["quality"] >= 5).to_numpy(int)
    rows = frame[["id", "system", "item", "output"]].assign(output=frame["output"] + " <script>alert(1)</script>")
    rows.assign(verdict=words[people]).to_csv(folder / "mine.csv", index=False)
    (folder / "judged").mkdir()
    for version, wrong in (("v1", 0.4), ("v2", 0.1)):
        judge = words[np.where(rng.random(120) < wrong, 1 - people, people)].astype(object)
        judge[7] = "I cannot say"
        table = rows.assign(judge=judge, judge_reason="<b>because</b>")
        table.to_csv(folder / "judged" / f"{version}.csv", index=False)
    (folder / "judged" / "v1.json").write_text(json.dumps({"columns": {"judge": {"model": "neural-8b"}}}), "utf-8")
    return folder


SCALE = "--rating", "verdict", "--scale", "fail<pass", "--score", "judge:higher=verdict"


def test_labels_of_a_judge_from_the_command_to_the_page(labelled: Path) -> None:
    assert run(labelled, "metrics", "mine.csv", "--metrics", "len", "--join", "judged/v1.csv", *SCALE).exit_code == 0
    done = run(labelled, "analyse", "mine.csv", "--resamples", "50")
    assert done.exit_code == 0, done.output
    assert "judge agrees with verdict on" in done.output
    assert "of 119 outputs; always answering 'pass' agrees on" in done.output
    folder = labelled / "analysis" / "mine"
    table = pd.read_csv(folder / "judge_agreement.csv", keep_default_na=False)
    assert set(table["label"]) == {"", "fail", "pass"}
    assert table["reason"].iloc[0] == "rated outputs without a label of the judge: 1"
    errors = pd.read_csv(folder / "judge_errors.csv")
    assert len(errors) == round(119 * (1 - float(table[table["measure"] == "accuracy"]["value"].iloc[0])))
    assert not (folder / "changed_labels.csv").exists()
    preferences = pd.read_csv(folder / "system_preferences.csv", keep_default_na=False)
    assert preferences.set_index("system")["family"]["neural"] == "neural"
    assert run(labelled, "report", "mine.csv").exit_code == 0
    html = (labelled / "reports" / "mine.html").read_text("utf-8")
    reader = Reader(html)
    assert "judge_agreement:0:value" in {shown.source for shown in reader.numbers}
    assert "<b>because</b>" in reader.texts  # as text, not as a tag
    assert "<script>alert" not in html
    kinds = errors["error"].value_counts()
    assert f"judge: false negative, 10 of {kinds['false negative']}" in html


def test_two_versions_of_a_prompt_are_compared_against_people(labelled: Path) -> None:
    files = "judged/v1.csv", "judged/v2.csv"
    done = run(labelled, "compare", *files, "--join", "mine.csv", *SCALE)
    assert done.exit_code == 0, done.output
    assert "judge after agrees more often (p = " in done.output
    folder = labelled / "analysis" / "compared"
    assert {file.name for file in folder.iterdir()} == {"judge_differences.csv", "changed_labels.csv"}
    (row,) = pd.read_csv(folder / "judge_differences.csv").to_dict("records")
    assert row["changed"] == len(pd.read_csv(folder / "changed_labels.csv"))
    assert json.loads(run(labelled, "compare", *files, "--join", "mine.csv", *SCALE, "--json").stdout)[0]["n"] == 119


def test_the_true_rate_is_estimated_from_a_judge_and_few_labels(labelled: Path) -> None:
    frame = pd.read_csv(labelled / "mine.csv")
    frame["good"] = (frame["verdict"] == "pass").astype(float)
    truth = frame["good"].mean()
    judge = pd.read_csv(labelled / "judged" / "v2.csv")["judge"]
    frame["judge"] = (judge == "pass").astype(float)
    frame.loc[frame.index % 2 > 0, "good"] = np.nan
    frame.drop(columns="verdict").to_csv(labelled / "few.csv", index=False)
    said = "--rating", "good", "--score", "judge:higher=good"
    assert run(labelled, "metrics", "few.csv", "--metrics", "len", *said).exit_code == 0
    (row,) = json.loads(run(labelled, "estimate", "few.csv", "--score", "judge", "--by", "dataset", "--json").stdout)
    assert row["low"] < truth < row["high"] and row["high"] - row["low"] < row["rated_high"] - row["rated_low"]


@pytest.mark.parametrize(("words", "message"), [
    (("--score", "judge:higher=fluency"), "judge predicts 'fluency', which is not a rating; the ratings are: quality"),
    (("--score", "judge:lower=quality"), "it predicts quality only if higher is better"),
])  # fmt: skip
def test_what_stands_for_nothing_is_refused(folder: Path, words: tuple[str, str], message: str) -> None:
    done = run(folder, "analyse", "mine.csv", "--rating", "quality", *words, "--table", "other.parquet")
    assert done.exit_code != 0 and message in str(done.exception)


def test_raters_are_of_three_kinds(folder: Path) -> None:
    done = run(folder, "analyse", "mine.csv", "--raters", "friends")
    assert "'friends' is not one of experts, skilled, crowd" in done.output
