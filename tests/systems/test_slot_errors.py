"""Slot errors of outputs and of systems, and table 12 of Dušek et al. (2020); pytest -s prints the cells."""

import math
from pathlib import Path

import pandas as pd
import pytest

from rainbow import Corpus
from rainbow.metrics import Batch
from rainbow.metrics.meaning.slots import Slots
from rainbow.systems.replications.e2e_challenge.challenge_slot_errors import read_challenge_output
from rainbow.systems.slot_errors import system_slot_errors, utterance_slot_errors
from tests.systems.e2e_files import read_e2e, read_printed

pytestmark = pytest.mark.xdist_group("e2e-slots")


MR = (
    "name[The Mill], eatType[pub], food[English], priceRange[less than £20], customer rating[low], area[riverside], "
    "familyFriendly[no], near[Raja Indian Cuisine]"
)
RIGHT = (
    "The Mill is a cheap English pub by the river near Raja Indian Cuisine. It is not family-friendly and poorly rated."
)


def errors(output: str, mr: str = MR) -> list[float]:
    """Return how many slots are missing, wrong, repeated and added."""
    (line,) = utterance_slot_errors(Corpus.from_texts([output], mrs=[mr])).itertuples()
    return [line.missing, line.wrong, line.repeated, line.added]


@pytest.mark.parametrize(("output", "expected"), [
    (RIGHT, [0, 0, 0, 0]),
    (RIGHT.replace("English ", ""), [1, 0, 0, 0]),
    (RIGHT.replace("English", "Italian"), [0, 1, 0, 0]),
    (RIGHT.replace("The Mill", "The Punter"), [0, 1, 0, 0]),
    (RIGHT.replace("not family-friendly", "family-friendly"), [0, 1, 0, 0]),
    (RIGHT.replace("poorly rated", "rated 5 out of 5"), [0, 1, 0, 0]),
    (RIGHT.replace("poorly rated", "poorly rated with 5 stars"), [0, 0, 0, 1]),
    (RIGHT + " It is near Raja Indian Cuisine.", [0, 0, 1, 0]),
    (RIGHT + " The Mill is a pub, a restaurant even.", [0, 0, 0, 0]),
    ("", [8, 0, 0, 0]),
])  # fmt: skip
def test_each_error_counts_once_where_it_belongs(output: str, expected: list[int]) -> None:
    assert errors(output) == expected


@pytest.mark.parametrize(("output", "added"), [
    ("Zizzi is a pub.", 0),
    ("Zizzi is a cheap pub.", 1),
    ("Zizzi is a highly rated Indian pub in the city centre.", 3),
    ("Zizzi is a pub near Burger King for adults.", 2),
])  # fmt: skip
def test_attributes_that_were_not_asked_for_are_added(output: str, added: int) -> None:
    assert errors(output, "name[Zizzi], eatType[pub]") == [0, 0, 0, added]


@pytest.mark.parametrize(("slot", "wordings"), [
    ("priceRange[less than £20]", ["less than £20", "under twenty pounds", "cheap", "a low price range"]),
    ("priceRange[£20-25]", ["£20-25", "between £20 and £25", "moderately priced", "prices are average"]),
    ("priceRange[more than £30]", ["over £30", "more than thirty pounds", "expensive", "high-priced"]),
    ("customer rating[1 out of 5]", ["1 out of 5", "one star", "1/5", "poorly rated", "low customer ratings"]),
    ("customer rating[average]", ["an average rating", "its customer rating is average", "3 stars"]),
    ("customer rating[high]", ["highly rated", "excellent reviews", "a rating of 5"]),
    ("area[city centre]", ["in the city centre", "the center of the city", "downtown"]),
    ("area[riverside]", ["in riverside", "by the river", "on the river bank"]),
    ("familyFriendly[yes]", ["kid friendly", "children are welcome", "great for families"]),
    ("familyFriendly[no]", ["not kid-friendly", "no children allowed", "adults only", "child-free", "isn't for kids"]),
    ("food[Fast food]", ["fast food", "fastfood"]),
])  # fmt: skip
def test_a_value_is_known_by_what_people_say_for_it(slot: str, wordings: list[str]) -> None:
    mr = f"name[Zizzi], eatType[pub], {slot}"
    assert {wording: errors(f"Zizzi pub: {wording}.", mr) for wording in wordings} == dict.fromkeys(wordings, [0] * 4)


@pytest.mark.parametrize(("text", "rating", "price"), [
    ("a high customer rating and a low price range", "high", "cheap"),
    ("a low price range and a high customer rating", "high", "cheap"),
    ("the price range is high and the customer rating is low", "low", "high"),
    ("3 out of 5 rating, price range of less than £20", "3 out of 5", "less than £20"),
])  # fmt: skip
def test_high_and_low_belong_to_the_word_they_stand_with(text: str, rating: str, price: str) -> None:
    mr = f"name[Zizzi], eatType[pub], priceRange[{price}], customer rating[{rating}]"
    assert errors(f"Zizzi is a pub with {text}.", mr) == [0, 0, 0, 0]


def test_names_do_not_say_other_attributes() -> None:
    mr = "name[The Rice Boat], eatType[pub], near[Rainbow Vegetarian Café]"
    assert errors("The Rice Boat pub is near Rainbow Vegetarian Café.", mr) == [0, 0, 0, 0]
    assert errors("Zizzi is a pub near Raja Indian Cuisine.", "name[Zizzi], eatType[pub], food[Indian]") == [1, 0, 0, 1]


def test_the_rate_is_of_the_slots_and_classes_are_of_the_outputs() -> None:
    mr = "name[Zizzi], eatType[pub], area[riverside], food[French]"
    outputs = [
        "Zizzi is a French riverside pub.", "Zizzi is a riverside pub.", "Zizzi is a cheap French riverside pub.",
        "Zizzi is an Indian riverside pub.",
    ]  # fmt: skip
    (line,) = system_slot_errors(Corpus.from_texts(outputs, mrs=[mr] * 4, system=["s"] * 4)).to_dict("records")
    assert (line["outputs"], line["slots"], line["method"]) == (4, 16, "patterns")
    assert [line[name] for name in ("missing", "wrong", "repeated", "added")] == [1, 1, 0, 1]
    assert line["slot_error_rate_percent"] == 100 * 3 / 16
    classes = ("ok_percent", "added_percent", "missed_percent", "added_and_missed_percent")
    assert [line[name] for name in classes] == [25] * 4


def test_other_meaning_representations_are_matched_by_their_values() -> None:
    mrs = ["inform(name='the inn',food=thai,phone=555)", "inform(name='the inn',food=indian)"]
    corpus = Corpus.from_texts(
        ["The Inn serves Indian food, call 556.", "The Inn."], [["thai food"], ["indian food"]], mrs
    )
    table = utterance_slot_errors(corpus)
    assert set(table["method"]) == {"values"}
    assert table[["slots", "missing", "added"]].to_numpy().tolist() == [[3, 2, 2], [2, 1, 0]]


def test_the_columns_of_the_metric_agree() -> None:
    output = RIGHT.replace("English", "Italian").replace("by the river ", "") + " Not for kids."
    missing, wrong, repeated, added = errors(output)
    batch = Batch([output], mrs=[MR])
    (columns,) = Slots().fit(batch).score(batch).tolist()
    assert (missing, wrong, repeated, added) == (1, 1, 1, 0)
    assert columns == [(8 - missing - wrong) / 8, missing / 8, repeated / 8, added]


def test_outputs_without_slots_are_left_out_with_a_reason() -> None:
    corpus = Corpus.from_texts(["Bye!", "Zizzi pub", "?"], mrs=["goodbye()", "name[Zizzi], eatType[pub]", ""])
    table = utterance_slot_errors(corpus)
    reasons = ["the meaning representation has no slot", None, "no meaning representation"]
    assert table["reason"].tolist() == reasons and math.isnan(table["missing"][0])
    assert system_slot_errors(corpus)["outputs"].tolist() == [1]


