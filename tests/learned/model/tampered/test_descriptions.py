"""A model whose description or statistics are none is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.learned import saved
from tests.learned.model.tampered.refusals import refused

CLASSES = {"slope": 1.0, "points": [1.0, 2.0], "cuts": [0.5], "shares": [1.5]}


@pytest.mark.parametrize(("edit", "message"), [
    (lambda data: data.pop("low"), "must be name, rating"),
    (lambda data: data.update(more=1), "must be name, rating"),
    (lambda data: [data], "must be name, rating"),
    (lambda data: data.update(low="1"), "low in model.json has type str, not float"),
    (lambda data: data.update(low=True), "low in model.json has type bool, not float"),
    (lambda data: data.update(low=6.0), "the rating scale is empty"),
    (lambda data: data.update(half_width=-1.0), "the interval has a negative width"),
    (lambda data: data.update(classes=3), "classes in model.json has type int"),
    (lambda data: data.update(classes={}), "the fields of classes in model.json must be slope, points"),
    *(
        (lambda data, changed=changed: data.update(classes=CLASSES | changed), message)
        for changed, message in (
            ({"slope": -0.1}, "their slope is negative"),
            ({"slope": 1}, "slope in classes in model.json has type int"),
            ({"cuts": ["a"]}, "are not numbers"),
            ({"cuts": [[1.0]]}, "are not numbers"),
            ({"cuts": [1.0, 2.0]}, "must have one cut between adjacent points"),
            ({"shares": []}, "must have one cut between adjacent points"),
            ({"points": [1.0], "cuts": [], "shares": []}, "must have one cut between adjacent points"),
            ({"points": [2.0, 2.0]}, "not in increasing order"),
            ({"points": [1.0, 2.0, 3.0], "cuts": [1.0, 1.0], "shares": [1.0, 2.0]}, "not in increasing order"),
            ({"points": [1.0, 2.0, 3.0], "cuts": [1.0, 1.5], "shares": [2.0, 1.0]}, "not in increasing order"),
        )
    ),
    (lambda data: data.update(columns=["TER", "TER"]), "columns in model.json must be unique names"),
    (lambda data: data.update(texts=[1]), "texts in model.json must be unique names"),
    (lambda data: data["signatures"].pop("TER"), "signatures in model.json do not match its columns"),
    (lambda data: data["signatures"].update(TER=1), "signatures in model.json do not match its columns"),
    (lambda data: data["signatures"].update(TER="x"),
     "other metric definitions: TER was made with 'x', but this RAINBOW has 'ter'"),
    (lambda data: data["metrics"].append(3), "the fields of a metric in model.json must be name, package"),
    (lambda data: data["metrics"].clear(), "it has statistics"),
    (lambda data: data["metrics"][0].update(name="nothing"), "metric 'nothing', which this RAINBOW does not have"),
    (lambda data: data["metrics"][0].update(parameters=[]), "parameters in a metric in model.json has type list"),
    (lambda data: data["metrics"][0].update(statistics="model.json"), "it has statistics"),
    (lambda data: data["metrics"][0]["parameters"].update(statistics=None), "has no parameter 'statistics' here"),
    (lambda data: data["metrics"][0]["parameters"].update(alpha=2), "has no parameter 'alpha' here"),
    (lambda data: data["metrics"][0].update(parameters={"$tuple": []}), "has no parameter '\\$tuple' here"),
    (lambda data: data.update(card={"a": {"$set": [[1]]}}), "is not a set: unhashable"),
    (lambda data: data.update(card={"a": {"$set": 3}}), "is not a valid value in a model file"),
])  # fmt: skip
def test_a_description_that_is_none_is_refused(
    edit: Callable[[Any], Any], message: str, entries: saved.Entries, tmp_path: Path
) -> None:
    def change(data: Any) -> Any:
        return replaced if isinstance(replaced := edit(data), list) and replaced and replaced[0] is data else data

    refused(saved.write(tmp_path / "m", saved.edited(entries, "model.json", change)), message)


@pytest.mark.parametrize("name", ["model.json", "statistics/1.json"])
@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"{", b"[" * 100_000, b'{"low": NaN}', b'{"low": Infinity}', b"1" * 10_000, b"null"]
)
def test_json_that_is_none_is_refused(name: str, content: bytes, entries: saved.Entries, tmp_path: Path) -> None:
    assert name in entries
    refused(saved.write(tmp_path / "m", entries | {name: content}), "is not valid JSON|the fields of|rejects its saved")


@pytest.mark.parametrize("edit", [
    lambda data: data.update(order=0),
    lambda data: data.update(order="3"),
    lambda data: data.update(documents=[1]),
    lambda data: data.update(documents={"1": 2}),
    lambda data: data.pop("documents"),
    lambda data: (data.pop("documents"), data.update(counts={"a": {"b": {"c": -1}}})),
    lambda data: (data.pop("documents"), data.update(counts={"a": {"b": 1}})),
    lambda data: (data.pop("documents"), data.update(counts={"a": {"b": {"c": 1.5}}})),
    lambda data: (data.pop("documents"), data.update(counts={"a": {"b": {"c": 2}}})),
])  # fmt: skip
def test_statistics_that_are_none_or_others_are_refused(edit, entries, tmp_path) -> None:
    changed = saved.edited(entries, "statistics/1.json", lambda data: (edit(data), data)[1])
    refused(saved.write(tmp_path / "m", changed), "'language-model' rejects its saved state|other metric definitions")
