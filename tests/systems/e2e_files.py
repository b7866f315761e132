"""The E2E NLG Challenge's outputs and printed tables, where they are on this machine."""

from pathlib import Path

import pandas as pd
import pytest

from rainbow import Corpus, load_dataset
from tests.judged import published


def read_e2e(data_dir: Path, *, as_published: bool = False) -> Corpus:
    """Return 630 outputs of each of 21 systems, or skip."""
    try:
        return published(data_dir, load_dataset, "e2e", as_published=as_published)
    except FileNotFoundError as error:
        pytest.skip(str(error))


def read_printed(data_dir: Path, name: str) -> pd.DataFrame:
    """Return a printed table, one row per cell or system, by the beginning of its file's name."""
    found = sorted((data_dir.parent / "published").glob(f"{name}*.csv"))
    if not found:
        pytest.skip(f"the published tables are not at {data_dir.parent / 'published'}")
    return pd.read_csv(found[0])
