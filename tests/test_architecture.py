"""The plan of the package holds: docs/architecture.md says which folder may import which, and this reads it there."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "rainbow"
MOST_FILES = 15  # in a folder, besides __init__.py
FACE = {"__init__.py", "__main__.py", "_version.py", "fit.py"}
# These share what stands in stats and scoring, and nothing else.
APART = {"analysis", "systems", "learned"}


@cache
def order() -> list[str]:
    """Return the folders of the package from the top to the bottom, as the page lists them."""
    (block,) = re.findall(r"## The rooms\n.*?```\n(.*?)```", (ROOT / "docs/architecture.md").read_text(), re.DOTALL)
    return [line.split()[0] for line in block.splitlines()]


def folders() -> list[Path]:
    return sorted({path.parent for path in PACKAGE.rglob("*.py")} - {PACKAGE})


Imports = tuple[tuple[str, int], ...]  # modules, with the line


def imports(path: Path) -> Imports:
    """Return the modules that a file imports, inside functions and for type checks too, with the line."""
    return anywhere_and_at_top(path)[0]


@cache
def anywhere_and_at_top(path: Path) -> tuple[Imports, Imports]:
    tree = ast.parse(path.read_text())
    return tuple(_imports(ast.walk(tree))), tuple(_imports(tree.body))


def _imports(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module, node.lineno
            yield from ((f"{node.module}.{name.name}", node.lineno) for name in node.names)
        elif isinstance(node, ast.Import):
            yield from ((name.name, node.lineno) for name in node.names)


def between(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield for every import of another folder of the package: this folder, that folder, and where it stands."""
    own = path.relative_to(PACKAGE).parts[0]
    for module, line in imports(path):
        parts = module.split(".")
        if parts[0] == "rainbow" and len(parts) > 1 and parts[1] in order() and parts[1] != own:
            yield own, parts[1], f"{path.relative_to(ROOT)}:{line} imports {module}"


@cache
def inner_files() -> list[Path]:
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path.parent != PACKAGE]


def test_the_page_lists_the_folders_that_are_there() -> None:
    there = {path.name for path in PACKAGE.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert set(order()) == there


def test_nothing_lies_loose_at_the_top() -> None:
    assert {path.name for path in PACKAGE.glob("*.py")} == FACE


def test_a_folder_imports_only_from_those_below_it() -> None:
    rank = {name: place for place, name in enumerate(order())}
    assert [where for path in inner_files() for own, other, where in between(path) if rank[other] < rank[own]] == []


@cache
def inner_order() -> dict[str, list[set[str]]]:
    """Return the files and folders of each room from the top to the bottom, as the page lists them."""
    text = (ROOT / "docs/architecture.md").read_text()
    (block,) = re.findall(r"## Order inside a room\n.*?```\n(.*?)```", text, re.DOTALL)
    lines = (line.split(maxsplit=1) for line in block.splitlines())
    return {room: [set(level.split()) for level in levels.split(">")] for room, levels in lines}


@pytest.mark.parametrize("room", order())
def test_the_page_lists_the_files_and_folders_of_a_room_once(room: str) -> None:
    inside = [path for path in (PACKAGE / room).iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()]
    there = {path.stem for path in inside if path.name != "__init__.py" or has_code(path)}
    listed = [name for level in inner_order()[room] for name in level]
    assert sorted(listed) == sorted(there)


@pytest.mark.parametrize("room", order())
def test_inside_a_room_a_file_or_folder_imports_only_from_those_below_it(room: str) -> None:
    rank = {name: place for place, level in enumerate(inner_order()[room]) for name in level}
    upwards = []
    for path in (PACKAGE / room).rglob("*.py"):
        own = child_of(module_of(path), room)
        for module, line in imports(path):
            other = child_of(module, room)
            if own != other and {own, other} <= rank.keys() and rank[other] <= rank[own]:
                upwards.append(f"{path.relative_to(ROOT)}:{line} imports {module}")
    assert upwards == []


def has_code(path: Path) -> bool:
    return len(ast.parse(path.read_text()).body) > 1


def child_of(module: str, room: str) -> str:
    """Return the file or folder of a room that a module lies in; `__init__` for a name of the room itself."""
    parts = module.split(".")
    if parts[:2] != ["rainbow", room]:
        return ""
    child = parts[2] if len(parts) > 2 else ""
    place = PACKAGE / room / child
    return child if child and (place.is_dir() or place.with_suffix(".py").is_file()) else "__init__"


def test_what_lies_inside_does_not_import_the_public_face() -> None:
    inside = [path for path in inner_files() if path.relative_to(PACKAGE).parts[0] != "cli"]
    assert [path.name for path in inside if any(module == "rainbow" for module, _ in imports(path))] == []


def test_analysis_systems_and_learned_metrics_do_not_import_one_another() -> None:
    assert [where for path in inner_files() for own, other, where in between(path) if {own, other} <= APART] == []


def test_no_file_imports_itself_through_others() -> None:
    assert cycle_in({module_of(path): set(targets(path)) for path in inner_files()}) is None


def test_no_folder_imports_itself_through_others() -> None:
    graph: dict[str, set[str]] = {str(folder.relative_to(PACKAGE)): set() for folder in folders()}
    for path in inner_files():
        own = str(path.parent.relative_to(PACKAGE))
        graph[own] |= {folder_of(module) for module, _ in imports(path)} & graph.keys() - {own}
    beside = {own: {other for other in others if not own.startswith(f"{other}/")} for own, others in graph.items()}
    assert cycle_in({own: {o for o in others if not o.startswith(f"{own}/")} for own, others in beside.items()}) is None


@pytest.mark.parametrize("folder", [str(folder.relative_to(ROOT)) for folder in folders()])
def test_a_folder_can_be_seen_at_a_glance(folder: str) -> None:
    files = [path.name for path in (ROOT / folder).glob("*.py") if path.name != "__init__.py"]
    assert len(files) <= MOST_FILES, "sort the files into folders by what they are about"


@pytest.mark.parametrize("folder", [str(folder.relative_to(ROOT)) for folder in folders()])
def test_every_folder_says_what_it_is(folder: str) -> None:
    assert ast.get_docstring(ast.parse((ROOT / folder / "__init__.py").read_text()))


def test_the_words_of_the_glossary_are_in_order_and_there_once() -> None:
    lines = (ROOT / "docs/glossary.md").read_text().splitlines()
    words = [line.split("|")[1].strip().lower() for line in lines if line.startswith("| ")][2:]
    assert words == sorted(set(words))


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def folder_of(module: str) -> str:
    """Return the folder that a module of the package lies in, or that it is."""
    path = ROOT / module.replace(".", "/")
    return str((path if path.is_dir() else path.parent).relative_to(PACKAGE)) if PACKAGE in path.parents else ""


@cache
def known() -> set[str]:
    return {module_of(path) for path in inner_files()}


def targets(path: Path) -> Iterator[str]:
    """Yield the modules of the package that are read when this file is: imports at its top, not within functions."""
    yield from (name for name, _ in anywhere_and_at_top(path)[1] if name in known() and name != module_of(path))


def cycle_in(graph: dict[str, set[str]]) -> list[str] | None:
    """Return modules that import one another in a circle, or None."""
    done: set[str] = set()

    def visit(module: str, path: list[str]) -> list[str] | None:
        if module in path:
            return [*path[path.index(module) :], module]
        if module in done:
            return None
        found = next((circle for other in sorted(graph[module]) if (circle := visit(other, [*path, module]))), None)
        done.add(module)
        return found

    return next((circle for module in sorted(graph) if (circle := visit(module, []))), None)
