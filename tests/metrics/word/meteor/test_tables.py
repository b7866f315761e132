"""Alignments and splitting by hand and against the program; the file of tables survives damage and company."""

import gzip
import logging
import multiprocessing
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rainbow.base.native import kernels
from rainbow.metrics.word.meteor import table_compiler
from rainbow.metrics.word.meteor import tables as module
from rainbow.metrics.word.meteor.alignment import (
    EXACT,
    PARAPHRASE,
    SYNONYM,
    Match,
    TooLongError,
    align_matches,
    find_matches,
)
from rainbow.metrics.word.meteor.normalisation import meteor_words
from rainbow.metrics.word.meteor.table_compiler import SECTIONS
from rainbow.metrics.word.meteor.tables import HEADER, Tables, meteor_tables, open_tables
from rainbow.programs.jvm import attach_java as run_java
from rainbow.programs.jvm import java_unavailable_reason
from rainbow.programs.meteor_program import JAR, meteor_file
from tests.metrics.word.meteor.conftest import Pairs, write_paraphrases

pytestmark = pytest.mark.once


def exact(output: str, reference: str) -> list[tuple[int, int]]:
    """Align letters by equality alone: (place in the reference, place in the output)."""
    found = [[Match(i, 1, j, 1, EXACT) for j, y in enumerate(output) if x == y] for i, x in enumerate(reference)]
    return [(match.start, match.other) for match in align_matches(found)]


@pytest.mark.parametrize(("output", "reference", "expected"), [
    ("ab", "ba", [(0, 1), (1, 0)]),  # most matches before fewest chunks
    ("ab", "aab", [(1, 0), (2, 1)]),  # fewest chunks
    ("aab", "ab", [(0, 1), (1, 2)]),
    ("aa", "a", [(0, 0)]),
    ("a", "aa", [(1, 0)]),  # of equals the first that was found, and distances count for later matches only
    ("xa", "aqa", [(0, 1)]),
    ("abaa", "abbabb", [(0, 0), (1, 1), (3, 2)]),
])  # fmt: skip
def test_equal_words_are_aligned(output: str, reference: str, expected: list[tuple[int, int]]) -> None:
    assert exact(output, reference) == expected


def test_a_single_synonym_is_not_worth_a_chunk_of_its_own() -> None:
    twice = [Match(0, 1, 0, 1, stage) for stage in (SYNONYM, PARAPHRASE)]
    assert align_matches([twice]) == []
    assert align_matches([twice, [Match(1, 1, 1, 1, EXACT)]]) == [twice[0], Match(1, 1, 1, 1, EXACT)]
    assert align_matches([twice[:1]]) == twice[:1]  # it is the only match these words have


def test_phrases_match_in_both_directions_of_the_table(small_tables: Callable[[Pairs], Tables]) -> None:
    tables = small_tables([("x x", "y"), ("y", "x x"), ("z", "x")])
    (found,) = find_matches(["x", "x"], ["y"], tables)
    assert found == [Match(0, 1, 0, 2, PARAPHRASE)] * 2
    assert find_matches(["z"], ["x"], tables) == [[Match(0, 1, 0, 1, PARAPHRASE)]]


def test_words_match_by_stem_and_as_synonyms(small_tables: Callable[[Pairs], Tables]) -> None:
    (found,) = find_matches(["inns", "hostel", "inn", "dog"], ["inn"], small_tables([("x", "y")]))
    assert [(match.other, match.stage) for match in found] == [(2, EXACT), (0, 1), (0, SYNONYM), (1, SYNONYM)]


@pytest.mark.parametrize(("word", "base"), [("men", "man"), ("cities", "metropolis"), ("was", "be"), ("boxes", "box")])
def test_forms_have_the_synonyms_of_their_words(small_tables: Callable[[Pairs], Tables], word: str, base: str) -> None:
    (found,) = find_matches([word], [base], small_tables([("x", "y")]))
    assert SYNONYM in [match.stage for match in found]


@pytest.mark.parametrize(("word", "base"), [("us", "u"), ("discuss", "discus"), ("was", "wa"), ("crossed", "cross")])
def test_no_other_form_is_tried(small_tables: Callable[[Pairs], Tables], word: str, base: str) -> None:
    (found,) = find_matches([word], [base], small_tables([("x", "y")]))
    assert SYNONYM not in [match.stage for match in found]


def test_too_many_matches_are_refused(small_tables: Callable[[Pairs], Tables]) -> None:
    tables = small_tables([("x", "y")])
    assert sum(map(len, find_matches(["q"] * 500, ["q"] * 500, tables))) == 250_000
    with pytest.raises(TooLongError):
        find_matches(["q"] * 501, ["q"] * 500, tables)


@pytest.mark.parametrize(("text", "words"), [
    ("", []),
    (" \x00 ", []),
    ("family-friendly o'neill", "family friendly o 'neill"),
    ("it 's 1990's dogs'", "it ' s 1990 's dogs '"),
    ("u.s. e.g. x.y", "us eg x.y"),
    ("The end. Of it", "the end . of it"),
    ("near x. and", "near x. and"),
    ("1,000 a,b ,1", "1,000 a , b , 1"),
    ("a--b ---", "a b --"),
    ("“so” ‘so’", "\" so \" ' so '"),
    ("£20–25 café!", "£ 20 - 25 café !"),
    ("a b c d", "a b c d"),
    ("wait... what", "wait ... what"),
])  # fmt: skip
def test_words_are_parted_by_rules(text: str, words: str) -> None:
    assert meteor_words(text) == (words.split(" ") if words else [])


def test_an_abbreviation_keeps_its_stop() -> None:
    assert meteor_tables().split("Mr. Smith. No. 5 No. x") == ["mr.", "smith", ".", "no.", "5", "no.", "x"]


@pytest.mark.xdist_group("meteor")
def test_any_text_is_parted_as_the_program_parts_it(java: str) -> None:
    if missing := java_unavailable_reason():
        pytest.skip(missing)
    tables, generator = meteor_tables(), random.Random(5)
    letters = [
        *"aabstTM59.,'-- \"`’“–—…!éßЯᴀ中&;#€$_😀", "Mr.", "No.", " no", "\n", "\t", "\x0b", "\x1c", "\u00a0", "\u2009",
    ]  # fmt: skip
    with run_java(meteor_file(JAR)) as jpype:
        program = jpype.JClass("edu.cmu.meteor.util.Normalizer")
        for _ in range(5000):
            text = "".join(generator.choices(letters, k=generator.randint(1, 14)))
            theirs = str(program.normalizeLine(text, 0, True)).lower()
            assert tables.split(text) == [word for word in theirs.split(" ") if word], repr(text)


PAIRS = (("b", "c d"), ("b", "a"), ("b e", "b"), ("é", "a b c d e f g"))


def paraphrases_of(tables: Tables, phrase: str) -> list[int]:
    return tables.row("pairs", "node_pairs", node(tables, phrase))


def node(tables: Tables, phrase: str) -> int:
    place = 0
    for word in phrase.split():
        number = tables.find(word)
        child = None if number is None else tables.child(place, number)
        assert child is not None, phrase
        place = child
    return place


def test_paraphrases_stand_in_the_order_of_their_source(small_tables: Callable[[Pairs], Tables]) -> None:
    tables = small_tables(PAIRS)
    assert paraphrases_of(tables, "b") == [node(tables, "c d"), node(tables, "a")]
    assert paraphrases_of(tables, "b e") == [node(tables, "b")]
    assert (paraphrases_of(tables, "é"), paraphrases_of(tables, "c")) == ([node(tables, "a b c d e f g")], [])


def test_words_are_found_and_others_are_not(small_tables: Callable[[Pairs], Tables]) -> None:
    tables = small_tables(PAIRS)
    for number in range(0, len(tables.arrays["word_starts"]) - 1, 997):
        assert tables.find(tables.word(number)) == number
    assert tables.find("no such word") is None and "the" in tables.function_words and "Mr" in tables.prefixes
    assert "No" in tables.numeric_prefixes


@pytest.mark.parametrize("place", [0, 60, HEADER - 1, -1])
def test_a_damaged_file_is_compiled_anew(tmp_path: Path, place: int) -> None:
    source = write_paraphrases(tmp_path / "p.gz", PAIRS)
    # Copies: what is mapped changes with the file.
    first = {name: array.copy() for name, array in open_tables(meteor_file(JAR), source, tmp_path).arrays.items()}
    (path,) = tmp_path.glob("*.bin")
    content = bytearray(path.read_bytes())
    content[place] ^= 255
    path.write_bytes(content)
    second = open_tables(meteor_file(JAR), source, tmp_path)
    assert all((first[name] == second.arrays[name]).all() for name in SECTIONS)
    content[place] ^= 255
    assert path.read_bytes() == bytes(content)


@pytest.mark.parametrize("size", [0, HEADER + 1000])
def test_a_file_cut_short_is_compiled_anew(tmp_path: Path, size: int) -> None:
    source = write_paraphrases(tmp_path / "p.gz", PAIRS)
    open_tables(meteor_file(JAR), source, tmp_path)
    (path,) = tmp_path.glob("*.bin")
    path.write_bytes(path.read_bytes()[:size])
    assert paraphrases_of(open_tables(meteor_file(JAR), source, tmp_path), "b")


def test_other_paraphrases_have_a_file_of_their_own(tmp_path: Path) -> None:
    for name, pairs in (("one", PAIRS), ("two", PAIRS[:1])):
        open_tables(meteor_file(JAR), write_paraphrases(tmp_path / name, pairs), tmp_path / "cache")
    assert len(list((tmp_path / "cache").glob("*.bin"))) == 2


def test_where_the_cache_cannot_be_written_a_temporary_file_serves(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    source = write_paraphrases(tmp_path / "p.gz", PAIRS)
    assert len(paraphrases_of(open_tables(meteor_file(JAR), source, tmp_path / "file" / "cache"), "b")) == 2


def test_processes_that_start_at_once_get_the_same_tables(tmp_path: Path) -> None:
    source = write_paraphrases(tmp_path / "p.gz", PAIRS)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        sizes = pool.starmap(size_of_tables, [(source, tmp_path / "cache")] * 2)
    assert len(set(sizes)) == len(list((tmp_path / "cache").glob("*.bin"))) == 1


def test_of_processes_that_start_at_once_one_compiles_and_the_others_say_that_they_wait(tmp_path: Path) -> None:
    source, compiled_by = write_paraphrases(tmp_path / "p.gz", PAIRS), tmp_path / "compiled"
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        waited = pool.starmap(waits, [(source, tmp_path / "cache", compiled_by)] * 4, chunksize=1)
    assert compiled_by.read_text() == "once\n" and 1 <= sum(waited) <= 3


def waits(source: Path, folder: Path, compiled_by: Path) -> bool:
    """Open the tables, compiling slowly; say whether a warning told of another process that compiles them."""
    told: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: told.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger(module.__name__).addHandler(handler)
    original = module.compile_tables

    def slowly(jar: Path, paraphrases: Path) -> dict[str, NDArray[np.uint32]]:
        with compiled_by.open("a") as file:
            file.write("once\n")
        time.sleep(2)
        return original(jar, paraphrases)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "compile_tables", slowly)
        open_tables(meteor_file(JAR), source, folder)
    return any("another process is compiling" in line for line in told)


@pytest.mark.skipif(kernels() is None, reason="the compiled kernels are not built")
@pytest.mark.parametrize("part", [1, 7, 1 << 20])
@pytest.mark.parametrize("pairs", [PAIRS, (("a b", "a b c"), ("a  b", ""), ("a b", "b a"), ("a!", "a b!"))])
def test_the_compiled_tree_is_that_of_its_twin(tmp_path, monkeypatch, pairs, part) -> None:
    monkeypatch.setattr(table_compiler, "CHUNK_SIZE", part)
    source, made = write_paraphrases(tmp_path / "p.gz", pairs), []
    for read in (table_compiler._read_paraphrases_compiled, table_compiler._read_paraphrases_python):
        phrase_words, tree = read(source)
        number = {word: place for place, word in enumerate(sorted(set(phrase_words)))}
        made.append(tree(np.array([number[word] for word in phrase_words], dtype=np.uint32)))
    found = {name: np.asarray(table).tolist() for name, table in made[0].items()}
    assert found == {name: np.asarray(table).tolist() for name, table in made[1].items()}


@pytest.mark.parametrize("content", ["0.5\na\n", "0.5\na\nb\n0.5\n"])
def test_a_table_of_paraphrases_that_is_cut_short_is_refused(tmp_path: Path, content: str) -> None:
    with gzip.open(tmp_path / "p.gz", "wt") as file:
        file.write(content)
    with pytest.raises(ValueError, match=r"p\.gz is not a paraphrase table: three"):
        open_tables(meteor_file(JAR), tmp_path / "p.gz", tmp_path)


def test_tables_are_plain_arrays(small_tables: Callable[[Pairs], Tables]) -> None:
    assert {type(array) for array in small_tables(PAIRS).arrays.values()} == {np.ndarray}


def size_of_tables(source: Path, folder: Path) -> int:
    return sum(len(array) for array in open_tables(meteor_file(JAR), source, folder).arrays.values())


@pytest.mark.parametrize("name", ["pairs", "lemmas", "node_children", "word_starts", "sense_starts", "function_words"])
def test_numbers_that_point_outside_are_refused(small_tables: Callable[[Pairs], Tables], name: str) -> None:
    arrays = dict(small_tables(PAIRS).arrays)
    arrays[name] = arrays[name].copy()
    arrays[name][-1] = 2**32 - 1
    with pytest.raises(ValueError, match=name):
        Tables(arrays)
    if compiled := kernels():
        with pytest.raises(ValueError, match="METEOR's tables"):
            compiled.MeteorTables([arrays[name] for name in SECTIONS])


def test_the_tables_of_a_process_are_opened_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = meteor_tables()
    monkeypatch.setattr(module, "open_tables", None)
    assert meteor_tables() is first and first.arrays["pairs"].dtype == np.uint32
