"""Readability in other languages: equal to textstat, for outputs of one sentence without digits and apostrophes."""

import pytest
from textstat import textstat

from rainbow.metrics import Batch
from rainbow.metrics.grammar.readability.other_languages import HYPHENATED, READING_EASE
from rainbow.metrics.grammar.readability.readability import Readability
from tests.text.languages.sentences import SENTENCES

pytestmark = pytest.mark.once

TEXTS = {
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


@pytest.mark.parametrize("language", READING_EASE)
def test_every_column_equals_textstat(language: str) -> None:
    textstat.set_lang(language)
    for text, row in zip(TEXTS[language], Readability(language=language).score(Batch(TEXTS[language])), strict=True):
        words, syllables = textstat.lexicon_count(text), textstat.syllable_count(text)
        long = sum(textstat.syllable_count(word) >= 3 for word in text.split())
        letters = textstat.letter_count(text)
        expected = [textstat.flesch_reading_ease(text), letters, letters / words, words]
        expected += [syllables, syllables / words, long, long / words]
        assert row.tolist() == pytest.approx(expected)


@pytest.mark.parametrize("language", sorted({*SENTENCES} & HYPHENATED - {"en"}))
def test_syllables_are_those_of_textstat(language: str) -> None:
    textstat.set_lang({"no": "nb"}.get(language, language))
    outputs = [text for text in SENTENCES[language] if not any(map(str.isdigit, text))]
    syllables = Readability(language=language).score(Batch(outputs))[:, 4]
    assert syllables.tolist() == [textstat.syllable_count(text.replace("'", "")) for text in outputs]


def test_marks_and_digits_of_any_script_are_characters() -> None:
    scores = Readability(language="hi").score(Batch(["यह होटल सस्ता है, ५ कमरे।"]))
    assert scores[0, 1:4].tolist() == [18, 18 / 6, 6]
    assert scores[0, 0] != scores[0, 0]  # no formula: not selected for this language
