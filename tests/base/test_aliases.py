"""One word, one meaning: what a type alias is called, no other is."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import rainbow

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
