"""Judgements: a maker of small tables, those of the E2E challenge and of RankME; and how published data is read."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from rainbow.datasets import judgements

Make = Callable[..., pd.DataFrame]


@pytest.fixture(scope="session")
def judged() -> Make:
    """Return a function that makes a table of judgements from the values of systems A, B, ... in each of them."""

    def make(
        values: Sequence[Sequence[float]], items: Sequence[object] | None = None, **columns: object
    ) -> pd.DataFrame:
        rows = [{
            "judgement": number,
            "item": number if items is None else items[number],
            "system": "ABCDEFG"[place],
            "value": value,
        } for number, row in enumerate(values) for place, value in enumerate(row)]  # fmt: skip
        return pd.DataFrame(rows).assign(**{"criterion": "quality", "kind": "magnitude"} | columns)

    return make


@pytest.fixture(scope="session")
def e2e_judgements(data_dir: Path) -> pd.DataFrame:
    """Return the 2,979 judgements of five outputs each."""
    return published_judgements("e2e", data_dir)


@pytest.fixture(scope="session")
def rankme_judgements(data_dir: Path) -> pd.DataFrame:
    """Return the ratings of RankME's study; `method` and `setup` tell how they were asked for."""
    return published_judgements("rankme", data_dir)


def published(data_dir: Path, read: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return what a function reads of the published data."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAINBOW_DATA", str(data_dir))
        return read(*arguments, **options)


def published_judgements(name: str, data_dir: Path) -> pd.DataFrame:
    """Return the judgements of a dataset, or skip where its files are not there."""
    try:
        return published(data_dir, judgements, name)
    except FileNotFoundError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def table_11(data_dir: Path) -> pd.DataFrame:
    """Return the printed table of rankings."""
    found = sorted((data_dir.parent / "published").glob("dusek2019_table11*.csv"))
    if not found:
        pytest.skip(f"the published tables are not at {data_dir.parent / 'published'}")
    return pd.read_csv(found[0])
