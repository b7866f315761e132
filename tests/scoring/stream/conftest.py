"""A file of rows, and the table that it gives."""

from pathlib import Path

import pytest

from tests.scoring.stream.tables import score, written


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return written(tmp_path)


@pytest.fixture
def expected(mine: Path, tmp_path: Path) -> bytes:
    """Return the table that an unbroken run writes."""
    score(mine, tmp_path / "unbroken.parquet")
    return (tmp_path / "unbroken.parquet").read_bytes()
