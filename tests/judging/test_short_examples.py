"""Short examples of functions in judging."""


def test_characters_a_token() -> None:
    from rainbow.judging.requests_sender import characters_per_token

    assert characters_per_token({"1f": {"messages": [{"content": "Is it good?"}]}}, {}) == 4.0


def test_estimated_tokens() -> None:
    from rainbow.judging.questions import estimate_tokens

    assert estimate_tokens([{"messages": [{"content": "Is it good?"}], "max_tokens": 1}]) == [20]
