"""Short examples of functions in judging."""


def test_characters_a_token() -> None:
    from rainbow.judging.asking import characters_a_token

    assert characters_a_token({"1f": {"messages": [{"content": "Is it good?"}]}}, {}) == 4.0


def test_estimated_tokens() -> None:
    from rainbow.judging.questions import estimated_tokens

    assert estimated_tokens([{"messages": [{"content": "Is it good?"}], "max_tokens": 1}]) == [20]
