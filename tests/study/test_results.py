"""Who is doubted, how far a study is, and its table of answers in the other commands."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from rainbow import load_dataset
from rainbow.cli import app
from rainbow.datasets.columns import saved_columns
from rainbow.datasets.files import FileRows
from rainbow.study import Study
from rainbow.study.annotation.rater_pages import page_json
from rainbow.study.design import choose_sizes, planned_items
from rainbow.study.paper.methods import describe_size
from rainbow.study.paper.paper_files import question_svg
from rainbow.study.questions import Question
from rainbow.study.results import read_results, write_results
from rainbow.study.settings import Settings, Target
from rainbow.study.simulated import simulate_answers, write_simulated_answers
from tests.study.conftest import Make

Worth = Callable[[str], float]


def send(study: Study, rater: str, answers: list[dict[str, object]]) -> None:
    (study.folder / "returned" / f"{rater}.json").write_text(page_json(study.name, rater, 1, answers))


def test_who_answers_without_looking_is_flagged_with_the_reasons_and_left_out_only_on_request(make, worth) -> None:
    study = make(items=20, controls=0.2)
    write_simulated_answers(study, worth, careless=["r2"], rng=1)
    found = read_results(study)
    flags = dict(zip(found.raters["rater"], found.raters["flagged"], strict=True))
    assert flags["r1"] == flags["r3"] == ""
    for reason in ("failed", "faster than anyone can read", " times out of "):
        assert reason in flags["r2"]
    assert {*found.counting["rater"]} == {"r1", "r2", "r3"}
    assert not found.differences["difference"].equals(found.unflagged["difference"])
    toml = study.folder / "study.toml"
    toml.write_text(toml.read_text().replace("left_out = []", 'left_out = ["r2"]'))
    without = read_results(Study.open(study.folder))
    assert {*without.counting["rater"]} == {"r1", "r3"}
    assert without.differences["difference"].tolist() == pytest.approx(found.unflagged["difference"].tolist())
    write_results(without)
    assert {*pd.read_csv(study.folder / "left_out.csv")["rater"]} == {"r2"}
    assert "r2" not in pd.read_csv(study.folder / "answers.csv")["rater"].tolist()


def test_differences_of_systems_are_those_of_means_over_inputs(make: Make, worth: Worth) -> None:
    study = make(items=20, repeated=0)
    write_simulated_answers(study, worth, rng=1)
    found = read_results(study)
    means = found.counting[found.counting["control"] == ""].groupby(["item", "system"])["value"].mean().unstack()
    row = found.differences.iloc[0]
    gaps = means[row["first"]] - means[row["second"]]
    assert row["difference"] == pytest.approx(gaps.mean())
    from scipy.stats import t

    half = t.ppf(1 - 0.045 / 6, 19) * gaps.std() / math.sqrt(20)
    assert (row["low"], row["high"]) == pytest.approx((gaps.mean() - half, gaps.mean() + half))


def test_before_the_end_intervals_are_wider_and_one_that_is_far_from_nothing_may_end_it(make, demo) -> None:
    study = make(items=40, controls=0, repeated=0, target=Target("quality", difference=0.5))
    systems = dict(zip(study.outputs["id"], study.outputs["system"], strict=True))
    apart = {"neural": 1.0, "ngram": 3.5, "template": 6.0}
    answers = simulate_answers(study, lambda identity: apart[systems[identity]], 0.4, rng=1)
    for rater, own in answers.items():
        send(study, rater, own[: len(own) - 5])
    found = read_results(study)
    assert found.missing == 15 and found.verdict.enough and "every pair is decided" in found.verdict.because
    alike = simulate_answers(study, lambda _: 4.0, 1.0, rng=1)
    for rater, own in alike.items():
        send(study, rater, own[: len(own) - 5])
    assert not read_results(study).verdict.enough


def test_with_a_margin_a_study_is_done_where_no_interval_is_wider(make: Make, worth: Worth) -> None:
    found = {}
    for margin in (0.01, 9):
        study = make(items=12, controls=0, repeated=0, target=Target("quality", margin=margin), folder=f"at {margin}")
        write_simulated_answers(study, worth, rng=1)
        found[margin] = read_results(study)
    assert [each.differences["settled"].unique().tolist() for each in found.values()] == [[False], [True]]
    assert "no interval has a half-width above 9" in found[9].verdict.because
    assert "intervals of differences of quality with a half-width of at most 9" in describe_size(found[9])


def test_sizes_come_from_what_plan_computes() -> None:
    frame = load_dataset("demo").frame
    quality = (Question.parse("quality"),)

    def size(**goal: float) -> int:
        return planned_items(frame, Settings("demo", quality, 1, target=Target("quality", **goal)))

    assert size(margin=0.25) > size(margin=0.5) > 2 and size(difference=0.25) > size(difference=0.5) > 2
    assert choose_sizes(frame, Settings("demo", quality, 1), 80, None).people == round(80 * 3 * 3 / 100)
    with pytest.raises(ValueError, match="pilot"):
        planned_items(frame.drop(columns="quality"), Settings("x", quality, 1, target=Target("quality", margin=0.5)))


def test_the_table_of_answers_is_read_as_it_is_with_its_raters(make: Make, worth: Worth) -> None:
    study = make("quality", "better=pairs")
    write_simulated_answers(study, worth, rng=1)
    found = read_results(study)
    path = write_results(found)[0]
    (corpus,) = FileRows(path, saved_columns(path)).chunks(None)
    assert (len(corpus), {*corpus.frame["system"]}) == (len(study.outputs), {"neural", "ngram", "template"})
    usual = found.counting[(found.counting["control"] == "") & (found.counting["rating"] == "quality")]
    wide = usual.groupby(["item", "system", "rater"])["value"].mean().unstack()
    rated = corpus.frame.dropna(subset=["quality"]).set_index(["item", "system"])
    assert len(rated) == 24
    np.testing.assert_allclose(rated[["quality_1", "quality_2", "quality_3"]].loc[wide.index], wide)
    np.testing.assert_allclose(rated["quality"].loc[wide.index], wide.mean(axis=1))
    assert "quality_4" not in corpus.frame


def test_the_command_makes_a_study_reads_it_back_and_writes_its_paper(tmp_path, monkeypatch, worth) -> None:
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    made = runner.invoke(app, ["study", "demo", "--items", "6"])
    assert made.exit_code == 0, made.output
    assert "studies/demo/pages" in made.output
    study = Study.open(Path("studies/demo"))
    write_simulated_answers(study, worth, rng=1)
    moved = tmp_path / "downloads"
    (study.folder / "returned").rename(moved)
    (study.folder / "returned").mkdir()
    read = runner.invoke(app, ["study", "studies/demo", *map(str, moved.glob("*.json"))])
    assert read.exit_code == 0, read.output
    assert "all planned answers are complete" in read.output
    paper = Path("studies/demo/paper")
    text = (paper / "methods.md").read_text()
    assert "6 inputs" in text and study.name in text and "Krippendorff" in text
    assert "**please fill in**" in (paper / "datasheet.md").read_text()
    assert "answers.csv" in (paper / "SHA256SUMS").read_text() and (paper / "question-quality.svg").is_file()
    assert "is already a study" in str(runner.invoke(app, ["study", "demo", "--items", "5"]).exception)
    assert '"enough": true' in runner.invoke(app, ["study", "studies/demo", "--json"]).output


def test_a_mistake_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words, said in (
        (["demo", "--items", "9999"], "9999 inputs are requested"),
        (["demo", "--rating", "quality=stars"], "write quality=1-6"),
        (["demo", "--rating", "beauty", "--margin", "0.2"], "needs a pilot"),
    ):
        done = CliRunner().invoke(app, ["study", *words])
        assert done.exit_code == 1 and said in str(done.exception)


def test_question_svg() -> None:
    drawn = question_svg(Question.parse("quality"), {"input": "inn", "texts": ["an <inn>"], "reference": ""})
    assert "an &lt;inn&gt;" in drawn and drawn.count("<rect") == 6
