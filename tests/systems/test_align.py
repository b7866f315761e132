"""Several systems' outputs side by side: what fits, and what is refused or left out, by its place."""

import pandas as pd
import pytest

from rainbow import Corpus
from rainbow.systems.alignment import align_systems

ROWS = [("x", "1"), ("x", "2"), ("y", "2"), ("y", "1")]


def corpus(rows: list[tuple[str, str]], references: tuple[str, ...] = ("r",), **columns: list[object]) -> Corpus:
    frame = pd.DataFrame(rows, columns=["system", "item"]).assign(output="o", **columns)
    return Corpus(frame.assign(references=[references] * len(frame)))


def test_rows_are_found_whatever_their_order() -> None:
    aligned = align_systems(corpus(ROWS))
    assert (aligned.systems, aligned.items, aligned.rows.tolist()) == (("x", "y"), ("1", "2"), [[0, 1], [3, 2]])
    assert aligned.notes == ()


def test_a_missing_output_is_named_with_where_another_system_has_it() -> None:
    with pytest.raises(ValueError, match=r"row 3: y has no output for '1' \(row 1 has one\) .*--lenient"):
        align_systems(corpus(ROWS[:-1]))
    aligned = align_systems(corpus(ROWS[:-1]), lenient=True)
    assert aligned.items == ("2",)
    assert [note.fix for note in aligned.notes] == ["the item is excluded for every system"]


def test_files_and_lines_are_named_where_they_are_known() -> None:
    places = {"file": ["x.tsv"] * 2 + ["y.tsv"] * 2, "line": [2, 3, 2, 3]}
    aligned = align_systems(corpus([*ROWS[:3], ("y", "2")], **places), lenient=True)
    assert [(note.place, note.problem) for note in aligned.notes] == [
        ("y.tsv, line 3", "y already has an output for '2' (y.tsv, line 2)"),
        ("y.tsv", "y has no output for '1' (x.tsv, line 2 has one)"),
    ]


def test_of_several_outputs_for_an_item_the_first_is_kept() -> None:
    with pytest.raises(ValueError, match=r"row 5: x already has an output for '1' \(row 1\)"):
        align_systems(corpus([*ROWS, ("x", "1")]))
    assert align_systems(corpus([*ROWS, ("x", "1")]), lenient=True).rows.tolist() == [[0, 1], [3, 2]]


def test_an_item_without_references_is_named_or_left_out() -> None:
    with pytest.raises(ValueError, match=r"row 1: '1' has no reference"):
        align_systems(corpus(ROWS, references=()))
    with pytest.raises(ValueError, match="no item has a reference"):
        align_systems(corpus(ROWS, references=()), lenient=True)


def test_one_system_is_nothing_to_compare() -> None:
    with pytest.raises(ValueError, match="at least two systems"):
        align_systems(corpus(ROWS[:2]))


def test_the_message_counts_the_other_problems() -> None:
    with pytest.raises(ValueError, match=r"\); 1 more such problems"):
        align_systems(corpus([*ROWS, ("x", "3"), ("x", "4")]))
