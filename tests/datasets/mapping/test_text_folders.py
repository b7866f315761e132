"""Folders of texts and of what other tools write: which file holds what."""

import json
from pathlib import Path

import pytest

from rainbow.datasets import load_dataset
from rainbow.datasets.folders.user_files import open_user_files
from tests.datasets.mapping.places import GOOD


def write_texts(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(f"{name} says {text}\n" for text in GOOD))


@pytest.mark.parametrize(("names", "systems"), [
    (["systems/base.txt", "systems/big.txt", "reference.txt", "source.txt", "README"], ["base", "big"]),
    (["run1.hyp", "run2.hyp", "test.ref0", "test.ref1", "test.mr"], ["run1", "run2"]),
    (["exp/bart/test.out", "exp/lead3/test.out", "exp/lead3/train.log", "data/test.target", "data/test.source"],
     ["bart", "lead3"]),
    (["hyp/wmt.en-fr.hyp.CUNI-Doc.fr", "hyp/wmt.en-fr.hyp.Online-W.fr", "wmt.en-fr.ref.refA.fr", "wmt.en-fr.src.en"],
     ["CUNI-Doc", "Online-W"]),
    (["asset.test.orig", "asset.test.simp.0", "asset.test.simp.1", "muss.out", "llama-3.1.out"], ["llama-3.1", "muss"]),
    (["outputs/oscar.pred.txt", "outputs/att2in.pred.txt", "gts/gt0.txt", "gts/gt1.txt", "image_ids.txt"],
     ["att2in", "oscar"]),
])  # fmt: skip
def test_texts_whose_lines_belong_together_are_found_at_any_depth(tmp_path, names, systems) -> None:
    write_texts(tmp_path, *names)
    frame = load_dataset(tmp_path).frame
    assert (sorted({*frame["system"]}), len(frame)) == (systems, 2 * len(GOOD))
    found = frame["references"].str.len().tolist()
    assert found == [sum("ref" in n or "target" in n or "gt" in n or "simp" in n for n in names)] * len(frame)
    assert any("hyp" in text or "out" in text or "systems" in text for text in frame["output"])


def test_the_only_text_in_another_language_is_the_input_and_its_namesake_the_reference(tmp_path: Path) -> None:
    write_texts(tmp_path, "dev.en", "dev.es", "base.es", "big.es")
    frame = load_dataset(tmp_path).frame
    assert frame.loc[0, ["system", "mr", "references"]].tolist() == [
        "base", f"dev.en says {GOOD[0]}", (f"dev.es says {GOOD[0]}",)
    ]  # fmt: skip
    assert {*frame["system"]} == {"base", "big"}


def test_samples_of_an_evaluation_harness_are_found_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "results_2024.json").write_text("{}")
    lines = [
        {"doc_id": row, "doc": {"answer": [text]}, "resps": [[f"It is: {text}"]], "filtered_resps": [text]}
        for row, text in enumerate(GOOD)
    ]
    (tmp_path / "model" / "samples_xsum_2024.jsonl").write_text("\n".join(map(json.dumps, lines)))
    frame = load_dataset(tmp_path).frame
    assert (frame["output"].tolist(), frame["references"].tolist()) == (GOOD, [(text,) for text in GOOD])


def test_the_only_text_of_another_ending_is_the_input_if_endings_are_languages(tmp_path: Path) -> None:
    write_texts(tmp_path, "base.run", "big.run", "third.test")
    assert {*load_dataset(tmp_path).frame["system"]} == {"base.run", "big.run", "third.test"}


@pytest.mark.parametrize("first", [0, 1])
def test_marks_in_a_table_beside_texts_are_their_ratings(tmp_path: Path, first: int) -> None:
    write_texts(tmp_path, "tgen.txt", "slug.txt", "human1.txt", "inputs.txt")
    rows = [(line, system, who) for line in range(3) for system in ("TGen", "slug") for who in "ab"]
    marks = [f"{line + first},{system},{who},{3 + (who == 'b') - line % 2}\n" for line, system, who in rows]
    (tmp_path / "marks.csv").write_text("line,model,rater,clarity\n" + "".join(marks))
    frame = load_dataset(tmp_path).frame
    assert len(frame) == 2 * len(GOOD) and frame["references"].str.len().eq(1).all()
    assert frame["clarity"].tolist()[:6] == [3.5, 3.5, 2.5, 2.5, 3.5, 3.5]
    assert frame["clarity_2"].tolist()[:2] == [4, 4] and frame["clarity"].notna().sum() == 6


def test_a_table_that_names_no_line_of_the_texts_is_unused(tmp_path: Path) -> None:
    write_texts(tmp_path, "tgen.txt", "slug.txt")
    (tmp_path / "times.csv").write_text("epoch,loss\n1000,2.5\n2000,2.25\n")
    assert "times.csv" in open_user_files([str(tmp_path)]).mapping.roles()


def test_a_text_of_a_few_lines_beside_those_of_systems_is_a_note(tmp_path: Path) -> None:
    write_texts(tmp_path, "tgen.txt", "slug.txt")
    (tmp_path / "poznamky.txt").write_text("sent on Monday\n")
    assert open_user_files([str(tmp_path)]).mapping.roles()["poznamky.txt"] == "unused"
    (tmp_path / "slug.txt").write_text("".join(f"slug says {text}\n" for text in GOOD[1:]))
    with pytest.raises(ValueError, match=r"line n of every file must be for input n"):
        open_user_files([str(tmp_path)])


def test_the_only_text_in_another_language_is_the_input_whatever_systems_are_called(tmp_path: Path) -> None:
    write_texts(tmp_path, "cubbitt.cs", "lindat-doc.cs", "lidsky_preklad.cs", "zdroj.en")
    (tmp_path / "note.txt").write_text("sent on Monday\n")
    roles = open_user_files([str(tmp_path)]).mapping.roles()
    assert roles == {
        "cubbitt.cs": "output of cubbitt", "lindat-doc.cs": "output of lindat-doc", "lidsky_preklad.cs": "reference",
        "zdroj.en": "input", "note.txt": "unused",
    }  # fmt: skip


def test_endings_in_capitals_count_and_tables_of_another_kind_are_named(tmp_path: Path) -> None:
    for name in ("a.csv", "B.CSV", "c.tsv"):
        (tmp_path / name).write_text("hyp\nthe inn is cheap\nthere is a bar\n")
    with pytest.warns(UserWarning, match=r"only the \.csv files are read, not 1 file \.tsv: name files to read those"):
        opened = open_user_files([str(tmp_path)])
    assert [file.name for file in opened.files] == ["B.CSV", "a.csv"]
