"""What a text says of each slot of its meaning representation, and what it adds."""

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.slots import faults_found, references_read
from rainbow.meaning import domains, parse_meaning, value_pattern
from rainbow.meaning.realisation import Realisation, ValueInventory, collect_values, realisation
from rainbow.text.words.mentions import find_mentions, mention_words, phrase_key


def realise(mr: str, text: str, *known: str) -> Realisation:
    return realisation(parse_meaning(mr), mention_words(text), ValueInventory(tuple(sorted(map(phrase_key, known)))))


R, M, W = "realised", "missing", "wrong"


@pytest.mark.parametrize(("mr", "text", "states"), [
    ("inform(name='the inn',area=citycentre)", "The Inn is in the city centre.", [R, R]),
    ("inform(name='the inn',area=soma)", "The Inn.", [R, M]),
    ("inform(name='marnee thai',food=thai)", "Marnee Thai is cheap.", [R, M]),
    ("inform(name='marnee thai',food=thai)", "Marnee Thai is a Thai restaurant.", [R, R]),
    ("inform(name=X,area=X,near=X)", "x is an inn near x.", [R, R, M]),
    ("inform(name=X,near=X,near=X)", "x is an inn near x and x.", [R, R, R]),
    ("name[Zizzi], customer rating[high], priceRange[high]", "Zizzi has high ratings and high prices.", [R, R, R]),
    ("name[Zizzi], customer rating[high], priceRange[high]", "Zizzi has high ratings.", [R, R, M]),
])  # fmt: skip
def test_a_value_is_said_as_often_as_its_words_stand(mr: str, text: str, states: list[str]) -> None:
    assert list(realise(mr, text).states) == states


@pytest.mark.parametrize(("value", "text", "state"), [
    ("moderate", "it is moderately priced", R),
    ("cheap", "cheaply priced", R),
    ("inexpensive", "it is expensive", M),
    ("expensive", "it is inexpensive", M),
    ("expensive or cheap", "a cheap or expensive inn", R),
    ("expensive or cheap", "a cheap inn", M),
    ("between 15 and 22 euro", "between 15 euro and 22 euro", R),
    ("2345 mission avenue", "at 2345 mission ave", R),
    ("5 out of 5", "rated five out of five", R),
    ("riverside", "down by the river", R),
    ("citycentre", "in the centre of town", R),
    ("indian takeaway", "it is an indian inn", M),
    ("indian takeaway", "indian food to take away", R),
    ("inexpensive", "a low-priced inn", R),
    ("cheap", "it has low prices", R),
    ("cheap", "it has high prices", M),
    ("hotel", "a place to stay", R),
    ("coffee shop", "a cafe", R),
])  # fmt: skip
def test_a_value_may_be_said_in_another_form(value: str, text: str, state: str) -> None:
    assert realise(f"inform(slot='{value}')", text).states == (state,)


def test_values_of_one_slot_may_share_words() -> None:
    mr = "inform(food=Indian,food='Indian takeaway')"
    assert realise(mr, "an indian restaurant that offers takeaway").states == (R, R)
    assert realise(mr, "it offers indian takeaway").states == (R, R)
    assert realise(mr, "an indian restaurant").states == (R, M)


@pytest.mark.parametrize(("slot", "text", "state"), [
    ("has_internet=yes", "it has internet", R),
    ("has_internet=yes", "it has rooms", M),
    ("has_internet=yes", "it has no internet", W),
    ("dogs_allowed=no", "it does not allow dogs", R),
    ("dogs_allowed=no", "it allows dogs", W),
    ("dogs_allowed=no", "it is not cheap and allows dogs", W),
    ("dogs_allowed=no", "it is cheap", M),
    ("dogs_allowed=none", "i do not know whether it allows dogs", R),
    ("dogs_allowed=none", "it allows dogs", W),
    ("kids_allowed=yes", "children are welcome", R),
    ("kids_allowed=no", "kids are not allowed", R),
    ("familyFriendly=no", "it is not child friendly", R),
    ("familyFriendly=no", "a kid-friendly inn", W),
    ("accepts_credit_cards=yes", "it takes a credit card", R),
    ("kids_allowed='yes or no'", "do you want to bring kids?", R),
    ("price_range=dont_care", "you do not care about the price range", R),
    ("price_range=dont_care", "you do not care", M),
    ("name=none", "there is nothing near soma", R),
    ("name=none", "an inn near soma", M),
    ("area", "which area do you want?", R),
    ("area", "what part of town do you want?", R),
    ("price_range", "how much would you like to spend?", R),
    ("near", "which area do you want?", M),
    ("has_internet=yes", "it offers Wi-Fi", R),
    ("has_internet=no", "it does not offer Wi-Fi", R),
    ("has_internet='yes or no'", "an inn that offers Wi-Fi or one that does not", R),
    ("kids_allowed=no", "an adults-only inn", R),
    ("kids_allowed=yes", "an adults-only inn", W),
    ("accepts_credit_cards=yes", "it does not take credit cards", W),
    ("near=dont_care", "you do not care which landmark it is close to", R),
    ("near=dont_care", "regardless of what is nearby", R),
    ("price_range=dont_care", "it has a price range", W),
    ("price_range=dont_care", "in all price ranges", R),
])  # fmt: skip
def test_what_no_text_shows_word_by_word_is_said_by_speaking_of_the_slot(slot: str, text: str, state: str) -> None:
    assert realise(f"inform({slot})", text).states == (state,)


def test_an_act_of_no_match_denies_what_is_asked_for() -> None:
    assert realise("inform_no_match(kids_allowed=yes)", "there are no kid friendly inns").states == (R,)


@pytest.mark.parametrize(("mr", "text", "state"), [
    ("inform_no_match(has_internet=yes)", "I have no hotels with Wi-Fi.", R),
    ("inform_no_match(has_internet=yes)", "There are no hotels that do not offer Wi-Fi.", W),
    ("inform_no_match(has_internet=no)", "There are no hotels that do not offer Wi-Fi.", R),
    ("inform_no_match(kids_allowed=no)", "Sorry, there are no adults-only places.", R),
    ("inform_only_match(dogs_allowed=yes)", "Apart from the inn, there are no dog-friendly hotels.", R),
])  # fmt: skip
def test_the_negation_of_an_act_denies_no_slot(mr: str, text: str, state: str) -> None:
    assert realise(mr, text).states == (state,)


def test_known_faults_of_every_act_are_found_and_hardly_another() -> None:
    counts: dict[str, Counter[tuple[bool, bool]]] = {}
    for reading in faults_found():
        counts.setdefault(reading.act, Counter())[reading.right, reading.realised] += 1
    for act, count in counts.items():
        hits, others = count[False, False], count[False, True] + count[True, False]
        assert 2 * hits / (2 * hits + others) >= 0.97, act


@pytest.mark.parametrize("name", ["demo", "sfhotel", "sfrest", "bagel"])
def test_references_are_read_as_complete(name, request, monkeypatch) -> None:
    if name != "demo":
        monkeypatch.setenv("RAINBOW_DATA", str(request.getfixturevalue("data_dir")))
    texts = [all(reading.realised for reading in text) for text in references_read(name)]
    assert sum(texts) / len(texts) >= 0.95


def test_a_general_slot_is_realised_by_a_special_one() -> None:
    mr = "inform(type=eatery,eattype=restaurant)"
    assert realise(mr, "it is a restaurant").states == (R, R)
    assert realise(mr, "it is cheap").states == (M, M)


@pytest.mark.parametrize(("mr", "text", "repeated"), [
    ("inform(price_range=cheap)", "a cheap inn in the cheap price range", 1),
    ("inform(price_range=cheap,area=soma)", "a cheap inn in soma", 0),
    ("inform(has_internet=yes)", "it has internet and has internet", 1),
    ("inform(has_internet='yes or no')", "an inn that has internet or has no internet", 0),
    ("name[Zizzi], customer rating[high], priceRange[high]", "Zizzi has high ratings, high prices.", 0),
    ("inform(name=X)", "x near x", 0),
])  # fmt: skip
def test_a_slot_said_again_is_repeated(mr: str, text: str, repeated: int) -> None:
    assert realise(mr, text).repeated == repeated


@pytest.mark.parametrize(("mr", "text", "invented"), [
    ("inform(phone=5550100)", "call 5550100", 0),
    ("inform(phone=5550100)", "call 555 0100", 0),
    ("inform(phone=5550100)", "call 5550199 at 10", 2),
    ("inform(address='11 18th street')", "at 11 18th st", 0),
    ("inform(name=inn)", "the inn is the only 1 of 0", 0),
    ("inform(name=X)", "x is near x and x", 2),
    ("inform(name=inn)", "the inn is near x", 1),
    ("inform(food=thai)", "a thai inn that serves italian", 1),
    ("inform(food=italian)", "an italian inn", 0),
    ("inform(area='pacific heights')", "in pacific heights", 0),
    ("inform(area='lower pacific heights')", "on the pacific heights", 0),
])  # fmt: skip
def test_what_the_meaning_representation_does_not_have_is_invented(mr: str, text: str, invented: int) -> None:
    assert realise(mr, text, "italian", "thai", "pacific heights").invented == invented


def test_values_said_unasked_are_not_known_as_inventions() -> None:
    texts = [
        ("inform(type=restaurant,food=thai)", ["a thai restaurant", "the restaurant is thai"]),
        ("inform(area=soma)", ["a restaurant in soma"]),
        ("inform(count=239)", ["there are 239 restaurants"]),
        ("inform(area='noma or mission bay')", ["in noma or mission bay"]),
    ]
    found = collect_values((parse_meaning(mr), [mention_words(text) for text in said]) for mr, said in texts)
    assert found.values == ("soma", "thai")


