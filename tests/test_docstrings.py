"""Docstrings: full numpydoc sections for names that the reference pages show, one line for everything else."""

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from docs.pages.python import offered

ROOT = Path(__file__).parents[1]
ADDED = ("Shapes: ", "Source: ")  # paragraphs that may follow the one line
# Rendered names without an example, by module or name, with the reason.
NO_EXAMPLE = (
    ("rainbow.serving.adapters.", "needs an optional package"),
    ("rainbow.serving.ray:", "needs a Ray cluster"),
    ("rainbow.serving.http.", "needs a running server"),
    ("rainbow.metrics.contract.base:MissingResourceError", "is an exception"),
    ("rainbow.serving.named_scorer:ScorerProtocol", "is a protocol"),
    ("rainbow.learned.scorer:Classes", "only holds results"),
    ("rainbow.learned.scorer:Scored", "only holds results"),
    ("rainbow.learned.explanation:Explanation", "only holds results"),
)


def rendered() -> dict[str, object]:
    """Return the classes and functions that the reference pages show, by module and name."""
    shown = {}
    for module, names in offered().items():
        for value in (getattr(import_module(module), name) for name in names):
            if inspect.isclass(value) or inspect.isfunction(value):
                shown[f"{inspect.unwrap(value).__module__}:{value.__qualname__}"] = value
    return shown


RENDERED = rendered()
# With the classes that they inherit from.
BASES = {
    f"{base.__module__}:{base.__qualname__}"
    for value in RENDERED.values()
    for base in (inspect.getmro(value) if inspect.isclass(value) else ())
} | set(RENDERED)


def inner_definitions() -> Iterator[tuple[str, str]]:
    """Yield the place and the docstring of every definition that no page shows."""
    for path in sorted((ROOT / "rainbow").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not is_shown(module, node):
                yield from ((f"{path.relative_to(ROOT)}:{line}", text) for line, text in docstrings(node))


def is_shown(module: str, node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Return whether a page, `rainbow list` or the help of a command shows a definition."""
    if module.startswith("rainbow.cli.") and re.search(r"^ *rainbow \w", ast.get_docstring(node) or "", re.MULTILINE):
        return True
    return f"{module}:{node.name}" in BASES or any("register" in ast.unparse(each) for each in node.decorator_list)


def docstrings(node: ast.AST) -> Iterator[tuple[int, str]]:
    for each in ast.walk(node):
        if isinstance(each, ast.FunctionDef | ast.ClassDef) and (text := ast.get_docstring(each)):
            yield each.lineno, text


def test_what_no_page_shows_has_one_line() -> None:
    long = [place for place, text in inner_definitions() if not is_short(text)]
    assert long == [], (
        "one line in the imperative, and paragraphs `Shapes: ` and `Source: `; what is worth more belongs on a "
        "reference page or into a test"
    )


def is_short(text: str) -> bool:
    first, *more = text.split("\n\n")
    return "\n" not in first and all(part.startswith(ADDED) for part in more)


@pytest.mark.parametrize("name", [name for name in RENDERED if not name.startswith(tuple(dict(NO_EXAMPLE)))])
def test_what_a_page_shows_has_an_example(name: str) -> None:
    assert ">>>" in (inspect.getdoc(RENDERED[name]) or ""), "show how it is called"


@pytest.mark.parametrize("name", [name for name, value in RENDERED.items() if inspect.isfunction(value)])
def test_what_a_page_shows_names_its_parameters(name: str) -> None:
    text = inspect.getdoc(RENDERED[name]) or ""
    assert not inspect.signature(RENDERED[name]).parameters or "Parameters\n----------" in text
