"""A model whose description or statistics are none is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.learned import saved
from tests.learned.model.tampered.refusals import refused

CLASSES = {"slope": 1.0, "points": [1.0, 2.0], "cuts": [0.5], "shares": [1.5]}


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda data: data.pop("low"), "has not the fields name, rating"),
        (lambda data: data.update(more=1), "has not the fields name, rating"),
        (lambda data: [data], "has not the fields name, rating"),
        (lambda data: data.update(low="1"), "low in model.json has type str, not float"),
        (lambda data: data.update(low=True), "low in model.json has type bool, not float"),
        (lambda data: data.update(low=6.0), "the scale of the ratings has no width"),
        (lambda data: data.update(half_width=-1.0), "the interval a negative one"),
        (lambda data: data.update(classes=3), "classes in model.json is of type int"),
        (lambda data: data.update(classes={}), "the fields of classes in model.json must be slope, points"),
        *(
            (lambda data, changed=changed: data.update(classes=CLASSES | changed), message)
            for changed, message in (
                ({"slope": -0.1}, "their slope is below 0"),
                ({"slope": 1}, "slope in classes in model.json is of type int"),
                ({"cuts": ["a"]}, "are no numbers"),
                ({"cuts": [[1.0]]}, "are no numbers"),
                ({"cuts": [1.0, 2.0]}, "have not one cut between every two points"),
                ({"shares": []}, "have not one cut between every two points"),
                ({"points": [1.0], "cuts": [], "shares": []}, "have not one cut between every two points"),
                ({"points": [2.0, 2.0]}, "do not rise"),
                ({"points": [1.0, 2.0, 3.0], "cuts": [1.0, 1.0], "shares": [1.0, 2.0]}, "do not rise"),
                ({"points": [1.0, 2.0, 3.0], "cuts": [1.0, 1.5], "shares": [2.0, 1.0]}, "do not rise"),
            )
        ),
        (lambda data: data.update(columns=["TER", "TER"]), "columns in model.json must be unique names"),
        (lambda data: data.update(texts=[1]), "texts in model.json must be unique names"),
        (lambda data: data["signatures"].pop("TER"), "signatures in model.json do not match its columns"),
        (lambda data: data["signatures"].update(TER=1), "signatures in model.json do not match its columns"),
        (
            lambda data: data["signatures"].update(TER="x"),
            "other definitions: TER was made with 'x', and here has 'ter'",
        ),
        (lambda data: data["metrics"].append(3), "the fields of a metric in model.json must be name, package"),
        (lambda data: data["metrics"].clear(), "it has statistics"),
        (lambda data: data["metrics"][0].update(name="nothing"), "metric 'nothing', which this RAINBOW does not have"),
        (lambda data: data["metrics"][0].update(parameters=[]), "parameters in a metric in model.json is of type list"),
        (lambda data: data["metrics"][0].update(statistics="model.json"), "it has statistics"),
        (lambda data: data["metrics"][0]["parameters"].update(statistics=None), "has no parameter 'statistics' here"),
        (lambda data: data["metrics"][0]["parameters"].update(alpha=2), "has no parameter 'alpha' here"),
        (lambda data: data["metrics"][0].update(parameters={"$tuple": []}), "has no parameter '\\$tuple' here"),
        (lambda data: data.update(card={"a": {"$set": [[1]]}}), "is no set: unhashable"),
        (lambda data: data.update(card={"a": {"$set": 3}}), "is no value of a model file"),
    ],
)
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
    refused(saved.write(tmp_path / "m", entries | {name: content}), "is not JSON|has not the fields|does not take what")


@pytest.mark.parametrize(
    "edit",
    [
        lambda data: data.update(order=0),
        lambda data: data.update(order="3"),
        lambda data: data.update(documents=[1]),
        lambda data: data.update(documents={"1": 2}),
        lambda data: data.pop("documents"),
        lambda data: (data.pop("documents"), data.update(counts={"a": {"b": {"c": -1}}})),
        lambda data: (data.pop("documents"), data.update(counts={"a": {"b": 1}})),
        lambda data: (data.pop("documents"), data.update(counts={"a": {"b": {"c": 1.5}}})),
        lambda data: (data.pop("documents"), data.update(counts={"a": {"b": {"c": 2}}})),
    ],
)
def test_statistics_that_are_none_or_others_are_refused(
    edit: Callable[[Any], Any], entries: saved.Entries, tmp_path: Path
) -> None:
    changed = saved.edited(entries, "statistics/1.json", lambda data: (edit(data), data)[1])
    refused(saved.write(tmp_path / "m", changed), "'language-model' does not take what was saved|other definitions")
