"""Misspellings: against the published column and pyspellchecker, what counts as one, and in other languages."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spellchecker import SpellChecker

from rainbow.meaning import parse_meaning
from rainbow.metrics import Batch
from rainbow.metrics.grammar.misspellings import spelling as english
from rainbow.metrics.grammar.misspellings.misspellings import Misspellings
from rainbow.metrics.grammar.misspellings.spelling import (
    WELL_LISTED,
    misspelled_stems,
    spelling,
    stems,
    word_list_fingerprint,
)
from tests.metrics.conftest import both
from tests.text.languages.sentences import SENTENCES

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def published(data_dir: Path) -> pd.DataFrame:
    return pd.read_csv(data_dir / "emnlp2017" / "emnlp_data_medians.csv")


def test_the_published_column_comes_out_again_as_far_as_a_free_word_list_goes(published: pd.DataFrame) -> None:
    texts, stored = published["sys_ref"], published["n.misspel"]
    words = texts.map(lambda text: len(misspelled_stems(text)))
    # The published counter took a clitic that stands alone for a misspelling.
    with_clitics = words + texts.map(lambda text: len(re.findall(r"(?<!\S)'s(?!\w)", text)))
    print(f"\n{'n.misspel':<16}{'exact':>8}{'r':>8}   ({len(texts)} rows)")
    for name, computed in (("as listed", words), ("and lone 's", with_clitics)):
        print(f"{name:<16}{(computed == stored).mean():>8.4f}{computed.corr(stored):>8.4f}")
    assert (words == stored).mean() >= 0.73 and (with_clitics == stored).mean() >= 0.74


def test_with_the_slot_values_accepted_only_true_misspellings_are_left(published: pd.DataFrame) -> None:
    found = {
        word
        for text, mr in zip(published["sys_ref"], published["mr"], strict=True)
        for word in {*misspelled_stems(text)} - {*stems(" ".join(slot.value for slot in parse_meaning(mr).slots))}
    }
    assert {"restaurnats", "restarnauts", "policys", "priceyly", "koreanly"} <= found and len(found) < 12


def test_words_that_the_list_lacks_are_given_in_order_with_repetitions() -> None:
    assert misspelled_stems("Restarnauts in a citty, RESTARNAUTS!") == ["restarnauts", "citty", "restarnauts"]


@pytest.mark.parametrize("text", [
    "", "\n", "\0", "... !? -- '", "42 4th 7s 3.50 x7y", "🍕", "x X y", "it 's here , they 're nice and I 'll do n't",
    "isn't can't won't they've we'd I'm the restaurant's kids' 'quoted'", "it’s the chef’s",
    "café Café cafe cafe\u0301 naïve naive",
    "colour favourite neighbourhood centre theatre fibre centred specialises organisational analysed",
    "family-friendly high-end and/or price_range",
])  # fmt: skip
def test_nothing_is_misspelled_in(text: str) -> None:
    assert misspelled_stems(text) == []


@pytest.mark.parametrize("word", ["restarnaut", "favuorite", "cente", "isnt't", "thats", "koreanly's", "料理"])
def test_a_word_that_english_lacks_is_misspelled(word: str) -> None:
    assert misspelled_stems(word) == stems(word)


def test_only_the_wrong_part_of_a_hyphenated_word_is_misspelled() -> None:
    assert misspelled_stems("family-freindly") == ["freindly"]


@given(st.text())
def test_a_text_that_is_accepted_has_no_misspelling(text: str) -> None:
    assert {*misspelled_stems(text)} <= {*stems(text)}


@pytest.fixture
def no_cache() -> Iterator[None]:
    """Load the word list anew, and forget it afterwards."""
    for cached in (english.read_word_list, word_list_fingerprint):
        cached.cache_clear()
    yield
    for cached in (english.read_word_list, word_list_fingerprint):
        cached.cache_clear()


@pytest.mark.parametrize(("words", "same"), [
    ({"inn": 2, "pub": 9}, True),
    ({"pub": 1, "inn": 1}, True),  # another order, other frequencies
    ({"inn": 1}, False),
    ({"inn": 1, "pubs": 1}, False),
])  # fmt: skip
def test_word_lists_have_the_same_fingerprint_if_they_have_the_same_words(
    words: dict[str, int], same: bool, monkeypatch: pytest.MonkeyPatch, no_cache: None
) -> None:
    def fingerprint_of(listed: dict[str, int]) -> str:
        english.read_word_list.cache_clear()
        word_list_fingerprint.cache_clear()
        frequency = SimpleNamespace(dictionary=Counter(listed))
        monkeypatch.setattr("spellchecker.SpellChecker", lambda **_: SimpleNamespace(word_frequency=frequency))
        return word_list_fingerprint("en")

    assert (fingerprint_of(words) == fingerprint_of({"inn": 1, "pub": 1})) == same


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
