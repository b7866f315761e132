"""Groups of rows that belong together, and the folds they are dealt into."""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rainbow import Corpus, load_dataset
from rainbow.learned.protocols.groups import (
    PROTOCOLS,
    FoldAssignment,
    assign_folds,
    folded_text,
    folds_table,
    input_template,
    iter_folds,
    row_groups,
    row_positions,
)
from rainbow.learned.protocols.training_overlap import overlap_table

# What may not stand on both sides, by protocol.
APART = {
    "by-item": ["item"], "by-text": ["text"], "by-item-and-text": ["item", "text"],
    "by-template": ["item", "text", "template"], "leave-one-system-out": ["system"],
    "leave-one-dataset-out": ["dataset"],
}  # fmt: skip


def corpus(outputs: list[str], **columns: list[str]) -> pd.DataFrame:
    return Corpus.from_texts(outputs, **columns).frame


def keys(frame: pd.DataFrame) -> dict[str, list[object]]:
    """What a row must not share with the other side, found in a plain way of its own."""
    return {
        "item": list(zip(frame["dataset"], frame["item"], strict=True)),
        "text": ["".join(text.lower().split()) for text in frame["output"]],
        "template": [
            input_template(mr) if mr else identity for mr, identity in zip(frame["mr"], frame["id"], strict=True)
        ],
        "system": frame["system"].tolist(),
        "dataset": frame["dataset"].tolist(),
    }


def shared(frame: pd.DataFrame, assignment: FoldAssignment, kind: str) -> Iterator[set[object]]:
    values = keys(frame)[kind]
    for train, test in iter_folds(assignment):
        yield {values[row] for row in train} & {values[row] for row in test}


@st.composite
def tables(draw: st.DrawFn) -> pd.DataFrame:
    """Draw corpora in which items, texts and meaning representations often recur."""
    rows = draw(st.integers(10, 40))

    def column(*values: str) -> list[str]:
        return draw(st.lists(st.sampled_from(values), min_size=rows, max_size=rows))

    outputs = column("the inn.", "The  inn .", "a cafe", "it is cheap", "", *map(str, range(40)))
    return corpus(
        outputs,
        mrs=column("", "inform(name=a)", "inform(name=b)", "inform(pets=yes)", "inform(pets=no)", "request(area)"),
        item=column(*(f"item {number}" for number in range(30))),
        system=["one", "two", *column("one", "two", "three")[2:]],
        dataset=["inns", "cafes", *column("inns", "cafes")[2:]],
    )


@settings(max_examples=60)
@given(frame=tables(), seed=st.integers(0, 5))
@pytest.mark.parametrize("protocol", APART)
def test_what_a_protocol_keeps_apart_never_stands_on_both_sides(frame: pd.DataFrame, seed: int, protocol: str) -> None:
    try:
        assignment = assign_folds(frame, protocol, folds=2, seed=seed)
    except ValueError as error:
        assert "1 groups of rows: there is nothing to hold out" in str(error)
        return
    for kind in APART[protocol]:
        assert not any(shared(frame, assignment, kind))
    assert sorted(np.concatenate([test for _, test in iter_folds(assignment)])) == list(range(len(frame)))


@settings(max_examples=40)
@given(frame=tables(), order=st.randoms(use_true_random=False))
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_folds_do_not_depend_on_the_order_of_the_rows(frame: pd.DataFrame, order: Random, protocol: str) -> None:
    rows = list(range(len(frame)))
    order.shuffle(rows)
    shuffled = frame.iloc[rows].reset_index(drop=True)
    try:
        expected = dict(zip(frame["id"], assign_folds(frame, protocol, folds=2).fold.tolist(), strict=True))
    except ValueError:
        return
    assert dict(zip(shuffled["id"], assign_folds(shuffled, protocol, folds=2).fold, strict=True)) == expected


def test_folds_follow_from_the_rows_and_not_from_ids_that_only_number_them() -> None:
    texts = [f"text {number}" for number in range(30)]
    forth, back = (assign_folds(corpus(outputs), "kfold", folds=3).fold for outputs in (texts, texts[::-1]))
    assert forth.tolist() == back[::-1].tolist()


def test_another_seed_gives_other_folds_and_the_same_seed_the_same() -> None:
    frame = load_dataset("demo").frame
    first, again, other = (assign_folds(frame, "by-item", seed=seed).fold for seed in (1, 1, 2))
    assert (first == again).all() and 0.6 < (first != other).mean() < 0.95


def test_of_fewer_groups_than_folds_each_is_held_out_alone() -> None:
    assignment = assign_folds(corpus(["a", "b", "c", "a"]), "by-text", folds=5)
    assert sorted(map(tuple, (test.tolist() for _, test in iter_folds(assignment)))) == [(0, 3), (1,), (2,)]


@pytest.mark.parametrize("protocol", ["kfold", "by-item", "by-text", "by-item-and-text", "by-template"])
def test_folds_of_the_demo_data_are_nearly_equal_and_keep_apart_what_they_must(protocol: str) -> None:
    frame = load_dataset("demo").frame
    assignment = assign_folds(frame, protocol)
    assert np.ptp(np.bincount(assignment.fold)) <= 4
    for kind in APART.get(protocol, []):
        assert not any(shared(frame, assignment, kind))


# Groups, and the largest of them, counted once for all from the definitions.
EMNLP_GROUPS = {
    "kfold": (2460, 1),
    "by-item": (1180, 10),
    "by-text": (2249, 9),
    "by-item-and-text": (1077, 20),
    "by-template": (231, 280),
    "leave-one-system-out": (3, 1181),
    "leave-one-dataset-out": (3, 1181),
}


@pytest.fixture(scope="module")
def emnlp(data_dir: Path) -> pd.DataFrame:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAINBOW_DATA", os.fspath(data_dir))
        return load_dataset("emnlp2017").frame


@pytest.mark.parametrize("protocol", EMNLP_GROUPS)
def test_no_group_of_the_published_data_stands_on_both_sides(emnlp: pd.DataFrame, protocol: str) -> None:
    sizes = np.bincount(row_groups(emnlp, protocol))
    assert (len(sizes), sizes.max()) == EMNLP_GROUPS[protocol]
    assignment = assign_folds(emnlp, protocol)
    for kind in APART.get(protocol, []):
        assert not any(shared(emnlp, assignment, kind))
    if not protocol.startswith("leave"):
        assert np.bincount(assignment.fold) == pytest.approx([492] * 5, abs=2)


def test_every_protocol_says_in_one_sentence_what_it_leaves_out_and_what_its_number_means() -> None:
    for sentence in PROTOCOLS.values():
        assert sentence.startswith("Leaves ") and "its number" in sentence and sentence.endswith(".")
        assert ". " not in sentence
    assert "leaks" in PROTOCOLS["paper"]


def test_a_template_is_the_act_and_the_sorted_slots_with_closed_values_kept() -> None:
    found = input_template("inform(type=hotel,name='the grand',kids_allowed='no',area=dont_care)")
    assert found == "inform(area=dont_care,kids_allowed=no,name,type)"
    assert input_template("?request(area)") == "request(area)"
    assert input_template("name[Zizzi], food[French], familyFriendly[Yes]") == "inform(familyfriendly=yes,food,name)"


@pytest.mark.parametrize(("one", "other"), [
    ("inform(name=a)", "confirm(name=a)"),
    ("inform(name=a)", "inform(name=a,area=b)"),
    ("inform(pets=yes)", "inform(pets=no)"),
    ("inform(food=thai)", "inform(food=thai,food=greek)"),
    ("inform(name=a)", "inform(name=none)"),
])  # fmt: skip
def test_templates_differ_by_act_slots_how_often_and_closed_values(one: str, other: str) -> None:
    assert input_template(one) != input_template(other)


def test_texts_are_equal_whatever_their_case_blanks_and_accents() -> None:
    assert folded_text("The  Café is cheap .") == folded_text("the cafe is cheap.")
    assert folded_text("it is cheap") != folded_text("it is cheap.")


def test_rows_are_joined_by_chains_of_items_and_texts() -> None:
    # 0 and 1 share an item, 1 and 2 a text, 2 and 3 an item; 4 stands alone.
    frame = corpus(["a", "b", "B ", "c", "d"], item=["i", "i", "j", "j", "k"])
    assert row_groups(frame, "by-item").tolist() == [0, 0, 1, 1, 2]
    assert row_groups(frame, "by-text").tolist() == [0, 1, 1, 2, 3]
    assert row_groups(frame, "by-item-and-text").tolist() == [0, 0, 0, 0, 1]


def test_items_of_one_name_in_two_datasets_are_two_items() -> None:
    assert row_groups(corpus(["a", "b"], item=["1", "1"], dataset=["inns", "cafes"]), "by-item").tolist() == [0, 1]


