"""Meaning representations are read in every notation of the data, and delexicalise the same for every system."""

from contextlib import suppress
from random import Random

import numpy as np
import pytest

import rainbow
from rainbow import Corpus, score_corpus
from rainbow.base.native import compiled
from rainbow.meaning import MeaningRepresentation, Slot, delexicalise, parse_if_structured, parse_meaning
from rainbow.meaning.representation import _replace_values


@pytest.mark.parametrize(("text", "act", "slots"), [
    ("inform(name='red door cafe',area=soma)", "inform", [("name", "red door cafe"), ("area", "soma")]),
    ("?select(dogs='yes';dogs='no')", "select", [("dogs", "yes"), ("dogs", "no")]),
    ("reqmore()", "reqmore", []),
    ("request(near)", "request", [("near", "")]),
    ("inform(name='joe's diner, soma',count=2)", "inform", [("name", "joe's diner, soma"), ("count", "2")]),
    ('inform(name="Ali Baba", food=Chinese)', "inform", [("name", "Ali Baba"), ("food", "Chinese")]),
    ("name[Blue Spice], eatType[coffee shop]", "inform", [("name", "Blue Spice"), ("eattype", "coffee shop")]),
])  # fmt: skip
def test_each_notation_is_read_in_order(text: str, act: str, slots: list[tuple[str, str]]) -> None:
    meaning = parse_meaning(text)
    assert (meaning.act, [(slot.name, slot.value) for slot in meaning.slots]) == (act, slots)


@pytest.mark.parametrize("text", ["", "inform(", "the inn", "inform(=soma)", "name[Blue Spice"])
def test_what_is_no_meaning_representation_is_refused_with_advice(text: str) -> None:
    with pytest.raises(ValueError, match="write it as act"):
        parse_meaning(text)


def test_every_system_gets_the_same_placeholders_whatever_its_spelling() -> None:
    meaning = parse_meaning("inform(name='the grand',area=citycentre,price_range=cheap)")
    for text in ("The Grand is cheap, in the city centre.", "the grand is cheap, in the city-centre."):
        assert delexicalise(text, meaning) == "Xname is Xpricerange, in the Xarea."


def test_the_longest_value_wins_where_two_overlap() -> None:
    meaning = parse_meaning("inform(near='the grand',name='the grand hotel')")
    assert delexicalise("the grand hotel is near the grand", meaning) == "Xname is near Xnear"


def test_values_inside_other_words_and_answers_stay() -> None:
    meaning = parse_meaning("inform(type=inn,dogs_allowed=no,area=none)")
    assert delexicalise("no dinner for none at the inns", meaning) == "no dinner for none at the Xtypes"


def test_a_text_without_values_is_unchanged() -> None:
    assert delexicalise("goodbye", MeaningRepresentation("goodbye", ())) == "goodbye"
    assert Slot("dogs_allowed", "dont_care").literal is False


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", [
    "a" + " " * 100_000 + "!", " " * 100_000, "i(a=" + " " * 100_000 + "!b c=)", "i(" + "a='x," * 25_000 + ")",
    "i(" + "'" * 100_000, "i(" + "a=' " * 25_000 + ")", "a[" * 50_000, "[" * 100_000, "i(" * 50_000,
])  # fmt: skip
def test_a_hundred_thousand_of_anything_are_read_or_refused_in_one_pass(text: str) -> None:
    with suppress(ValueError):
        parse_meaning(text)


def test_a_value_without_a_letter_is_found_nowhere() -> None:
    assert delexicalise("the inn - it is", parse_meaning("inform(name='---')")) == "the inn - it is"


LATIN = [chr(number) for number in range(256)]


