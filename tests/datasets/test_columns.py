"""What is said of a file is one mapping: given options win over saved ones, these over a file beside it."""

from pathlib import Path

import pytest

from rainbow import load_dataset
from rainbow.datasets.columns import Columns, saved_columns
from rainbow.datasets.files import read_file


def test_what_is_said_here_wins_and_scores_and_tables_to_join_add_up() -> None:
    given = Columns(output="text", scores=("comet:lower", "judge:higher"), joined=("b.csv",))
    saved = Columns(output="said", mr="input", scores=("comet:higher", "ter2:lower"), joined=("a.csv",))
    both = given.with_defaults(saved)
    assert (both.output, both.mr) == ("text", "input")
    assert both.scores == ("comet:lower", "ter2:lower", "judge:higher")
    assert both.joined == ("a.csv", "b.csv")


def test_what_is_said_is_printed_as_the_options_that_say_it() -> None:
    said = Columns.create(output="the text", references=["a", "b"], reference_separator="||", ratings="quality")
    assert str(said) == "--output 'the text' --reference a --reference b --separator '||' --rating quality"


@pytest.mark.parametrize(("content", "message"), [
    ("output = ", "Invalid value"),
    ('texts = "text"', "'texts' is not an option: choose from output, reference, separator, input"),
    ("rating = 5", "rating is 5: give a string"),
    ('encoding = "rot13"', "unknown encoding 'rot13'"),
    ('score = "comet"', "score 'comet': set the better direction, comet:higher or :lower"),
])  # fmt: skip
def test_a_file_beside_that_cannot_be_read_is_named(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "rainbow.toml").write_text(content)
    with pytest.raises(ValueError, match=rf"rainbow\.toml: {message}"):
        saved_columns(tmp_path / "mine.csv")


def test_files_that_the_file_beside_names_lie_beside_it(tmp_path: Path) -> None:
    (tmp_path / "rainbow.toml").write_text('join = "more.csv"\nbackground = "train.csv"\nreference = "r.txt"\n')
    said = saved_columns(tmp_path / "mine.csv")
    assert (said.joined, said.background) == ((str(tmp_path / "more.csv"),), str(tmp_path / "train.csv"))
    assert said.references == ("r.txt",), "of a table it is a column"
    assert saved_columns(tmp_path / "out.txt").references == (str(tmp_path / "r.txt"),)


def test_a_word_that_says_nothing_of_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("output\nx\n")
    with pytest.raises(ValueError, match="'texts' is not a known field: choose from output"):
        load_dataset(tmp_path / "mine.csv", texts="output")


def test_of_what_is_named_in_part_two_columns_that_might_be_meant_are_not_chosen_from(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("output,target,gold\nx,y,z\n")
    assert read_file(tmp_path / "mine.csv", output="output").frame["references"].tolist() == [()]
    (tmp_path / "mine.csv").write_text("prediction,hypothesis,gold\nx,y,z\n")
    message = "no column 'output': the columns are prediction, hypothesis, gold: name the column"
    with pytest.raises(ValueError, match=message):
        read_file(tmp_path / "mine.csv", references="gold")


def test_a_corpus_s_own_names_come_before_usual_ones(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("output,prediction,reference,gold\nx,no,y,no\n")
    assert read_file(tmp_path / "mine.csv").frame[["output", "references"]].to_numpy().tolist() == [["x", ("y",)]]
