"""References with errors: what is changed in them, and which may be learned with which rows."""

import numpy as np
import pytest
from nltk.metrics import edit_distance

from rainbow import Corpus
from rainbow.learned.training.fabrication import ERRORS
from rainbow.learned.training.reference_errors import LEARNED, references_with_errors
from rainbow.text.words.words_and_marks import text_words

CORPUS = Corpus.of(
    ["an inn", "The Inn  is cheap.", "a pub", "a bar"],
    [["The Inn  is cheap.", "A cheap inn!"], ["The Inn  is cheap."], ["A cheap inn!", "..."], ["It's a bar"]],
    item=["1", "1", "2", "3"],
)


def test_a_copy_differs_from_its_reference_by_its_errors_alone() -> None:
    made = references_with_errors(CORPUS)
    texts = made.corpus.frame["output"].tolist()
    sources = texts[:: len(ERRORS)]
    assert sorted(sources) == ["...", "A cheap inn!", "A cheap inn!", "It's a bar", "The Inn  is cheap."]
    assert made.errors.tolist() == [*ERRORS] * len(sources)
    for source, copy, errors in zip(np.repeat(sources, len(ERRORS)), texts, made.errors, strict=True):
        assert edit_distance(text_words(source), text_words(copy)) <= errors
        assert errors or copy == source
    assert any("  is" in copy for copy in texts if copy not in sources), "blanks stay as they are written"


def test_the_same_reference_of_an_input_is_taken_once_and_what_is_drawn_depends_on_the_seed() -> None:
    first, again, other = (references_with_errors(CORPUS, seed) for seed in (1, 1, 2))
    assert first.corpus.frame.equals(again.corpus.frame)
    assert not first.corpus.frame["output"].equals(other.corpus.frame["output"])


def test_what_held_out_rows_have_or_say_is_not_learned() -> None:
    made = references_with_errors(CORPUS)
    chosen = made.learnable(CORPUS.frame, np.array([0, 2]))  # row 1, held out, says one of the references of item 1
    sources = {(made.corpus.frame["item"].iloc[place], made.folded[place]) for place in chosen}
    assert {item for item, _ in sources} == {"1", "2"}
    assert all("is cheap" not in text for _, text in sources)


def test_of_many_references_so_many_are_learned_each_with_all_its_copies() -> None:
    texts = [[f"the inn number {place} is cheap ."] for place in range(3 * LEARNED)]
    corpus = Corpus.of(["x"] * len(texts), texts)
    made = references_with_errors(corpus)
    chosen = made.learnable(corpus.frame, np.arange(len(corpus)))
    assert np.bincount(made.errors[chosen]).tolist() == [LEARNED] * len(ERRORS)


def test_without_a_reference_there_is_nothing_to_learn() -> None:
    with pytest.raises(ValueError, match="there is no reference to put errors into"):
        references_with_errors(Corpus.of(["an inn"]))
