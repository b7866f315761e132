"""What is left of a text when a slot is dropped."""

from random import Random

import pytest

from rainbow.audit.audit_rows import audit_rows
from rainbow.audit.slot_omission import drop_slot
from rainbow.corpus import Corpus
from rainbow.meaning.realisation import realisation
from rainbow.text.words.mentions import mention_words


def drops(text: str, mr: str) -> set[str | None]:
    """Return all that may become of a text."""
    given = audit_rows(Corpus.from_texts([text], mrs=[mr]))[0]
    return {drop_slot(given, Random(seed)) for seed in range(30)}


@pytest.mark.parametrize(("text", "mr", "expected"), [
    # prepositional phrases
    ("an inn in the soma area with wifi.", "i(area=soma)", "an inn with wifi."),
    ("it is an inn in the area of soma.", "i(area=soma)", "it is an inn."),
    ("it is an inn close to soma and in noma.", "i(near=soma)", "it is an inn in noma."),
    ("a pub in the cheap price range that has wifi", "i(price=cheap)", "a pub that has wifi"),
    # clauses
    ("the inn that serves thai food is here.", "i(food=thai)", "the inn is here."),
    ("it is an inn, which is near soma, and has wifi.", "i(near=soma)", "it is an inn and has wifi."),
    ("an inn that is near soma and serves food.", "i(near=soma)", "an inn that serves food."),
    ("it is in noma, and the phone number is 555.", "i(phone=555)", "it is in noma."),
    ("it has wifi and does not allow dogs.", "i(dogs_allowed=no)", "it has wifi."),
    ("it has internet and allows dogs.", "i(has_internet=yes)", "it allows dogs."),
    # sentences
    ("It is an inn. Its phone number is 555.", "i(phone=555)", "It is an inn."),
    ("It is at 5 Old Rd. It has wifi.", "i(address='5 old rd')", "It has wifi."),
    # adjectives and nouns
    ("it is a cheap inn near noma.", "i(price=cheap)", "it is an inn near noma."),
    ("it is a moderately priced inn.", "i(price=moderate)", "it is an inn."),
    ("it is a nice hotel in noma.", "i(type=hotel)", "it is a nice one in noma."),
    ("it is a hotel in noma.", "i(type=hotel)", "it is in noma."),
    ("it serves chinese and french food.", "i(food=chinese)", "it serves french food."),
    # subjects
    ("The Grand is in noma.", "i(name='the grand')", "It is in noma."),
    ("the grand, is in noma.", "i(name='the grand')", "it is in noma."),
    ("there is an inn called the grand near noma.", "i(name='the grand')", "there is an inn near noma."),
    ("you may find the grand at 5 old rd.", "i(name='the grand')", "you may find it at 5 old rd."),
    ("what area should it be in?", "request(area)", "what should it be in?"),
    # words left dangling
    ("the inn is near soma.", "i(near=soma)", "the inn."),
    ("the only match is The Grand, an inn.", "i(name='the grand')", "the only match is an inn."),
])  # fmt: skip
def test_the_phrase_that_carries_the_value_goes_with_it(text: str, mr: str, expected: str) -> None:
    assert drops(text, mr) == {expected}


def test_each_slot_that_is_said_may_be_the_one() -> None:
    mr = "inform(name='the grand',food=thai,near=soma,phone=555)"
    assert drops("the grand serves thai food near soma.", mr) == {
        "it serves thai food near soma.", "the grand serves food near soma.", "the grand serves thai food."
    }  # fmt: skip


def test_a_value_said_twice_is_dropped_twice() -> None:
    assert drops("a cheap inn in the cheap price range.", "i(price=cheap)") == {"an inn."}


def test_of_slots_with_one_value_one_is_dropped() -> None:
    mr = "inform(name='X',near='X')"
    assert drops("x is an inn near x.", mr) == {"it is an inn near x.", "x is an inn."}
    assert drops("x is an inn near x, that is x.", mr) >= {"it is an inn near x."}


@pytest.mark.parametrize(("text", "mr"), [
    ("the inn is cheap.", ""),
    ("the inn is cheap.", "goodbye()"),
    ("the inn is cheap.", "i(area=soma)"),
    ("soma", "i(area=soma)"),
    ("", "i(area=soma)"),
])  # fmt: skip
def test_nothing_is_dropped_where_no_slot_is_said_or_nothing_else(text: str, mr: str) -> None:
    assert drops(text, mr) == {None}


def test_a_dropped_slot_is_not_said_any_more() -> None:
    """Run over the demo's outputs: the slot error of the metric that counts them must see every drop."""
    from rainbow.datasets import load_dataset

    dropped = 0
    for given in audit_rows(load_dataset("demo"))[::7]:
        text = drop_slot(given, Random(1))
        if text is None or given.meaning is None:
            continue
        before, after = (realisation(given.meaning, mention_words(said)).states for said in (given.output, text))
        assert before.count("realised") > after.count("realised"), (given.output, text)
        dropped += 1
    assert dropped > 100
