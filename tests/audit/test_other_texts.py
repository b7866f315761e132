"""Texts that say something else, or nothing more."""

from random import Random

import pytest

from rainbow.audit.audit_rows import Perturbation, Row, audit_rows
from rainbow.audit.sentences import FILLERS, GENERIC, UNRELATED
from rainbow.audit.text_errors import (
    copy_mr,
    generic_sentence,
    other_reference,
    pad_length,
    previous_turn,
    unrelated_sentence,
)
from rainbow.corpus import Corpus
from rainbow.datasets import load_dataset
from rainbow.text.words.mentions import find_mentions, mention_words


def all_of(perturbation: Perturbation, row: Row) -> set[str | None]:
    return {perturbation(row, Random(seed)) for seed in range(300)}


def row(text: str, mr: str = "") -> Row:
    return audit_rows(Corpus.from_texts([text], mrs=[mr]))[0]


def test_unrelated_sentences_are_many_and_written_like_the_text() -> None:
    assert len(set(UNRELATED)) == len(UNRELATED) >= 40 and all_of(unrelated_sentence, row("The inn.")) == set(UNRELATED)
    assert all_of(unrelated_sentence, row("the inn.")) == {sentence.lower() for sentence in UNRELATED}


@pytest.mark.parametrize("name", ["demo", "emnlp2017"])
def test_unrelated_sentences_say_no_value_of_a_dataset(name: str, request: pytest.FixtureRequest) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if name != "demo":
            patch.setenv("RAINBOW_DATA", str(request.getfixturevalue("data_dir")))
        rows = audit_rows(load_dataset(name))
    values = {key for given in rows for slot in given.surroundings.values.values() for key in slot if len(key) > 2}
    assert len(values) > 100
    for sentence in (*UNRELATED, *FILLERS, *GENERIC):
        assert list(find_mentions(mention_words(sentence), values)) == [], sentence


def test_padding_is_one_to_three_sentences_that_say_nothing_new() -> None:
    text = "the inn is cheap."
    known = {sentence.lower() for sentence in FILLERS} | {f"let me say that again: {text}"}
    counts = set()
    for padded in all_of(pad_length, row(text)):
        assert padded is not None and padded.startswith(text + " ")
        rest = padded.removeprefix(text + " ")
        found = [sentence for sentence in known if sentence in rest]
        assert sum(map(len, found)) + len(found) - 1 == len(rest), rest
        counts.add(len(found))
    assert counts == {1, 2, 3}


def test_padding_begins_after_a_full_stop() -> None:
    assert all(str(text).startswith("The inn. ") for text in all_of(pad_length, row("The inn ")))
    assert all_of(pad_length, row(" ")) == {None}


def test_the_copy_is_the_meaning_representation_as_written() -> None:
    assert all_of(copy_mr, row("x", "inform( name = 'the Inn' )")) == {"inform( name = 'the Inn' )"}
    assert all_of(copy_mr, row("x")) == {None}


def test_the_copy_of_a_text_is_the_text() -> None:
    dialogue = "A: Is there a pool?\nB: Yes, on the roof."
    assert all_of(copy_mr, row("x", dialogue)) == {dialogue}


@pytest.mark.parametrize(("given", "turn"), [
    ("A: Is there a pool?\nB: Yes, on the roof.", "Yes, on the roof."),
    ("Is there a pool?\n\n  Yes, at 12:30.  \n", "Yes, at 12:30."),
    ("Guest: A room, please.\nHotel clerk: For how long?\nGuest:", "For how long?"),
    ("Is there a pool?", None),
    ("Guest: Is there a pool?\nHotel:", None),
    ("", None),
    ("| name | area |\n| --- | --- |\n| inn | soma |", None),
])  # fmt: skip
def test_the_previous_turn_is_the_last_line_of_a_text_with_several(given: str, turn: str | None) -> None:
    assert all_of(previous_turn, row("x", given)) == {turn}


def test_generic_answers_are_drawn_from_a_list_that_training_does_not_use() -> None:
    assert len(set(GENERIC)) == len(GENERIC) >= 12 and not {*GENERIC} & {*UNRELATED, *FILLERS}
    assert all_of(generic_sentence, row("The inn.")) == {*GENERIC}
    assert all_of(generic_sentence, row("the inn.")) == {sentence.lower() for sentence in GENERIC}


def others(*rows: tuple[str, str, str, str]) -> set[str | None]:
    """Return the references that may stand for the first output; a row is dataset, MR, output, reference."""
    datasets, mrs, outputs, references = zip(*rows, strict=True)
    ids = [str(place) for place in range(len(rows))]
    corpus = Corpus.from_texts(
        outputs, [[text] if text else [] for text in references], mrs, dataset=datasets, item=ids
    )
    return all_of(other_reference, audit_rows(corpus)[0])


def test_another_reference_is_of_another_item_of_the_dataset() -> None:
    mine = ("a", "i(area=soma)", "The Soma", "in soma")
    assert others(mine, ("a", "i(area=noma)", "", "In Noma"), ("b", "i(area=noma)", "", "b")) == {"In Noma"}
    assert others(mine, ("a", "i(area=noma)", "", "c"), ("a", "i(near=soma)", "", "d")) == {"c", "d"}
    assert others(mine) == {None}


@pytest.mark.parametrize(("mr", "reference"), [
    ("confirm(area=Soma)", "soma?"),  # asks for the same
    ("i(area=noma)", "IN SOMA"),  # a reference of this row
    ("i(area=noma)", "the soma"),  # this row's output
    ("i(area=noma)", ""),
])  # fmt: skip
def test_a_reference_that_says_the_same_is_none(mr: str, reference: str) -> None:
    assert others(("a", "i(area=soma)", "The Soma", "in soma"), ("a", mr, "", reference)) == {None}


def test_without_meaning_representations_another_item_is_enough() -> None:
    assert others(("a", "", "x", "y"), ("a", "", "v", "w")) == {"w"}


def test_it_is_written_like_the_text() -> None:
    assert others(("a", "", "x", ""), ("a", "", "", "The Inn")) == {"the inn"}
