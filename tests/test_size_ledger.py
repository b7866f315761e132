"""The size ledger: no room grows beyond its ceiling of lines unless a commit raises it and says what was bought."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CEILINGS: dict[str, int] = tomllib.loads((ROOT / "tests" / "size_ledger.toml").read_text())["lines"]
SLACK = 0.05  # a room that shrank by more than this lowers its ceiling


def lines_of(room: Path) -> int:
    """Return the lines of Python of a folder, or of a file."""
    files = room.rglob("*.py") if room.is_dir() else [room]
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


@pytest.mark.parametrize("room", CEILINGS)
def test_a_room_is_within_its_ceiling(room: str) -> None:
    lines = lines_of(ROOT / room)
    advice = "shorten it, or raise its ceiling in tests/size_ledger.toml and say what was bought"
    assert lines <= CEILINGS[room], f"{room}: {lines} lines: {advice}"
    assert lines >= (1 - SLACK) * CEILINGS[room], f"{room}: {lines} lines: lower its ceiling"


def test_every_room_has_a_ceiling() -> None:
    rooms = {f"rainbow/{path.name}" for path in (ROOT / "rainbow").iterdir() if path.is_dir() and [*path.rglob("*.py")]}
    assert rooms <= {*CEILINGS}
