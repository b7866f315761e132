"""METEOR's tables, compiled once into a file that every process memory-maps."""

from __future__ import annotations

import hashlib
import logging
import tempfile
import threading
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from rainbow.base.files import write_atomically
from rainbow.base.lazy import platformdirs
from rainbow.base.native import compiled
from rainbow.metrics.word.meteor.languages import ENGLISH_PARAMETERS
from rainbow.metrics.word.meteor.normalisation import meteor_words
from rainbow.metrics.word.meteor.table_compiler import SECTIONS, compile_tables
from rainbow.programs.meteor_program import JAR, PARAPHRASES, meteor_file, meteor_sha256

# Changes with the layout of the file: an older one is simply not looked at.
MAGIC = b"rbmeteo1"
HASH = 32  # bytes of a SHA-256
HEADER = len(MAGIC) + 2 * HASH + 8 * len(SECTIONS)

Numbers = NDArray[np.uint32]

_LOG = logging.getLogger(__name__)
_lock = threading.Lock()
_tables: Tables | None = None


class Tables:
    """Validated METEOR tables, with the sections of `compile_tables` as attributes."""

    parameters = ENGLISH_PARAMETERS

    def __init__(self, arrays: Mapping[str, Numbers]) -> None:
        # Plain arrays: of memmap every single element asked for makes an object.
        self.arrays = {name: np.asarray(array) for name, array in arrays.items()}
        _check_tables(self.arrays)
        self._native: compiled.MeteorTables | None = None
        self.words = self.arrays["word_bytes"].view(np.uint8)
        self.prefixes = frozenset(map(self.word, self.arrays["prefixes"].tolist()))
        self.numeric_prefixes = frozenset(map(self.word, self.arrays["numeric_prefixes"].tolist()))
        self.function_words = frozenset(map(self.word, self.arrays["function_words"].tolist()))

    def word(self, number: int) -> str:
        """Return the word with this number."""
        return self._bytes(number).decode()

    def find(self, word: str) -> int | None:
        """Return the number of a word; None if it is not in the tables."""
        wanted = word.encode("utf-8", "surrogatepass")
        words = range(len(self.arrays["word_starts"]) - 1)
        number = bisect_left(words, wanted, key=self._bytes)
        return number if number < len(words) and self._bytes(number) == wanted else None

    def row(self, name: str, starts: str, place: int) -> list[int]:
        """Return one row of a table, delimited by the offsets in `starts`."""
        begin, end = self.arrays[starts][place : place + 2]
        numbers: list[int] = self.arrays[name][begin:end].tolist()
        return numbers

    def child(self, node: int, word: int) -> int | None:
        """Return the phrase node reached by adding a word; None if no phrase continues so."""
        begin, end = self.arrays["node_children"][node : node + 2]
        place = int(begin + np.searchsorted(self.arrays["node_words"][begin:end], word))
        return place if place < end and self.arrays["node_words"][place] == word else None

    def native(self) -> compiled.MeteorTables:
        """Return the tables for the compiled kernels, sharing their memory."""
        if self._native is None:
            self._native = compiled.MeteorTables([self.arrays[name] for name in SECTIONS])
        return self._native

    def split(self, text: str) -> list[str]:
        """Return the words of a text as METEOR splits it."""
        return meteor_words(text, self.prefixes, self.numeric_prefixes)

    def _bytes(self, number: int) -> bytes:
        begin, end = self.arrays["word_starts"][number : number + 2]
        return self.words[begin:end].tobytes()


def meteor_tables() -> Tables:
    """Return METEOR's tables, compiling them into the user's cache on first use (some seconds)."""
    global _tables
    with _lock:
        if _tables is None:
            folder = platformdirs.user_cache_path("rainbow-nlg") / "meteor"
            _tables = open_tables(meteor_file(JAR), meteor_file(PARAPHRASES), folder)
    return _tables


def open_tables(jar: Path, paraphrases: Path, folder: Path) -> Tables:
    """Return the tables of these sources from `folder`, recompiling a missing or damaged file."""
    sources = hashlib.sha256(f"{meteor_sha256(jar)} {meteor_sha256(paraphrases)}".encode())
    path = folder / f"{MAGIC.decode()}-{sources.hexdigest()[:16]}.bin"
    if result := _read_valid_table(path, sources.digest()):
        return result
    with _compile_lock(path):
        return _read_valid_table(path, sources.digest()) or _write_tables(
            path, compile_tables(jar, paraphrases), sources.digest()
        )


