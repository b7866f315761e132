"""Short examples of functions in meaning."""


def test_is_e2e() -> None:
    from rainbow.meaning import parse_meaning
    from rainbow.meaning.domains.e2e_realisation import is_e2e

    assert is_e2e(parse_meaning("name[Zizzi], eatType[pub]"))
    assert not (is_e2e(parse_meaning("inform(name='X',eattype=pub)")))


def test_e2e_realisation() -> None:
    from rainbow.meaning import parse_meaning
    from rainbow.meaning.domains.e2e_realisation import e2e_realisation, mention_words

    meaning = parse_meaning("name[Zizzi], eatType[pub], area[riverside], familyFriendly[no]")
    expected = "Realisation(states=('realised', 'realised', 'missing', 'wrong'), repeated=0, invented=1)"
    assert (
        " ".join(repr(e2e_realisation(meaning, mention_words("Zizzi is a cheap, family friendly pub."))).split())
        == expected
    )


def test_values_said() -> None:
    from rainbow.meaning.domains.e2e_wordings import mentioned_values
    from rainbow.text.words.mentions import mention_words

    assert [
        sorted(values) for values in mentioned_values("pricerange", mention_words("It's cheap, with high ratings."))
    ] == [["cheap", "less than 20"]]
    expected = "[frozenset({'no'})]"
    assert (
        " ".join(repr(mentioned_values("familyfriendly", mention_words("It is not family-friendly."))).split())
        == expected
    )


def test_facts_realisation() -> None:
    from rainbow.meaning import parse_meaning
    from rainbow.meaning.facts import Phrases, facts_realisation, mention_words

    meaning = parse_meaning("Louvre | city | Paris && Louvre | visitors | 7700000 && Louvre | opened | 1793-08-10")
    expected = "Realisation(states=('realised', 'realised', 'missing'), repeated=0, invented=1)"
    assert (
        " ".join(
            repr(
                facts_realisation(
                    meaning, mention_words("The Louvre in Paris has 7.7 million visitors and 35 rooms."), Phrases(())
                )
            ).split()
        )
        == expected
    )


def test_read_act() -> None:
    from rainbow.meaning.formats.acts import parse_act

    assert str(parse_act("?select(area='soma';area='mission bay')")) == "select(area='soma',area='mission bay')"


def test_read_attributes() -> None:
    from rainbow.meaning.formats.acts import parse_attributes

    assert str(parse_attributes("name[Zizzi], eatType[pub]")) == "inform(name=Zizzi,eattype=pub)"


def test_json_value() -> None:
    from rainbow.meaning.formats.json_values import parse_json

    assert parse_json('{"price": 1.50}') == {"price": "1.50"} and parse_json("[[") is None
    assert parse_json('"a"') is None


def test_as_text() -> None:
    from rainbow.meaning.formats.json_values import scalar_text

    assert (scalar_text(True), scalar_text(None), scalar_text("Zizzi")) == ("yes", "", "Zizzi")
    assert (scalar_text([])) is None


def test_read_triples() -> None:
    from rainbow.meaning.formats.triples import parse_triples

    expected = "Louvre | inCity | Paris && Mona Lisa | title | La Gioconda"
    assert (
        " ".join(str(parse_triples('Louvre | inCity | Paris && Mona_Lisa | title | "La Gioconda"@it')).split())
        == expected
    )
    expected = "Louvre | inCity | Paris"
    assert " ".join(str(parse_triples('[["Louvre", "inCity", "Paris"]]')).split()) == expected
    expected = "Louvre | inCity | Paris"
    assert (
        " ".join(
            str(
                parse_triples("<modifiedtripleset><mtriple>Louvre | inCity | Paris</mtriple></modifiedtripleset>")
            ).split()
        )
        == expected
    )
    expected = "Louvre | inCity | Paris && Paris | country | France"
    assert (
        " ".join(str(parse_triples("<H> Louvre <R> inCity <T> Paris <H> Paris <R> country <T> France")).split())
        == expected
    )


def test_day_of() -> None:
    from rainbow.meaning.value_mentions import day_number

    assert (day_number("03rd"), day_number("3m")) == ("3", "")


def test_more_special() -> None:
    from rainbow.meaning.slot_values import more_specific_slots

    assert more_specific_slots(["range", "price_range", "area", "range"]) == [[1], [], [], [1]]


def test_other_wordings() -> None:
    from rainbow.meaning.slot_lexicon import other_wordings

    assert sorted(other_wordings("coffeeshop").stems) == ["cafe"]


def test_said_plainly() -> None:
    from rainbow.meaning.slot_lexicon import mention_words, normalise_negation

    assert (
        " ".join(normalise_negation(mention_words("There are no adults-only inns with Wi-Fi."), "inform_no_match"))
        == "there are no children inns with wi fi ."
    )


def test_is_indifferent() -> None:
    from rainbow.meaning.slot_lexicon import is_indifferent, mention_words

    assert is_indifferent(mention_words("an inn regardless of the price"))
    assert not (is_indifferent(mention_words("a cheap inn")))


def test_is_unknown() -> None:
    from rainbow.meaning.slot_lexicon import is_unknown, mention_words

    assert is_unknown(mention_words("the kind of food is unknown"))
    assert is_unknown(mention_words("nothing is near"))
