"""Short examples of functions in audit."""


def test_metric_score() -> None:
    from rainbow.audit.audit import Corpus, metric_scorer

    assert metric_scorer(Corpus.from_texts(["a pub"]), "len")(Corpus.from_texts(["an inn"])).tolist() == [5.0]


def test_carrier() -> None:
    from rainbow.audit.phrases import carrier_phrase

    text = [
        "the",
        "inn",
        "is",
        "a",
        "cheap",
        "pub",
        "in",
        "soma",
        "that",
        "serves",
        "thai",
        "food",
        "and",
        "allows",
        "dogs",
    ]
    cuts = [carrier_phrase(text, place, place + 1, {1, 4, 7, 10, 14} - {place}) for place in (1, 4, 7, 10, 14)]
    assert [" ".join(text[cut.start : cut.stop]) for cut in cuts] == [
        "the inn",
        "cheap",
        "in soma",
        "serves thai food and",
        "and allows dogs",
    ]


def test_said_values() -> None:
    from rainbow.audit.audit_rows import mentioned_values
    from rainbow.meaning import parse_meaning

    meaning = parse_meaning("inform(name=inn,area=citycentre)")
    expected = "[('name', (Span(start=4, stop=7),)), ('area', (Span(start=9, stop=20),))]"
    assert (
        " ".join(
            repr(
                [(value.slots[0].name, value.places) for value in mentioned_values("The Inn: city centre.", meaning)]
            ).split()
        )
        == expected
    )


def test_split_words() -> None:
    from rainbow.audit.audit_rows import spaced_word_spans

    text = "A (family-friendly) inn."
    assert [text[start:stop] for start, stop in spaced_word_spans(text)] == ["A", "family-friendly", "inn"]


def test_sentence_begins() -> None:
    from rainbow.audit.audit_rows import starts_sentence

    assert [position for position in range(8) if starts_sentence("Hi. A b", position)] == [0, 3, 4]


def test_as_written() -> None:
    from rainbow.audit.audit_rows import match_case

    assert match_case("Chez Nous", "the grand is cheap.") == "chez nous"
    assert match_case("Chez Nous", "The Grand is cheap.") == "Chez Nous"


def test_with_article() -> None:
    from rainbow.audit.audit_rows import fix_article

    assert fix_article("It is a", "expensive inn") == "It is an"
    assert fix_article("It is a ", "cheap inn") == "It is a "
    assert fix_article("an", "18 inns") == "an"


def test_from_anywhere() -> None:
    from rainbow.audit.audit_rows import Random, rotate_randomly

    assert sorted(rotate_randomly("abc", Random(1))) == ["a", "b", "c"]


def test_alternatives() -> None:
    from rainbow.audit.audit_rows import value_alternatives

    assert sorted(value_alternatives("city centre or soma")) == ["citycentre", "soma"]
