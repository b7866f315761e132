"""Syllables of words: the spelling rule, the table beside it, and the script that writes the table."""

import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rainbow.metrics.grammar.readability.syllables import count_syllables, syllables_by_rule

pytestmark = pytest.mark.once

SCRIPT = Path(__file__).parents[4] / "scripts" / "make_syllables.py"
ASCII_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def table_entries() -> list[tuple[str, int]]:
    lines = (
        resources.files("rainbow.metrics.grammar.readability").joinpath("syllables.txt").read_text("ascii").splitlines()
    )
    pairs = [line.split() for line in lines if not line.startswith("#")]
    return [(word, int(count)) for word, count in pairs]


@pytest.mark.parametrize(("word", "syllables"), [
    ("being", 2),
    ("seeing", 2),
    ("playing", 2),
    ("dining", 2),
    ("sing", 1),
    ("named", 1),
    ("rated", 2),
    ("needed", 2),
    ("agreed", 2),
    ("nicely", 2),
    ("statement", 2),
    ("careless", 2),
    ("table", 2),
    ("tables", 2),
    ("handled", 2),
    ("whole", 1),
    ("rules", 1),
    ("places", 2),
    ("rates", 1),
    ("where", 1),
    ("the", 1),
    ("bed", 1),
    ("style", 1),
    ("hmm", 0),
    ("", 0),
])  # fmt: skip
def test_the_rule_reads_the_number_of_syllables_off_the_spelling(word: str, syllables: int) -> None:
    assert syllables_by_rule(word) == syllables


@given(st.text(ASCII_LETTERS, max_size=30))
def test_by_rule_a_word_has_at_most_a_syllable_per_vowel_letter_and_none_only_without_one(word: str) -> None:
    vowels = sum(letter in "aeiouy" for letter in word)
    assert min(vowels, 1) <= syllables_by_rule(word) <= vowels


@pytest.mark.parametrize(("word", "syllables"), [
    ("business", 2), ("cafe", 2), ("area", 3), ("every", 3), ("children", 2), ("korean", 3), ("doesn't", 2)
])  # fmt: skip
def test_words_are_counted_as_they_are_pronounced(word: str, syllables: int) -> None:
    assert count_syllables(word) == syllables


def test_a_word_that_the_table_lacks_follows_the_rule() -> None:
    word = "fitzbillies"
    assert word not in dict(table_entries()) and count_syllables(word) == syllables_by_rule(word) == 3


@pytest.mark.parametrize("spelling", ["café", "CAFE", "Café", "cafe\u0301", "ca-fe", "ca'fe", "4cafe2", "cafe!"])
def test_case_accents_and_whatever_is_no_letter_do_not_matter(spelling: str) -> None:
    assert count_syllables(spelling) == count_syllables("cafe")


@pytest.mark.parametrize("word", ["", "'s", "42", "st", "\n", "\0", "🍕", "料理", "..."])
def test_what_has_no_vowel_letter_has_no_syllable(word: str) -> None:
    assert count_syllables(word) == 0


def test_the_table_holds_only_what_the_rule_miscounts() -> None:
    assert [word for word, count in table_entries() if syllables_by_rule(word) in (0, count)] == []


def test_the_table_is_in_alphabetical_order_without_repetition() -> None:
    words = [word for word, _ in table_entries()]
    assert words == sorted(set(words))


def write_table(folder: Path, dictionary: str) -> str:
    source, table = folder / "dictionary", folder / "table"
    source.write_text(dictionary, encoding="utf-8")
    command = [sys.executable, str(SCRIPT), str(source), "--table", str(table)]
    subprocess.run(command, check=True, capture_output=True, cwd=SCRIPT.parents[1], env={"PYTHONPATH": "."})
    return table.read_text("ascii")


@pytest.mark.parametrize("dictionary", [
    "cafe K AH0 F EY1\ncafe(2) K EY1 F # place\ncan't K AE1 N T\nmr M IH1 S T ER0\ntable T EY1 B AH0 L\n",
    "CAFE  K AH0 F EY1\nCAFE(1)  K EY1 F\nCAN'T  K AE1 N T\nMR  M IH1 S T ER0\nTABLE  T EY1 B AH0 L\n;;; # note\n",
    'export const dictionary = {\n  "cafe": "K AH0 F EY1",\n  "cafe(2)": "K EY1 F",\n  "mr": "M IH1 S T ER0"\n}\n',
], ids=["cmudict.dict", "cmudict-0.7b", "npm"])  # fmt: skip
def test_the_script_keeps_first_pronunciations_that_the_rule_misses(tmp_path: Path, dictionary: str) -> None:
    entries = [line for line in write_table(tmp_path, dictionary).splitlines() if not line.startswith("#")]
    assert entries == ["cafe 2"]


def test_the_script_prefers_a_plain_word_to_one_with_an_apostrophe(tmp_path: Path) -> None:
    assert "\ncare 3\n" in write_table(tmp_path, "c'are K EH1 R\ncare K EH1 R IY1 AH0\n")


def test_the_script_refuses_a_file_without_entries(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as failure:
        write_table(tmp_path, "nothing to see here\n")
    assert b"holds no entry" in failure.value.stderr and not (tmp_path / "table").exists()
