"""What holds for every dataset: one that has a name is tested here without being named."""

from pathlib import Path

import pytest

from rainbow.datasets import dataset_names, domain, load_dataset, source

ROOT = Path(__file__).parents[2]
EVERY = pytest.mark.parametrize("name", dataset_names())


@EVERY
def test_its_module_says_what_it_needs_and_what_it_is_about(name: str) -> None:
    assert isinstance(source(name).FILES[name], tuple) and domain(name)


@EVERY
def test_it_can_be_found_and_its_licence_is_named(name: str) -> None:
    assert f"``{name}``" in str(load_dataset.__doc__)
    assert f"`{name}`" in (ROOT / "docs/licences.md").read_text(), "add a line to docs/licences.md"


@pytest.mark.parametrize("name", [name for name in dataset_names() if not source(name).FILES[name]])
def test_one_that_is_part_of_the_package_loads(name: str) -> None:
    corpus = load_dataset(name)
    assert len(corpus) and name in set(corpus.frame["dataset"])
