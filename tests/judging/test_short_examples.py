"""Short examples of functions in judging."""

import pytest

from rainbow.judging.questions import estimate_tokens
from rainbow.judging.requests_sender import characters_per_token


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: characters_per_token({"1f": {"messages": [{"content": "Is it good?"}]}}, {}), 4.0),
        (lambda: estimate_tokens([{"messages": [{"content": "Is it good?"}], "max_tokens": 1}]), [20]),
    ],
)
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected
