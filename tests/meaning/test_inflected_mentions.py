"""Mentions of values in other languages than English."""

import math

import pytest

from rainbow import Corpus, score_corpus
from rainbow.meaning import parse_meaning
from rainbow.meaning.inflected_mentions import is_mentioned, parse_text, said_slots


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Kočár z Vídně", "Sejdeme se v Kočáru z Vídně."),
        ("Malá Strana", "Podnik je na Malé Straně."),
        ("Ananta", "Telefonní číslo do Ananty neznám."),
        ("1249.5", "Sie kostet 1.249,50 Euro."),
        ("1249.5", "Elle coûte 1 249,5 euros."),
        ("1932-03-15", "Он родился 15 марта 1932 года."),
        ("New_York", "Er kommt aus New York."),
        ("٣", "عدد الغرف 3"),
        ("Москва", "Он живёт в Москве."),
    ],
)
def test_a_value_is_mentioned_in_any_form(value: str, text: str) -> None:
    assert is_mentioned(value, parse_text(text), is_spaced=True)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Národní 5", "Je v ulici Národní 7."),
        ("Café Savoy", "Kavárna Slavia je blízko."),
        ("1932-03-15", "Он родился 16 марта 1932 года."),
        ("Praha 2", "Je v Praze."),
        ("cheap", "El hotel es barato."),
    ],
)
def test_another_value_is_not_mentioned(value: str, text: str) -> None:
    assert not is_mentioned(value, parse_text(text), is_spaced=True)


def test_without_spaces_a_value_is_found_within_the_text() -> None:
    text = parse_text("金宫饭店很便宜,有3个房间。")
    assert is_mentioned("金宫", text, is_spaced=False) and not is_mentioned("银宫", text, is_spaced=False)
    assert is_mentioned("3", text, is_spaced=False)


def test_only_slots_that_references_mention_are_looked_at() -> None:
    meaning = parse_meaning("inform(name='El Faro',price=cheap,phone=555)")
    references = ["El Faro es barato, llame al 555.", "Llame al 555."]
    assert said_slots([(meaning, references)], is_spaced=True) == ("name", "phone")


INPUTS = ["inform(name='El Faro',price=cheap,phone=555)", "inform(price=cheap)"]
REFERENCES = [["El Faro es barato y su número de teléfono es el 555."], ["Es barato."]]


def test_shares_are_those_of_the_said_slots_and_others_have_the_reason() -> None:
    corpus = Corpus.from_texts(["El Faro es un hotel barato.", "Es un hotel."], REFERENCES, INPUTS, language="es")
    scores = score_corpus(corpus, ["slots"])
    assert scores["slots_realised"][0] == scores["slots_missing"][0] == 0.5
    assert math.isnan(scores["slots_realised"][1])
    missing = scores.attrs["missing"]
    assert [*missing["slots_missing"]] == [
        "the references do not show that the values of its slots are said as the input has them"
    ]
    assert [*missing["slots_invented"].values()] == ["all"]


def test_without_references_no_share_is_guessed() -> None:
    corpus = Corpus.from_texts(["El Faro es barato."], inputs=INPUTS[:1], language="es")
    assert score_corpus(corpus, ["slots_realised"])["slots_realised"].isna().all()


def test_english_slots_are_read_as_before() -> None:
    corpus = Corpus.from_texts(["El Faro is cheap."], inputs=INPUTS[:1], language="en")
    assert score_corpus(corpus, ["slots_realised"])["slots_realised"][0] == pytest.approx(2 / 3)
