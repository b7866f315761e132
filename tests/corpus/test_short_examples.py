"""Short examples of functions in corpus."""

import re

import pytest


def test_numbers_in() -> None:
    import pandas as pd

    from rainbow.corpus.corpus_table import RowError, numbers_in

    with pytest.raises(RowError, match=re.escape("row 3, quality: 'high' is no number")):
        numbers_in(pd.DataFrame({"quality": ["5", "", "high"]}), ["quality"])


def test_written_number() -> None:
    from rainbow.corpus.corpus_table import written_number

    expected = "[4.0, 4.0, 4.0, 80.0, 3.0, nan, None]"
    assert (
        " ".join(
            repr([written_number(text) for text in ("4", "4 - good", "4/5", "80%", "★★★☆☆", "n/a", "perhaps")]).split()
        )
        == expected
    )
    assert [written_number(text) for text in ("3,5", "1,000", "4-May")] == [3.5, None, None]


def test_number_of() -> None:
    from rainbow.corpus.corpus_table import number_of

    expected = "(4.0, nan, None, None)"
    assert (
        " ".join(repr((number_of("4/5"), number_of(None), number_of("good"), number_of(float("inf")))).split())
        == expected
    )


def test_kinds_apart() -> None:
    import pandas as pd

    from rainbow.corpus.judgements import kinds_apart

    table = pd.DataFrame({"criterion": ["quality"] * 2 + ["length"], "kind": ["likert", "magnitude", "likert"]})
    assert kinds_apart(table)["criterion"].tolist() == ["quality (likert)", "quality (magnitude)", "length"]


def test_with_ratings() -> None:
    import pandas as pd

    from rainbow.corpus.judgements import with_ratings

    told = pd.DataFrame({"item": "a", "system": [*"AA"], "criterion": "quality", "value": [0.5, 1.0]})
    expected = "[nan, 0.75]"
    assert (
        " ".join(repr(with_ratings(pd.DataFrame({"item": "a", "system": [*"BA"]}), told)["quality"].tolist()).split())
        == expected
    )


def test_require_full() -> None:
    import pandas as pd

    from rainbow.corpus.judgements import require_full

    with pytest.raises(
        ValueError, match=re.escape("the column 'rater' has gaps: it says which judgements belong together")
    ):
        require_full(pd.DataFrame({"rater": ["Ann", None]}), ["rater"])


def test_compose() -> None:
    from rainbow.corpus.rows import compose

    assert compose("ü") == "ü"


def test_parsed_meanings() -> None:
    from rainbow.corpus.rows import RowError, parsed_meanings

    assert parsed_meanings(["inform(name=inn)", "a cheap inn"])[1] is None
    with pytest.raises(
        RowError, match=re.escape("row 2, mr: cannot read the meaning representation 'inform(name' as act: ")
    ):
        parsed_meanings(["inform(name=inn)", "inform(name"], "act")


def test_check_lengths() -> None:
    from rainbow.corpus.rows import check_lengths

    with pytest.raises(ValueError, match=re.escape("references has 1 entries for 2 outputs: give one for each")):
        check_lengths(2, {"mrs": None, "references": [["an inn"]]})


def test_item_name() -> None:
    from rainbow.corpus.rows import item_name

    assert item_name("inform(name=inn)", ["an inn"]) == "inform(name=inn)"
    assert item_name("", ["an inn", "the inn"]) == "an inn | the inn"


def test_text_lengths() -> None:
    from rainbow.corpus.text_profile import text_lengths

    assert text_lengths(["an inn", ""]).tolist() == [2.0, 0.0]
    assert text_lengths(["酒店位于市中心附近。"]).tolist() == [10.0]


def test_delexicalised_sets() -> None:
    from rainbow.corpus.views import delexicalised_sets
    from rainbow.meaning import parse

    assert delexicalised_sets([("the inn is cheap", "an inn")], [parse("inform(name='the inn')")]) == (
        ("Xname is cheap", "an inn"),
    )
