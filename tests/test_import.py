"""Importing and the first score are light: nothing heavy is loaded before it is needed."""

import ast
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from rainbow.base.native import kernels


@pytest.mark.parametrize(("module", "heavy"), [
    ("rainbow", ("numpy", "pandas", "nltk", "jpype", "typer")),
    ("rainbow.reports.pages.metrics_page", ("sklearn", "scipy.stats", "torch", "jpype")),
])  # fmt: skip
def test_an_import_loads_nothing_heavy(module: str, heavy: tuple[str, ...]) -> None:
    code = f"import sys, {module}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(kernels() is None, reason="without the compiled kernels sparse matrices of scipy take their place")
@pytest.mark.parametrize("given", ["mrs='inform(name=inn,price=cheap)'", "references=['a cheap inn']"])
def test_the_first_score_loads_nothing_that_only_learning_or_tables_need(given: str) -> None:
    heavy = "sklearn", "skops", "scipy", "pandas", "pyarrow", "nltk", "matplotlib", "jpype"
    code = f"""import sys, rainbow
assert rainbow.score("the inn is cheap", {given}) > 1
print([module for module in {heavy} if module in sys.modules])"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_can_be_imported() -> None:
    import rainbow

    assert all(getattr(rainbow, name) is not None for name in rainbow.__all__)
    assert rainbow.metrics.get("se").name == "se"


@pytest.mark.parametrize("folder", ["scripts", "benchmarks"])
def test_what_scripts_and_benchmarks_import_of_the_package_is_there(folder: str) -> None:
    paths = list((Path(__file__).parents[1] / folder).rglob("*.py"))
    imports = [
        (path.name, node.module, entry.name)
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "rainbow"
        for entry in node.names
    ]
    assert len(imports) > len(paths) and [found for found in imports if not is_there(*found[1:])] == []


def is_there(module: str, name: str) -> bool:
    return hasattr(import_module(module), name) or find_spec(f"{module}.{name}") is not None
