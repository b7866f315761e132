"""The information of n-grams."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rainbow.metrics.word.nist.information import InformationWeights

pytestmark = pytest.mark.once

SEGMENTS = [text.split() for text in ("a cheap pub .", "a nice cafe .", "a cheap cafe")]

sentences = st.lists(st.sampled_from("abcd"), max_size=12)


def test_information_is_the_logarithm_of_the_count_before_over_the_count() -> None:
    weights = InformationWeights.fit(SEGMENTS)
    assert weights.information(("a",)) == pytest.approx(math.log2(11 / 3))
    assert weights.information(("a", "cheap")) == pytest.approx(math.log2(3 / 2))
    assert weights.information(("a", "cheap", "cafe")) == pytest.approx(math.log2(2 / 1))


def test_what_never_occurred_counts_as_if_it_had_once() -> None:
    weights = InformationWeights.fit(SEGMENTS)
    assert weights.information(("zoo",)) == pytest.approx(math.log2(11))
    assert (weights.information(("a", "zoo")), weights.information(("zoo", "a"))) == (pytest.approx(math.log2(3)), 0.0)


@given(st.lists(sentences, max_size=5), sentences)
def test_information_is_never_negative(segments: list[list[str]], ngram: list[str]) -> None:
    weights = InformationWeights.fit(segments)
    assert all(weights.information(tuple(ngram[:n])) >= 0.0 for n in range(1, 6))


def test_weights_depend_on_the_segments_and_not_on_their_order() -> None:
    weights, turned = InformationWeights.fit(SEGMENTS), InformationWeights.fit(SEGMENTS[::-1])
    assert (weights, hash(weights), str(weights), weights.digest) == (turned, hash(turned), str(turned), turned.digest)


@pytest.mark.parametrize("other", [
    InformationWeights.fit(SEGMENTS[1:]), InformationWeights.fit(SEGMENTS * 2), InformationWeights.fit(SEGMENTS, 4)
])  # fmt: skip
def test_other_segments_or_another_order_give_other_weights(other: InformationWeights) -> None:
    weights = InformationWeights.fit(SEGMENTS)
    assert weights != other and weights.digest != other.digest


@given(st.lists(st.lists(st.text(max_size=3), max_size=6), max_size=4), st.integers(1, 6))
def test_weights_survive_json(segments: list[list[str]], order: int) -> None:
    weights = InformationWeights.fit(segments, order)
    copy = InformationWeights.from_json(json.loads(json.dumps(weights.to_json())))
    assert (copy, copy.digest) == (weights, weights.digest)


@pytest.mark.parametrize(
    "data", [{}, {"order": 5, "total": 1, "counts": [1]}, {"order": "x", "total": 1, "counts": []}]
)
def test_json_of_something_else_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not information weights"):
        InformationWeights.from_json(data)


def test_fitting_refuses_strings_and_orders_below_one() -> None:
    with pytest.raises(ValueError, match="split"):
        InformationWeights.fit(["a cheap pub"])
    with pytest.raises(ValueError, match="order"):
        InformationWeights.fit(SEGMENTS, 0)
