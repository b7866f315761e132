"""One mistake is told in one sentence, whichever door it comes through."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rainbow
from rainbow import Corpus, PreparedReferences, Scorer
from rainbow.metrics import Batch, References
from rainbow.serving import MetricScorer, Reward, compute
from tests.learned.demo_model import demo_model

MR = "inform(name=inn)"
RIGHT: dict[str, Any] = {"outputs": ["the inn", "a pub"], "references": [["an inn"], ["the pub"]], "inputs": [MR, MR]}

LIST, TEXT = "give a list with an entry for each row", "give a string (it may be empty)"
SETS, EACH = "give a list of strings", "give one for each"
WRONG: dict[str, tuple[str, Any, str]] = {
    "outputs bare": ("outputs", "ab", f"outputs is a single string, 'ab': {LIST}"),
    "outputs a number": ("outputs", 3, f"outputs is 3: {LIST}"),
    "outputs by name": ("outputs", {"a": 1, "b": 2}, f"outputs is {{'a': 1, 'b': 2}}: {LIST}"),
    "an output is None": ("outputs", ["the inn", None], f"row 2, output: None is not a text: {TEXT}"),
    "an output is a number": ("outputs", ["the inn", 3.5], f"row 2, output: 3.5 is not a text: {TEXT}"),
    "references bare": ("references", "ab", f"references is a single string, 'ab': {LIST}"),
    "references a number": ("references", 3, f"references is 3: {LIST}"),
    "references of too few rows": ("references", [["a"]], f"references has 1 entries for 2 outputs: {EACH}"),
    "references of too many rows": ("references", [["a"]] * 3, f"references has 3 entries for 2 outputs: {EACH}"),
    "a row of references bare": ("references", [["an inn"], "the pub"],
        f"row 2, references: a single string 'the pub': {SETS}"),
    "a row of references a number": ("references", [[], 3], f"row 2, references: 3 is not a list: {SETS}"),
    "a row of references without order": ("references", [[], {"inn": 1}],
        f"row 2, references: {{'inn': 1}} is not a list: {SETS}"),
    "a reference is a number": ("references", [[], ["inn", 3]], f"row 2, references: 3 is not a text: {SETS}"),
    "a reference is None": ("references", [[], [None]], f"row 2, references: None is not a text: {SETS}"),
    "a reference is a list": ("references", [[], [["a"]]], f"row 2, references: ['a'] is not a text: {SETS}"),
    "inputs bare": ("inputs", "ab", f"inputs is a single string, 'ab': {LIST}"),
    "inputs too few": ("inputs", [MR], f"inputs has 1 entries for 2 outputs: {EACH}"),
    "an input is a table": ("inputs", [MR, {"name": "inn"}], f"row 2, mr: {{'name': 'inn'}} is not a text: {TEXT}"),
    "an input is a number": ("inputs", [MR, 7], f"row 2, mr: 7 is not a text: {TEXT}"),
}  # fmt: skip
# What the argument is called there, and what may be given there besides.
PREDICTIONS = {"predictions": "outputs", "prediction": "output"}
COMPLETIONS = {
    "completions": "outputs", "completion": "output", ", column 'meaning'": ", mr", "column 'meaning'": "inputs",
    "column 'target'": "references", " or a list of chat messages": "",
}  # fmt: skip


def model() -> Any:
    return demo_model("default", ("BLEU4", "slots_missing"), ("surface",))


def batch(outputs: Any, references: Any, mrs: Any) -> object:
    return Batch(outputs, references, mrs).meanings


def rewarded(outputs: Any, references: Any, mrs: Any) -> object:
    reward = Reward(Scorer(model()), references="target", mrs="meaning")
    return reward(["p"] * 2, outputs, target=references, meaning=mrs)


def computed(outputs: Any, references: Any, mrs: Any) -> object:
    return compute(predictions=outputs, references=references, mrs=mrs, scorer=Scorer(model()))


DOORS: dict[str, tuple[Callable[..., object], dict[str, str]]] = {
    "Corpus.from_texts": (Corpus.from_texts, {}),
    "Batch": (batch, {}),
    "score": (lambda *given: rainbow.score(*given, model=model()), {}),
    "Scorer": (lambda *given: Scorer(model())(*given), {}),
    "MetricScorer": (lambda *given: MetricScorer("SE")(*given), {}),
    "compute": (computed, PREDICTIONS),
    "Reward": (rewarded, COMPLETIONS),
    "References": (lambda outputs, references, mrs: References(references), {}),
    "PreparedReferences": (lambda outputs, references, mrs: PreparedReferences(references, mrs), {}),
}


# What is no mistake at a door: one text to `score`; one string as a row's only reference, as in Hugging Face's
# evaluate; any number of references where there are no outputs; what a door has no argument for.
ROWS = {name for name in WRONG if "few" in name or "many" in name}
NO_MISTAKE = {
    "score": {"outputs bare", "a row of references bare"}, "compute": {"a row of references bare"},
    "Reward": {"a row of references bare"},
    "References": {name for name, (field, *_) in WRONG.items() if field != "references"} | ROWS,
    "PreparedReferences": {name for name, (field, *_) in WRONG.items() if field == "outputs"} | ROWS,
}  # fmt: skip
PAIRS = [(name, door) for name in WRONG for door in DOORS if name not in NO_MISTAKE.get(door, ())]


@pytest.mark.parametrize(("name", "door"), PAIRS)
def test_one_wrong_shape_gives_one_sentence(name: str, door: str) -> None:
    field, value, sentence = WRONG[name]
    call, words = DOORS[door]
    with pytest.raises(ValueError) as refused:
        call(*(RIGHT | {field: value}).values())
    told = str(refused.value)
    for own, word in words.items():
        told = told.replace(own, word)
    assert told == sentence


@pytest.mark.parametrize("door", DOORS)
def test_the_right_shape_passes_every_door(door: str) -> None:
    call, _ = DOORS[door]
    call(*RIGHT.values())


@pytest.mark.parametrize(("column", "value", "sentence"), [
    ("output", {"n": 1}, "row 2, output: {'n': 1} is not a text: give a string (it may be empty)"),
    ("references", [{"n": 1}], "row 2, references: {'n': 1} is not a text: give a list of strings"),
    ("mr", [[1]], "row 2, mr: [1] is not a text: give a string (it may be empty)"),
])  # fmt: skip
def test_a_file_is_named_before_the_sentence(column: str, value: object, sentence: str, tmp_path: Path) -> None:
    # Numbers are their digits in a file, and an object is an input like any other: its JSON.
    right = {"output": "an inn", "references": ["the inn"], "mr": "inform(name=inn)"}
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, (right, right | {column: value}))))
    with pytest.raises(ValueError) as refused:
        rainbow.load_dataset(path)
    assert str(refused.value) == f"{path}: {sentence}"


@pytest.mark.parametrize("nothing", [None, float("nan"), np.nan, []])
def test_a_row_may_have_no_references_at_every_door(nothing: object) -> None:
    references: Sequence[Any] = [["an inn"], nothing]
    assert Corpus.from_texts(RIGHT["outputs"], references).frame["references"][1] == ()
    assert References(references)[1] == ()
    assert np.isnan(Scorer(model())(RIGHT["outputs"], references, RIGHT["inputs"])).tolist() == [False, True]
    assert compute(predictions=RIGHT["outputs"], references=references, scorer=MetricScorer("SE"))["n"] == 1


def test_a_reward_counts_rows_as_the_trainer_does() -> None:
    reward = Reward(Scorer(model()), references="target", mrs="meaning")
    with pytest.raises(ValueError, match=r"^row 3, column 'meaning': 5 is not a text"):
        reward(["p"] * 3, ["", "the inn", "a pub"], target=["a"] * 3, meaning=[MR, MR, 5])
