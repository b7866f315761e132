"""Texts are prepared once for all metrics, and references of the wrong shape are refused."""

import pytest

from rainbow.metrics import Batch, References

pytestmark = pytest.mark.once

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


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ("the inn", "references is a single string"),
        (["the inn"], "row 1, references"),
        ([[["the inn"]]], "row 1, references"),
        ([["one"], ["two"]], "references has 2 entries for 1 outputs"),
    ],
)
def test_references_transposed_or_of_the_wrong_shape_are_refused(references: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Batch(["an output"], references)


def test_corpus_statistics_count_the_references_of_an_item_once() -> None:
    documents = Batch(["a", "b", "c"], [["x"], ["x"], ["y"]], items=["one", "one", "two"]).documents()[""]
    assert [documents[row] for row in range(len(documents))] == [("x",), ("y",)]


def test_collections_have_statistics_of_their_own() -> None:
    batch = Batch(["a", "b"], [["x"], ["y"]], collections=["one", "two"], documents={"two": [["z"], ["y"]]})
    assert {name: len(documents) for name, documents in batch.documents().items()} == {"one": 1, "two": 2}
