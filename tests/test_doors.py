"""Every public function and class has a door: a command, a name of the package, or a line in a document."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = {
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
    for file in sorted((ROOT / "rainbow").rglob("*.py"))
}
DOCUMENTS = [ROOT / "README.md", *sorted(ROOT.glob("*/README.md")), *sorted((ROOT / "docs").glob("*.md"))]

# Packages whose names in `__all__` are for users to import.
FACES = ("rainbow", "rainbow.metrics", "rainbow.serving", "rainbow.datasets")

# What every dataset, and every domain, is asked for by name.
ASKED_FOR = ("load", "judgements", "DOMAIN")

# A module, and a name defined at its top.
Symbol = tuple[str, str]


@cache
def trees() -> dict[str, ast.Module]:
    return {module: ast.parse(file.read_text(encoding="utf-8")) for module, file in FILES.items()}


@cache
def defined() -> dict[Symbol, list[ast.stmt]]:
    """Return the statements that define each name at the top of a module."""
    found: dict[Symbol, list[ast.stmt]] = defaultdict(list)
    for module, tree in trees().items():
        for node in tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", node)]
            for target in targets:
                found[module, str(getattr(target, "name", getattr(target, "id", "")))].append(node)
    return found


@cache
def imported(module: str) -> dict[str, Symbol]:
    """Return what the names that a module imports stand for, wherever in its file that is."""
    nodes = [node for node in ast.walk(trees()[module]) if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name: (str(node.module), alias.name) for node in nodes for alias in node.names}


def public(module: str) -> list[Symbol]:
    """Return the public names of a module, where they are defined: `__all__`, or those without an underscore."""
    named = [ast.literal_eval(node.value) for node in defined()[module, "__all__"] if isinstance(node, ast.Assign)]
    if not named:
        return [symbol for symbol in [*defined()] if symbol[0] == module and not symbol[1].startswith("_")]
    return [home((module, name)) for names in named for name in names]


def home(symbol: Symbol) -> Symbol:
    """Follow a name through the modules that only import it; a module has no name in itself."""
    module, name = symbol
    if symbol not in defined() and module in trees() and imported(module).get(name, symbol) != symbol:
        return home(imported(module)[name])
    whole = f"{module}.{name}"
    return (whole, "") if symbol not in defined() and whole in trees() else symbol


def used(module: str, node: ast.AST) -> Iterator[Symbol]:
    """Give what a statement of a module names, as `name` or as `module.name`."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield home((module, part.id))
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            owner, own = home((module, part.value.id))
            if not own:
                yield home((owner, part.attr))


def documented() -> set[str]:
    """Return the names that stand in the code of a document."""
    texts = [file.read_text(encoding="utf-8") for file in DOCUMENTS]
    code = (found for text in texts for found in re.findall(r"```.*?```|`[^`]+`", text, re.DOTALL))
    return {name for found in code for name in re.findall(r"\w+", found)}


def registered(symbol: Symbol) -> bool:
    """Return whether a decorator makes a metric or another entry of a registry of it."""
    decorators = [entry for node in defined()[symbol] for entry in getattr(node, "decorator_list", [])]
    return any("register" in ast.unparse(entry) for entry in decorators)


def doors() -> Iterator[Symbol]:
    """Give where a user comes in."""
    names = documented()
    for module, name in [*defined()]:
        if module.startswith(("rainbow.cli", "rainbow.__main__")) or registered((module, name)) or name in ASKED_FOR:
            yield module, name
    for module in trees():
        face = module in FACES
        yield from (symbol for symbol in public(module) if face or symbol[1] in names)


def reached(starts: Iterable[Symbol]) -> set[Symbol]:
    """Return all that the code behind these names comes to name."""
    found, left = set[Symbol](), list(starts)
    while left:
        if (symbol := left.pop()) not in found and symbol in defined():
            found.add(symbol)
            left += [other for node in defined()[symbol] for other in used(symbol[0], node)]
    return found


def test_every_public_function_has_a_door() -> None:
    known = reached(doors())
    kinds = (ast.FunctionDef, ast.ClassDef)
    left = [
        f"{module}: {name}"
        for each in trees()
        for module, name in public(each)
        if (module, name) not in known and any(isinstance(node, kinds) for node in defined()[module, name])
    ]
    for remembered in (trees, defined, imported):
        remembered.cache_clear()  # a million objects, among which later tests would look for garbage
    assert left == [], "bring them to a command or a document, or remove them:\n" + "\n".join(left)