def test_a_meaning_representation_without_slots_has_no_states() -> None:
    assert realise("reqmore()", "anything else, at 10?") == Realisation((), 0, 1)


def rows(folder: Path) -> list[tuple[str, str]]:
    with (folder / "emnlp2017" / "emnlp_data_medians.csv").open(encoding="utf-8", newline="") as file:
        return [(row["mr"], row["sys_ref"]) for row in csv.DictReader(file)]


def test_on_real_rows_values_are_found_where_delexicalisation_finds_them(data_dir: Path) -> None:
    for mr, text in rows(data_dir):
        values = {phrase_key(slot.value): slot.value for slot in parse_meaning(mr).slots if slot.literal}
        longest = sorted(values, key=lambda value: (-len(values[value]), values[value]))
        expression = re.compile("|".join(f"({value_pattern(values[value])})" for value in longest) or "(?!)")
        expected = Counter(longest[(match.lastindex or 1) - 1] for match in expression.finditer(text))
        assert Counter(mention.phrase for mention in find_mentions(mention_words(text), values)) == expected, text


# A random hundred of the rows, judged by reading them: the slots not realised, the number repeated and of inventions.
# fmt: off
READ = [
    41, 49, 72, 98, 114, 121, 124, 127, 132, 136, 192, 212, 275, 297, 300, 309, 328, 376, 460, 491, 546, 558, 561, 562,
    599, 651, 661, 737, 760, 788, 809, 811, 848, 856, 870, 885, 908, 940, 945, 955, 1003, 1029, 1032, 1071, 1080, 1086,
    1090, 1190, 1238, 1246, 1247, 1276, 1334, 1395, 1405, 1451, 1488, 1503, 1508, 1552, 1563, 1580, 1592, 1633, 1647,
    1652, 1665, 1702, 1704, 1731, 1742, 1773, 1794, 1813, 1816, 1863, 1924, 1929, 1930, 1938, 1956, 1962, 2027, 2032,
    2077, 2079, 2102, 2104, 2113, 2116, 2184, 2214, 2229, 2279, 2290, 2304, 2334, 2336, 2375, 2438,
]
# fmt: on
FAULTY = {
    41: (["Chinese takeaway"], 0, 1),
    49: (["riverside"], 0, 0),
    98: ([], 0, 1),
    127: (["Contemporary"], 0, 1),
    132: (["Indian takeaway"], 0, 0),
    2375: ([], 0, 1),  # "good for lunch dinner": not found, as questions for the meal name all meals unasked
}


def test_on_a_hundred_real_rows_the_verdict_is_that_of_a_reader(data_dir: Path) -> None:
    texts = rows(data_dir)
    scored = json.loads((data_dir / "emnlp2017" / "scored_text.json").read_text(encoding="utf-8"))
    references = {mr: text["refs_raw"] for (mr, _), text in zip(texts, scored, strict=True)}
    inventory = collect_values((parse_meaning(mr), list(map(mention_words, found))) for mr, found in references.items())
    differing = []
    for row in READ:
        meaning = parse_meaning(texts[row][0])
        states, repeated, invented = realisation(meaning, mention_words(texts[row][1]), inventory)
        unrealised = [slot.value for slot, state in zip(meaning.slots, states, strict=True) if state != R]
        if (unrealised, repeated, invented) != FAULTY.get(row, ([], 0, 0)):
            differing.append(row)
    assert differing == [2375]


TRAINS = """
from rainbow.meaning.domains import Domain
from rainbow.meaning.slot_values import Realisation

DOMAIN = Domain(
    owns=lambda meaning: meaning.act == "depart",
    realisation=lambda meaning, tokens: Realisation(("wrong",) * len(meaning.slots), 0, len(tokens)),
)
"""


def test_a_file_in_the_folder_is_a_domain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "trains_of_a_test.py").write_text(TRAINS)
    monkeypatch.setattr(domains, "__path__", [*domains.__path__, str(tmp_path)])
    domains._load_domains.cache_clear()
    try:
        assert realisation(parse_meaning("depart(at=noon)"), ["at", "noon"]) == (("wrong",), 0, 2)
        assert domains.find_domain(parse_meaning("name[Zizzi], eatType[pub]")) is not None
    finally:
        domains._load_domains.cache_clear()


def test_what_no_domain_owns_is_looked_for_by_its_values() -> None:
    meaning = parse_meaning("depart(at=noon)")
    assert domains.find_domain(meaning) is None and realisation(meaning, ["at", "noon"]) == (("realised",), 0, 0)
