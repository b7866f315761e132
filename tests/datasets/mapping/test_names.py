"""What names of columns say, in several languages, and columns whose names say nothing beside those that do."""

from pathlib import Path

import pandas as pd
import pytest

from rainbow.datasets import load_dataset
from rainbow.datasets.mapping import mapping_of
from rainbow.datasets.mapping.contents.names import people_write_too, role_by_name

SERVED = ["French", "Indian", "English", "Italian", "fast", "Japanese"]
INFORMAL = [f"omg u gotta try the {food} food lol" for food in SERVED]
FORMAL = [f"You should try the {food} dishes." for food in SERVED]


@pytest.mark.parametrize(
    ("role", "names"),
    [
        ("reference", ["Referenzübersetzung", "respuesta_esperada", "odpowiedź wzorcowa", "参考译文"]),
        ("output", ["Resumo gerado", "Traduzione automatica", "odpowiedź modelu", "generated_question", "译文"]),
        ("input", ["pregunta", "Frase originale", "Ausgangstext", "Kontext", "pytanie", "原文"]),
        ("rating", ["Fluidité", "ocena 1", "Nota fluência", "Verständlichkeit", "质量", "fluidity"]),
        ("rater", ["Bewerter", "Valutatore 1", "évaluateur"]),
        ("item", ["id_pregunta", "N°", "Nº", "编号"]),
        ("meta", ["uwagi", "Bemerkungen", "Observações", "备注"]),
        (None, ["originality", "answerability", "tgen"]),
    ],
)
def test_words_go_on_in_many_languages(role: str | None, names: list[str]) -> None:
    assert {name: role_by_name(name) for name in names} == dict.fromkeys(names, role)


def test_people_write_in_other_languages_too() -> None:
    assert [people_write_too(name) for name in ("Resumo humano", "menschliche Fassung", "Traduction")] == [1, 1, 0]


def test_the_only_other_texts_are_the_input(tmp_path: Path) -> None:
    pd.DataFrame({"model_output": FORMAL, "informal": INFORMAL}).to_csv(tmp_path / "mine.csv", index=False)
    mapping = mapping_of(tmp_path / "mine.csv")
    assert str(mapping.columns) == "--output model_output --input informal"


def test_dashes_are_part_of_the_names_of_systems(tmp_path: Path) -> None:
    pd.DataFrame({"output_gpt-3.5": FORMAL, "output_gpt-4": INFORMAL}).to_csv(tmp_path / "mine.csv", index=False)
    assert {*load_dataset(tmp_path / "mine.csv").frame["system"]} == {"gpt-3.5", "gpt-4"}


@pytest.mark.parametrize(
    ("names", "rating"),
    [
        (["Anna", "Ben", "Zoé"], "rating=Anna,Ben,Zoé"),
        (["AK", "MW", "TS"], "rating=AK,MW,TS"),
        (["empathy", "surprise", "plot"], "empathy surprise plot"),
        (["Anna", "Ben", "suspense"], "Anna Ben suspense"),
    ],
)
def test_marks_of_one_scale_under_names_of_people_are_those_of_raters(
    tmp_path: Path, names: list[str], rating: str
) -> None:
    marks = {name: [1 + (row + place) % 5 for row in range(len(SERVED))] for place, name in enumerate(names)}
    pd.DataFrame({"output": FORMAL} | marks).to_csv(tmp_path / "mine.csv", index=False)
    mapping = mapping_of(tmp_path / "mine.csv")
    assert mapping.columns.ratings == tuple(rating.split())
    why = {taken.why for taken in mapping.taken if taken.column in names}
    assert ("marks on one scale, under names of people: raters" in why) == ("=" in rating)


def test_who_marks_an_output_several_times_marks_it_for_several_criteria(tmp_path: Path) -> None:
    rows = [(who, of, text) for who in ("AH", "BK") for of in ("Stil", "Sinn") for text in FORMAL]
    table = pd.DataFrame(rows, columns=["Bewerter", "Kriterium", "Ausgabe"])
    table.assign(Wert=[1 + row % 5 for row in range(len(rows))]).to_csv(tmp_path / "mine.csv", index=False)
    mapping = mapping_of(tmp_path / "mine.csv")
    assert mapping.columns.ratings == ("Stil=Wert@Kriterium", "Sinn=Wert@Kriterium")


def test_a_rater_with_few_marks_is_none_less_than_the_others(tmp_path: Path) -> None:
    marks = {"Accuracy Dr. A": [4, 5, 4, 5, 4, 5], "Accuracy Dr. B": [3, 5, 4, 5, 3, 4]}
    pd.DataFrame({"output": FORMAL} | marks).to_csv(tmp_path / "mine.csv", index=False)
    assert mapping_of(tmp_path / "mine.csv").columns.ratings == ("Accuracy=Accuracy Dr. A,Accuracy Dr. B",)


def test_a_score_called_as_a_metric_is_compared_under_a_name_of_its_own(tmp_path: Path) -> None:
    table = {
        "output": FORMAL,
        "TER": [row / 7 for row in range(6)],
        "len": [len(text) for text in FORMAL],
        "RE": [""] * 6,
    }
    pd.DataFrame(table).to_csv(tmp_path / "mine.csv", index=False)
    columns = mapping_of(tmp_path / "mine.csv").columns
    assert (columns.scores, columns.ignored) == (("TER_file=TER:lower", "len_file=len:neither"), ("RE",))
    frame = load_dataset(tmp_path / "mine.csv").frame
    assert frame["TER_file"].tolist() == table["TER"]
    assert not {"TER", "len"} & {*frame}


def test_scores_of_each_system_called_as_a_metric_are_one_score(tmp_path: Path) -> None:
    scores = [[row / 7 for row in range(6)], [row / 9 for row in range(6)]]
    table = {"A": FORMAL, "B": FORMAL[::-1], "TER_A": scores[0], "TER_B": scores[1]}
    pd.DataFrame(table).to_csv(tmp_path / "mine.csv", index=False)
    columns = mapping_of(tmp_path / "mine.csv").columns
    assert columns.scores == ("TER_file=TER:lower",)
    assert sorted(load_dataset(tmp_path / "mine.csv").frame["TER_file"]) == sorted(scores[0] + scores[1])


def test_marks_of_each_system_are_a_rating_whatever_they_are_called(tmp_path: Path) -> None:
    marks = {f"Betyg {system}": [4.5, 3.0, 2.5, 5.0, 1.5, 4.0] for system in ("GPT", "Marian")}
    pd.DataFrame({"GPT": FORMAL, "Marian": INFORMAL, **marks}).to_csv(tmp_path / "mine.csv", index=False)
    assert load_dataset(tmp_path / "mine.csv").ratings == ("Betyg",)
