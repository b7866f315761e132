"""Shares of slots, and an indicator for each dialogue act."""

import numpy as np
import pytest

from rainbow.metrics import Batch
from rainbow.metrics.meaning.mr_type import MeaningRepresentationType
from rainbow.metrics.meaning.slots import Slots

pytestmark = pytest.mark.once

MR = "inform(name='the inn',food=thai,dogs_allowed=no,phone=555)"


def slots(output: str, mr: str = MR) -> list[float]:
    batch = Batch([output], mrs=[mr])
    (values,) = Slots().fit(batch).score(batch).tolist()
    return list(values)


@pytest.mark.parametrize(("output", "realised", "missing", "repeated", "invented"), [
    ("The inn serves Thai food, allows no dogs. Call 555.", 1, 0, 0, 0),
    ("The inn serves Thai food.", 2 / 4, 2 / 4, 0, 0),
    ("The inn allows dogs.", 1 / 4, 2 / 4, 0, 0),
    ("The inn serves Thai Thai food, call 556.", 2 / 4, 2 / 4, 1 / 4, 1),
    ("", 0, 1, 0, 0),
    ("?!", 0, 1, 0, 0),
])  # fmt: skip
def test_columns_are_shares_of_the_slots_and_a_count(output, realised, missing, repeated, invented) -> None:
    assert slots(output) == [realised, missing, repeated, invented]


def test_the_shares_are_undefined_for_a_meaning_representation_without_slots() -> None:
    batch = Batch(["Anything else, at 10?"], mrs=["reqmore()"])
    metric = Slots().fit(batch)
    values = metric.score(batch)
    assert np.isnan(values[0, :3]).all() and values[0, 3] == 1
    reason = "the meaning representation has no slot"
    assert metric.reasons(batch, values) == {(0, place): reason for place in range(3)}


def test_values_of_other_meaning_representations_are_inventions_once_fitted() -> None:
    mrs = ["inform(name=zizzi,food=italian)", "inform(name=raja,food=indian)"]
    fitting = Batch(["", ""], [["zizzi serves italian food"], ["raja serves indian food"]], mrs)
    batch = Batch(["zizzi serves indian food"], mrs=mrs[:1])
    assert (Slots().fit(fitting).score(batch)[0, 3], Slots().fit(batch).score(batch)[0, 3]) == (1, 0)


def test_references_equal_in_two_rows_count_once() -> None:
    rows = Batch([""], [["zizzi serves italian food"]], ["inform(food=italian)"])
    more = Batch(["", ""], [["zizzi serves italian food"]] * 2, ["inform(food=italian)"] * 2)
    assert Slots().fit(rows).signature == Slots().fit(more).signature


NAMES = [column.name for column in MeaningRepresentationType.columns]


@pytest.mark.parametrize(("mr", "column"), [
    ("inform(name=inn)", "type_inform"),
    ("inform_only_match(name=inn)", "type_inform_only_match"),
    ("inform_no_match(food=thai)", "type_inform_no_match"),
    ("?confirm(food=thai)", "type_confirm"),
    ("?select(food='thai or indian')", "type_select"),
    ("?request(food)", "type_request"),
    ("?reqmore()", "type_reqmore"),
    ("goodbye()", "type_goodbye"),
    ("recommend(name=inn)", "type_other"),
    ("name[The Inn], food[Thai]", "type_inform"),
])  # fmt: skip
def test_the_act_alone_is_one(mr: str, column: str) -> None:
    (values,) = MeaningRepresentationType().score(Batch(["any output"], mrs=[mr])).tolist()
    assert dict(zip(NAMES, values, strict=True)) == {name: float(name == column) for name in NAMES}
