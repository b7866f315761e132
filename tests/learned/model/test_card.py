"""The card of a model: everything in it is told, and its data has a fingerprint."""

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

from rainbow import Corpus
from rainbow.learned.fitting import Request, fit_models
from rainbow.learned.learner.regressor import RainbowRegressor
from rainbow.learned.model.card import card_text, data_digest, make_card
from rainbow.learned.model.model import Model
from rainbow.learned.training.features import Features
from rainbow.learned.training.learn import Recipe
from tests.learned.planted import planted


@pytest.fixture(scope="module")
def card() -> dict[str, Any]:
    recipe = Recipe(Features(("len", "slots_missing"), ("surface",)), seed=11)
    asked = Request(planted(40), ["quality"], recipe, "small", ["leave-one-system-out"], resamples=20)
    return dict(fit_models(asked._replace(notes=["Handle with care."])).models[0].card)


def leaves(value: Any, path: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [leaf for key, entry in value.items() for leaf in leaves(entry, f"{path}.{key}")]
    if isinstance(value, list):
        return [leaf for place, entry in enumerate(value) for leaf in leaves(entry, f"{path}.{place}")]
    return [(path, value)]


# These stay in the data: they refine what is told, or are told by their sign (best_metric_t) or by a name (preset).
UNTOLD = (
    r"\.(level|median_change|unscored|(best_metric|forest)_t|ceiling_low|ceiling_high|reason|preset)$"
    r"|^\.(protocols\.\d+\.seed|interval\.\d+\.rating)$"
)


def test_the_text_tells_everything_that_the_card_holds(card: dict[str, Any]) -> None:
    text = card_text(card)
    told = [(path, value) for path, value in leaves(card) if not re.search(UNTOLD, path)]
    assert len(told) > 100
    assert [path for path, value in told if card_text(with_entry(card, path, other(path, value))) == text] == []


def with_entry(card: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return the card with another value at the end of this path of keys and places."""
    copy = place = json.loads(json.dumps(card))
    *parents, last = path.removeprefix(".").split(".")
    for key in parents:
        place = place[int(key) if isinstance(place, list) else key]
    place[int(last) if isinstance(place, list) else last] = value
    return dict(copy)


def other(path: str, value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if path.endswith(".protocol"):
        return "kfold"
    if path.endswith("sha256"):
        return "f" * 64
    if isinstance(value, str):
        return f"{value} indeed"
    return 7.5 if value is None else value + 5


def test_the_text_is_markdown_with_a_table_of_protocols_and_one_of_the_audit(card: dict[str, Any]) -> None:
    text = card_text(card)
    assert text.startswith("# quality-small\n")
    for heading in ("Learned from", "Accuracy", "Intervals", "Classes", "Features", "Limits", "Made with"):
        assert f"\n## {heading}\n" in text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len({len(line.split(" | ")) for line in rows}) == 4
    tables = (card["protocols"], card["classes"]["cuts"], card["classes"]["reliability"], card["audit"])
    assert len(rows) == sum(2 + len(table) for table in tables) and "\n* Handle with care.\n" in text
    assert "seed 11." in text and "nan" not in text.lower()


def test_a_model_that_is_worse_than_a_single_metric_is_said_to_be(card: dict[str, Any]) -> None:
    line = {"best_metric_t": -3.2, "best_metric_p": 0.0012, "best_metric": "TER", "best_metric_spearman": -0.4}
    worse = card | {"protocols": [card["protocols"][0] | line]}
    better = card | {"protocols": [card["protocols"][0] | line | {"best_metric_t": 3.2}]}
    assert "| TER -0.400 | 1.2e-03 (worse) |" in card_text(worse) and "| TER -0.400 | 1.2e-03 |" in card_text(better)


def test_what_could_not_be_measured_is_a_dash(card: dict[str, Any]) -> None:
    unknown = dict.fromkeys(("spearman", "low", "high", "pearson", "best_metric_t", "best_metric_p", "ceiling"))
    text = card_text(card | {"protocols": [card["protocols"][0] | unknown]})
    line = next(line for line in text.splitlines() if line.startswith("| leave-one-system-out"))
    assert line.startswith("| leave-one-system-out | 40 (20) | - | - | - |") and "None" not in text


def test_a_model_without_texts_and_copies_says_nothing_of_them(card: dict[str, Any]) -> None:
    text = card_text(card | {"texts": [], "corrupted_copies": False})
    assert "columns in this order, each with its signature:\n\n1. `" in text and "Corrupted copies" not in text


@pytest.mark.parametrize("without", [{"classes": {}}, {}])
def test_a_card_without_classes_has_no_section_of_them(card: dict[str, Any], without: dict[str, Any]) -> None:
    text = card_text({name: entry for name, entry in card.items() if name != "classes"} | without)
    assert "## Classes" not in text
    assert "calibration" not in text


def test_a_card_is_plain_data(card: dict[str, Any]) -> None:
    assert json.loads(json.dumps(card, allow_nan=False)) == card


def test_numbers_have_six_digits_however_small_and_those_that_there_are_not_are_none() -> None:
    corpus = planted(20)
    recipe = Recipe(Features(("len",)))
    features = recipe.features.fit(corpus)
    learner = RainbowRegressor().fit(features.table(corpus), corpus.frame["quality"]).learner_
    model = Model("quality-x", "quality", 1.0, 6.0, features, learner)
    line = {"protocol": "kfold", "rating": "quality", "dataset": "all", "system": "all", "model": "x", "preset": "y"}
    tables = {
        "learned_protocols": pd.DataFrame(
            [line | {"spearman": np.nan, "n": 20, "best_metric_p": 1.2345678e-9}, line | {"rating": "naturalness"}]
        ),
        "learned_audit": pd.DataFrame([{"rating": "quality", "kind": "empty", "falls": np.nan}]),
        "learned_classes": pd.DataFrame(columns=["rating", "protocol"]),
        "learned_reliability": pd.DataFrame(columns=["rating", "protocol"]),
    }
    made = make_card(model, corpus, recipe, tables, statistics="all", coverage=pd.DataFrame([{"low": np.nan}]))
    assert made["protocols"] == [{"protocol": "kfold", "spearman": None, "n": 20, "best_metric_p": 1.23457e-9}]
    assert (made["audit"], made["interval"]) == ([{"kind": "empty", "falls": None}], [{"low": None}])


def changed(corpus: Corpus, name: str, value: Any) -> Corpus:
    column = corpus.frame[name].tolist()
    column[3] = value
    return Corpus(
        corpus.frame.assign(**{name: pd.Series(column, dtype=None if name == "quality" else object)}), ("quality",)
    )


@pytest.mark.parametrize(("name", "value"), [
    ("output", "another text"),
    ("references", ("another", "pair")),
    ("mr", "inform(name=other)"),
    ("item", "other"),
    ("system", "other"),
    ("dataset", "other"),
    ("quality", 1.0625),
    ("quality", float("nan")),
])  # fmt: skip
def test_the_digest_changes_with_any_text_or_rating(name: str, value: Any) -> None:
    corpus = planted(20)
    assert data_digest(changed(corpus, name, value), "quality") != data_digest(corpus, "quality")


def test_the_digest_does_not_hang_on_row_numbers_ids_or_other_columns() -> None:
    corpus = planted(20)
    frame = corpus.frame.assign(id=[f"row {row}" for row in range(20)], naturalness=1.0, **{"published.first": 0.0})
    frame.index = pd.Index(range(100, 120))
    assert data_digest(Corpus(frame, ("quality",)), "quality") == data_digest(corpus, "quality")


def test_the_digest_is_of_one_rating() -> None:
    assert data_digest(planted(20), "quality") != data_digest(planted(20), "naturalness")


def test_references_that_are_cut_elsewhere_have_another_digest() -> None:
    first, second = (
        Corpus.from_texts(["x"], [references], item=["1"], quality=[3]) for references in (["a", "b c"], ["a b", "c"])
    )
    assert data_digest(first, "quality") != data_digest(second, "quality")


def test_the_digest_is_that_of_sha_256() -> None:
    assert re.fullmatch("[0-9a-f]{64}", data_digest(planted(20), "quality"))
