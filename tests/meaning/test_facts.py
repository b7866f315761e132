"""What a text says of triples and tables, and mentions of values in other languages than English."""

import math

import pytest

from rainbow import Corpus, score_corpus
from rainbow.meaning import parse_meaning
from rainbow.meaning.inflected_mentions import is_mentioned as is_inflected
from rainbow.meaning.inflected_mentions import parse_text, said_slots
from rainbow.meaning.realisation import Realisation, realisation
from rainbow.meaning.value_mentions import TextWords, is_mentioned
from rainbow.text.words.mentions import mention_words

R, M = "realised", "missing"


@pytest.mark.parametrize(("value", "text"), [
    ("Fantasy (genre)", "a fantasy novel"),
    ("Brazil", "the Brazilian league"),
    ("United States", "an American"),
    ("France", "a French town"),
    ("George Allen & Unwin", "published by Allen and Unwin"),
    ("Rowling, Joanne", "Joanne Rowling"),
    ("1954-07-29", "on July 29, 1954"),
    ("1954-07-29", "on the 29th of July 1954"),
    ("1954-07-29", "29/07/1954"),
    ("2001-01-01", "founded in 2001"),
    ("418476000000.0", "418,476,000,000 metres"),
    ("418476000000.0", "418.5 million km"),
    ("83.0", "a run time of 83 minutes"),
    ("4", "four doors"),
    ("1249.6", "1,249.6 days"),
    ("Juvenile fantasy", "a juvenile fantasy"),
    ("sludgeMetal", "sludge metal"),
    ("−6", "minus 6"),
])  # fmt: skip
def test_a_value_is_said_in_whatever_form(value: str, text: str) -> None:
    assert is_mentioned(value, TextWords(mention_words(text)))


@pytest.mark.parametrize(("value", "text"), [
    ("Brazil", "the league of Mexico"),
    ("Alan Shepard", "Alan Bean"),
    ("1954-07-29", "on July 28, 1954"),
    ("1954-07-29", "on June 29, 1954"),
    ("1954-07-29", "on July 29, 1955"),
    ("1777539", "177539 people"),
    ("418476000000.0", "419,473,000,000"),
    ("83.0", "830 and 38"[4:]),
    ("13.5", "in 2013, 5 of them"),
    ("Stavropolis", "stavolis"),
    ("---", "anything"),
])  # fmt: skip
def test_another_value_is_not_said(value: str, text: str) -> None:
    assert not is_mentioned(value, TextWords(mention_words(text)))


MR = "Louvre | city | Paris && Louvre | visitors | 7700000 && Paris | country | France"


@pytest.mark.parametrize(("text", "states", "repeated", "invented"), [
    ("The Louvre in Paris, France, has 7.7 million visitors.", (R, R, R), 0, 0),
    ("The Louvre is in Paris. It has 7,700,000 visitors.", (R, R, M), 0, 0),
    ("It is in Paris, France, and has 7,700,000 visitors.", (M, M, R), 0, 0),
    ("The Louvre in Paris, France, has 8,700,000 visitors.", (R, M, R), 0, 1),
    ("The Louvre in Paris, France, France, has 7700000.", (R, R, R), 1, 0),
    ("", (M, M, M), 0, 0),
])  # fmt: skip
def test_a_fact_is_said_by_its_value_and_its_subject(text, states, repeated, invented) -> None:
    assert realisation(parse_meaning(MR), mention_words(text)) == Realisation(states, repeated, invented)  # type: ignore[arg-type]


def test_cells_without_a_value_to_say_are_said_by_speaking_of_them() -> None:
    meaning = parse_meaning('{"title": "Seven", "dogs": false}')
    assert realisation(meaning, mention_words("Seven allows no dogs.")).states == (R, R)
    assert realisation(meaning, mention_words("Seven allows dogs.")).states == (R, "wrong")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", [
    "1,1" * 50_000, "1 . 2 " * 30_000, "abcd" * 50_000, "abcd efgh " * 50_000, "one " * 50_000
], ids=lambda text: text[:9])  # fmt: skip
def test_long_texts_are_read_in_one_pass(text: str) -> None:
    meaning = parse_meaning(f"{text} | {text[:5000]} | {text}" if "|" not in text else MR)
    assert realisation(meaning, mention_words(text)).states


@pytest.mark.parametrize(("value", "text"), [
    ("Kočár z Vídně", "Sejdeme se v Kočáru z Vídně."),
    ("Malá Strana", "Podnik je na Malé Straně."),
    ("Ananta", "Telefonní číslo do Ananty neznám."),
    ("1249.5", "Sie kostet 1.249,50 Euro."),
    ("1249.5", "Elle coûte 1 249,5 euros."),
    ("1932-03-15", "Он родился 15 марта 1932 года."),
    ("New_York", "Er kommt aus New York."),
    ("٣", "عدد الغرف 3"),
    ("Москва", "Он живёт в Москве."),
])  # fmt: skip
def test_a_value_is_mentioned_in_any_form(value: str, text: str) -> None:
    assert is_inflected(value, parse_text(text), is_spaced=True)


@pytest.mark.parametrize(("value", "text"), [
    ("Národní 5", "Je v ulici Národní 7."),
    ("Café Savoy", "Kavárna Slavia je blízko."),
    ("1932-03-15", "Он родился 16 марта 1932 года."),
    ("Praha 2", "Je v Praze."),
    ("cheap", "El hotel es barato."),
])  # fmt: skip
def test_another_value_is_not_mentioned(value: str, text: str) -> None:
    assert not is_inflected(value, parse_text(text), is_spaced=True)


def test_without_spaces_a_value_is_found_within_the_text() -> None:
    text = parse_text("金宫饭店很便宜,有3个房间。")
    assert is_inflected("金宫", text, is_spaced=False) and not is_inflected("银宫", text, is_spaced=False)
    assert is_inflected("3", text, is_spaced=False)


def test_only_slots_that_references_mention_are_looked_at() -> None:
    meaning = parse_meaning("inform(name='El Faro',price=cheap,phone=555)")
    references = ["El Faro es barato, llame al 555.", "Llame al 555."]
    assert said_slots([(meaning, references)], is_spaced=True) == ("name", "phone")


INPUTS = ["inform(name='El Faro',price=cheap,phone=555)", "inform(price=cheap)"]
REFERENCES = [["El Faro es barato y su número de teléfono es el 555."], ["Es barato."]]


def test_shares_are_those_of_the_said_slots_and_others_have_the_reason() -> None:
    corpus = Corpus.from_texts(["El Faro es un hotel barato.", "Es un hotel."], REFERENCES, INPUTS, language="es")
    scores = score_corpus(corpus, ["slots"])
    assert scores["slots_realised"][0] == scores["slots_missing"][0] == 0.5 and math.isnan(scores["slots_realised"][1])
    missing = scores.attrs["missing"]
    expected = ["the references do not show that the values of its slots are said as the input has them"]
    assert [*missing["slots_missing"]] == expected
    assert [*missing["slots_invented"].values()] == ["all"]


def test_without_references_no_share_is_guessed() -> None:
    corpus = Corpus.from_texts(["El Faro es barato."], inputs=INPUTS[:1], language="es")
    assert score_corpus(corpus, ["slots_realised"])["slots_realised"].isna().all()


def test_english_slots_are_read_as_before() -> None:
    corpus = Corpus.from_texts(["El Faro is cheap."], inputs=INPUTS[:1], language="en")
    assert score_corpus(corpus, ["slots_realised"])["slots_realised"][0] == pytest.approx(2 / 3)
