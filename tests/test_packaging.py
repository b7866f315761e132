"""What is built and passed on: the version, the data files, the licences."""

import re
import tomllib
from pathlib import Path

import rainbow

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
# Made beside the sources: by Python, and by the compiler.
MADE = {".pyc", ".so", ".pyd"}


def test_the_version_is_that_of_the_citation() -> None:
    assert f"\nversion: {rainbow.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_every_data_file_is_in_the_wheel() -> None:
    package = ROOT / "rainbow"
    packed = {
        path for pattern in SETTINGS["tool"]["setuptools"]["package-data"]["rainbow"] for path in package.glob(pattern)
    }
    there = {path for path in package.rglob("*") if path.is_file() and path.suffix not in {*MADE, ".py"}}
    assert sorted(there - packed) == [], "add it to package-data in pyproject.toml"


def test_every_package_that_is_installed_has_its_licence_named() -> None:
    project = SETTINGS["project"]
    extras = project["optional-dependencies"]
    shipped = set(extras) - {"docs", "test", "test-cluster"}
    wanted = [*project["dependencies"], *(line for extra in shipped for line in extras[extra])]
    packages = {re.match(r"[\w.-]+", line)[0] for line in wanted} - {project["name"]}
    named = set(re.findall(r"[\w.-]*\w", (ROOT / "docs/licences.md").read_text()))
    assert sorted(packages - named) == [], "add it to docs/licences.md"
