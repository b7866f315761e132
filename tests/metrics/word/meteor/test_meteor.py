"""METEOR is that of the program that comes with pycocoevalcap."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from rainbow.base.native import kernels
from rainbow.metrics import Batch, MissingResourceError, get
from rainbow.metrics.word.meteor import meteor as module
from rainbow.metrics.word.meteor.meteor import Meteor, java_scores
from rainbow.metrics.word.meteor.tables import meteor_tables
from rainbow.programs import meteor_program as program
from rainbow.programs.jvm import java_unavailable_reason
from rainbow.programs.meteor_program import JAR, meteor_file
from tests.metrics.conftest import both, demo_rows
from tests.metrics.real_rows import dialogue_rows, largest_difference, restaurant_rows

# One process for all, so that Java and the tables are loaded once.
pytestmark = pytest.mark.xdist_group("meteor")


@pytest.fixture(scope="module")
def jar(java: str) -> None:
    """Skip where the program itself cannot run."""
    if missing := java_unavailable_reason():
        pytest.skip(missing)


def meteor(output: str, *references: str) -> float:
    return float(Meteor().score(Batch([output], [references]))[0, 0])


@pytest.mark.once
@pytest.mark.parametrize(
    ("rows", "count"), [(restaurant_rows, 40), pytest.param(dialogue_rows, 100, marks=pytest.mark.slow)]
)
def test_scores_equal_those_of_the_program(data_dir, jar, rows, count) -> None:
    batch = rows(data_dir, count)
    expected = java_scores(batch)[:, 0]
    for ours in both(lambda: Meteor().score(batch)[:, 0]):
        assert largest_difference("METEOR", ours, expected) <= 1e-12


@pytest.mark.parametrize(("output", "references"), [
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
])  # fmt: skip
def test_awkward_texts_have_the_score_of_the_program(jar: None, output: str, references: Sequence[str]) -> None:
    batch = Batch([output], [references])
    assert Meteor().score(batch) == pytest.approx(java_scores(batch), abs=1e-12)


@pytest.mark.parametrize(("output", "reference", "precision", "recall", "chunks", "matches"), [
    ("the inn permits dogs", "the inn permits dogs", 1, 1, 0, 1),
    ("the inn permits dog", "the inn permits dogs", (0.25 + 1.5 + 0.6 * 0.75) / 2.5, 2.2 / 2.5, 0, 1),
    ("the inn allows dogs", "the inn permits dogs", (0.25 + 1.5 + 0.8 * 0.75) / 2.5, 2.35 / 2.5, 0, 1),
    ("the inn", "inn the", 1, 1, 2, 2),
    ("the cheap inn", "the inn", 1 / 1.75, 1, 2, 2),
])  # fmt: skip
def test_scores_are_those_computed_by_hand(output, reference, precision, recall, chunks, matches) -> None:
    mean = precision * recall / (0.85 * precision + 0.15 * recall)
    assert meteor(output, reference) == pytest.approx(mean * (1 - 0.6 * (chunks / matches) ** 0.2), abs=1e-12)


def test_the_best_reference_counts_wherever_it_stands() -> None:
    alone = meteor("the inn is cheap", "the inn is not cheap")
    assert meteor("the inn is cheap", "a bar", "the inn is not cheap", "dogs") == alone
    assert meteor("the inn is cheap", "the inn is not cheap", "dogs", "a bar") == alone
    assert meteor("the inn is cheap", "a bar") < alone


def test_no_reference_is_left_out_that_could_be_the_best() -> None:
    """Those that cannot be are not aligned: the score is the best of those with each reference alone."""
    rows = [(row.output, row.references) for row in demo_rows().frame.itertuples() if len(row.references) > 1]
    together = Meteor().score(Batch(*zip(*rows, strict=True)))[:, 0]
    assert together.tolist() == [max(meteor(output, one) for one in own) for output, own in rows]


@pytest.mark.timeout(60, func_only=True)
@pytest.mark.parametrize(("output", "reference"), [
    ("good " * 501, "good " * 500), ("good " * 1_000, "well " * 1_000), (" ".join(map(str, range(20_000))),) * 2
], ids=["one word again and again", "two words again and again", "many words"])  # fmt: skip
def test_texts_that_the_aligner_could_not_manage_are_undefined_at_once(output: str, reference: str) -> None:
    batch = Batch([output, "the inn"], [["an inn", reference], ["the inn"]])
    values = Meteor().score(batch)
    assert np.isnan(values[:, 0]).tolist() == [True, False] and "too long" in Meteor().reasons(batch, values)[0, 0]


@pytest.mark.timeout(60, func_only=True)
@pytest.mark.parametrize("word", ["good", "well"])
def test_the_most_work_that_is_accepted_ends(word: str) -> None:
    if kernels() is None:
        pytest.skip("the twin takes a minute")
    assert 0.7 < meteor("good " * 250, f"{word} " * 250) <= 1


def test_long_texts_of_many_words_have_a_score() -> None:
    if kernels() is None:
        pytest.skip("the twin takes a minute")
    assert meteor("the inn is cheap and " * 10_000, "the inn is cheap") > 0
    assert meteor(" ".join(map(str, range(5_000))), " ".join(map(str, range(5_000)))) == 1


@pytest.mark.timeout(60, func_only=True)
def test_sums_that_do_not_fit_into_64_bits_are_those_of_a_short_text() -> None:
    """Every word stands five times, far apart: the distances of all possible matches add up to much."""
    if kernels() is None:
        pytest.skip("the twin takes minutes")
    words = [str(10_000 + place % 1_980) for place in range(9_900)]
    assert meteor(" ".join(words), " ".join(words)) == 1
    swapped = " ".join(words[5_000:] + words[:5_000])
    assert meteor(swapped, " ".join(words)) == pytest.approx(1 - 0.6 * (2 / 9_900) ** 0.2, abs=1e-12)


def test_a_reference_far_too_long_spoils_only_its_row() -> None:
    assert math.isnan(meteor("good " * 600, "the inn", "good " * 600))


def test_nothing_is_written_beside_the_program() -> None:
    meteor_tables()
    folder = meteor_file(JAR).parent
    before = sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*"))
    assert meteor("the inn", "an inn") > 0
    assert sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*")) == before


def test_the_signature_names_the_program_by_its_content(monkeypatch: pytest.MonkeyPatch) -> None:
    signature = Meteor().signature
    assert f"program:meteor-1.5 {program.meteor_digest(JAR)}" in signature
    monkeypatch.setattr(module, "meteor_digest", lambda name: "0" * 12)
    assert Meteor().signature != signature


def test_what_is_missing_is_told_before_scoring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "find_spec", lambda name: None)
    with pytest.raises(MissingResourceError, match="meteor: pycocoevalcap is not installed: pip install pycocoevalcap"):
        get("meteor")
