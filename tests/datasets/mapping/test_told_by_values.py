"""Columns that are told by their values: winners, raters and what is about them, counters, scores of a taken name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from rainbow.datasets import load_dataset
from rainbow.datasets.table_mapping import read_mapping as mapping_of

PLACES = ["Aromi", "Zizzi", "Cotto", "Strada", "Browns", "Alimentum", "Fitzbillies", "Wildwood"]
GOOD = [f"{place} is a French place by the river." for place in PLACES]
BAD = [f"there is French {place}" for place in PLACES]
BOTH = {"Pregunta": [f"Where is {place}?" for place in PLACES], "Texto 1": GOOD, "Texto 2": BAD}


LONG_TABLE: dict[str, Sequence[Any]] = {
    "Nr.": [*range(8)] * 2,
    "Model": ["x"] * 8 + ["y"] * 8,
    "Generated text": GOOD + BAD,
}
SYSTEMS = ["a"] * 8 + ["b"] * 8
THREE = [(place, system) for place in range(8) for system in "xyz"]
PARAGRAPHS = {"First paragraphs": [f"{place} opened by the river last week. " * 6 for place in PLACES] * 2}
ORIGINAL = {"Original text": [f"News of {place} here" for place in PLACES] * 2}
USUAL = ("sari", "FKGL", "self-BLEU4", "distinct-2", "BARTScore", "dale_chall")

TOLD: dict[str, tuple[dict[str, Sequence[Any]], dict[str, Any]]] = {
    "marks and flags are no winners": (BOTH | {"visto": [0, 1] * 4, "grado": [1, 2, 3, 4] * 2}, {"winner": None}),
    "who judged, and what is about who judged": (
        {"Sujet": [who for who in "KLM" for _ in GOOD + BAD],
         "Expérience": [level for level in (3, 1, 2) for _ in GOOD + BAD],
         "Ordre": [*range(1, 17), *range(16, 0, -1), *range(2, 34, 2)],
         "source": [f"a place that is called {place}" for place in PLACES] * 6,
         "Condition": [*["court"] * 8, *["long"] * 8] * 3, "Texte": [*GOOD, *BAD] * 3,
         "Acceptabilité (1-7)": [1, 4, 7, 2, 2, 5, 6, 3] * 6},
        {"rater": "Sujet", "ratings": ("Acceptabilité (1-7)",)}),
    "the direction of usual scores is known": (
        {"source": BOTH["Pregunta"], "output": GOOD}
        | {name: [place + 0.123 * row for row in range(8)] for place, name in enumerate(USUAL)},
        {"scores": ("sari:higher", "FKGL:lower", "self-BLEU4:lower", "distinct-2:higher", "BARTScore:higher",
                    "dale_chall:lower")}),
    "numbers from 0 to 1 beside scores are computed unless they are means of marks": (
        {"answer": GOOD + BAD, "context_recall": [0.5, 1.0] * 8,
         "faithfulness": [round(0.0731 * number % 1, 4) for number in range(1, 17)],
         "fluency": [round(number / 12, 4) for number in range(1, 13)] + [0.25, 0.5, 0.75, 1.0]},
        {"ratings": ("fluency",), "scores": ("context_recall:higher", "faithfulness:higher")}),
    "what never changes is no input where there is another": (
        {"Aufgabe": ["Lesen Sie den Text und vergeben Sie Noten."] * 16,
         "Daten": [f"a French place called {place}" for place in PLACES] * 2, "Modell": SYSTEMS, "Text": GOOD + BAD},
        {"mr": "Daten", "references": (), "output": ("Text",)}),
    "pictures are what captions were written for": (
        {"unit_id": [*range(16)], "image_url": [f"https://example.org/{place}.jpg" for place in PLACES] * 2,
         "model": SYSTEMS, "caption": GOOD + BAD},
        {"output": ("caption",), "system": "model"}),
    "who compared": (
        {"nr": [place for place, _ in THREE], "tekst_A": [GOOD[place] for place, _ in THREE],
         "tekst_B": [BAD[place] for place, _ in THREE], "systeem_A": ["x"] * 24, "systeem_B": ["y"] * 24,
         "keuze": ["A", "B", "gelijk"] * 8, "panel": ["lezer_1", "lezer_2", "lezer_3"] * 8},
        {"winner": "keuze", "rater": "panel"}),
    "an input has its name though some of its references are missing": (
        {"Item No.": [place for place, _ in THREE], "System": [system for _, system in THREE],
         "Generated Text": [f"{GOOD[place]} {system}" for place, system in THREE],
         "ref A": [GOOD[place] for place, _ in THREE],
         "ref B": [BAD[place] if row % 4 else "" for row, (place, _) in enumerate(THREE)]},
        {"item": "Item No."}),
    "an original is a reference where outputs are called alike beside longer texts": (
        LONG_TABLE | PARAGRAPHS | ORIGINAL,
        {"mr": "First paragraphs", "references": ("Original text",)}),
    "an original is an input where there are no longer texts": (
        LONG_TABLE | ORIGINAL, {"mr": "Original text", "references": ()}),
    "an explanation may be what was written and a flag is not": (
        {"snippet": [*range(8)] * 2, "code": [f"def {place.lower()}(x):\n    return x + 1" for place in PLACES] * 2,
         "model": ["x"] * 8 + ["y"] * 8, "explanation": GOOD + BAD, "answer": ["accept"] * 12 + ["ignore"] * 4},
        {"output": ("explanation",), "mr": "code", "item": "snippet"}),
    "columns that marks are called after are outputs before one that is called so": (
        {"passage": [f"{place} opened by the river in spring, with food from France" for place in PLACES],
         "antwoord": PLACES, "vraag_T5": [f"What is {place}?" for place in PLACES],
         "vraag_GPT": [f"Which French place has opened by the river, {place}?" for place in PLACES],
         "rang_T5": [1, 2] * 4, "rang_GPT": [2, 1] * 4},
        {"output": ("vraag_T5", "vraag_GPT"), "ratings": ("reversed_rang:lower=rang",)}),
}  # fmt: skip


def written(tmp_path: Path, cells: dict[str, Sequence[Any]]) -> Path:
    pd.DataFrame(cells).to_csv(tmp_path / "mine.csv", index=False)
    return tmp_path / "mine.csv"


@pytest.mark.parametrize("name", TOLD)
def test_columns_are_told_by_their_values(tmp_path: Path, name: str) -> None:
    cells, expected = TOLD[name]
    columns = mapping_of(written(tmp_path, cells)).columns
    assert {role: getattr(columns, role) for role in expected} == expected


@pytest.mark.parametrize("cells", [["Texto 1", "Texto 2"] * 4, [1, 2] * 4, [*GOOD[:4], *BAD[4:]]])
def test_a_winner_is_told_by_its_values(tmp_path: Path, cells: list[Any]) -> None:
    assert mapping_of(written(tmp_path, BOTH | {"mejor": cells})).columns.winner == "mejor"


def test_a_winner_may_be_a_system_that_a_column_of_outputs_is_called_after(tmp_path: Path) -> None:
    cells = {
        "prompt": BOTH["Pregunta"], "gpt4_output": GOOD, "llama_output": BAD,
        "who": ["gpt4", "tie", "Llama", "gpt4"] * 2,
    }  # fmt: skip
    path = written(tmp_path, cells)
    assert str(mapping_of(path).columns) == "--output gpt4_output --output llama_output --input prompt --winner who"
    assert load_dataset(path).frame["preference"].tolist() == [1, 0, 0.5, 0.5, 0, 1, 1, 0] * 2


@pytest.mark.parametrize("marks", [[1, 2, 4, 4, 2, 5, 5, 3], [3, 1, 2, 5, 5, 1, 1, 3]])
def test_two_people_are_raters_if_they_agree(tmp_path: Path, marks: list[int]) -> None:
    cells = {"Anna": [1, 2, 4, 5, 2, 5, 4, 3], "Ben": marks}
    ratings = mapping_of(written(tmp_path, {"source": BOTH["Pregunta"], "output": GOOD} | cells)).columns.ratings
    assert ratings == (("rating=Anna,Ben",) if marks[0] == 1 else ("Anna", "Ben"))


def test_preferences_by_several_criteria_are_a_rating_for_each(tmp_path: Path) -> None:
    cells: dict[str, Sequence[Any]] = {
        **{name: [cell for cell in column for _ in "12"] for name, column in BOTH.items()},
        "model_a": ["tgen"] * 16,
        "model_b": ["slug"] * 16,
        "Criterion": ["style", "sense"] * 8,
        "choice": ["A", "B"] * 4 + ["A", "tie"] * 4,
        "annotator": ["jm"] * 16,
    }
    path = written(tmp_path, cells)
    assert mapping_of(path).columns.ratings == ("style=preference@Criterion", "sense=preference@Criterion")
    frame = load_dataset(path).frame
    assert (frame["style"].tolist(), frame["sense"].tolist()) == ([1, 0] * 8, [0, 1] * 4 + [0.5] * 8)
    assert "preference" not in frame


def test_ids_that_stand_twice_name_no_rows(tmp_path: Path) -> None:
    path = written(tmp_path, {"id": [*range(7), 6], "texto": GOOD, "quality": [1, 2, 3, 4] * 2})
    assert load_dataset(path).frame["id"].tolist() == [*map(str, range(1, 9))]


def test_sides_are_told_by_the_letters_that_names_of_columns_differ_in(tmp_path: Path) -> None:
    cells = {
        "ctx": BOTH["Pregunta"],
        **{"sysL": ["tgen", "slug"] * 4, "sysR": ["slug", "tgen"] * 4},
        "replyL": GOOD,
        "replyR": BAD,
        "pref": [*"LR", "same", *"LRLR", "same"],
    }
    path = written(tmp_path, cells)
    assert mapping_of(path).columns.pair == ("sysL", "sysR")
    assert load_dataset(path).frame["preference"].tolist()[:6] == [1, 0, 0, 1, 0.5, 0.5]


def test_marks_of_the_input_are_no_marks_of_its_outputs(tmp_path: Path) -> None:
    cells = LONG_TABLE | {
        "Stars": [1, 5, 2, 4, 3, 1, 2, 5] * 2,
        "Tone": [1, 2, 3, 4, 5, 4, 3, 2, 2, 3, 4, 5, 1, 5, 2, 1],
    }
    mapping = mapping_of(written(tmp_path, cells))
    assert ("Stars", "it is the same for all outputs of an input") in {(d.column, d.why) for d in mapping.doubts}


def test_ranks_of_readers_are_one_rating(tmp_path: Path) -> None:
    path = written(tmp_path, LONG_TABLE | {f"rank_reader{reader}": [1, 2] * 8 for reader in (1, 2, 3)})
    assert mapping_of(path).columns.ratings == ("reversed_rank:lower=rank_reader1,rank_reader2,rank_reader3",)
    assert load_dataset(path).frame["reversed_rank"].tolist() == [2, 1] * 8


def test_questions_of_a_survey_are_called_after_what_is_asked_and_those_about_the_rater_are_none(tmp_path) -> None:
    cells = LONG_TABLE | {
        "Q1[SQ001]. How far do you agree? [The text reads well]": ["agree", "strongly agree", "disagree", "neutral"]
        * 4,
        "D1. How old are you?": [*range(20, 36)],
        "D2. Is English your first language?": ["yes", "no"] * 8,
    }
    assert load_dataset(written(tmp_path, cells)).ratings == ("The text reads well",)


def test_marks_of_two_teachers_of_any_criterion_are_those_of_raters(tmp_path: Path) -> None:
    marks = {
        f"teacher_{who}.{of}": [1 + (row + who) % 5 for row in range(16)] for who in (1, 2) for of in ("tone", "wit")
    }
    found = mapping_of(written(tmp_path, LONG_TABLE | marks)).columns.ratings
    assert found == ("tone=teacher_1.tone,teacher_2.tone", "wit=teacher_1.wit,teacher_2.wit")