def test_without_any_meaning_representation_it_is_an_error() -> None:
    with pytest.raises(ValueError, match="need the column mr"):
        system_slot_errors(Corpus.from_texts(["a"]))


def test_long_outputs_are_read_in_linear_time() -> None:
    assert errors("price rating not high range is the of 5 " * 20_000)[0] > 0


RATE = "slot_error_rate_percent"
CLASSES = ("ok_percent", "added_percent", "missed_percent", "added_and_missed_percent")
NEAR = 0.1  # points of the rate


@pytest.fixture(scope="module")
def corpus(data_dir: Path) -> Corpus:
    return read_e2e(data_dir)


@pytest.fixture(scope="module")
def printed(data_dir: Path) -> pd.DataFrame:
    return read_printed(data_dir, "dusek2019_table12").query("source == 'pattern_matching'").set_index("system")


@pytest.fixture(scope="module")
def default(corpus: Corpus) -> pd.DataFrame:
    return system_slot_errors(corpus).set_index("system")


@pytest.fixture(scope="module")
def published(corpus: Corpus) -> pd.DataFrame:
    return system_slot_errors(corpus, reading=read_challenge_output).set_index("system")


def compared(found: pd.DataFrame, printed: pd.DataFrame, title: str) -> pd.DataFrame:
    """Print how near the cells are, and give ours with how far the rates are off, in the printed order."""
    ours = found.loc[printed.index]
    off = ours[RATE] - printed[RATE]
    print(f"\ntable 12, {title}: {RATE} within {NEAR} point: {(off.abs() <= NEAR).sum()}/21")
    print("missed:", off[off.abs() > NEAR].round(2).to_dict())
    for name in CLASSES:
        print(f"{name}: {((ours[name] - printed[name]).abs() <= 1).sum()}/21 within 1 point")
    return ours.assign(off=off)


def test_rates_are_those_printed_as_published(published: pd.DataFrame, printed: pd.DataFrame) -> None:
    found = compared(published, printed, "as published")
    assert (found["outputs"] == 630).all() and (found["slots"] == 4352).all() and found["off"].abs().max() < 0.005
    assert all(((found[name] - printed[name]).abs() <= 1).all() for name in CLASSES)


@pytest.mark.slow
def test_rates_by_default_order_systems_as_printed(default: pd.DataFrame, printed: pd.DataFrame) -> None:
    found = compared(default, printed, "by default")
    assert (found["off"].abs() <= NEAR).sum() >= 8 and found[RATE].corr(printed[RATE], method="spearman") > 0.9


@pytest.mark.slow
def test_the_more_wordings_are_known_the_fewer_slots_are_missed(default: pd.DataFrame, published: pd.DataFrame) -> None:
    errors = ["missing", "wrong"]
    assert (default[errors].sum(axis=1) <= published[errors].sum(axis=1)).all()
    assert (default[RATE] <= published[RATE]).sum() >= 19  # by default repetitions count, too


@pytest.mark.slow
def test_systems_are_ordered_as_people_ordered_them(data_dir, default, published) -> None:
    people = read_printed(data_dir, "dusek2019_table12").query("source == 'human'").set_index("system")["ok_percent"]
    rho = {
        name: people.corr(found.loc[people.index, "ok_percent"], method="spearman")
        for name, found in (("by default", default), ("as published", published))
    }
    print(
        "\ntable 12, outputs without errors, Spearman with people:",
        {name: f"{value:.3f}" for name, value in rho.items()},
    )
    assert len(people) == 21 and min(rho.values()) > 0.85


@pytest.mark.slow
def test_a_system_of_templates_is_found_without_error(default: pd.DataFrame) -> None:
    assert default.loc["TUDA", RATE] == 0
