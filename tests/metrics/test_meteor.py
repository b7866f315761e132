"""METEOR is that of the program that pycocoevalcap pipes its captions to, bit by bit."""

import doctest
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest

from rainbow.metrics import Batch, MissingResourceError, get
from rainbow.metrics import meteor as module
from rainbow.metrics.meteor import Meteor
from rainbow.text import meteor_files
from rainbow.text.meteor_files import JAR, meteor_file
from tests.metrics.real_rows import (
    assert_rows_are_independent,
    captions,
    dialogue_rows,
    largest_difference,
    restaurant_rows,
)

# One process for all, so that Java and the tables are loaded once.
pytestmark = [pytest.mark.usefixtures("java"), pytest.mark.xdist_group("meteor")]

Captions = dict[int, list[str]]


class Pipe(Protocol):
    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, list[float]]: ...


@pytest.fixture(scope="module")
def pipe(java: str) -> Iterator[Pipe]:
    from pycocoevalcap.meteor.meteor import Meteor as Tool

    tool = Tool()
    yield tool
    tool.meteor_p.stdin.close()
    tool.meteor_p.wait()


def meteor(output: str, *references: str) -> float:
    return float(Meteor().score(Batch([output], [references]))[0, 0])


@pytest.mark.parametrize(("rows", "count"), [(dialogue_rows, 1000), (restaurant_rows, 100)])
def test_scores_equal_those_of_the_pipe(
    data_dir: Path, pipe: Pipe, rows: Callable[[Path, int], Batch], count: int
) -> None:
    batch = rows(data_dir, count)
    _, theirs = pipe.compute_score(*captions(batch))
    assert largest_difference("METEOR", Meteor().score(batch)[:, 0], np.array(theirs)) == 0


@pytest.mark.parametrize(
    ("output", "references"),
    [
        ("the inn is cheap", ["an inexpensive inn", "it is cheap"]),
        ("restaurants", ["restaurant"]),  # 0: of one word against one word the program compares only spellings
        ("the |||inn", ["the inn", "an ||| inn"]),
        ("the\ninn\r\nis cheap", ["the inn\tis \x85cheap"]),
        ("the \0 inn \x07 \ud800", ["the inn"]),
        ("a 🍕 pizzeria", ["a pizzeria"]),
        ("O'Neill's café: £20-25!", ["o'neill's cafe"]),
        ("", ["the inn"]),
        ("?!", ["the inn"]),
        ("the inn", ["..."]),
        ("...", ["..."]),
        ("call 555 1234567", ["call 555-1234567"]),
    ],
)
def test_awkward_texts_have_the_score_of_the_pipe(pipe: Pipe, output: str, references: Sequence[str]) -> None:
    batch = Batch([output], [references])
    _, theirs = pipe.compute_score(*captions(batch))
    assert Meteor().score(batch).tolist() == [theirs]


def test_a_row_does_not_depend_on_its_neighbours(data_dir: Path) -> None:
    assert_rows_are_independent(Meteor(), dialogue_rows(data_dir, 100))


def test_the_best_reference_counts_wherever_it_stands() -> None:
    alone = meteor("the inn is cheap", "the inn is not cheap")
    assert meteor("the inn is cheap", "a bar", "the inn is not cheap", "dogs") == alone
    assert meteor("the inn is cheap", "the inn is not cheap", "dogs", "a bar") == alone
    assert meteor("the inn is cheap", "a bar") < alone


def test_synonyms_and_stems_count_less_than_equal_words_and_more_than_others() -> None:
    equal, stem, other = (meteor(f"the inn permits {word}", "the inn permits dogs") for word in ("dogs", "dog", "cars"))
    synonym = meteor("the inn allows dogs", "the inn permits dogs")
    assert equal == 1
    assert 1 > synonym > other
    assert 1 > stem > other


@pytest.mark.parametrize("output", ["", " \n", "?!", "😀"])
def test_an_output_without_a_word_scores_0(output: str) -> None:
    assert meteor(output, "the inn") == 0


@pytest.mark.parametrize(
    ("output", "reference"),
    [
        ("the inn is cheap and " * 20_000, "the inn is cheap"),
        ("the inn is cheap", "the inn is cheap and " * 20_000),
        (" ".join(map(str, range(100_000))), "the inn is cheap"),
        ("good " * 1_000, "well " * 1_000),
    ],
)
def test_texts_that_the_aligner_could_not_manage_are_undefined_at_once(output: str, reference: str) -> None:
    batch = Batch([output, "the inn"], [["an inn", reference], ["the inn"]])
    start = time.perf_counter()
    values = Meteor().score(batch)
    assert time.perf_counter() - start < 60
    assert np.isnan(values[:, 0]).tolist() == [True, False]
    assert "too long" in Meteor().reasons(batch, values)[0, 0]


@pytest.mark.parametrize("word", ["good", "well"])
def test_the_most_work_that_is_accepted_takes_seconds(word: str) -> None:
    start = time.perf_counter()
    assert 0.7 < meteor("good " * 250, f"{word} " * 250) <= 1
    assert time.perf_counter() - start < 120


def test_threads_score_at_the_same_time_and_alike(data_dir: Path) -> None:
    batch = dialogue_rows(data_dir, 200)
    alone = Meteor().score(batch)
    with ThreadPoolExecutor(8) as threads:
        for values in threads.map(Meteor().score, [batch] * 8):
            np.testing.assert_array_equal(values, alone)


def test_nothing_is_written_beside_the_program() -> None:
    folder = meteor_file(JAR).parent
    before = sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*"))
    assert meteor("the inn", "an inn") > 0
    assert sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*")) == before


def test_the_signature_names_the_program_by_its_content(monkeypatch: pytest.MonkeyPatch) -> None:
    signature = Meteor().signature
    assert f"program:meteor-1.5 {meteor_files.meteor_digest(JAR)}" in signature
    monkeypatch.setattr(module, "meteor_digest", lambda name: "0" * 12)
    assert Meteor().signature != signature


def test_what_is_missing_is_told_before_scoring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meteor_files, "find_spec", lambda name: None)
    with pytest.raises(MissingResourceError, match="meteor: pycocoevalcap is not installed: pip install pycocoevalcap"):
        get("meteor")


def test_the_example_in_the_documentation_is_right() -> None:
    globs = {"Meteor": Meteor, "Batch": Batch}
    example = doctest.DocTestParser().get_doctest(Meteor.__doc__ or "", globs, "Meteor", None, None)
    for line in example.examples:
        line.options.clear()
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0
