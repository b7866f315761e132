"""A file whose learner holds what no learner of ours holds is refused before anything is made of it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rainbow.learned.model.model_file import read_model
from rainbow.text.ngrams.ngram_vectors import table_digest
from tests.learned import saved
from tests.learned.model.tampered.refusals import kernel_of, learner, node, refused, schema_edited


@pytest.mark.parametrize("smuggled", [
    node("FunctionNode", "os", "system"),
    node("FunctionNode", "numpy", "exp"),
    node("TypeNode", "builtins", "eval"),
    node("TypeNode", "builtins", "int"),
    node("MethodNode", "os", "system", {"func": "system", "obj": None}),
    node("ObjectNode", "sklearn.linear_model._base", "LinearRegression"),
    node("ObjectNode", "builtins", "dict"),
    node("ObjectNode", "rainbow.corpus", "Corpus"),
    node("TreeNode", "sklearn.tree._tree", "Tree"),
    node("PartialNode", "functools", "partial"),
    node("CachedNode", "builtins", "dict"),
    node("TupleNode", "builtins", "list", []),
    node("NdArrayNode", "numpy", "float64"),
    node("ListNode", "builtins", "set", []),
    {"__loader__": ["ObjectNode"], "__module__": "builtins", "__class__": "dict"},
])  # fmt: skip
def test_types_that_no_learner_of_ours_holds_are_refused_wherever_they_stand(
    smuggled: dict[str, Any], entries: saved.Entries, tmp_path: Path
) -> None:
    def beside(schema: Any) -> None:
        schema["content"]["content"]["odd"] = smuggled

    def within(schema: Any) -> None:
        learner(schema)["_share"]["content"]["scores"] = smuggled

    for edit in (beside, within, lambda schema: schema.update(smuggled)):
        changed = schema_edited(entries, edit)
        refused(
            saved.write(tmp_path / "m", changed),
            "its learner.skops is invalid: it contains a .*, which RAINBOW learners never contain",
        )


@pytest.mark.parametrize(("edit", "message"), [
    (lambda schema: schema.pop("protocol"), "it cannot be read"),
    (lambda schema: schema.update(protocol=99), "it cannot be read: .*its skops protocol is 99"),
    (lambda schema: schema.pop("content"), "arrays do not match those it lists"),
    (lambda schema: schema.update(content=node("JsonNode", "builtins", "str", "3")), "arrays do not match"),
    (lambda schema: schema.clear(), "arrays do not match those it lists"),
    (lambda schema: learner(schema).pop("_share"), "field '_share' of its .* is missing or unexpected"),
    (lambda schema: schema.update({"__class__": "Trees", "__module__": "rainbow.learned.learner.regression_trees"}),
     "it has a Trees instead of a learner"),
])  # fmt: skip
def test_a_learner_that_is_none_is_refused(edit, message, entries, tmp_path) -> None:
    refused(saved.write(tmp_path / "m", schema_edited(entries, edit)), message)


@pytest.mark.parametrize(("edit", "message"), [
    (lambda ridge: ridge["_share"]["content"]["scores"].update(content="NaN"), "weight of scores is nan"),
    (lambda ridge: ridge["_share"]["content"].pop("texts"), "kernel weights do not match"),
    (lambda ridge: kernel_of(ridge, 0)["ngrams"].update(content='"a\\na"'), "an n-gram is listed twice"),
    (lambda ridge: kernel_of(ridge, 0)["ngrams"].update(content='"a\\nb"'), "rarity has the type"),
    (lambda ridge: kernel_of(ridge, 0)["ngrams"].update(content="[1]"), "it cannot be read"),
    (lambda ridge: kernel_of(ridge, 0)["units"].update(content='"letters"'), "units of a text kernel is"),
    (
        lambda ridge: (
            kernel_of(ridge, 0)["ngrams"].update(content="5"),
            ridge["_text_parts"]["content"][0]["content"][1].update(
                {"__class__": "Trees", "__module__": "rainbow.learned.learner.regression_trees"}
            ),
        ),
        "it has a Trees instead of a TextKernel",
    ),
    (lambda ridge: kernel_of(ridge, 0).pop("units"), "field 'units' of its .* is missing or unexpected"),
    (lambda ridge: ridge["_text_parts"]["content"].reverse(), None),
    (lambda ridge: ridge["_text_parts"].update(content=[]), "arrays do not match those it lists"),
    (lambda ridge: ridge["_score_kernel"]["content"]["content"]["gamma"].update(content="-1.0"), "gamma is -1.0"),
    (lambda ridge: ridge["_score_kernel"]["content"]["content"]["gamma"].update(content="true"), "gamma is True"),
])  # fmt: skip
def test_a_kernel_that_is_none_is_refused(edit, message, entries, tmp_path) -> None:
    path = saved.write(tmp_path / "m", schema_edited(entries, lambda schema: edit(learner(schema))))
    if message is None:
        read_model(path)
    else:
        refused(path, message)


def test_vectors_of_another_table_are_refused(entries: saved.Entries, tmp_path: Path) -> None:
    def renamed(ridge: Any) -> None:
        kernels = ridge["_vector_kernels"]["content"]
        kernels["SmolLM3"] = kernels.pop(*kernels)

    path = saved.write(tmp_path / "m", schema_edited(entries, lambda schema: renamed(learner(schema))))
    refused(path, f"it was trained with other word vectors than {table_digest()}")


@pytest.mark.parametrize("places", [[0, 0, 1], [0, 1, 6], [-1, 0, 1]])
def test_a_start_from_columns_that_there_are_not_or_twice_is_refused(places, files, tmp_path) -> None:
    changed = saved.with_array(saved.entries_of(files["started"]), "_start", np.array(places))
    refused(saved.write(tmp_path / "m", changed), "start contains numbers outside|start column is listed twice")


def test_deep_nesting_is_refused(entries: saved.Entries, tmp_path: Path) -> None:
    deep = b'{"__loader__":"ListNode","__module__":"builtins","__class__":"list","content":['
    for levels in (100, 300, 900, 100_000):
        nested = deep * levels + b"]}" * levels
        changed = saved.learner_edited(entries, lambda inner: inner.update({"schema.json": nested}))  # noqa: B023
        refused(
            saved.write(tmp_path / "m", changed),
            r"its learner\.skops is invalid: (its arrays do not match|schema\.json is not valid JSON)",
        )


@pytest.mark.parametrize("content", [
    b"", b"\x93NUMPY\x01\x00", b"\x93NUMPY\x02\x00\x76\x00\x00\x00" + b" " * 118,
    b"\x93NUMPY\x01\x00\x76\x00" + b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }".ljust(118),
    b"\x93NUMPY\x01\x00\x76\x00"
    + b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }".ljust(118)
    + b"\x80\x04.",
    b"\x93NUMPY\x01\x00\x76\x00" + b"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }".ljust(118),
    b"\x93NUMPY\x01\x00\x76\x00" + b"__import__('os').system('true')".ljust(118),
    b"\x80\x04\x95 a pickle",
])  # fmt: skip
def test_an_array_that_is_none_or_declares_another_size_is_refused(content, entries, tmp_path) -> None:
    changed = saved.learner_edited(entries, lambda inner: inner.update({sorted(inner)[0]: content}))
    refused(saved.write(tmp_path / "m", changed), r"npy is not an array|npy declares shape")


def test_arrays_too_many_missing_or_used_twice_are_refused(entries: saved.Entries, tmp_path: Path) -> None:
    def twice(schema: Any) -> None:
        score_kernel = learner(schema)["_score_kernel"]["content"]["content"]
        score_kernel["mean"] = score_kernel["median"]

    changes = [
        saved.learner_edited(entries, lambda inner: inner.update({"more.npy": b""})),
        saved.learner_edited(entries, lambda inner: inner.pop(sorted(inner)[0])),
        schema_edited(entries, twice),
    ]
    for changed in changes:
        refused(saved.write(tmp_path / "m", changed), "its arrays do not match those it lists")
