"""The card of a column."""

import pytest

from rainbow.metrics.contract.metric_card import metric_card, value_range
from rainbow.metrics.contract.registry import all_columns


@pytest.mark.parametrize("column", all_columns())
def test_every_column_has_a_complete_card(column: str) -> None:
    card = metric_card(column)
    assert card is not None and card.measures.endswith(".") and card.needs
    assert "better" in card.values


def test_the_card_of_meteor() -> None:
    card = metric_card("METEOR")
    assert card is not None
    assert (card.needs, card.values) == ("references, in English or 15 other languages", "0 to 1, higher is better")
    assert card.source.startswith("Denkowski")


def test_a_learned_score_has_the_card_of_its_metric_and_a_foreign_column_none() -> None:
    learned, own = metric_card("rainbow_quality"), metric_card("fast_quality")
    assert learned is not None and own is not None and learned == own._replace(column="rainbow_quality")
    assert metric_card("my_score") is None


def test_infinite_ends_are_shown_as_such() -> None:
    assert value_range(float("-inf"), float("inf")) == "-∞ to ∞"
