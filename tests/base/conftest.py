"""What the tests of engines and of storage score."""

from tests.scoring.stream.conftest import expected, mine

__all__ = ["expected", "mine"]
