"""What names of columns say, in several languages, and columns whose names say nothing beside those that do."""

from pathlib import Path

import pandas as pd
import pytest

from rainbow.datasets import load_dataset
from rainbow.datasets.mapping import mapping_of
from rainbow.datasets.mapping.names import people_write_too, role_by_name

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
