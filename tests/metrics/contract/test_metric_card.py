"""What is known of a metric and of a column, and texts that are prepared once for all metrics."""

import re

import pytest

from rainbow.metrics import Batch, References, all_metrics, find
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.metric_card import describe_metric, metric_card, plain_sentence, short_name, value_range
from rainbow.metrics.contract.registry import all_columns

pytestmark = pytest.mark.once


@pytest.mark.parametrize("metric", all_metrics().values(), ids=lambda metric: metric.name)
def test_every_metric_says_in_one_sentence_what_it_says_of_an_output(metric: type[Metric]) -> None:
    plain = describe_metric(metric).plain
    assert plain[0].isupper() and plain.endswith(".") and 20 < len(plain) < 120
    assert re.search(r"[a-z]\. [A-Z]", plain) is None and "``" not in plain


@pytest.mark.parametrize("metric", all_metrics().values(), ids=lambda metric: metric.name)
def test_every_metric_has_a_definition_and_each_source_a_year(metric: type[Metric]) -> None:
    found = describe_metric(metric)
    assert len(found.definition) > 80 and not re.search(r"^-{3,}$", found.definition, re.MULTILINE)
    assert [source for source in found.sources if not re.search(r"\(\d{4}\)", source)] == []


def test_every_column_has_a_name_and_a_sentence_of_its_own() -> None:
    for names in ([short_name(name) for name in all_columns()], [plain_sentence(name) for name in all_columns()]):
        assert [name for name in names if names.count(name) > 1 or not name] == []
    assert max(len(short_name(name)) for name in all_columns()) < 35


def test_sources_stand_one_each_however_they_are_set() -> None:
    assert [source[:8] for source in describe_metric(find("bleu")).sources] == ["Papineni", "Chen, X."]
    assert len(describe_metric(find("readability")).sources) == 2
    assert describe_metric(find("bleu")).sources[0].endswith("machine translation. ACL.")


def test_a_metric_of_others_without_a_sentence_has_the_first_of_its_docstring() -> None:
    class Words(Metric):
        """Number of words."""

        name = "number-of-words"
        columns = (Column("number_of_words", None),)

    assert describe_metric(Words) == ("Number of words.", "Number of words.", [])


CALLS: list[str] = []


def shout(text: str) -> str:
    CALLS.append(text)
    return text.upper()


def test_each_step_is_done_once_for_each_distinct_reference() -> None:
    CALLS.clear()
    references = References([["a", "b"], ["a", "b"], ["c"]])
    assert references.preprocess(shout) == [["A", "B"], ["A", "B"], ["C"]]
    assert (references.preprocess(shout, len), CALLS) == ([[1, 1], [1, 1], [1]], ["a", "b", "c"])


def test_references_prepared_once_serve_many_batches() -> None:
    CALLS.clear()
    references = References([["a"]])
    for output in ("x", "y"):
        assert Batch([output], references).references.preprocess(shout) == [["A"]]
    assert CALLS == ["a"]


def test_a_blank_input_is_none() -> None:
    assert Batch(["an inn"] * 3, mrs=["an article", " \n", None]).has_mr.tolist() == [True, False, False]


def test_blank_references_do_not_count() -> None:
    references = References([["", " \n"], ["a", ""], []])
    assert ([references[row] for row in range(3)], references.empty) == ([(), ("a",), ()], [True, False, False])


def test_corpus_statistics_count_the_references_of_an_item_once() -> None:
    documents = Batch(["a", "b", "c"], [["x"], ["x"], ["y"]], items=["one", "one", "two"]).documents()[""]
    assert [documents[row] for row in range(len(documents))] == [("x",), ("y",)]


def test_collections_have_statistics_of_their_own() -> None:
    batch = Batch(["a", "b"], [["x"], ["y"]], collections=["one", "two"], documents={"two": [["z"], ["y"]]})
    assert {name: len(documents) for name, documents in batch.documents().items()} == {"one": 1, "two": 2}


@pytest.mark.parametrize("column", all_columns())
def test_every_column_has_a_complete_card(column: str) -> None:
    card = metric_card(column)
    assert card is not None and card.measures.endswith(".") and card.needs
    assert "better" in card.values


def test_the_card_of_meteor() -> None:
    card = metric_card("METEOR")
    assert card is not None
    assert (card.needs, card.values) == ("references, in English or 15 other languages", "0 to 1, higher is better")
    assert card.source.startswith("Denkowski")


def test_a_learned_score_has_the_card_of_its_metric_and_a_foreign_column_none() -> None:
    learned, own = metric_card("rainbow_quality"), metric_card("fast_quality")
    assert learned is not None and own is not None and learned == own._replace(column="rainbow_quality")
    assert metric_card("my_score") is None


def test_infinite_ends_are_shown_as_such() -> None:
    assert value_range(float("-inf"), float("inf")) == "-∞ to ∞"
