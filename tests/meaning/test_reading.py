"""What the compiled kernels read is what their twin in Python reads, on every row and on texts nobody would write."""

import random
from collections.abc import Sequence

import numpy as np
import pytest

from rainbow import load_dataset
from rainbow.base.native import kernels
from rainbow.meaning import MeaningRepresentation, parse_meaning
from rainbow.meaning.compiled_realisation import known_values, slot_shares
from rainbow.meaning.realisation import NO_VALUES, ValueInventory
from rainbow.text.words.mentions import mention_words

pytestmark = pytest.mark.skipif(kernels() is None, reason="the compiled kernels were not built")

MOST = 3000  # rows of a dataset

# What wordings, denials, numbers and dates are made of.
SAID = [
    "not", "no", "n't", "never", "apart from", "adults only", "kid-free", "child free", "families", "kids",
    "very", "so", "too", "low", "high", "highly", "average", "price", "prices", "priced", "range", "cost",
    "rating", "rated", "customer", "stars", "star", "out of", "5", "five", "one", "3", "20", "25", "30", "pounds",
    "less than", "more than", "between", "to", "the", "is", "of", "a", "in", ",", ".", "?", "£20-25", "riverside",
    "river", "city", "centre", "center of", "coffeeshop", "coffee shop", "cafe", "fast food", "cheap",
    "expensive", "inexpensive", "moderately", "x", "X", "0", "zero", "twelve", "1st", "June", "1,249.5", "7 . 7",
    "12,000", "2,500 000", "1954", "٣٤٥", "café", "ß", "Ἀσ", "it's", "don't care", "any", "whatever", "unknown",
    "dogs", "wifi", "wi-fi", "internet", "child", "near", "area", "food", "restaurant", "\ud800", "s", "_", "", "",
]  # fmt: skip


def assert_equal(meanings: Sequence[MeaningRepresentation], texts: Sequence[str], known: ValueInventory) -> None:
    found = slot_shares(meanings, texts, known, threads=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAINBOW_NATIVE", "0")
        expected = slot_shares(meanings, texts, known)
    wrong = np.flatnonzero(~((found == expected) | (np.isnan(found) & np.isnan(expected))).all(axis=1))
    assert [(str(meanings[row]), texts[row], found[row], expected[row]) for row in wrong[:3]] == []


def changed(rng: random.Random, text: str, others: Sequence[str]) -> str:
    """Drop, add, swap, double, cut, lengthen and join words."""
    found = text.split() or ["x"]
    for _ in range(rng.randint(1, 6)):
        place, kind = rng.randrange(len(found)), rng.randrange(7)
        word = rng.choice(SAID) if rng.random() < 0.5 else rng.choice(others)
        replaced = [[], [word], [word, found[place]], [found[place]] * 2, [found[place][::2] or "x"],
                    [found[place] + rng.choice("s.,-_'!")], ["".join(found[place : place + 2])]]  # fmt: skip
        found[place : place + (2 if kind == 6 else 1)] = replaced[kind] or ["a"]
    return " ".join(found)


def rows_of(name: str) -> tuple[list[MeaningRepresentation], list[str], ValueInventory]:
    corpus = load_dataset(name)
    corpus = corpus.take(range(0, len(corpus), 1 + len(corpus) // MOST))
    rows = [row for row, meaning in enumerate(corpus.meanings) if meaning is not None]
    meanings = [meaning for meaning in corpus.meanings if meaning is not None]
    references = corpus.frame["references"]
    pairs = [(meaning, references[row]) for meaning, row in zip(meanings, rows, strict=True)]
    some = known_values(pairs[:300]).values
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAINBOW_NATIVE", "0")
        assert known_values(pairs[:300]).values == some
    return meanings, [corpus.frame["output"][row] for row in rows], known_values(pairs)


@pytest.mark.parametrize("name", ["demo", "emnlp2017", "bagel", "e2e", "rankme", "webnlg2020"])
def test_every_output_is_read_alike_as_it_is_and_changed(name, request, monkeypatch) -> None:
    if name != "demo":
        monkeypatch.setenv("RAINBOW_DATA", str(request.getfixturevalue("data_dir")))
    meanings, texts, known = rows_of(name)
    assert_equal(meanings, texts, known)
    rng = random.Random(name)
    others = [word for text in texts[:500] for word in text.split()]
    rows = [rng.randrange(len(texts)) for _ in range(1000)]
    of_others = [meanings[row if rng.random() < 0.8 else rng.randrange(len(meanings))] for row in rows]
    assert_equal(of_others, [changed(rng, texts[row], others) for row in rows], known)


MRS = (
    "inform(name='the inn',area=citycentre,price_range='cheap or moderate',dogs_allowed=no,has_internet=yes,near=none)",
    "inform_no_match(kids_allowed=no,food=dont_care,phone='555 1234',count=5)",
    "inform(name=X,near=X,area=riverside,type=placetoeat,eattype=restaurant)",
    "?request(food)",
    "reqmore()",
    "inform(name='-',area='')",
    "name[The Eagle], eatType[coffee shop], food[Fast food], priceRange[£20-25], customer rating[5 out of 5], "
    "area[city centre], familyFriendly[yes], near[Burger King]",
    "name[X], customer rating[low], familyFriendly[no], near[The Bakers], near[-]",
    "name[], eatType[pub], priceRange[more than £30], priceRange[high], area[riverside]",
    "Alan_Bean | birthDate | 1932-03-15 && Alan_Bean | mission | Apollo_12 && Alan_Bean | time | 100305.0",
    "Louvre_(museum) | visitors | 7700000 && Louvre_(museum) | country | France && Louvre | opened | 1793-01-01",
    "A | open | yes && A | height | 0.07 && A | ٣٤٥ | 1,249.5",
)  # fmt: skip


@pytest.mark.parametrize("mr", MRS)
def test_texts_of_the_words_that_matter_are_read_alike(mr: str) -> None:
    rng, own = random.Random(mr), mention_words(mr)
    texts = [
        " ".join(rng.choice(own if rng.random() < 0.4 else SAID) for _ in range(rng.randrange(25))) for _ in range(1500)
    ]
    meaning = parse_meaning(mr)
    assert meaning is not None
    assert_equal([meaning] * len(texts), texts, ValueInventory(("555", "citycentre", "eagle", "inn", "pub", "thai")))


def test_a_word_of_any_length_is_read() -> None:
    meaning = parse_meaning("name[Zizzi], eatType[pub], customer rating[high]")
    texts = ["pric" + "e" * 10**5, "rat" + "ed" * 10**5 + " 5", "z" * 10**5]
    assert_equal([meaning] * len(texts), texts, NO_VALUES)


def test_every_text_needs_what_it_was_asked_for() -> None:
    with pytest.raises(ValueError, match="1 texts need the same number of"):
        slot_shares([], ["the inn"], NO_VALUES)
