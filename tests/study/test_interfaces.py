"""Ways to ask besides the pages: what is written for other programs, and what they give back, is the same study."""

import csv
import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest

from rainbow import Corpus
from rainbow.study import Study
from rainbow.study.annotation.interfaces import INTERFACES, write_interface
from rainbow.study.collection import COLUMNS, collect_answers
from rainbow.study.questions import Question
from rainbow.study.simulated import simulate_answers, write_simulated_answers
from tests.study.conftest import EVERY, Make

Answers = dict[str, list[dict[str, Any]]]
SIDES = {1.0: ("A", "first"), 0.0: ("B", "second"), 0.5: ("tie", "both")}
SAME = [name for name in COLUMNS if name not in ("seconds", "spans")]


@pytest.fixture
def study(make: Make) -> Study:
    return make(*EVERY, items=5)


@pytest.fixture
def answers(study: Study, worth: Callable[[str], float]) -> Answers:
    return simulate_answers(study, worth, rng=3)


@pytest.fixture
def by_page(study: Study, answers: Answers, worth: Callable[[str], float]) -> pd.DataFrame:
    paths = write_simulated_answers(study, worth, rng=3)
    found = collect_answers(study, paths).answers
    for path in paths:
        path.unlink()
    return found


def of_tasks(own: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    tasks: dict[str, list[dict[str, Any]]] = {}
    for answer in own:
        tasks.setdefault(answer["task"], []).append(answer)
    return tasks


def in_potato(study: Study, rater: str, own: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what Potato 2.12 keeps of these answers."""

    def label(answer: dict[str, Any]) -> list[Any]:
        question, value = study.settings.question(answer["rating"]), answer["value"]
        name = {"scale": str(value), "magnitude": "number", "pairs": "selection", "errors": question.name}[
            question.kind
        ]
        if question.name == "fluency":
            name = "number"
        if question.kind == "errors":
            errors = [{**span, "type": span["kind"], "subtype": ""} for span in value]
            value = json.dumps({"errors": errors, "score": 100})
        elif question.is_pairs:
            value = SIDES[value][0]
        return [{"schema": question.name, "name": name}, str(value)]

    labels = {
        f"{study.name}-{task}": [label(answer) for answer in given if answer["value"] != []]
        for task, given in of_tasks(own).items()
    }
    return {
        **{"user_id": rater, "instance_id_ordering": list(labels), "current_instance_index": len(labels) - 1},
        "instance_id_to_label_to_value": {name: given for name, given in labels.items() if given},
        "instance_id_to_behavioral_data": {name: {"total_time_ms": 4500, "session_end": None} for name in labels},
    }


def in_label_studio(study: Study, tasks: list[dict[str, Any]], own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what Label Studio 1.23 exports of these answers."""
    given = of_tasks(own)

    def results(answer: dict[str, Any]) -> list[dict[str, Any]]:
        question, value = study.settings.question(answer["rating"]), answer["value"]
        head = {"from_name": question.name, "to_name": "text1"}
        if question.kind == "errors":
            labels = [{**span, "labels": [f"{span['severity']}, {span['kind']}"]} for span in value]
            return [{**head, "type": "labels", "value": label} for label in labels]
        if question.kind == "magnitude" or question.high > 9:
            return [{**head, "type": "number", "value": {"number": value}}]
        choice = SIDES[value][1] if question.is_pairs else str(value)
        return [{**head, "type": "choices", "value": {"choices": [choice]}}]

    return [{
        "id": number,
        "data": task["data"],
        "annotations": [
            {
                **{"completed_by": 1, "was_cancelled": False, "lead_time": 4.5},
                "created_at": "2026-11-24T12:00:00.000000Z",
                "result": [
                    entry for one in given[task["data"]["task"].partition("-")[2]] for entry in results(one)
                ],
            }
        ],
    } for number, task in enumerate(tasks)]  # fmt: skip


def test_what_potato_keeps_is_the_table_that_pages_give(study: Study, answers: Answers, by_page: pd.DataFrame) -> None:
    write_interface(study, "potato")
    for asks, pairs in (("single", False), ("pairs", True)):
        config = json.loads((study.folder / "potato" / asks / "config.yaml").read_text())
        result = [scheme["name"] for scheme in config["annotation_schemes"]]
        assert result == [question.name for question in study.settings.questions if question.is_pairs is pairs]
        for group in config["batch_assignment"]["groups"]:
            (rater,) = group["annotators"]
            file = study.folder / "potato" / asks / group["data_file"]
            shown = [json.loads(line)["id"] for line in file.read_text().splitlines()]
            own = study.tasks[(study.tasks["rater"] == rater) & (study.tasks["asks"] == asks)]
            assert shown == [f"{study.name}-{task}" for task in own["task"]]
            kept = study.folder / "potato" / asks / "annotation_output" / rater / "user_state.json"
            kept.parent.mkdir(parents=True)
            wanted = [answer for answer in answers[rater] if answer["task"] in {*own["task"]}]
            kept.write_text(json.dumps(in_potato(study, rater, wanted)))
    found = collect_answers(study, study.returned)
    assert found.notes == [] and found.answers[SAME].equals(by_page[SAME]) and found.answers["seconds"].eq(4.5).all()


def test_what_label_studio_exports_is_the_table_that_pages_give(study, answers, by_page) -> None:
    write_interface(study, "label-studio")
    folder = study.folder / "label-studio"
    names = [entry.get("name") for entry in ElementTree.parse(folder / "single.xml").iter() if entry.get("toName")]
    assert names == ["quality", "fluency", "worth", "faults"]
    for file in sorted(folder.glob("r*.json")):
        tasks, (rater, asks) = json.loads(file.read_text()), file.stem.split("-")
        shown = {entry.get("value") for entry in ElementTree.parse(folder / f"{asks}.xml").iter("Text")}
        assert all(shown <= {f"${name}" for name in task["data"]} for task in tasks)
        (study.folder / "returned" / file.name).write_text(json.dumps(in_label_studio(study, tasks, answers[rater])))
    found = collect_answers(study, study.returned)
    assert found.notes == [] and found.answers[SAME].equals(by_page[SAME]) and found.answers["seconds"].eq(4.5).all()


def test_results_of_a_platform_are_read_as_they_come_without_the_accounts_of_workers(study, answers, by_page) -> None:
    write_interface(study, "table")
    with (study.folder / "table" / "tasks.csv").open() as stream:
        tasks = list(csv.DictReader(stream))
    rows = []
    for row in tasks:
        own = {
            answer["rating"]: answer["value"] for answer in answers[row["list"]] if row["task"].endswith(answer["task"])
        }
        given = {
            f"Answer.{name}": json.dumps(value) if isinstance(value, list) else value for name, value in own.items()
        }
        if "better" in own:
            given["Answer.better"] = SIDES[own["better"]][1]
        worker = {"WorkerId": f"A1{row['list'].upper()}", "WorkTimeInSeconds": "12"}
        rows.append({"HITId": "H", **worker, **{f"Input.{name}": value for name, value in row.items()}, **given})
    pd.DataFrame(rows).to_csv(study.folder / "returned" / "batch.csv", index=False)
    found = collect_answers(study, study.returned)
    assert found.notes == [] and found.answers["rater"].str.fullmatch("w[0-9a-f]{6}").all()
    names = ["task", "rating", "system", "value", "control"]
    assert (
        found.answers[names]
        .sort_values(names, ignore_index=True)
        .equals(by_page[names].sort_values(names, ignore_index=True))
    )


@pytest.mark.parametrize(
    "content", [[{"data": {}, "annotations": []}], {"user_id": "r1", "instance_id_to_label_to_value": 3}, [3], [[]]]
)
def test_files_of_these_programs_that_are_no_such_are_left_aside(study: Study, content: object) -> None:
    path = study.folder / "returned" / "odd.json"
    path.write_text(json.dumps(content))
    assert collect_answers(study, [path]).notes == ["odd.json is not a file of a study: ignored"]


def test_a_potato_of_another_study_is_told(study: Study, make: Make, answers: Answers) -> None:
    other = make(*EVERY, items=4, folder="other")
    path = study.folder / "returned" / "user_state.json"
    path.write_text(json.dumps(in_potato(other, "r1", answers["r1"][:5])))
    assert collect_answers(study, [path]).notes == [f"user_state.json belongs to another study ({other.name}): ignored"]


@pytest.mark.parametrize("way", list(INTERFACES))
def test_no_way_tells_raters_which_system_wrote_a_text(study: Study, way: str) -> None:
    write_interface(study, way)
    folder = study.folder / {"page": "pages"}.get(way, way)
    for path in (path for path in folder.rglob("*") if path.is_file()):
        assert "demo-0" not in path.read_text() and '"ngram"' not in path.read_text()


def test_texts_that_xml_cannot_hold_leave_a_project_that_can_be_read(make: Make) -> None:
    hostile = "<View>&]]>\x00\x0b\x1b[2J\ufffe'\"\u202e"
    systems, items = [*"AB"] * 9, [f"i{item}" for item in range(9) for _ in "AB"]
    outputs = [f"{hostile}{number}" for number in range(18)]
    corpus = Corpus.from_texts(
        outputs, [[text] for text in outputs], outputs, mr_format="text", system=systems, item=items
    )
    study = make(*EVERY, corpus=corpus, items=4)
    write_interface(study, "label-studio")
    for asks in ("single", "pairs"):
        shown = ElementTree.parse(study.folder / "label-studio" / f"{asks}.xml").iter("Header")
        assert any("<View>&]]>\ufffd\ufffd\ufffd[2J\ufffd'\"\u202e" in header.get("value", "") for header in shown)


def test_places_count_characters_as_python_does() -> None:
    from rainbow.text.utf16 import from_utf16_position

    assert [from_utf16_position("a\U0001f954b", place) for place in (0, 1, 3, 4)] == [0, 1, 2, 3]
    assert Question.parse("faults=errors").value("[]") == 0
