"""WebNLG 2020 in Russian: what the loader makes of files like the published ones, and of the published ones."""

import json
from pathlib import Path

import pytest

from rainbow import load_dataset
from rainbow.datasets import judgements, webnlg2020
from rainbow.datasets.webnlg2020 import RUSSIAN as NAME
from rainbow.datasets.webnlg2020 import TEST_SET

OUTPUTS, RATINGS = webnlg2020.OUTPUTS[NAME], webnlg2020.RATINGS[NAME]
CRITERIA = ("Correctness", "DataCoverage", "Fluency", "Relevance", "TextStructure")
ENTRY = """
<entry category="{category}" eid="{number}" size="1" shape="(X (X))" shape_type="NA">
  <originaltripleset><otriple>Not_read | not | read</otriple></originaltripleset>
  <modifiedtripleset><mtriple>{mr}</mtriple><mtriple>103_Hera | epoch | "2011-08-27"</mtriple></modifiedtripleset>
  <lex comment="" lid="Id1" lang="ru">(103) Гера &quot;открыта&quot; {number}.</lex>
  <lex comment="" lid="Id2" lang="ru">Гера открыта {number}. </lex>
</entry>"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with three inputs, of which the first and the last were rated; hashes are not checked."""
    monkeypatch.setattr(webnlg2020, "locate_file", lambda file: tmp_path / file.local)
    entries = (
        ENTRY.format(number=number, category="Astronaut", mr=f"Hera_{number} | is | in_space") for number in (1, 2, 3)
    )
    write(tmp_path / TEST_SET.local, f"<benchmark><entries>{''.join(entries)}</entries></benchmark>")
    for system, file in OUTPUTS.items():
        write(tmp_path / file.local, f" {system} один\n{system} два\n{system} три\n")
    marks = {"ru_worker_7": dict.fromkeys(CRITERIA, 100), "ru_worker_2": dict.fromkeys(CRITERIA, 50)}
    for file in RATINGS.values():
        write(tmp_path / file.local, json.dumps({"3": marks, "1": marks}))
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


@pytest.mark.usefixtures("folder")
def test_rated_inputs_have_the_output_of_their_line_and_their_references() -> None:
    corpus = load_dataset(NAME)
    assert len(corpus) == 2 * len(OUTPUTS)
    first, last = corpus.frame[corpus.frame["system"] == "bt5"].to_dict("records")
    assert (first["output"], last["output"]) == ("bt5 один", "bt5 три")
    assert last["references"] == ('(103) Гера "открыта" 3.', "Гера открыта 3.")
    assert last["mr"] == 'Hera 3 | is | in space && 103 Hera | epoch | "2011-08-27"'
    assert (last["item"], last["category"], last["sample"]) == (last["mr"], "Astronaut", "3")
    assert (last["fluency"], last["fluency_1"], last["fluency_2"], corpus.language) == (75, 100, 50, "ru")


@pytest.mark.usefixtures("folder")
def test_judgements_are_of_single_outputs_and_of_what_a_person_wrote() -> None:
    table = judgements(NAME)
    assert (set(table["system"]), set(table["rater"])) == ({*OUTPUTS, "WebNLG-2020-reference"}, {"2", "7"})
    assert len(table) == 2 * 2 * len(RATINGS) * len(CRITERIA)


def test_every_published_output_has_three_raters_and_references(data_dir, monkeypatch) -> None:
    if not (data_dir / NAME).is_dir():
        pytest.skip(f"{data_dir} does not contain {NAME}")
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    frame = load_dataset(NAME).frame
    assert (len(frame), frame["system"].nunique(), frame["item"].nunique()) == (770, 7, 110)
    assert frame[[f"fluency_{rater}" for rater in (1, 2, 3)]].notna().all(axis=None)
    assert frame["references"].map(len).value_counts().to_dict() == {3: 462, 2: 224, 1: 84}
    row = frame[(frame["sample"] == "3") & (frame["system"] == "bt5")].iloc[0]
    assert row["output"].startswith("Авокадо - один из ингредиентов в колумбийском блюде бандеха паиса")
    assert row["mr"].startswith("Bandeja paisa | ingredient | Avocado && ")
