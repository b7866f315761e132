"""Short examples of functions in meaning."""

import pytest

from rainbow.meaning import parse_meaning
from rainbow.meaning.domains.e2e_realisation import e2e_realisation, is_e2e
from rainbow.meaning.domains.e2e_wordings import mentioned_values
from rainbow.meaning.facts import Phrases, facts_realisation
from rainbow.meaning.formats.acts import parse_act, parse_attributes
from rainbow.meaning.formats.table_formats import parse_json, scalar_text
from rainbow.meaning.formats.triples import parse_triples
from rainbow.meaning.slot_lexicon import all_wordings, normalise_negation
from rainbow.meaning.slot_values import more_specific_slots
from rainbow.meaning.value_mentions import day_number
from rainbow.text.words.mentions import mention_words


def flat(value: object) -> str:
    return " ".join(repr(value).split())


@pytest.mark.parametrize(("call", "expected"), [
    (lambda: is_e2e(parse_meaning("name[Zizzi], eatType[pub]")), True),
    (lambda: is_e2e(parse_meaning("inform(name='X',eattype=pub)")), False),
    (
        lambda: flat(
            e2e_realisation(
                parse_meaning("name[Zizzi], eatType[pub], area[riverside], familyFriendly[no]"),
                mention_words("Zizzi is a cheap, family friendly pub."),
            )
        ),
        "Realisation(states=('realised', 'realised', 'missing', 'wrong'), repeated=0, invented=1)",
    ),
    (
        lambda: [
            sorted(values)
            for values in mentioned_values("pricerange", mention_words("It's cheap, with high ratings."))
        ],
        [["cheap", "less than 20"]],
    ),
    (lambda: flat(mentioned_values("familyfriendly", mention_words("It is not family-friendly."))),
     "[frozenset({'no'})]"),
    (
        lambda: flat(
            facts_realisation(
                parse_meaning(
                    "Louvre | city | Paris && Louvre | visitors | 7700000 && Louvre | opened | 1793-08-10"
                ),
                mention_words("The Louvre in Paris has 7.7 million visitors and 35 rooms."),
                Phrases(()),
            )
        ),
        "Realisation(states=('realised', 'realised', 'missing'), repeated=0, invented=1)",
    ),
    (lambda: str(parse_act("?select(area='soma';area='mission bay')")), "select(area='soma',area='mission bay')"),
    (lambda: str(parse_attributes("name[Zizzi], eatType[pub]")), "inform(name=Zizzi,eattype=pub)"),
    (lambda: parse_json('{"price": 1.50}'), {"price": "1.50"}),
    (lambda: parse_json("[["), None),
    (lambda: parse_json('"a"'), None),
    (lambda: scalar_text(True), "yes"),
    (lambda: scalar_text(None), ""),
    (lambda: scalar_text("Zizzi"), "Zizzi"),
    (lambda: scalar_text([]), None),
    (lambda: str(parse_triples('Louvre | inCity | Paris && Mona_Lisa | title | "La Gioconda"@it')),
     "Louvre | inCity | Paris && Mona Lisa | title | La Gioconda"),
    (lambda: str(parse_triples('[["Louvre", "inCity", "Paris"]]')), "Louvre | inCity | Paris"),
    (lambda: str(parse_triples("<modifiedtripleset><mtriple>Louvre | inCity | Paris</mtriple></modifiedtripleset>")),
     "Louvre | inCity | Paris"),
    (lambda: str(parse_triples("<H> Louvre <R> inCity <T> Paris <H> Paris <R> country <T> France")),
     "Louvre | inCity | Paris && Paris | country | France"),
    (lambda: day_number("03rd"), "3"),
    (lambda: day_number("3m"), ""),
    (lambda: more_specific_slots(["range", "price_range", "area", "range"]), [[1], [], [], [1]]),
    (lambda: sorted(all_wordings()["coffeeshop"].stems), ["cafe"]),
    (
        lambda: " ".join(
            normalise_negation(mention_words("There are no adults-only inns with Wi-Fi."), "inform_no_match")
        ),
        "there are no children inns with wi fi .",
    ),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected
