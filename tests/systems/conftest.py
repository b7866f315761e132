"""The systems of the E2E challenge."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from rainbow import Corpus, load_dataset
from rainbow.systems.alignment import AlignedSystems, align_systems
from tests.judged import published


@pytest.fixture(scope="session")
def challenge(data_dir: Path) -> Corpus:
    """Return the 13,230 outputs."""
    return published(data_dir, load_dataset, "e2e")


@pytest.fixture(scope="session")
def aligned_challenge(challenge: Corpus) -> AlignedSystems:
    """Return them by system and item."""
    return align_systems(challenge)


@pytest.fixture(scope="session")
def printed(data_dir: Path) -> Callable[[str], pd.DataFrame]:
    """Return a function that reads a printed table by the beginning of its file's name."""

    def read(name: str) -> pd.DataFrame:
        found = sorted((data_dir.parent / "published").glob(f"{name}*.csv"))
        if not found:
            pytest.skip(f"the published tables are not at {data_dir.parent / 'published'}")
        return pd.read_csv(found[0])

    return read
