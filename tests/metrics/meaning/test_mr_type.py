"""One indicator for each dialogue act."""

import numpy as np
import pytest

from rainbow.metrics import Batch
from rainbow.metrics.meaning.mr_type import MeaningRepresentationType

pytestmark = pytest.mark.once

NAMES = [column.name for column in MeaningRepresentationType.columns]


@pytest.mark.parametrize(
    ("mr", "column"),
    [
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
    ],
)
def test_the_act_alone_is_one(mr: str, column: str) -> None:
    (values,) = MeaningRepresentationType().score(Batch(["any output"], mrs=[mr])).tolist()
    assert dict(zip(NAMES, values, strict=True)) == {name: float(name == column) for name in NAMES}


def test_without_a_meaning_representation_every_indicator_is_missing() -> None:
    metric, batch = MeaningRepresentationType(), Batch(["any output"])
    values = metric.score(batch)
    assert np.isnan(values).all()
    reason = "no meaning representation"
    assert metric.reasons(batch, values) == {(0, place): reason for place in range(len(NAMES))}


def test_the_output_makes_no_difference() -> None:
    values = MeaningRepresentationType().score(Batch(["", "the inn"], mrs=["inform(name=inn)"] * 2))
    assert values[0].tolist() == values[1].tolist()
