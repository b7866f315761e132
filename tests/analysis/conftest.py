"""The scores that the authors stored, and the tables that they printed."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from rainbow import load_dataset
from tests.judged import published

# The names of the data sets in print.
PRINTED = {"bagel": "BAGEL", "sfhotel": "SFHOTEL", "sfrest": "SFREST"}


@pytest.fixture(scope="session")
def stored(data_dir: Path) -> pd.DataFrame:
    """Return all 2,460 rows with ratings and stored scores; metrics and data sets have their names in print."""
    frame = published(data_dir, load_dataset, "emnlp2017").frame
    scores = frame.filter(like="published.").rename(columns=lambda name: name.removeprefix("published."))
    return frame.loc[:, ~frame.columns.str.startswith("published.")].join(scores).replace({"dataset": PRINTED})


@pytest.fixture(scope="session")
def printed(data_dir: Path) -> Callable[[str], pd.DataFrame]:
    """Return a function that reads a printed table, one row per cell, by the beginning of its file's name."""

    def read(name: str) -> pd.DataFrame:
        folder = data_dir.parent / "published"
        found = sorted(folder.glob(f"{name}*.csv"))
        if not found:
            pytest.skip(f"the published tables are not at {folder}")
        return pd.read_csv(found[0])

    return read
