"""The language of a file."""

from random import Random

import pytest

from rainbow import load_dataset
from rainbow.text.languages.detection import (
    LANGUAGES,
    SAMPLE,
    detect_language,
    language_name,
    sample_texts,
    validate_language,
)
from tests.text.languages.sentences import SENTENCES


@pytest.mark.parametrize("language", SENTENCES)
def test_a_few_sentences_tell_their_language(language: str) -> None:
    assert detect_language(SENTENCES[language]) == language


@pytest.mark.parametrize(("language", "texts"), [
    ("de", ["The Punter ist ein billiges Pub nahe The Portland Arms.", "The Eagle erlaubt keine Kinder."]),
    ("nl", ["The Eagle is een goedkoop restaurant.", "Alan Bean is een astronaut en was piloot van de marine."]),
    ("da", ["The Eagle er en billig café for familier i byen.", "Maden er god, og der er mad for børn."]),
    ("pt", ["O restaurante fica perto do rio e é barato.", "A comida é boa e as crianças são bem-vindas."]),
])  # fmt: skip
def test_english_names_and_words_that_are_alike_do_not_make_a_text_english(language: str, texts: list[str]) -> None:
    assert detect_language(texts) == language


def test_the_demo_is_english() -> None:
    outputs = load_dataset("demo").frame["output"].tolist()
    assert detect_language(outputs) == "en" and detect_language(outputs[:1]) in ("en", None)


@pytest.mark.parametrize("text", [
    "", "12 34 - ? !", "Das Haus", "yes no yes",
    "Clowns Fitzbillies Giraffe Strada Alimentum Zizzi Wildwood Cotto Aromi Browns Cambridge Loch Fyne Cocum",
    'def price(self): return self.rooms[0].price\nclass Hotel:\n    name = "inn"',
    '{"name": "inn", "area": "soma", "price": 12, "kids_allowed": false, "food": "thai"}',
    r"\frac{a}{b} + \sum_{i=1}^{n} x_i = \alpha \cdot \beta",
    "inform name Xname area Xarea price Xprice Xname Xarea Xfood Xnear Xphone Xaddress",
])  # fmt: skip
def test_what_is_uncertain_has_no_language(text: str) -> None:
    assert detect_language([text] * 5) in (None, "en")


def test_the_sample_does_not_depend_on_order_or_parts() -> None:
    texts = [f"text {n}" for n in range(3 * SAMPLE)]
    mixed = Random(1).sample(texts, len(texts))
    assert sample_texts(texts) == sample_texts(mixed)
    assert sample_texts(texts) == sample_texts([*sample_texts(mixed[:100]), *sample_texts(mixed[100:])])
    assert len(sample_texts(texts)) == SAMPLE


def test_lone_surrogates_do_no_harm() -> None:
    assert detect_language(["\ud800 " * 20]) is None


@pytest.mark.parametrize(("given", "meant"), [("German", "de"), ("DE", "de"), ("zh-CN", "zh"), ("nb", "no")])
def test_names_and_regions_are_refused_with_the_code(given: str, meant: str) -> None:
    with pytest.raises(ValueError, match=f"did you mean {meant}"):
        validate_language(given)


def test_unknown_codes_are_refused() -> None:
    assert (validate_language("de"), language_name("de")) == ("de", "German")
    with pytest.raises(ValueError, match="unknown language 'german': did you mean de"):
        validate_language("german")
    assert all(len(code) == 2 and name.istitle() for code, name in LANGUAGES.items())