@pytest.mark.skipif(compiled is None, reason="the kernels are not built")
@pytest.mark.parametrize("letter", LATIN, ids=[f"{number:02x}" for number in range(256)])
def test_the_kernel_takes_every_letter_for_what_the_twin_does(letter: str) -> None:
    """Each beside each other: as a value, within one, before and behind one."""
    meanings = [MeaningRepresentation("inform", (Slot("name", value),)) for value in (letter, f"x{letter}y")]
    texts = [
        text
        for other in LATIN
        for text in (other, f"x{other}y", f"{other}{letter}", f"{letter}{other}", f"x{letter}{other}y")
    ]
    for meaning in meanings:
        assert [delexicalise(text, meaning) for text in texts] == [_replace_values(text, meaning) for text in texts]


def _drawn(rng: Random, longest: int) -> str:
    return "".join(rng.choices("aAbsS -_\n.é漢ſ", k=rng.randint(0, longest)))


@pytest.mark.parametrize("seed", range(20))
def test_the_kernel_replaces_what_the_twin_does(seed: int) -> None:
    """Values that overlap, stand in one another, and have letters beyond Latin-1 now and then."""
    rng = Random(seed)
    for _ in range(200):
        slots = tuple(Slot(f"n{place}", _drawn(rng, 5)) for place in range(rng.randint(1, 4)))
        meaning, text = MeaningRepresentation("inform", slots), _drawn(rng, 24)
        assert delexicalise(text, meaning) == _replace_values(text, meaning)


TRIPLES = "Louvre | city | Paris && Paris | country | France"
TABLE = '{"name": "Zizzi", "near": ["Ely", "The Six Bells"], "open": true}'


@pytest.mark.parametrize(
    "text",
    [
        TRIPLES,
        "Louvre | city | Paris\nParis | country | France",
        "Louvre | city | Paris ; Paris | country | France",
        "Louvre | city | Paris || Paris | country | France",
        "Louvre | city | Paris<br>Paris | country | France",
        "<H> Louvre <R> city <T> Paris <H> Paris <R> country <T> France",
        "<S> Louvre <P> city <O> Paris <S> Paris <P> country <O> France",
        "(Louvre, city, Paris), (Paris, country, France)",
        "('Louvre', 'city', 'Paris'); ('Paris', 'country', 'France')",
        '[["Louvre", "city", "Paris"], ["Paris", "country", "France"]]',
        '[{"subject": "Louvre", "predicate": "city", "object": "Paris"}, ["Paris", "country", "France"]]',
        '[{"subject": "Louvre", "property": "city", "object": "Paris"}, "Paris | country | France"]',
        "<entry><otriple>x | y | z</otriple><mtriple>Louvre | city | Paris</mtriple>"
        "<mtriple>Paris | country | &quot;France&quot;@en</mtriple></entry>",
    ],
)
def test_triples_are_read_however_they_are_written(text: str) -> None:
    slots = (Slot("city", "Paris", subject="Louvre"), Slot("country", "France", subject="Paris"))
    assert parse_meaning(text) == parse_meaning(text, "triples") == ("inform", slots, "triples")
    assert parse_meaning(str(parse_meaning(text))) == parse_meaning(text)


@pytest.mark.parametrize(("text", "cells"), [
    (TABLE, [("name", "Zizzi"), ("near", "Ely"), ("near", "The Six Bells"), ("open", "yes")]),
    ('{"place": {"name": "Zizzi"}, "price": 1.50, "phone": null}', [("name", "Zizzi"), ("price", "1.50")]),
    ("| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | |", [("a", "1"), ("b", "2"), ("a", "3")]),
    ("a | b | c\n--- | --- | ---\n1 | 2 | 3", [("a", "1"), ("b", "2"), ("c", "3")]),
    ("name: Zizzi | food : Thai | near: Ely", [("name", "Zizzi"), ("food", "Thai"), ("near", "Ely")]),
    ("name: Zizzi\nfood: Thai", [("name", "Zizzi"), ("food", "Thai")]),
    ("name: Zizzi; food: Thai", [("name", "Zizzi"), ("food", "Thai")]),
    ("name = Zizzi | price = 9,50 €", [("name", "Zizzi"), ("price", "9,50 €")]),
    ("name=Zizzi, food=Thai", [("name", "Zizzi"), ("food", "Thai")]),
])  # fmt: skip
def test_tables_are_read_cell_by_cell(text: str, cells: list[tuple[str, str]]) -> None:
    meaning = parse_meaning(text, "table")
    assert (meaning, [(slot.name, slot.value) for slot in meaning.slots]) == (parse_meaning(text), cells)
    assert parse_meaning(str(meaning)) == meaning


