"""Readability: compiled and in Python, counts against textstat, other languages, and syllables with their table."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from textstat import textstat

from rainbow.metrics import Batch
from rainbow.metrics.grammar.readability import surface_counts
from rainbow.metrics.grammar.readability.other_languages import HYPHENATED, READING_EASE
from rainbow.metrics.grammar.readability.readability import Readability
from rainbow.metrics.grammar.readability.surface_counts import (
    SurfaceCounts,
    count_surface,
    count_syllables,
    syllables_by_rule,
)
from tests.text.languages.sentences import SENTENCES

SCRIPT = Path(__file__).parents[4] / "scripts" / "make_syllables.py"
ASCII_LETTERS = "abcdefghijklmnopqrstuvwxyz"
PIECES = st.sampled_from(["The", "inn's", "take-out", "restaurant,", "£20-25", "Café’s", "42", "4star", "...", "´"])
BLANKS = st.sampled_from([" ", "  ", "\n", "\t", "\xa0", "\u2028", "\x1c", "\x85", "\0", "\ud800"])
TEXTS = st.lists(PIECES | BLANKS | st.text(max_size=4), max_size=12).map("".join)


@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_a_row_has_the_measures_of_its_text(texts: list[str]) -> None:
    counts = [count_surface(text) for text in texts]
    expected = [one.measures(one.reading_ease) for one in counts]
    np.testing.assert_array_equal(Readability().score(Batch(texts)), np.array(expected, dtype=float))


def test_published_ratios_have_three_decimals() -> None:
    batch = Batch(["an expensive inn near x"])
    ours, published = Readability().score(batch)[0], Readability(as_published=True).score(batch)[0]
    assert (published[0], published[1:].tolist()) == (ours[0], ours[1:].round(3).tolist())


@pytest.mark.parametrize("text", ["restaurant " * 100_000, "le" * 500_000])
def test_a_million_letters_take_seconds(text: str) -> None:
    assert Readability().score(Batch([text]))[0, 1] == len(text.replace(" ", ""))


@pytest.mark.once
def test_readings_of_the_published_outputs_are_published_and_those_of_textstat(data_dir: Path) -> None:
    published = pd.read_csv(data_dir / "emnlp2017" / "emnlp_data_medians.csv")
    columns = (published[name] for name in ("sys_ref", "sys.sps", "sys.read.flesch"))
    for place, (text, syllables, stored) in enumerate(zip(*columns, strict=True)):
        counts = count_surface(text)
        assert abs(counts._replace(syllables=syllables).reading_ease - stored) < 0.05 + 1e-9
        if place < 1000:
            assert counts.words == textstat.lexicon_count(text, removepunct=False)
            # textstat's letters include digits but no apostrophe, which counts as a character here.
            assert counts.characters - text.count("'") == textstat.letter_count(text)


@pytest.mark.once
def test_ratios_divide_by_all_words_and_reading_ease_by_those_with_letters() -> None:
    counts = SurfaceCounts(characters=20, words=5, lettered_words=4, syllables=10, polysyllables=2)
    assert counts.measures(counts.reading_ease) == (
        pytest.approx(206.835 - 1.015 * 4 - 84.6 * 2.5), 20, 4.0, 5, 10, 2.0, 2, 0.4
    )  # fmt: skip


@pytest.mark.parametrize(("text", "missing"), [("", [0, 2, 5, 7]), ("42", [0]), ("... !", [0])])
def test_without_a_word_ratios_are_missing_and_without_a_letter_reading_ease(text: str, missing: list[int]) -> None:
    values = Readability().score(Batch([text]))[0]
    assert np.flatnonzero(np.isnan(values)).tolist() == missing


@pytest.mark.once
def test_free_standing_punctuation_is_a_word_which_textstat_drops() -> None:
    text = "cheap , nice"
    assert (count_surface(text).words, textstat.lexicon_count(text)) == (3, 2)


@pytest.mark.once
def test_punctuation_is_no_character_which_textstat_counts() -> None:
    text = "cheap, nice."
    assert (count_surface(text).characters, textstat.char_count(text)) == (9, 11)


@pytest.mark.once
@pytest.mark.parametrize(("text", "expected"), [
    ("", SurfaceCounts(0, 0, 0, 0, 0)),
    ("\n", SurfaceCounts(0, 0, 0, 0, 0)),
    ("\0", SurfaceCounts(0, 1, 0, 0, 0)),
    ("... !", SurfaceCounts(0, 2, 0, 0, 0)),
    ("42 7", SurfaceCounts(3, 2, 0, 0, 0)),
    ("🍕", SurfaceCounts(0, 1, 0, 0, 0)),
    ("inn", SurfaceCounts(3, 1, 1, 1, 0)),
    ("The\ninn\tis\u00a0nice", SurfaceCounts(12, 4, 4, 4, 0)),
    ("a\u2028b\x1cc", SurfaceCounts(3, 3, 3, 1, 0)),
    ("it 's 4star", SurfaceCounts(9, 3, 3, 2, 0)),
    ("take-out", SurfaceCounts(7, 1, 1, 2, 0)),
    ("Café’s crème", SurfaceCounts(11, 2, 2, 3, 0)),
    ("an Italian restaurant", SurfaceCounts(19, 3, 3, 7, 2)),
])  # fmt: skip
def test_a_text_is_counted_by_the_definitions(text: str, expected: SurfaceCounts) -> None:
    assert count_surface(text) == expected


@pytest.mark.once
@given(st.text(), st.text())
def test_counts_of_texts_put_side_by_side_add_up(left: str, right: str) -> None:
    together = count_surface(f"{left} {right}")
    assert together == tuple(a + b for a, b in zip(count_surface(left), count_surface(right), strict=True))


def table_entries() -> list[tuple[str, int]]:
    return list(surface_counts._exceptions().items())


RULE = {
    0: ["hmm", ""],
    1: ["sing", "named", "whole", "rules", "rates", "where", "the", "bed", "style"],
    2: [
        "being", "seeing", "playing", "dining", "rated", "needed", "agreed", "nicely", "statement", "careless", "table",
        "tables", "handled", "places",
    ],
}  # fmt: skip


@pytest.mark.once
@pytest.mark.parametrize(("word", "syllables"), [(word, number) for number, words in RULE.items() for word in words])
def test_the_rule_reads_the_number_of_syllables_off_the_spelling(word: str, syllables: int) -> None:
    assert syllables_by_rule(word) == syllables


@pytest.mark.once
@given(st.text(ASCII_LETTERS, max_size=30))
def test_by_rule_a_word_has_at_most_a_syllable_per_vowel_letter_and_none_only_without_one(word: str) -> None:
    vowels = sum(letter in "aeiouy" for letter in word)
    assert min(vowels, 1) <= syllables_by_rule(word) <= vowels


@pytest.mark.once
@pytest.mark.parametrize(("word", "syllables"), [
    ("business", 2), ("cafe", 2), ("area", 3), ("every", 3), ("children", 2), ("korean", 3), ("doesn't", 2)
])  # fmt: skip
def test_words_are_counted_as_they_are_pronounced(word: str, syllables: int) -> None:
    assert count_syllables(word) == syllables


@pytest.mark.once
def test_a_word_that_the_table_lacks_follows_the_rule() -> None:
    word = "fitzbillies"
    assert word not in dict(table_entries()) and count_syllables(word) == syllables_by_rule(word) == 3


@pytest.mark.once
@pytest.mark.parametrize("spelling", ["café", "CAFE", "Café", "cafe\u0301", "ca-fe", "ca'fe", "4cafe2", "cafe!"])
def test_case_accents_and_whatever_is_no_letter_do_not_matter(spelling: str) -> None:
    assert count_syllables(spelling) == count_syllables("cafe")


@pytest.mark.once
@pytest.mark.parametrize("word", ["", "'s", "42", "st", "\n", "\0", "🍕", "料理", "..."])
def test_what_has_no_vowel_letter_has_no_syllable(word: str) -> None:
    assert count_syllables(word) == 0


@pytest.mark.once
def test_the_table_holds_in_alphabetical_order_only_what_the_rule_miscounts() -> None:
    words = [word for word, _ in table_entries()]
    assert words == sorted(words)
    assert [word for word, count in table_entries() if syllables_by_rule(word) in (0, count)] == []


def write_table(folder: Path, dictionary: str) -> str:
    source, table = folder / "dictionary", folder / "table"
    source.write_text(dictionary, encoding="utf-8")
    command = [sys.executable, str(SCRIPT), str(source), "--table", str(table)]
    subprocess.run(command, check=True, capture_output=True, cwd=SCRIPT.parents[1], env={"PYTHONPATH": "."})
    return table.read_text("ascii")


@pytest.mark.once
@pytest.mark.parametrize("dictionary", [
    "cafe K AH0 F EY1\ncafe(2) K EY1 F # place\ncan't K AE1 N T\nmr M IH1 S T ER0\ntable T EY1 B AH0 L\n",
    "CAFE  K AH0 F EY1\nCAFE(1)  K EY1 F\nCAN'T  K AE1 N T\nMR  M IH1 S T ER0\nTABLE  T EY1 B AH0 L\n;;; # note\n",
    'export const dictionary = {\n  "cafe": "K AH0 F EY1",\n  "cafe(2)": "K EY1 F",\n  "mr": "M IH1 S T ER0"\n}\n',
], ids=["cmudict.dict", "cmudict-0.7b", "npm"])  # fmt: skip
def test_the_script_keeps_first_pronunciations_that_the_rule_misses(tmp_path: Path, dictionary: str) -> None:
    entries = [line for line in write_table(tmp_path, dictionary).splitlines() if not line.startswith("#")]
    assert entries == ["cafe 2"]


@pytest.mark.once
def test_the_script_prefers_a_plain_word_to_one_with_an_apostrophe(tmp_path: Path) -> None:
    assert "\ncare 3\n" in write_table(tmp_path, "c'are K EH1 R\ncare K EH1 R IY1 AH0\n")


@pytest.mark.once
def test_the_script_refuses_a_file_without_entries(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as failure:
        write_table(tmp_path, "nothing to see here\n")
    assert b"holds no entry" in failure.value.stderr and not (tmp_path / "table").exists()


IN_LANGUAGES = {
    "de": ("Das günstige Gasthaus am Fluss ist kinderfreundlich.", "Österreichische Spezialitäten"),
    "es": ("El restaurante está cerca del río y es muy barato.", "Habitación doble"),
    "fr": ("Ce restaurant familial se trouve près de la rivière.", "Une chambre agréable"),
    "it": ("La locanda è economica e si trova vicino al fiume.", "Camera doppia"),
    "nl": ("Het goedkope restaurant ligt dicht bij de rivier.", "Een tweepersoonskamer"),
    "ru": ("Недорогой ресторан находится недалеко от реки.", "Двухместный номер"),
}


@pytest.fixture(autouse=True)
def english_again() -> None:
    yield
    textstat.set_lang("en_US")


@pytest.mark.once
@pytest.mark.parametrize("language", READING_EASE)
def test_every_column_equals_textstat(language: str) -> None:
    textstat.set_lang(language)
    for text, row in zip(
        IN_LANGUAGES[language], Readability(language=language).score(Batch(IN_LANGUAGES[language])), strict=True
    ):
        words, syllables = textstat.lexicon_count(text), textstat.syllable_count(text)
        long = sum(textstat.syllable_count(word) >= 3 for word in text.split())
        letters = textstat.letter_count(text)
        expected = [textstat.flesch_reading_ease(text), letters, letters / words, words]
        expected += [syllables, syllables / words, long, long / words]
        assert row.tolist() == pytest.approx(expected)


@pytest.mark.once
@pytest.mark.parametrize("language", sorted({*SENTENCES} & HYPHENATED - {"en"}))
def test_syllables_are_those_of_textstat(language: str) -> None:
    textstat.set_lang({"no": "nb"}.get(language, language))
    outputs = [text for text in SENTENCES[language] if not any(map(str.isdigit, text))]
    syllables = Readability(language=language).score(Batch(outputs))[:, 4]
    assert syllables.tolist() == [textstat.syllable_count(text.replace("'", "")) for text in outputs]


@pytest.mark.once
def test_marks_and_digits_of_any_script_are_characters() -> None:
    scores = Readability(language="hi").score(Batch(["यह होटल सस्ता है, ५ कमरे।"]))
    assert scores[0, 1:4].tolist() == [18, 18 / 6, 6]
    assert scores[0, 0] != scores[0, 0]  # no formula: not selected for this language
