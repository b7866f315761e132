"""Surface counts and readability: against textstat, and at the edges."""

import math
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from textstat import textstat

from rainbow.metrics.grammar.readability.surface_counts import SurfaceCounts, count_surface

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def published(data_dir: Path) -> pd.DataFrame:
    return pd.read_csv(data_dir / "emnlp2017" / "emnlp_data_medians.csv")


@pytest.fixture(scope="module")
def counted(published: pd.DataFrame) -> list[SurfaceCounts]:
    return [count_surface(text) for text in published["sys_ref"]]


def agreement(computed: list[float], stored: "pd.Series[float]", decimals: int) -> tuple[float, float]:
    """Return the share of rows that are equal at the printed decimals, and Pearson's r."""
    values = pd.Series(computed, dtype=float)
    return float(((values - stored).abs() < 0.5 * 10**-decimals + 1e-9).mean()), float(values.corr(stored))


def test_reading_ease_of_the_published_syllables_is_the_published_one_on_every_row(published, counted) -> None:
    with_stored = [
        counts._replace(syllables=syllables).reading_ease
        for counts, syllables in zip(counted, published["sys.sps"], strict=True)
    ]
    assert agreement(with_stored, published["sys.read.flesch"], 1)[0] == 1.0


def test_words_and_letters_are_those_of_textstat_on_real_rows(published: pd.DataFrame) -> None:
    for text in published["sys_ref"].head(1000):
        counts = count_surface(text)
        assert counts.words == textstat.lexicon_count(text, removepunct=False)
        # textstat's letters include digits but no apostrophe, which counts as a character here.
        assert counts.characters - text.count("'") == textstat.letter_count(text)


def test_free_standing_punctuation_is_a_word_which_textstat_drops() -> None:
    text = "cheap , nice"
    assert (count_surface(text).words, textstat.lexicon_count(text)) == (3, 2)


def test_punctuation_is_no_character_which_textstat_counts() -> None:
    text = "cheap, nice."
    assert (count_surface(text).characters, textstat.char_count(text)) == (9, 11)


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


def test_ratios_divide_by_all_words_and_reading_ease_by_those_with_letters() -> None:
    counts = SurfaceCounts(characters=20, words=5, lettered_words=4, syllables=10, polysyllables=2)
    assert (counts.characters_per_word, counts.syllables_per_word, counts.polysyllables_per_word) == (4.0, 2.0, 0.4)
    assert counts.reading_ease == pytest.approx(206.835 - 1.015 * 4 - 84.6 * 2.5)


def test_ratios_of_no_words_are_missing() -> None:
    counts = count_surface("")
    assert math.isnan(counts.characters_per_word) and math.isnan(counts.syllables_per_word)
    assert math.isnan(counts.polysyllables_per_word)


@pytest.mark.parametrize("text", ["", "42", "... !"])
def test_reading_ease_without_a_lettered_word_is_missing(text: str) -> None:
    assert math.isnan(count_surface(text).reading_ease)


@given(st.text(), st.text())
def test_counts_of_texts_put_side_by_side_add_up(left: str, right: str) -> None:
    together = count_surface(f"{left} {right}")
    assert together == tuple(a + b for a, b in zip(count_surface(left), count_surface(right), strict=True))


@pytest.mark.timeout(60)  # some 0.3 s; a quadratic pass would take minutes
def test_a_hundred_thousand_words_are_counted_in_one_pass() -> None:
    counts = count_surface(" ".join(f"restaurant{chr(97 + i % 26)}é" for i in range(100_000)))
    assert counts.words == counts.lettered_words == counts.polysyllables == 100_000


@pytest.mark.timeout(60)
def test_one_word_of_a_hundred_thousand_letters_is_counted_in_one_pass() -> None:
    assert count_surface("le" * 50_000).syllables > 40_000
