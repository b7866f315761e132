"""The beam table gives the Levenshtein distance within its beam, and how the texts align."""

import math

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein

from rainbow.metrics.word.ter.shifts import BeamTable

pytestmark = pytest.mark.once


def plain_distance(output: str, reference: str) -> float:
    """Fill the table cell by cell, leaving out what lies outside the beam."""
    n, m = len(output), len(reference)
    beam = 25 if m / n <= 50 else math.ceil(m / n / 2 + 25)
    row = [float(j) for j in range(m + 1)]
    for i in range(1, n + 1):
        diagonal = math.floor(i * (m / n))
        above, row = row, [math.inf] * (m + 1)
        for j in range(max(0, diagonal - beam), min(m + 1, diagonal + beam)):
            row[j] = above[j] + 1
            if j:
                row[j] = min(row[j], row[j - 1] + 1, above[j - 1] + (output[i - 1] != reference[j - 1]))
    return row[-1]


def random_pair(seed: int) -> tuple[str, str]:
    rng = np.random.default_rng(seed)
    first, second = ("".join(rng.choice(list("abcdef"), rng.choice([1, 2, 7, 30, 60, 150]))) for _ in range(2))
    return first, second


@pytest.mark.parametrize("seed", range(15))
def test_the_distance_is_that_of_the_cheapest_path_within_the_beam(seed: int) -> None:
    output, reference = random_pair(seed)
    assert BeamTable(output, reference).distance == plain_distance(output, reference)


def test_the_beam_reaches_24_words_above_the_diagonal_and_25_below() -> None:
    words = "".join(chr(1000 + number) for number in range(200))
    for places, contained in [(24, True), (25, False), (-25, True), (-26, False)]:
        rotated = words[-places:] + words[:-places]
        assert Levenshtein.distance(words, rotated) == 2 * abs(places)
        table = BeamTable(words, rotated)
        assert (table.distance == 2 * abs(places)) == contained, places
        assert table.distance_after(0, words[:1]) == table.distance_after(100, words[100:]) == table.distance


def test_the_beam_can_make_the_distance_larger() -> None:
    output, reference = "ab" * 30 + "c" * 60, "c" * 60
    assert BeamTable(output, reference).distance > Levenshtein.distance(output, reference)


@pytest.mark.parametrize("seed", range(15))
def test_a_change_of_some_words_gives_the_distance_of_the_changed_text(seed: int) -> None:
    output, reference = random_pair(seed)
    start, end = sorted(np.random.default_rng(seed + 1000).integers(0, len(output) + 1, 2))
    start, end = (start, end) if start < end else (0, len(output))
    words = output[start:end][::-1]
    changed = output[:start] + words + output[end:]
    assert BeamTable(output, reference).distance_after(start, words) == BeamTable(changed, reference).distance


@pytest.mark.parametrize("seed", range(15))
def test_no_way_leaves_the_beam_where_rows_are_far_apart(seed: int) -> None:
    rng = np.random.default_rng(seed)
    output, reference = ("".join(rng.choice(list("abcdef"), size)) for size in (4, 187))
    for start in range(4):
        words = output[start:3][::-1]
        changed = output[:start] + words + output[3:]
        assert BeamTable(output, reference).distance_after(start, words) == BeamTable(changed, reference).distance


@pytest.mark.parametrize("seed", range(15))
def test_words_without_error_are_the_same_in_both_texts(seed: int) -> None:
    output, reference = random_pair(seed)
    table = BeamTable(output, reference)
    _, output_errors, reference_errors = table.alignment()
    kept = [word for word, error in zip(output, output_errors, strict=True) if not error]
    assert kept == [word for word, error in zip(reference, reference_errors, strict=True) if not error]
    errors = sum(output_errors), sum(reference_errors)
    assert max(errors) <= table.distance <= sum(errors)


@pytest.mark.parametrize(("output", "reference", "ends", "output_errors", "reference_errors"), [
    ("aab", "ab", [2, 3], [True, False, False], [False, False]),
    ("ab", "aab", [0, 1, 2], [False, False], [True, False, False]),
    ("axb", "ayb", [1, 2, 3], [False, True, False], [False, True, False]),
    ("xa", "ay", [1, 2], [True, True], [True, True]),
])  # fmt: skip
def test_of_equally_cheap_ways_one_that_ends_in_a_match_or_substitution_is_taken(
    output, reference, ends, output_errors, reference_errors
) -> None:
    assert BeamTable(output, reference).alignment() == (ends, output_errors, reference_errors)


def test_equal_texts_align_word_by_word_without_errors() -> None:
    ends, output_errors, reference_errors = BeamTable("abcd", "abcd").alignment()
    assert ends == [1, 2, 3, 4] and not any(output_errors + reference_errors)
