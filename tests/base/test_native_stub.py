"""The stub of the compiled module says of it what pybind11 does: the same names, the same parameters."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rainbow
from rainbow.base.native import compiled

pytestmark = pytest.mark.skipif(compiled is None, reason="the compiled kernels were not built")

STUB = ast.parse(Path(rainbow.__file__).with_name("_native.pyi").read_text(encoding="utf-8"))
# What pybind11 writes first into a docstring: `name(outputs: rainbow._native.Texts, threads: ... = 1) -> ...`
SIGNATURE = re.compile(r"(?:^|\d\. )(\w+)\((.*)\) -> ", re.MULTILINE)
PARAMETER = re.compile(r"(?:^|, )(\w+): ")


def built(owner: Any, prefix: str = "") -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """Yield every name of a module or class with its parameters; None for classes and properties."""
    for name, entry in vars(owner).items():
        if name.startswith("_") and name not in ("__init__", "__len__"):
            continue
        if isinstance(entry, type | property):
            yield prefix + name, None
        for signature in SIGNATURE.finditer("" if isinstance(entry, type) else entry.__doc__ or ""):
            yield prefix + name, tuple(PARAMETER.findall(signature[2]))
        if isinstance(entry, type):
            yield from built(entry, f"{name}.")


def stubbed(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """Yield the same of a stub."""
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            yield statement.name, None
            yield from stubbed(statement.body, f"{statement.name}.")
        if isinstance(statement, ast.FunctionDef):
            is_property = any(ast.unparse(decorator) == "property" for decorator in statement.decorator_list)
            yield prefix + statement.name, None if is_property else tuple(arg.arg for arg in statement.args.args)


def test_the_stub_has_the_names_and_parameters_of_the_module() -> None:
    assert sorted(stubbed(STUB.body), key=repr) == sorted(built(compiled), key=repr)
