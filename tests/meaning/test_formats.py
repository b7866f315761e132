"""Every notation of meaning representations is told by itself, and what is not one of them is text."""

from contextlib import suppress

import numpy as np
import pytest

import rainbow
from rainbow import Corpus, score_corpus
from rainbow.meaning import Slot, delexicalise, parse_if_structured, parse_meaning

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


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        (TABLE, [("name", "Zizzi"), ("near", "Ely"), ("near", "The Six Bells"), ("open", "yes")]),
        ('{"place": {"name": "Zizzi"}, "price": 1.50, "phone": null}', [("name", "Zizzi"), ("price", "1.50")]),
        ("| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | |", [("a", "1"), ("b", "2"), ("a", "3")]),
        ("a | b | c\n--- | --- | ---\n1 | 2 | 3", [("a", "1"), ("b", "2"), ("c", "3")]),
        ("name: Zizzi | food : Thai | near: Ely", [("name", "Zizzi"), ("food", "Thai"), ("near", "Ely")]),
        ("name: Zizzi\nfood: Thai", [("name", "Zizzi"), ("food", "Thai")]),
        ("name: Zizzi; food: Thai", [("name", "Zizzi"), ("food", "Thai")]),
        ("name = Zizzi | price = 9,50 €", [("name", "Zizzi"), ("price", "9,50 €")]),
        ("name=Zizzi, food=Thai", [("name", "Zizzi"), ("food", "Thai")]),
    ],
)
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
    assert (
        delexicalise("The Louvre is in Paris.", parse_meaning("Louvre | city | Paris")) == "The Xsubject is in Xcity."
    )


def test_of_free_text_slots_are_missing_and_the_rest_goes_on() -> None:
    mrs = ["an inn, please", TRIPLES, ""]
    scores = score_corpus(
        Corpus.from_texts(["the inn.", "The Louvre is in Paris.", "inn"], mrs=mrs), ["slots", "SIM", "len"]
    )
    assert np.isnan(scores["slots_realised"]).tolist() == [True, False, True]
    assert np.isnan(scores["SIM"]).tolist() == [False, False, True]
    assert scores.attrs["missing"]["slots_realised"] == {
        "the meaning representation is free text: no slots": [0],
        "no meaning representation": [2],
    }


def test_a_text_that_is_not_looked_into_has_no_slots() -> None:
    corpus = Corpus.from_texts(["the inn"] * 2, mrs=["inform(name=inn)"] * 2, mr_format="text")
    assert corpus.default_view == corpus.take([0]).default_view == "surface"
    assert np.isnan(score_corpus(corpus, ["slots"])["slots_realised"]).all()


def test_one_row_of_text_does_not_stop_the_others() -> None:
    together = rainbow.score(["the inn", "the inn"], mrs=["a cheap inn", "inform(name='the inn')"])
    assert np.isfinite(together).all()
    assert together[1] == rainbow.score(["the inn"], mrs=["inform(name='the inn')"])[0]
