"""Small tables of METEOR, compiled from paraphrases of the tests' own."""

import gzip
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from rainbow.metrics.word.meteor.tables import Tables, open_tables
from rainbow.programs.meteor_program import JAR, meteor_file

Pairs = Sequence[tuple[str, str]]


def write_paraphrases(path: Path, pairs: Pairs) -> Path:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(f"0.5\n{one}\n{other}\n" for one, other in pairs)
    return path


@pytest.fixture(scope="session")
def small_tables(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Pairs], Tables]:
    @cache
    def made(pairs: tuple[tuple[str, str], ...]) -> Tables:
        folder = tmp_path_factory.mktemp("meteor")
        return open_tables(meteor_file(JAR), write_paraphrases(folder / "paraphrases.gz", pairs), folder / "cache")

    return lambda pairs: made(tuple(pairs))
