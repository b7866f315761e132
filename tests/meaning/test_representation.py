"""Meaning representations are read in every notation of the data, and delexicalise the same for every system."""

from contextlib import suppress
from random import Random

import pytest

from rainbow.base.native import compiled
from rainbow.meaning import MeaningRepresentation, Slot, delexicalise, parse_meaning
from rainbow.meaning.representation import _replace_values


@pytest.mark.parametrize(
    ("text", "act", "slots"),
    [
        ("inform(name='red door cafe',area=soma)", "inform", [("name", "red door cafe"), ("area", "soma")]),
        ("?select(dogs='yes';dogs='no')", "select", [("dogs", "yes"), ("dogs", "no")]),
        ("reqmore()", "reqmore", []),
        ("request(near)", "request", [("near", "")]),
        ("inform(name='joe's diner, soma',count=2)", "inform", [("name", "joe's diner, soma"), ("count", "2")]),
        ('inform(name="Ali Baba", food=Chinese)', "inform", [("name", "Ali Baba"), ("food", "Chinese")]),
        ("name[Blue Spice], eatType[coffee shop]", "inform", [("name", "Blue Spice"), ("eattype", "coffee shop")]),
    ],
)
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
@pytest.mark.parametrize(
    "text",
    [
        "a" + " " * 100_000 + "!",
        " " * 100_000,
        "i(a=" + " " * 100_000 + "!b c=)",
        "i(" + "a='x," * 25_000 + ")",
        "i(" + "'" * 100_000,
        "i(" + "a=' " * 25_000 + ")",
        "a[" * 50_000,
        "[" * 100_000,
        "i(" * 50_000,
    ],
)
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
