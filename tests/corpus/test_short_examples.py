"""Short examples of functions in corpus."""

import pandas as pd
import pytest

from rainbow.corpus.corpus_table import cell_number, parse_number
from rainbow.corpus.judgements import add_mean_ratings, split_by_kind
from rainbow.corpus.rows import item_name, to_nfc
from rainbow.corpus.text_profile import text_lengths
from rainbow.corpus.views import delexicalise_references
from rainbow.meaning import parse_meaning


def flat(value: object) -> str:
    return " ".join(repr(value).split())


@pytest.mark.parametrize(("call", "expected"), [
    (
        lambda: flat([parse_number(text) for text in ("4", "4 - good", "4/5", "80%", "★★★☆☆", "n/a", "perhaps")]),
        "[4.0, 4.0, 4.0, 80.0, 3.0, nan, None]"),
    (lambda: [parse_number(text) for text in ("3,5", "1,000", "4-May")], [3.5, None, None]),
    (lambda: flat((cell_number("4/5"), cell_number(None), cell_number("good"), cell_number(float("inf")))),
     "(4.0, nan, None, None)"),
    (
        lambda: split_by_kind(
            pd.DataFrame({"criterion": ["quality"] * 2 + ["length"], "kind": ["likert", "magnitude", "likert"]})
        )["criterion"].tolist(),
        ["quality (likert)", "quality (magnitude)", "length"],
    ),
    (
        lambda: flat(
            add_mean_ratings(
                pd.DataFrame({"item": "a", "system": [*"BA"]}),
                pd.DataFrame({"item": "a", "system": [*"AA"], "criterion": "quality", "value": [0.5, 1.0]}),
            )["quality"].tolist()
        ),
        "[nan, 0.75]",
    ),
    (lambda: to_nfc("ü"), "ü"),
    (lambda: item_name("inform(name=inn)", ["an inn"]), "inform(name=inn)"),
    (lambda: item_name("", ["an inn", "the inn"]), "an inn | the inn"),
    (lambda: text_lengths(["an inn", ""]).tolist(), [2.0, 0.0]),
    (lambda: text_lengths(["酒店位于市中心附近。"]).tolist(), [10.0]),
    (lambda: delexicalise_references([("the inn is cheap", "an inn")], [parse_meaning("inform(name='the inn')")]),
     (("Xname is cheap", "an inn"),)),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected
