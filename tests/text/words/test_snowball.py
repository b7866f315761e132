"""Stems, by hand, against nltk and against the compiled twin."""

import random
from types import ModuleType

import pytest

from rainbow.base.native import kernels
from rainbow.metrics.word.meteor.tables import meteor_tables
from rainbow.text.words.snowball import stem_as_meteor, stem_as_nltk


@pytest.fixture(scope="module")
def compiled() -> ModuleType:
    module = kernels()
    if module is None:
        pytest.skip("the kernels are not compiled here: pip install -e .")
    return module


@pytest.fixture(scope="module")
def words() -> list[str]:
    """Every fourth word of METEOR's tables, and some with endings: 50,000 in all."""
    tables, generator = meteor_tables(), random.Random(2)
    known = [tables.word(number).lower() for number in range(0, len(tables.arrays["word_starts"]) - 1, 4)]
    endings = ["s", "ed", "ing", "ly", "'s", "'", "ational", "eedly", "ies", "fulli", "y", "ization"]
    return (
        known
        + [generator.choice(known) + generator.choice(endings) for _ in range(10_000)]
        + ["é", "éé", "aés", "yé", "'", "''s"]
    )


@pytest.mark.parametrize(("word", "expected"), [
    ("restaurants", "restaur"),
    ("families", "famili"),
    ("ties", "tie"),
    ("gas", "gas"),
    ("hopping", "hop"),
    ("hoping", "hope"),
    ("generously", "generous"),
    ("agreed", "agre"),
    ("youth's", "youth"),
    ("realizations", "realiz"),
    ("news", "news"),
    ("at", "at"),
])  # fmt: skip
def test_stems_are_those_of_the_published_description(word: str, expected: str) -> None:
    assert stem_as_meteor(word) == expected


def test_stems_as_nltk_has_them_are_those_of_nltk(words: list[str]) -> None:
    from nltk.stem.snowball import SnowballStemmer

    theirs = SnowballStemmer("english")
    asked = [word for word in words if "’" not in word]
    assert len(asked) > 40_000 and [stem_as_nltk(word) for word in asked] == [theirs.stem(word) for word in asked]


@pytest.mark.parametrize(("word", "nltk", "meteor"), [
    ("realizations", "realize", "realiz"),
    ("ionizer", "ionize", "ioniz"),
    ("sensationally", "sensate", "sensat"),
    ("strated", "strat", "strate"),
    ("inning's", "in", "inning"),
    ("innings", "inning", "inning"),
    ("proceeds's", "proce", "proceed"),
])  # fmt: skip
def test_the_two_stemmers_differ_in_what_they_take_for_a_region_and_for_a_whole_word(word, nltk, meteor) -> None:
    assert (stem_as_nltk(word), stem_as_meteor(word)) == (nltk, meteor)


def test_the_kernel_gives_the_same_stems(words: list[str], compiled: ModuleType) -> None:
    assert len(words) > 40_000
    assert [compiled.english_stem(word) for word in words] == [stem_as_meteor(word) for word in words]