def _read_valid_table(path: Path, sources: bytes) -> Tables | None:
    try:
        return _read_tables(path, sources)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        _LOG.warning("%s is compiled again: %s", path, error)
    return None


@contextmanager
def _compile_lock(path: Path) -> Iterator[None]:
    """Lock a writable folder so that only one process compiles; log if this one has to wait."""
    from filelock import FileLock, Timeout

    lock = FileLock(path.with_suffix(".lock"))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except Timeout:
        _LOG.warning("another process is compiling METEOR's tables into %s: waiting for it", path)
        lock.acquire()
    except OSError as error:
        _LOG.info("cannot create a lock in %s: %s", path.parent, error)
    try:
        yield
    finally:
        lock.release()


def _write_tables(path: Path, arrays: Mapping[str, Numbers], sources: bytes) -> Tables:
    """Write and map the tables: at the path, else in a temporary file that goes with them, else in memory."""
    tables = [arrays[name].astype("<u4", copy=False).data for name in SECTIONS]
    content = hashlib.sha256()
    for table in tables:
        content.update(table)
    sizes = np.array([len(arrays[name]) for name in SECTIONS], dtype="<u8").tobytes()
    parts: list[Any] = [MAGIC + sources + content.digest() + sizes, *tables]

    def write(part: Path) -> None:
        with part.open("wb") as stream:
            stream.writelines(parts)

    try:
        return _read_tables(write_atomically(path, write), sources)
    except (OSError, ValueError) as error:
        _LOG.info("METEOR's tables cannot be stored in %s: %s", path.parent, error)
    try:
        with tempfile.TemporaryFile() as stream:
            stream.writelines(parts)
            stream.flush()
            return _read_tables(stream, sources)
    except (OSError, ValueError) as error:
        _LOG.info("METEOR's tables cannot be stored in a temporary file: %s", error)
    return Tables(arrays)


def _read_tables(file: Path | IO[bytes], sources: bytes) -> Tables:
    mapped = np.memmap(file, dtype=np.uint8, mode="r")
    if len(mapped) < HEADER:
        raise ValueError("it is truncated")
    header = mapped[:HEADER].tobytes()
    body = mapped[HEADER:]
    if header[: len(MAGIC) + HASH] != MAGIC + sources:
        raise ValueError("it was compiled from other files")
    if hashlib.sha256(body.data).digest() != header[len(MAGIC) + HASH : len(MAGIC) + 2 * HASH]:
        raise ValueError("its checksum does not match its content")
    sizes = np.frombuffer(header[len(MAGIC) + 2 * HASH :], dtype="<u8").tolist()
    if 4 * sum(sizes) != len(body):
        raise ValueError("its tables do not have the declared lengths")
    cuts = np.cumsum([0, *sizes]).tolist()
    numbers = body.view("<u4")
    return Tables({name: numbers[a:b] for name, a, b in zip(SECTIONS, cuts[:-1], cuts[1:], strict=True)})


def _check_tables(tables: Mapping[str, Numbers]) -> None:
    """Check that every number is a valid index, so that scoring needs no checks."""
    words, nodes = len(tables["word_starts"]) - 1, len(tables["node_words"])
    if words < 0 or nodes < 1:
        raise ValueError("there are no words")
    for name, begin, last in (
        ("word_starts", 0, 4 * len(tables["word_bytes"])),
        ("sense_starts", 0, len(tables["senses"])),
        ("lemma_starts", 0, len(tables["lemmas"])),
        ("node_children", 1, nodes),
        ("node_pairs", 0, len(tables["pairs"])),
    ):
        rows = tables[name]
        size = nodes if name.startswith("node") else words
        if len(rows) != size + 1 or rows[0] != begin or rows[-1] > last or (rows[1:] < rows[:-1]).any():
            raise ValueError(f"{name} is not sorted")
    for name, limit in (("function_words", words), ("prefixes", words), ("numeric_prefixes", words), ("lemmas", words)):
        if len(tables[name]) and int(tables[name].max()) >= limit:
            raise ValueError(f"{name} refers to a word that does not exist")
    if len(tables["pairs"]) and int(tables["pairs"].max()) >= nodes:
        raise ValueError("pairs refers to a phrase that does not exist")
