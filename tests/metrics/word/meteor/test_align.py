"""Alignments and METEOR's own splitting, by hand and against the program's."""

import random
from collections.abc import Callable

import pytest

from rainbow.metrics.word.meteor.alignment import (
    EXACT,
    PARAPHRASE,
    SYNONYM,
    Match,
    TooLongError,
    align_matches,
    find_matches,
)
from rainbow.metrics.word.meteor.normalisation import meteor_words
from rainbow.metrics.word.meteor.tables import Tables, meteor_tables
from rainbow.programs.jvm import attach_java as run_java
from rainbow.programs.jvm import java_unavailable_reason
from rainbow.programs.meteor_program import JAR, meteor_file
from tests.metrics.word.meteor.conftest import Pairs

pytestmark = pytest.mark.once


def exact(output: str, reference: str) -> list[tuple[int, int]]:
    """Align letters by equality alone: (place in the reference, place in the output)."""
    found = [[Match(i, 1, j, 1, EXACT) for j, y in enumerate(output) if x == y] for i, x in enumerate(reference)]
    return [(match.start, match.other) for match in align_matches(found)]


@pytest.mark.parametrize(("output", "reference", "expected"), [
    ("ab", "ba", [(0, 1), (1, 0)]),  # most matches before fewest chunks
    ("ab", "aab", [(1, 0), (2, 1)]),  # fewest chunks
    ("aab", "ab", [(0, 1), (1, 2)]),
    ("aa", "a", [(0, 0)]),
    ("a", "aa", [(1, 0)]),  # of equals the first that was found, and distances count for later matches only
    ("xa", "aqa", [(0, 1)]),
    ("abaa", "abbabb", [(0, 0), (1, 1), (3, 2)]),
])  # fmt: skip
def test_equal_words_are_aligned(output: str, reference: str, expected: list[tuple[int, int]]) -> None:
    assert exact(output, reference) == expected


def test_a_single_synonym_is_not_worth_a_chunk_of_its_own() -> None:
    twice = [Match(0, 1, 0, 1, stage) for stage in (SYNONYM, PARAPHRASE)]
    assert align_matches([twice]) == []
    assert align_matches([twice, [Match(1, 1, 1, 1, EXACT)]]) == [twice[0], Match(1, 1, 1, 1, EXACT)]
    assert align_matches([twice[:1]]) == twice[:1]  # it is the only match these words have


def test_phrases_match_in_both_directions_of_the_table(small_tables: Callable[[Pairs], Tables]) -> None:
    tables = small_tables([("x x", "y"), ("y", "x x"), ("z", "x")])
    (found,) = find_matches(["x", "x"], ["y"], tables)
    assert found == [Match(0, 1, 0, 2, PARAPHRASE)] * 2
    assert find_matches(["z"], ["x"], tables) == [[Match(0, 1, 0, 1, PARAPHRASE)]]


def test_words_match_by_stem_and_as_synonyms(small_tables: Callable[[Pairs], Tables]) -> None:
    (found,) = find_matches(["inns", "hostel", "inn", "dog"], ["inn"], small_tables([("x", "y")]))
    assert [(match.other, match.stage) for match in found] == [(2, EXACT), (0, 1), (0, SYNONYM), (1, SYNONYM)]


@pytest.mark.parametrize(("word", "base"), [("men", "man"), ("cities", "metropolis"), ("was", "be"), ("boxes", "box")])
def test_forms_have_the_synonyms_of_their_words(small_tables: Callable[[Pairs], Tables], word: str, base: str) -> None:
    (found,) = find_matches([word], [base], small_tables([("x", "y")]))
    assert SYNONYM in [match.stage for match in found]


@pytest.mark.parametrize(("word", "base"), [("us", "u"), ("discuss", "discus"), ("was", "wa"), ("crossed", "cross")])
def test_no_other_form_is_tried(small_tables: Callable[[Pairs], Tables], word: str, base: str) -> None:
    (found,) = find_matches([word], [base], small_tables([("x", "y")]))
    assert SYNONYM not in [match.stage for match in found]


def test_too_many_matches_are_refused(small_tables: Callable[[Pairs], Tables]) -> None:
    tables = small_tables([("x", "y")])
    assert sum(map(len, find_matches(["q"] * 500, ["q"] * 500, tables))) == 250_000
    with pytest.raises(TooLongError):
        find_matches(["q"] * 501, ["q"] * 500, tables)


@pytest.mark.parametrize(("text", "words"), [
    ("", []),
    (" \x00 ", []),
    ("family-friendly o'neill", "family friendly o 'neill"),
    ("it 's 1990's dogs'", "it ' s 1990 's dogs '"),
    ("u.s. e.g. x.y", "us eg x.y"),
    ("The end. Of it", "the end . of it"),
    ("near x. and", "near x. and"),
    ("1,000 a,b ,1", "1,000 a , b , 1"),
    ("a--b ---", "a b --"),
    ("“so” ‘so’", "\" so \" ' so '"),
    ("£20–25 café!", "£ 20 - 25 café !"),
    ("a b c d", "a b c d"),
    ("wait... what", "wait ... what"),
])  # fmt: skip
def test_words_are_parted_by_rules(text: str, words: str) -> None:
    assert meteor_words(text) == (words.split(" ") if words else [])


def test_an_abbreviation_keeps_its_stop() -> None:
    assert meteor_tables().split("Mr. Smith. No. 5 No. x") == ["mr.", "smith", ".", "no.", "5", "no.", "x"]


@pytest.mark.xdist_group("meteor")
def test_any_text_is_parted_as_the_program_parts_it(java: str) -> None:
    if missing := java_unavailable_reason():
        pytest.skip(missing)
    tables, generator = meteor_tables(), random.Random(5)
    letters = [
        *"aabstTM59.,'-- \"`’“–—…!éßЯᴀ中&;#€$_😀", "Mr.", "No.", " no", "\n", "\t", "\x0b", "\x1c", "\u00a0", "\u2009",
    ]  # fmt: skip
    with run_java(meteor_file(JAR)) as jpype:
        program = jpype.JClass("edu.cmu.meteor.util.Normalizer")
        for _ in range(5000):
            text = "".join(generator.choices(letters, k=generator.randint(1, 14)))
            theirs = str(program.normalizeLine(text, 0, True)).lower()
            assert tables.split(text) == [word for word in theirs.split(" ") if word], repr(text)
