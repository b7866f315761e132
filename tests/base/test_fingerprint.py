"""Fingerprints of plain data and of the stemmer, what is remembered of texts, type aliases, and short examples."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rainbow
from rainbow.base.aliases import argument_for
from rainbow.base.caching import cache_by_size
from rainbow.base.files import escape_formulas
from rainbow.base.fingerprint import file_sha256, fingerprint
from rainbow.base.formatting import safe_line
from rainbow.text.words import snowball
from rainbow.text.words.mentions import stem_fingerprint, stem_word

# Endings that the stemmer lists, but whose work is done without the list or by a later step just as well.
WITHOUT_EFFECT = {"ousness", "iveness", "tional", "abli"}
# What these tables hold is changed to something, what the others hold is cut off.
CHANGES = ("_STEP_2", "_STEP_3")


def test_it_is_twelve_hexadecimal_digits_of_the_content() -> None:
    assert fingerprint({"b": [1, None, "é"], "a": 0.5}) == fingerprint({"a": 0.5, "b": [1, None, "é"]})
    assert len(fingerprint([])) == 12 and int(fingerprint([]), 16) >= 0


@pytest.mark.parametrize("other", [["a", "b"], ["b", "a", ""], ["ba"], "ba", [["b", "a"]], ["b", "a "], []])
def test_other_content_has_another_fingerprint(other: Any) -> None:
    assert fingerprint(other) != fingerprint(["b", "a"])


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        fingerprint({1, 2})


def forget() -> None:
    stem_word.cache_clear()
    stem_fingerprint.cache_clear()


@pytest.fixture
def fresh() -> Iterator[None]:
    """Forget all stems, before and after."""
    forget()
    yield
    forget()


def test_a_stemmer_that_lacks_any_ending_has_another_fingerprint(fresh: None) -> None:
    usual, same = stem_fingerprint(), set()
    for name in ("_DOUBLE", "_STEP_2", "_STEP_3", "_STEP_4"):
        table = getattr(snowball, name)
        for ending in table:
            with pytest.MonkeyPatch.context() as patch:
                kept = [other for other in table if other != ending]
                patch.setattr(
                    snowball, name, {other: table[other] for other in kept} if name in CHANGES else tuple(kept)
                )
                forget()
                if stem_fingerprint() == usual:
                    same.add(ending)
    assert same <= WITHOUT_EFFECT


def test_a_stemmer_that_does_the_same_has_the_same_fingerprint(fresh: None) -> None:
    usual = stem_fingerprint()
    forget()
    assert stem_fingerprint() == usual


def test_what_is_remembered_is_bounded_by_its_characters() -> None:
    calls: list[str] = []

    @cache_by_size(10_000)
    def length(text: str) -> int:
        calls.append(text)
        return len(text)

    texts = [str(number) * 500 for number in range(10, 60)]  # 1,000 characters each
    assert ([length(text) for text in texts for _ in "ab"], calls) == ([1000] * 100, texts)
    length(texts[-1])
    length(texts[0])
    assert len(calls) == 51  # the last is known, the first was forgotten


PACKAGE = Path(rainbow.__file__).parent


def aliases(source: str) -> Iterator[str]:
    """Yield the names that a module gives to types; type variables, which are calls, belong to their signatures."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and not isinstance(statement.value, ast.Call | None):
            for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
                if isinstance(target, ast.Name) and target.id[0].isupper() and not target.id.isupper():
                    yield target.id


def test_aliases_are_told_from_constants_and_type_variables() -> None:
    source = 'A_B = 1\nText = TypeVar("Text")\nPair = tuple[str, str]\nNumbers: TypeAlias = list[int]\nUnset: int\n'
    assert list(aliases(source)) == ["Pair", "Numbers"]


def test_every_alias_is_defined_once() -> None:
    places = defaultdict(list)
    for path in PACKAGE.rglob("*.py"):
        for name in aliases(path.read_text(encoding="utf-8")):
            places[name].append(str(path.relative_to(PACKAGE)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}
    assert places["FloatArray"] == ["base/arrays.py"]


@pytest.mark.parametrize(("call", "expected"), [
    (lambda: argument_for("mrs"), "inputs"),
    (lambda: argument_for("references"), "references"),
    (lambda: escape_formulas(pd.DataFrame({"output": ["=1+1", "- no", "-1.5", "an inn"]}))["output"].tolist(),
     ["'=1+1", "'- no", "-1.5", "an inn"]),
    (lambda: len(file_sha256(Path(rainbow.__file__))), 64),
    (lambda: safe_line("\x1b]0;owned\x07busy:\x1b[31m try\u202e\nlater\x00"), "busy: try later"),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected
