"""Edits with shifts are those of sacrebleu's translation edit rate; the beam table gives distances within its beam."""

import math
import random
from collections.abc import Callable, Iterable

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein
from sacrebleu.metrics.ter import TER

from rainbow.base.native import kernels
from rainbow.metrics import Batch
from rainbow.metrics.word.ter import shifts
from rainbow.metrics.word.ter.shifts import BeamTable, shift_edits

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


Pair = tuple[list[str], list[str]]
Count = Callable[[list[str], list[str]], int]


def compiled_edits(output: list[str], reference: list[str]) -> int:
    """Return the edits that the compiled kernel counts, from the rate that it gives."""
    compiled = kernels()
    if compiled is None:
        pytest.skip("the compiled kernels were not built")
    texts = Batch([" ".join(output)], [[" ".join(reference)]]).encoded(str.split, [0])
    return round(compiled.ter(*texts)[0, 0] * len(reference))


BOTH = pytest.mark.parametrize("count", [shift_edits, compiled_edits])

# Pairs where taking true distances for those within the beam gives other edits.
DISPLACED = (52, 593)


@pytest.mark.parametrize(("output", "reference", "expected"), [
    ("a b c", "a b c", 0),
    ("a b c", "a x c", 1),
    ("a c", "a b c", 1),
    ("a b c", "a c", 1),
    ("d e f a b c", "a b c d e f", 1),
    ("c a b", "a b d", 2),
    ("", "a b c", 3),
    ("x y z", "a b c d", 4),
])  # fmt: skip
@BOTH
def test_a_move_a_deletion_an_insertion_and_a_substitution_count_one(count, output, reference, expected) -> None:
    assert count(output.split(), reference.split()) == expected


def test_every_word_is_deleted_where_the_reference_is_empty() -> None:
    assert shift_edits(["a", "b"], []) == 2


@BOTH
def test_a_phrase_of_ten_words_moves_at_once_and_a_longer_one_in_two(count: Count) -> None:
    ten, more = [f"w{number}" for number in range(10)], ["v1", "v2", "v3"]
    rest = [f"r{number}" for number in range(20)]
    assert (count(ten + rest, rest + ten), count(ten + more + rest, rest + ten + more)) == (1, 2)


@BOTH
def test_a_word_moves_no_farther_than_fifty_words(count: Count) -> None:
    rest = [f"r{number}" for number in range(60)]
    assert (count(["a", *rest[:50]], [*rest[:50], "a"]), count(["a", *rest[:51]], [*rest[:51], "a"])) == (1, 2)


def disturbed(words: list[str], rng: random.Random, vocabulary: int) -> list[str]:
    """Delete, insert and move some words."""
    words = list(words)
    for _ in range(rng.randint(0, 10)):
        place = rng.randint(0, len(words))
        match rng.choice(["deletion", "insertion", "move"]):
            case "deletion":
                del words[place : place + 1]
            case "insertion":
                words.insert(place, str(rng.randrange(vocabulary)))
            case "move":
                size = rng.randint(1, 12)
                phrase, words = words[place : place + size], words[:place] + words[place + size :]
                goal = rng.randint(0, len(words))
                words[goal:goal] = phrase
    return words or ["x"]


def words_of(rng: random.Random, size: int, vocabulary: int) -> list[str]:
    return [str(rng.randrange(vocabulary)) for _ in range(size)]


def short_pair(seed: int) -> Pair:
    """Return a text of few different words, and one made of it."""
    rng = random.Random(seed)
    vocabulary = rng.choice([2, 3, 4, 6, 10])
    reference = words_of(rng, rng.randint(1, 14), vocabulary)
    return disturbed(reference, rng, vocabulary), reference


def long_pair(seed: int) -> Pair:
    """Return related or unrelated texts, some of them far apart in length."""
    rng = random.Random(seed)
    vocabulary = rng.choice([2, 3, 5, 10, 30, 100])
    sizes = rng.choice([(40, 40), (70, 70), (3, 200), (150, 30)])
    reference = words_of(rng, rng.randint(1, sizes[1]), vocabulary)
    if rng.random() < 0.6:
        return disturbed(reference, rng, vocabulary), reference
    return words_of(rng, rng.randint(1, sizes[0]), vocabulary + 2), reference


def displaced_pair(seed: int) -> Pair:
    """Return a text, and one made of it whose words stand so far behind that the beam matters."""
    rng = random.Random(seed)
    reference = words_of(rng, 100, 30)
    return disturbed([*reference[:3], *words_of(rng, 30, 30), *reference[3:]], rng, 30), reference


def wide_pair(seed: int) -> Pair:
    """Return a text, and one so much longer that the beam is wider than ever."""
    rng = random.Random(seed)
    vocabulary = rng.choice([2, 3, 5, 20])
    return words_of(rng, rng.randint(1, 5), vocabulary), words_of(rng, rng.randint(40, 400), vocabulary)


@pytest.mark.parametrize(("pair", "seeds"), [
    (short_pair, range(1000)),
    pytest.param(long_pair, range(40), marks=pytest.mark.slow),
    (displaced_pair, DISPLACED),
])  # fmt: skip
def test_edits_of_random_texts_are_those_of_sacrebleu(pair: Callable[[int], Pair], seeds: Iterable[int]) -> None:
    tool = TER()
    for seed in seeds:
        output, reference = pair(seed)
        expected = tool.sentence_score(" ".join(output), [" ".join(reference)]).num_edits
        assert shift_edits(output, reference) == expected, (output, reference)
        assert kernels() is None or compiled_edits(output, reference) == expected, (output, reference)


@pytest.mark.parametrize(
    ("pair", "count"), [(short_pair, 2000), (long_pair, 200), (displaced_pair, 60), (wide_pair, 200)]
)
def test_compiled_edits_are_those_of_the_twin(pair: Callable[[int], Pair], count: int) -> None:
    pairs = [pair(seed) for seed in range(count)]
    assert [compiled_edits(*texts) for texts in pairs] == [shift_edits(*texts) for texts in pairs]


def test_counting_every_move_in_the_table_gives_the_same_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [pair(seed) for seed in range(15) for pair in (short_pair, long_pair, displaced_pair)]
    quick = [shift_edits(*pair) for pair in pairs]
    monkeypatch.setattr(shifts, "_CELLS_PER_ROW", 0)
    assert [shift_edits(*pair) for pair in pairs] == quick


@BOTH
def test_more_distinct_words_than_letters_of_the_basic_plane_are_told_apart(count: Count) -> None:
    words = [str(number) for number in range(70_000)]
    assert count([*words[:-2], words[-1], words[-2]], words) == 1
    assert count([*words[:60_000], "other", *words[60_001:]], words) == 1


@BOTH
def test_random_texts_of_a_hundred_thousand_words_take_seconds(count: Count) -> None:
    rng = random.Random(1)
    output, reference = ([str(rng.randrange(1000)) for _ in range(100_000)] for _ in range(2))
    assert 90_000 < count(output, reference) <= 100_000 and count(output, reference[:5]) == 99_995
    assert 99_995 <= count(output[:5], reference) <= 100_000
