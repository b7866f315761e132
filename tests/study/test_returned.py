"""What came back: nothing counts twice, nothing is lost, and what does not count is told."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rainbow.study import Study
from rainbow.study.annotation.rater_pages import page_json
from rainbow.study.collection import COLUMNS, collect_answers
from rainbow.study.questions import KINDS, Question
from rainbow.study.results import read_results
from rainbow.study.simulated import simulate_answers, write_simulated_answers
from tests.study.conftest import EVERY, Make

Worth = Callable[[str], float]


@pytest.fixture
def study(make: Make, worth: Worth) -> Study:
    study = make()
    write_simulated_answers(study, worth, rng=1)
    return study


def change(path: Path, **changes: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_every_kind_of_rating_comes_back_as_a_number_with_all_that_belongs_to_it(make: Make, worth: Worth) -> None:
    study = make(*EVERY)
    assert {question.kind for question in study.settings.questions} == {*KINDS}
    write_simulated_answers(study, worth, rng=1)
    found = collect_answers(study, study.returned)
    assert (found.notes, list(found.answers)) == ([], list(COLUMNS))
    assert {*found.answers["rating"]} == {"quality", "fluency", "worth", "faults", "better"}
    single = (study.tasks["asks"] == "single").sum()
    assert len(found.answers) == 4 * single + 2 * (len(study.tasks) - single) and found.answers["value"].notna().all()
    faults = found.answers[found.answers["rating"] == "faults"]
    assert [-sum(1 for _ in json.loads(own)) for own in faults["spans"]] == faults["value"].tolist()


def test_a_comparison_has_a_row_for_each_output_that_add_up_to_one(make: Make, worth: Worth) -> None:
    study = make("better=pairs")
    write_simulated_answers(study, worth, rng=1)
    answers = collect_answers(study, study.returned).answers
    assert answers.groupby(["rater", "task"])["value"].sum().eq(1).all()
    usual = answers[answers["control"] == ""]
    assert (usual["system"] != usual["against"]).all() and usual["against"].ne("").all()


def test_a_file_that_came_twice_counts_once(study: Study) -> None:
    before = collect_answers(study, study.returned)
    (study.folder / "returned" / "r1 (1).json").write_bytes((study.folder / "returned" / "r1.json").read_bytes())
    after = collect_answers(study, study.returned)
    assert after.answers.equals(before.answers)
    assert after.notes == ["r1.json is the same file as r1 (1).json: counted once"]


def test_of_a_file_saved_half_way_and_again_at_the_end_each_answer_counts_once(study: Study, worth: Worth) -> None:
    whole = collect_answers(study, study.returned).answers
    half = simulate_answers(study, worth, rng=1)["r1"][:10]
    (study.folder / "returned" / "early.json").write_text(page_json(study.name, "r1", 10, half))
    after = collect_answers(study, study.returned)
    assert after.answers.equals(whole) and after.notes == ["r1.json: 10 repeated answers: counted once"]


def test_the_later_of_two_different_answers_counts_whichever_file_is_read_first(study: Study, worth: Worth) -> None:
    first = simulate_answers(study, worth, rng=1)["r1"][0]
    changed = [{**first, "value": 7 - first["value"], "at": first["at"] + 1}]
    for name in ("a.json", "z.json"):
        path = study.folder / "returned" / name
        path.write_text(page_json(study.name, "r1", 1, changed))
        found = collect_answers(study, study.returned)
        assert found.answers[found.answers["task"] == first["task"]]["value"].tolist() == [7 - first["value"]]
        assert any("the later one counts" in note for note in found.notes)
        path.unlink()


def test_half_a_study_is_said_and_counts(study: Study, worth: Worth) -> None:
    half = simulate_answers(study, worth, rng=1)["r2"][:7]
    (study.folder / "returned" / "r2.json").write_text(page_json(study.name, "r2", 7, half))
    found = read_results(study)
    assert f"r2 has answered 7 of {(study.tasks['rater'] == 'r2').sum()} tasks" in found.notes
    assert found.missing == (study.tasks["rater"] == "r2").sum() - 7 and not found.verdict.enough


def test_a_file_that_was_edited_is_said_and_what_is_off_the_scale_does_not_count(study: Study) -> None:
    path = study.folder / "returned" / "r1.json"
    answers = json.loads(path.read_text())["answers"]
    answers[0]["value"], answers[1]["value"], answers[2]["task"], answers[3]["rating"] = 9, "good", "r1-99", "beauty"
    answers[4]["value"], answers[5]["value"] = float("nan"), True
    change(path, answers=answers)
    found = collect_answers(study, [path])
    assert found.notes[0] == "r1.json was edited after it was saved: its answers count, check them"
    said = " ".join(found.notes)
    for reason in (
        "9 is not from 1 to 6",
        "'good' is not a number",
        "unknown task",
        "'beauty' is not a rating",
        "nan is not",
    ):
        assert reason in said
    assert "r1.json: 1 more answer not counted" in found.notes and len(found.answers) == len(answers) - 6


@pytest.mark.parametrize(("changes", "said"), [
    ({"study": "0123456789ab"}, "r1.json belongs to another study (0123456789ab): ignored"),
    ({"rater": "r2"}, "r2 was not assigned this task"),
    ({"answers": "none"}, "was edited after it was saved"),
    ({"answers": [3, None]}, "unknown task"),
])  # fmt: skip
def test_what_is_not_of_this_rater_and_study_does_not_count(study, changes, said) -> None:
    path = study.folder / "returned" / "r1.json"
    change(path, **changes)
    found = collect_answers(study, [path])
    assert len(found.answers) == 0 and any(said in note for note in found.notes)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"a": 1}', "[" * 100_000, "\ud800".encode("utf-8", "surrogatepass")]
)
def test_files_that_are_nothing_of_a_study_are_left_aside(study: Study, content: str | bytes) -> None:
    (study.folder / "returned" / "notes.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    assert "notes.json is not a file of a study: ignored" in collect_answers(study, study.returned).notes


def test_a_study_that_was_changed_before_any_answer_is_made_anew_and_refused_after(make: Make, worth: Worth) -> None:
    study = make()
    file = study.folder / "study.toml"
    file.write_text(file.read_text().replace("items = 8", "items = 6  # as agreed"))
    anew = Study.open(study.folder)
    assert "# as agreed" in file.read_text()
    assert anew.tasks["item"].nunique() == 6 and anew.name != study.name
    write_simulated_answers(anew, worth, rng=1)
    file.write_text(file.read_text().replace("left_out = []", 'left_out = ["r2"]'))
    assert Study.open(study.folder).name == anew.name
    file.write_text(file.read_text().replace("items = 6", "items = 5"))
    with pytest.raises(ValueError, match="already has answers: create a new study"):
        Study.open(study.folder)


@pytest.mark.parametrize(("text", "said"), [
    ("items = ", "study.toml"),
    ('items = 3\nsource = "x"\nwrong = 1', "unknown key 'wrong'"),
    ('source = "x"\nitems = 3', "none"),
])  # fmt: skip
def test_a_study_toml_that_cannot_be_read_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "study.toml").write_text(text)
    with pytest.raises(ValueError, match=said):
        Study.open(tmp_path)


@pytest.mark.parametrize("said", ["quality=6-1", "quality=stars", "1x", "=pairs"])
def test_ratings_that_are_none_are_refused(said: str) -> None:
    with pytest.raises(ValueError, match=r"rating"):
        Question.parse(said)


@pytest.mark.parametrize("spans", [
    "no list",
    [{"start": 0, "end": 99, "kind": "grammar", "severity": "minor"}],
    [{"start": 2, "end": 2, "kind": "grammar", "severity": "minor"}],
    [{"start": 0, "end": 2, "kind": "beauty", "severity": "minor"}],
    [{"start": 0, "end": 2, "kind": "grammar", "severity": "fatal"}],
    [{"start": True}],
])  # fmt: skip
def test_errors_outside_the_text_or_of_no_kind_are_refused(spans: object) -> None:
    with pytest.raises(ValueError, match=r"error"):
        Question.parse("faults=errors").value(spans, 10)


def test_a_design_that_cannot_be_read_is_named(make: Make) -> None:
    study = make()
    (study.folder / "design" / "tasks.csv").write_text("task\nr1-01\n")
    with pytest.raises(ValueError, match="design is not readable"):
        Study.open(study.folder)
