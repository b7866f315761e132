"""Short examples of functions in scoring."""

import numpy as np
import pytest

from rainbow.scoring.missing import count_missing
from rainbow.scoring.moments import Moments
from rainbow.scoring.table_schema import Corpus, SchemaBuilder


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: count_missing("all", 5), 5),
        (lambda: count_missing([1, 2], 5), 2),
        (lambda: count_missing({"count": 12000, "first": [0]}, 20000), 12000),
    ],
)
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected


def test_moments() -> None:
    moments = Moments()
    assert (moments.add(Moments.from_values(np.array([1.0, 2.0])))) is None
    assert (moments.add(Moments.from_values(np.array([6.0, np.nan])))) is None and moments.count == 3
    assert (moments.mean, round(moments.deviation, 3), moments.low, moments.high) == (3.0, 2.646, 1.0, 6.0)


def test_schemaof() -> None:
    schema = SchemaBuilder()
    schema.add(Corpus.from_texts(["a"], note=[1]))
    schema.add(Corpus.from_texts(["b"], note=[0.5]))
    assert " ".join(repr(schema.result().field("note").type).split()) == "DataType(double)"
