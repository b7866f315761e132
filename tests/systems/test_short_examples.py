"""Short examples of functions in systems."""


def test_comparisons_among() -> None:
    from rainbow.systems.rankings.comparisons import Comparisons, np, select_comparisons

    found = Comparisons((*"ABC",), np.array([0]), np.array([2]), np.array([1], np.int8), np.array([0]))
    expected = "(('A', 'C'), array([0]), array([1]))"
    assert " ".join(repr(select_comparisons(found, np.array([True, False, True]))[:3]).split()) == expected


def test_values_the_challenge_read() -> None:
    from rainbow.systems.replications.e2e_challenge.challenge_wordings import challenge_values

    assert challenge_values("A cheap, highly priced pub, rated as low.", {("pricerange", "less than £20")}) == [
        ("pricerange", "less than £20"),
        ("eattype", "pub"),
        ("customer rating", "low"),
    ]


def test_tokens_of() -> None:
    from rainbow.meaning import parse_meaning
    from rainbow.systems.text_measures.textual_measures import delexicalised_tokens

    assert delexicalised_tokens("The Mill's cheap.", parse_meaning("name[The Mill]")) == ["Xname", "'s", "cheap", "."]
