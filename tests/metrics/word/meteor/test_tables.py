"""The file of METEOR's tables survives damage, company and a folder it cannot be written to."""

import gzip
import logging
import multiprocessing
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rainbow.base.native import kernels
from rainbow.metrics.word.meteor import table_compiler
from rainbow.metrics.word.meteor import tables as module
from rainbow.metrics.word.meteor.table_compiler import SECTIONS
from rainbow.metrics.word.meteor.tables import HEADER, Tables, meteor_tables, open_tables
from rainbow.programs.meteor_program import JAR, meteor_file
from tests.metrics.word.meteor.conftest import Pairs, write_paraphrases

pytestmark = pytest.mark.once

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