@pytest.mark.parametrize(
    "text",
    ["the inn", "Summarise: the text.", "Ann: Hello there.\nBob: How are you?", "[", '{"a": 1, "a": 2}',
     "12:30 | 13:40", '[["_", "city", "Paris"]]', '["thai", "cheap", "central"]', '"a"', "a | b", "inform(name",
     "name=Zizzi", "a=b=c, d=e", "He (Ann, Bob, Carl) came.", "()", "He said: yes; then left.",
     "[" * 100_000],
)  # fmt: skip
def test_what_is_no_notation_is_text(text: str) -> None:
    assert parse_if_structured(text) is None
    with pytest.raises(ValueError, match="cannot read the meaning representation"):
        parse_meaning(text)


def test_a_format_that_is_insisted_on_is_the_only_one_that_is_read() -> None:
    assert parse_if_structured("inform(name=inn)", "text") is None
    with pytest.raises(ValueError, match=r"'inform\(name=inn\)' as triples: write it as subject | predicate"):
        parse_if_structured("inform(name=inn)", "triples")
    with pytest.raises(ValueError, match="unknown format 'xml'"):
        parse_if_structured(TRIPLES, "xml")
    with pytest.raises(ValueError, match=r"row 2, mr: cannot read .* as triples"):
        Corpus.from_texts(["a", "b"], mrs=[TRIPLES, "inform(name=inn)"], mr_format="triples")


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    ["|" * 100_000, "a|b|c&&" * 20_000, "{" * 100_000, '{"a":' * 50_000, "<mtriple>" * 20_000, "<mtriple>a" * 20_000,
     ": " * 50_000, "a: " * 50_000, "a:" + " " * 100_000, "- | -\n" * 30_000, "a" * 60 + ":" + " " * 100_000 + "\n",
     'a | b | ' + '"' * 100_000, "|\n-" + "- " * 50_000 + "x", "[" + "1" * 100_000 + "]", "(" * 100_000],
)  # fmt: skip
def test_a_hundred_thousand_of_anything_are_looked_through_in_one_pass(text: str) -> None:
    with suppress(ValueError):
        parse_meaning(text)


def test_subjects_have_a_placeholder_too() -> None:
    found = delexicalise("The Louvre is in Paris.", parse_meaning("Louvre | city | Paris"))
    assert found == "The Xsubject is in Xcity."


def test_of_free_text_slots_are_missing_and_the_rest_goes_on() -> None:
    mrs = ["an inn, please", TRIPLES, ""]
    scores = score_corpus(
        Corpus.from_texts(["the inn.", "The Louvre is in Paris.", "inn"], mrs=mrs), ["slots", "SIM", "len"]
    )
    assert np.isnan(scores["slots_realised"]).tolist() == [True, False, True]
    assert np.isnan(scores["SIM"]).tolist() == [False, False, True]
    found = scores.attrs["missing"]["slots_realised"]
    assert found == {"the meaning representation is free text: no slots": [0], "no meaning representation": [2]}


def test_a_text_that_is_not_looked_into_has_no_slots() -> None:
    corpus = Corpus.from_texts(["the inn"] * 2, mrs=["inform(name=inn)"] * 2, mr_format="text")
    assert corpus.default_view == corpus.take([0]).default_view == "surface"
    assert np.isnan(score_corpus(corpus, ["slots"])["slots_realised"]).all()


def test_one_row_of_text_does_not_stop_the_others() -> None:
    together = rainbow.score(["the inn", "the inn"], mrs=["a cheap inn", "inform(name='the inn')"])
    assert np.isfinite(together).all() and together[1] == rainbow.score(["the inn"], mrs=["inform(name='the inn')"])[0]
