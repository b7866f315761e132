"""Short examples of functions in text, and levels of syntactic complexity."""

from pathlib import Path

import pytest

from rainbow.programs.stanford_parser import parse_trees, parser_unavailable_reason
from rainbow.text.ngrams.class_bigrams import class_tokens
from rainbow.text.ngrams.document_frequencies import CollectionFrequencies
from rainbow.text.ngrams.ngram_counts import max_counts, ngram_counts
from rainbow.text.tokens.punctuation import ptb_words
from rainbow.text.trees import HIGHEST, d_level, parse_tree
from rainbow.text.words.words_and_punctuation import word_spans


@pytest.mark.parametrize(("call", "expected"), [
    (lambda: class_tokens("Alan Bean was born in Wheeler, Texas."),
     ["<Name>", "<Name>", "was", "<word>", "in", "<Name>", ",", "<Name>", "."]),
    (
        lambda: [round(CollectionFrequencies(4, {("the",): 2}).weight((token,)), 3) for token in ("the", "inn")],
        [0.693, 1.386]),
    (lambda: max_counts([ngram_counts(["an", "an", "inn"]), ngram_counts(["inn", "inn"])])[0]["inn",], 2),
    (lambda: ptb_words("The inn, what?!"), ["the", "inn", "what"]),
    (lambda: word_spans("An inn."), [(0, 2), (3, 6), (6, 7)]),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected


# The level of each was told from the scale before its tree was looked at.
LINES = (Path(__file__).parent / "trees" / "d_level_trees.txt").read_text(encoding="utf-8").splitlines()
SENTENCES = [(int(level), tree) for level, tree in (line.split("\t") for line in LINES)]


def said(tree: str) -> str:
    return " ".join(parse_tree(tree).words())


@pytest.mark.parametrize(("level", "tree"), SENTENCES, ids=[said(tree) for _, tree in SENTENCES])
def test_a_sentence_has_the_level_of_the_scale(level: int, tree: str) -> None:
    assert d_level(parse_tree(tree)) == level


def test_every_level_is_tried() -> None:
    assert {level for level, _ in SENTENCES} == set(range(HIGHEST + 1))


def test_the_root_of_a_tree_makes_no_difference() -> None:
    for level, tree in SENTENCES:
        assert d_level(parse_tree(f"(ROOT {tree})")) == level


def test_a_tree_of_any_depth_is_read() -> None:
    assert parse_tree("(NP " * 500 + "(NN inn)" + ")" * 500).words() == ["inn"]


@pytest.mark.parametrize("text", ["", "(S", "S)", "(S) (S)", "words"])
def test_what_is_no_tree_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="bracket"):
        parse_tree(text)


@pytest.mark.skipif(parser_unavailable_reason() is not None, reason=str(parser_unavailable_reason()))
def test_the_parser_gives_a_tree_for_every_sentence() -> None:
    (trees, nothing) = parse_trees(["It is a pub which serves fish. It is cheap.", ""])
    assert nothing == () and trees is not None and [d_level(parse_tree(tree)) for tree in trees] == [3, 0]