def test_templates_join_inputs_also_across_datasets_and_rows_without_one_go_by_item() -> None:
    frame = corpus(
        ["a", "b", "c", "d", "e"],
        mrs=["inform(name=x)", "inform(name=y)", "inform(area=x)", "", ""],
        item=["1", "2", "3", "4", "4"],
        dataset=["inns", "cafes", "inns", "inns", "inns"],
    )
    assert row_groups(frame, "by-template").tolist() == [0, 0, 1, 2, 2]


def test_the_largest_groups_are_dealt_first_so_that_folds_are_nearly_equal() -> None:
    fold = assign_folds(corpus([str(row) for row in range(12)], item=list("aaaaaabbbccd")), "by-item", folds=2).fold
    assert [fold[start] for start in (0, 6, 9, 11)] == [0, 1, 1, 1]


def test_leaving_one_out_goes_through_the_names_in_sorted_order() -> None:
    frame = corpus(list("abcd"), system=["tgen", "lols", "tgen", "rnnlg"])
    assignment = assign_folds(frame, "leave-one-system-out", folds=2, seed=5)
    assert assignment.fold.tolist() == [2, 0, 2, 1]
    train, test = next(iter_folds(assignment))
    assert (train.tolist(), test.tolist()) == ([0, 2, 3], [1])


def test_paper_learns_from_seven_tenths_of_the_rows_but_is_tested_on_all() -> None:
    frame = load_dataset("demo").frame
    [(train, test)] = iter_folds(assign_folds(frame, "paper"))
    assert (len(train), test.tolist()) == (len(frame) - round(0.3 * len(frame)), list(range(len(frame))))


@pytest.mark.parametrize(("protocol", "columns", "options", "message"), [
    ("by-luck", {}, {}, "unknown protocol 'by-luck': choose from paper, kfold"),
    ("split", {}, {}, "the protocol 'split' is no longer offered: use 'kfold'"),
    ("kfold", {}, {"folds": 1}, "folds is 1: use at least 2"),
    ("by-item", {"item": ["i"] * 4}, {"folds": 2}, "by-item gives 1 groups of rows: there is nothing to hold out"),
    ("leave-one-dataset-out", {}, {}, "all rows have the same dataset: leaving one out needs at least two"),
    ("leave-one-system-out", {"system": ["A"] * 4}, {}, "all rows have the same system"),
    ("leave-one-system-out", {"system": ["A", "", "B", "A"]}, {}, "row 2 has no system: every row needs one"),
])  # fmt: skip
def test_folds_that_cannot_be_made_are_refused(protocol, columns, options, message) -> None:
    with pytest.raises(ValueError, match=message):
        assign_folds(corpus(list("abcd"), **columns), protocol, **options)


def test_too_few_rows_to_split_are_refused() -> None:
    with pytest.raises(ValueError, match="1 rows are too few to hold out 30% of them"):
        assign_folds(corpus(["a"]), "paper")


def test_the_table_of_folds_has_a_line_for_each_row_and_protocol() -> None:
    frame = corpus(list("abcd"), id=["7", "1", "3", "5"])
    given = [assign_folds(frame, name, folds=2, seed=7) for name in ("kfold", "paper")]
    table = folds_table(frame, given)
    assert list(table) == ["protocol", "seed", "id", "fold"]
    assert table["id"].tolist() == frame["id"].tolist() * 2
    assert table["fold"].tolist() == [fold for assignment in given for fold in assignment.fold]


def test_an_id_that_the_corpus_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="no row with id '7'"):
        row_positions(corpus(["a"]), ["7"])


def test_the_overlap_says_which_share_of_test_rows_has_its_like_in_training() -> None:
    frame = corpus(list("abac"), item=["i", "i", "j", "j"], mrs=["inform(name=x)"] * 2 + ["inform(area=x)"] * 2)
    by_hand = FoldAssignment("kfold", 1, np.array([0, 1, 1, 1]))
    # Row 0 against 1, 2, 3 and these against it: items 0-1, texts 0-2.
    table = overlap_table(frame, [by_hand, by_hand._replace(protocol="paper", fold=np.array([0, -1, -1, -1]))])
    found = table.values.tolist()
    assert found == [["kfold", 1, 4, 0.0, 0.5, 0.5, 0.5, 0.5], ["paper", 1, 4, 0.75, 1.0, 1.0, 1.0, 1.0]]
