"""A user's own table of judgements."""

from pathlib import Path
from unicodedata import normalize

import pytest

from rainbow.datasets import judgements

HEADER = "judgement,item,system,criterion,kind,value,rater\n"


def test_a_table_is_read_with_numbers_and_missing_raters(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(HEADER + "1,a,x,quality,likert,5,ann\n1,a,y,quality,likert,3,\n")
    table = judgements(path)
    assert (table["value"].tolist(), table["rater"].isna().tolist()) == ([5.0, 3.0], [False, True])


def test_items_and_systems_are_called_as_in_a_corpus(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(HEADER + normalize("NFD", "1,Müller,Jäger,quality,likert,5,\n"), encoding="utf-8")
    assert judgements(path)[["item", "system"]].values.tolist() == [["Müller", "Jäger"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,system\na,x\n", "the column 'judgement'"),
        (HEADER + "1,a,x,quality,likert,5,\n1,a,y,quality,likert,good,\n", r"line 3, value: 'good' is not a number"),
        (HEADER + "1,a,x,quality,likert,inf,\n", r"line 2, value: 'inf' is not a number"),
        (HEADER + "1,a,x,quality,stars,5,\n", r"line 2, kind: choose from magnitude"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"mine\.csv.*{message}"):
        judgements(path)


def test_a_dataset_without_single_judgements_says_so() -> None:
    with pytest.raises(ValueError, match="demo has no ratings of single raters"):
        judgements("demo")
