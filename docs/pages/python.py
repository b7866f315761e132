"""Reference of the Python interface: the public names, and what the documentation imports."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

from docs.pages.commands import save

ROOT = Path(__file__).parents[2]
# Packages with a public `__all__`.
FACES = ("rainbow", "rainbow.serving", "rainbow.metrics", "rainbow.datasets")
# Classes returned by their functions.
RETURNED = {
    "rainbow.serving.analysis": ["Analysis"],
    "rainbow.learned.scorer": ["Classes", "Scored"],
    "rainbow.learned.explanation": ["Explanation"],
    "rainbow.learned.model.model": ["Model"],
}

HEAD = """Python
======

Public names of the packages ``rainbow``, ``rainbow.serving``, ``rainbow.metrics`` and ``rainbow.datasets``, the classes
that their functions return, and further names used in this documentation.
"""


def write(folder: Path) -> None:
    """Write one page per name, and the page that lists them."""
    seen: set[int] = set()
    parts = [HEAD]
    for module, names in offered().items():
        new = [name for name in names if _is_new(getattr(import_module(module), name), seen)]
        if new:
            parts.append(_listed(module, new))
        for name in new:
            save(folder / "python" / f"{module}.{name}.rst", _page(module, name))
    save(folder / "python.rst", "\n".join(parts))


def offered() -> dict[str, list[str]]:
    """Return the public names of every module."""
    found = {face: [name for name in import_module(face).__all__ if name != "__version__"] for face in FACES}
    for module, names in [*RETURNED.items(), *sorted(_imported().items())]:
        found[module] = sorted({*found.get(module, []), *names})
    return found


def _imported() -> dict[str, set[str]]:
    """Return the names that code on the pages imports from the package."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").glob("*.md")]
    found: dict[str, set[str]] = {}
    for page in pages:
        for line in re.findall(r"^from rainbow.* import .*", page.read_text(encoding="utf-8"), re.MULTILINE):
            (node,) = ast.parse(line.split(" #")[0]).body
            found.setdefault(node.module, set()).update(alias.name for alias in node.names)
    return found


def _is_new(value: object, seen: set[int]) -> bool:
    """Return whether an object does not have a page yet under another name."""
    new = id(value) not in seen and (inspect.isclass(value) or inspect.isfunction(value))
    seen.add(id(value))
    return new


def _listed(module: str, names: list[str]) -> str:
    value = import_module(module)
    lines = [f"* :doc:`{name} <python/{module}.{name}>`: {_first(getattr(value, name))}" for name in names]
    pages = [f"   python/{module}.{name}" for name in names]
    tree = "\n".join([".. toctree::", "   :hidden:", "", *pages])
    return "\n".join([module, "-" * len(module), "", *lines, "", tree, ""])


def _first(value: object) -> str:
    return " ".join(inspect.getdoc(value).split("\n\n")[0].split())


def _page(module: str, name: str) -> str:
    kind = "class" if inspect.isclass(getattr(import_module(module), name)) else "function"
    options = "\n   :members:\n   :special-members: __call__" if kind == "class" else ""
    return f"{name}\n{'=' * len(name)}\n\n.. currentmodule:: {module}\n\n.. auto{kind}:: {name}{options}\n"
