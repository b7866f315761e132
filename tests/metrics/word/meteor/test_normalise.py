"""METEOR's own splitting, by hand and against the program's."""

import random

import pytest

from rainbow.metrics.word.meteor.normalisation import meteor_words
from rainbow.metrics.word.meteor.tables import meteor_tables
from rainbow.programs.jvm import attach_java as run_java
from rainbow.programs.jvm import java_unavailable_reason
from rainbow.programs.meteor_program import JAR, meteor_file

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("text", "words"),
    [
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
    ],
)
def test_words_are_parted_by_rules(text: str, words: str) -> None:
    assert meteor_words(text) == (words.split(" ") if words else [])


def test_an_abbreviation_keeps_its_stop() -> None:
    tables = meteor_tables()
    assert tables.split("Mr. Smith. No. 5 No. x") == ["mr.", "smith", ".", "no.", "5", "no.", "x"]


@pytest.mark.xdist_group("meteor")
def test_any_text_is_parted_as_the_program_parts_it(java: str) -> None:
    if missing := java_unavailable_reason():
        pytest.skip(missing)
    tables, generator = meteor_tables(), random.Random(5)
    letters = [
        *"aabstTM59.,'-- \"`’“–—…!éßЯᴀ中&;#€$_😀",
        "Mr.",
        "No.",
        " no",
        "\n",
        "\t",
        "\x0b",
        "\x1c",
        "\u00a0",
        "\u2009",
    ]
    with run_java(meteor_file(JAR)) as jpype:
        program = jpype.JClass("edu.cmu.meteor.util.Normalizer")
        for _ in range(5000):
            text = "".join(generator.choices(letters, k=generator.randint(1, 14)))
            theirs = str(program.normalizeLine(text, 0, True)).lower()
            assert tables.split(text) == [word for word in theirs.split(" ") if word], repr(text)
