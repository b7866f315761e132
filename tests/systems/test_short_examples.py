"""Short examples of functions in systems."""

import numpy as np
import pytest

from rainbow.meaning import parse_meaning
from rainbow.systems.rankings.comparisons import Comparisons, select_comparisons
from rainbow.systems.replications.e2e_challenge.challenge_slot_errors import challenge_values
from rainbow.systems.text_measures.textual_measures import delexicalised_tokens


def flat(value: object) -> str:
    return " ".join(repr(value).split())


@pytest.mark.parametrize(("call", "expected"), [
    (
        lambda: flat(
            select_comparisons(
                Comparisons((*"ABC",), np.array([0]), np.array([2]), np.array([1], np.int8), np.array([0])),
                np.array([True, False, True]),
            )[:3]
        ),
        "(('A', 'C'), array([0]), array([1]))",
    ),
    (lambda: challenge_values("A cheap, highly priced pub, rated as low.", {("pricerange", "less than £20")}),
     [("pricerange", "less than £20"), ("eattype", "pub"), ("customer rating", "low")]),
    (lambda: delexicalised_tokens("The Mill's cheap.", parse_meaning("name[The Mill]")), ["Xname", "'s", "cheap", "."]),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected
