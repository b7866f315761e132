"""Several files of outputs and one of references as a corpus: what fits, what is told, what is refused."""

from pathlib import Path

import pytest

from rainbow.datasets.text_files import read_references, read_systems

REFERENCES = "mr,ref\nname[A],A pub.\nname[A],The pub A.\nname[B],B.\n"
GOOD = "MR\toutput\nname[A]\tA is a pub.\nname[B]\tB is a pub.\n"


def write(folder: Path, **texts: str) -> list[Path]:
    paths = [folder / name.replace("__", ".") for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_bytes(text.encode())
    return paths


def test_systems_are_named_after_their_files_and_share_references(tmp_path: Path) -> None:
    references, one, other = write(tmp_path, refs__csv=REFERENCES, one__tsv=GOOD, other__tsv=GOOD)
    frame = read_systems([one, other], references).corpus.frame
    assert frame["system"].tolist() == ["one", "one", "other", "other"]
    assert frame["references"].tolist() == [("A pub.", "The pub A."), ("B.",)] * 2
    assert frame["item"].tolist() == frame["mr"].tolist() == ["name[A]", "name[B]"] * 2
    assert frame["line"].tolist() == [2, 3, 2, 3]


def test_references_of_one_input_belong_together_wherever_they_stand(tmp_path: Path) -> None:
    (path,) = write(tmp_path, refs__csv='mr,ref\nname[A],"A, a\npub."\nname[B],B.\nname[A],The pub A.\n')
    assert dict(read_references(path).sets) == {"name[A]": ("A, a\npub.", "The pub A."), "name[B]": ("B.",)}


def test_plain_text_answers_the_sets_in_their_order(tmp_path: Path) -> None:
    references, one = write(tmp_path, refs__txt="A pub.\nThe pub A.\n\nB.\n", one__txt="A.\nB.\n")
    frame = read_systems([one], references).corpus.frame
    assert (frame["references"].tolist(), frame["item"].tolist()) == ([("A pub.", "The pub A."), ("B.",)], ["1", "2"])


def test_plain_text_of_another_length_is_refused_with_file_and_line_or_left_out(tmp_path: Path) -> None:
    references, one, short = write(tmp_path, refs__txt="A.\n\nB.\n", one__txt="A.\nB.\n", short__txt="A.\n")
    with pytest.raises(ValueError, match=r"short\.txt, line 1: 1 outputs, but 2 inputs in .*refs\.txt"):
        read_systems([one, short], references)
    corpus, notes = read_systems([one, short], references, lenient=True)
    assert corpus.frame["system"].tolist() == ["one", "one"]
    assert [note.fix for note in notes] == ["the system is ignored"]


def test_quotes_round_every_field_are_refused_with_file_and_line_or_mended(tmp_path: Path) -> None:
    references, one = write(tmp_path, refs__csv=REFERENCES, one__tsv="MR\toutput\n'name[A]'\t'A.'\n'name[B]'\t'B.'\n")
    with pytest.raises(ValueError, match=r"one\.tsv, line 2: every output is enclosed in ' and '"):
        read_systems([one], references)
    corpus, notes = read_systems([one], references, lenient=True)
    assert (corpus.frame["output"].tolist(), [note.fix for note in notes]) == (["A.", "B."], ["the quotes are removed"])
    literal, notes = read_systems([one], references, as_published=True)
    assert literal.frame["output"].tolist() == ["'A.'", "'B.'"]


def test_an_output_for_an_unknown_input_is_refused_with_file_and_line_or_left_out(tmp_path: Path) -> None:
    references, one = write(tmp_path, refs__csv=REFERENCES, one__tsv=GOOD + "name[C]\tC.\n")
    with pytest.raises(ValueError, match=r"one\.tsv, line 4: .*refs\.csv has no reference for 'name\[C\]'.*--lenient"):
        read_systems([one], references)
    corpus, notes = read_systems([one], references, lenient=True)
    assert (len(corpus), len(notes)) == (2, 1)


def test_carriage_returns_are_told_and_no_error(tmp_path: Path) -> None:
    references, one = write(tmp_path, refs__csv=REFERENCES, one__tsv=GOOD.replace("\n", "\r\n"))
    corpus, notes = read_systems([one], references)
    assert corpus.frame["output"].tolist() == ["A is a pub.", "B is a pub."]
    assert [note.problem for note in notes] == ["3 lines end with a carriage return"]


@pytest.mark.parametrize(("references", "message"), [
    ("meaning,ref\nname[A],A.\n", r"refs\.csv, line 1: the column 'mr' is missing"),
    ("mr,ref\nname[A]\n", r"refs\.csv, line 2: it has 1 fields, but the header has 2"),
    ("mr,ref\nname[Z],Z.\n", r"no output matches|no reference for"),
])  # fmt: skip
def test_references_that_cannot_be_read_are_refused_with_file_and_line(tmp_path, references, message) -> None:
    path, one = write(tmp_path, refs__csv=references, one__tsv=GOOD)
    with pytest.raises(ValueError, match=message):
        read_systems([one], path, lenient=True)


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    references, one = write(tmp_path, refs__csv=REFERENCES, one__tsv=GOOD)
    (tmp_path / "again").mkdir()
    (again,) = write(tmp_path / "again", one__tsv=GOOD)
    with pytest.raises(ValueError, match="would both get the system name 'one'"):
        read_systems([one, again], references)
