"""Misspellings in other languages: equal to pyspellchecker, but for parts of contractions."""

import pytest
from spellchecker import SpellChecker

from rainbow.metrics import Batch
from rainbow.metrics.grammar.misspellings.misspellings import Misspellings
from rainbow.metrics.grammar.misspellings.other_languages import spelling
from rainbow.metrics.grammar.misspellings.word_lists import WELL_LISTED
from tests.metrics.conftest import both
from tests.text.languages.sentences import SENTENCES

pytestmark = pytest.mark.once

OTHERS = sorted(WELL_LISTED - {"en"})
TEXTS = {
    "ar": ["الفندق رخيص على النهر", "الفندفق رخخيصص"],
    "de": ["Das Gasthaus ist günstig und liegt am Fluss.", "Das Gasthuas ist günstigg, 7x."],
    "fr": ["L'hôtel est à côté de la gare, qu'on aime.", "L'hotell est à côtté jusqu'ici."],
    "it": ["L'albergo è vicino all'aeroporto.", "L'albbergo è viccino dell'aereoporto."],
    "lv": ["Viesnīca ir lēta un atrodas pie upes.", "Viesnnīca ir lētta."],
    "nl": ["Het hotel is goedkoop en ligt aan de rivier.", "Het hottel is goetkoop."],
    "pt": ["O hotel é barato e fica perto do rio.", "O hottel é bararto."],
}


@pytest.mark.parametrize("language", OTHERS)
def test_words_that_the_list_lacks_are_counted(language: str) -> None:
    checker = SpellChecker(language=language, distance=1)
    correct, wrong = TEXTS[language]
    for text in TEXTS[language]:
        words = [word for word in spelling(language).words(text) if len(word) > 1 and not any(map(str.isdigit, word))]
        unknown = checker.unknown(words)
        assert {*spelling(language).misspelled(text)} == {word for word in unknown if f"{word}'" not in text.lower()}
    scores = Misspellings(language=language).score(Batch([correct, wrong]))[:, 0]
    assert scores[0] == 0 and scores[1] >= 2


@pytest.mark.parametrize("language", OTHERS)
def test_kernels_count_as_their_twin(language: str) -> None:
    batch = Batch(TEXTS[language] + list(SENTENCES.get(language, ())))
    compiled, python = both(lambda: Misspellings(language=language).score(batch))
    assert compiled.tolist() == python.tolist()


def test_values_of_the_input_are_accepted() -> None:
    batch = Batch(["Das Zazou liegt am Fluss."], inputs=["inform(name=Zazou)"])
    assert Misspellings(language="de").score(batch).tolist() == [[0.0]]
    assert Misspellings(as_published=True, language="de").score(batch).tolist() == [[1.0]]
