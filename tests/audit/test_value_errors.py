"""Wrong values, and values in each other's place."""

from random import Random

import pytest

from rainbow.audit.audit_rows import Row, audit_rows
from rainbow.audit.text_errors import replace_value, swap_values
from rainbow.corpus import Corpus


def row(text: str, mr: str, *others: tuple[str, str]) -> Row:
    """Return a row of a corpus whose other rows are references with their meaning representations."""
    references = [[""], *([reference] for reference, _ in others)]
    return audit_rows(
        Corpus.from_texts([text] + [""] * len(others), references, [mr, *(other for _, other in others)])
    )[0]


def all_of(given: Row, perturbation: object = replace_value) -> set[str | None]:
    return {perturbation(given, Random(seed)) for seed in range(40)}  # type: ignore[operator]


SOMA = [("in the city centre", "i(area=citycentre)"), ("cheap", "i(price=cheap)")]


@pytest.mark.parametrize(("text", "mr", "others", "expected"), [
    ("it is in soma.", "i(area=soma)", SOMA, {"it is in city centre."}),  # as references write it
    ("Cheap, really cheap.", "i(price=cheap)", [("dear", "i(price=dear)")], {"Dear, really dear."}),  # every mention
    ("a cheap inn in soma", "i(price=cheap,area=soma)", [("", "i(price=high,area=noma)")],
     {"a high inn in soma", "a cheap inn in noma"}),  # any value that is said
    ("a cheap inn", "i(price=cheap)", [("", "i(price=inexpensive)")], {None}),  # a synonym is not wrong
    # Letter case, article and plural fit.
    ("it is in SOMA.", "i(area=soma)", [("", "i(area=Noma)")], {"it is in Noma."}),
    ("it is in soma.", "i(area=soma)", [("", "i(area=Noma)")], {"it is in noma."}),
    ("Soma has pubs.", "i(area=soma)", [("", "i(area=noma)")], {"Noma has pubs."}),
    ("a cheap inn", "i(price=cheap)", [("", "i(price=expensive)")], {"an expensive inn"}),
    ("two hotels", "i(type=hotel)", [("", "i(type=pub)")], {"two pubs"}),
    ("Joe's inn", "i(name=joe)", [("", "i(name=Bo)")], {"Bo's inn"}),
    ("joe 's inn", "i(name=joe)", [("", "i(name=bo)")], {"bo 's inn"}),
    ("at denny's", 'i(name="denny\'s")', [("", "i(name=bo)")], {"at bo"}),
])  # fmt: skip
def test_another_value_of_the_slot_stands_in_place_of_what_is_said(text, mr, others, expected) -> None:
    assert all_of(row(text, mr, *others)) == expected


@pytest.mark.parametrize(("mr", "other"), [
    ("i(area=soma)", "i(area=soma)"),
    ("i(area=soma)", "i(area='south soma')"),  # says the right value, too
    ("i(area='soma or noma')", "i(area='noma or soma')"),
    ("i(area=soma,near=noma)", "i(area=noma)"),  # a value of this row
    ("i(area=soma,near=soma)", "i(area=noma)"),  # whose mention it is cannot be told
    ("i(area=soma)", "i(near=noma)"),
    ("i(area=soma)", "i(area=dont_care)"),
    ("i(area=soma)", ""),
    ("", "i(area=noma)"),
    ("i(area=here)", "i(area=there)"),  # not said
])  # fmt: skip
def test_there_is_no_wrong_value_if_no_other_can_be_told(mr: str, other: str) -> None:
    assert all_of(row("it is in soma, soma or noma.", mr, ("", other))) == {None}


def test_values_come_from_the_same_dataset() -> None:
    corpus = Corpus.from_texts(["in soma", ""], mrs=["i(area=soma)", "i(area=noma)"], dataset=["a", "b"])
    assert all_of(audit_rows(corpus)[0]) == {None}


@pytest.mark.parametrize(("text", "mr", "expected"), [
    ("The Grand is near soma.", "i(name='the grand',near=soma)", "Soma is near The Grand."),
    ("the grand is a hotel.", "i(name='the grand',type=hotel)", "hotel is a the grand."),
    ("x is a chinese pub.", "i(name=X,near=X,food=chinese)", "chinese is a x pub."),
    ("a pub or an inn", "i(type=pub,other=inn)", "an inn or a pub"),
])  # fmt: skip
def test_two_values_change_places(text: str, mr: str, expected: str) -> None:
    assert all_of(row(text, mr), swap_values) == {expected}


def test_any_two_values_may_change_places() -> None:
    assert all_of(row("p q r", "i(one=p,two=q,three=r)"), swap_values) == {"q p r", "r q p", "p r q"}


@pytest.mark.parametrize(
    "mr", ["", "i(area=soma)", "i(area=soma,area=noma)", "i(area=soma,near=soma)", "i(area=soma,near=far)"]
)
def test_less_than_two_values_of_different_slots_cannot_change_places(mr: str) -> None:
    assert all_of(row("soma or noma", mr), swap_values) == {None}
