"""Compilation of METEOR's own files: words, synonyms, abbreviations and paraphrases."""

from __future__ import annotations

import gzip
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import IntArray
from rainbow.base.native import compiled, kernels

# In the order of the file; numbers of words are places in the sorted list of words.
SECTIONS = (
    *("word_starts", "word_bytes", "function_words", "prefixes", "numeric_prefixes"),
    *("sense_starts", "senses", "lemma_starts", "lemmas"),
    *("node_words", "node_children", "node_pairs", "pairs"),
)

CHUNK_SIZE = 1 << 20  # bytes read at a time
# Makes the tables of the phrases, given the numbers of their words.
Tree = Callable[[IntArray], Mapping[str, IntArray]]


def compile_tables(jar: Path, paraphrases: Path) -> dict[str, NDArray[np.uint32]]:
    """Return every table as an array of 32-bit integers, by the names in :data:`SECTIONS`."""
    phrase_words, tree = (_read_paraphrases_compiled if kernels() else _read_paraphrases_python)(paraphrases)
    with zipfile.ZipFile(jar) as archive:
        synonyms = _synonym_entries(archive, "synsets")
        exceptions = _synonym_entries(archive, "exceptions")
        irregular = [(form, lemma) for lemma, forms in exceptions for form in forms.split()]
        function = archive.read("function/english.words").split()
        prefixes, numeric = _read_prefixes(archive)
    words = sorted({*phrase_words, *function, *prefixes, *numeric, *dict(synonyms), *chain.from_iterable(irregular)})
    number = {word: place for place, word in enumerate(words)}
    senses = [(number[word], int(sense)) for word, sets in synonyms for sense in sets.split()]
    lemmas = [(number[form], number[lemma]) for form, lemma in irregular]
    tables = {
        **dict(zip(("word_starts", "word_bytes"), _pool_words(words), strict=True)),
        **{"function_words": _word_numbers(function, number), "prefixes": _word_numbers(prefixes, number)},
        "numeric_prefixes": _word_numbers(numeric, number),
        **dict(zip(("sense_starts", "senses"), _group_pairs(senses, len(words)), strict=True)),
        **dict(zip(("lemma_starts", "lemmas"), _group_pairs(lemmas, len(words)), strict=True)),
        **tree(_map_values(phrase_words, number.__getitem__)),
    }
    return {name: np.ascontiguousarray(tables[name], dtype=np.uint32) for name in SECTIONS}


def _read_paraphrases_compiled(path: Path) -> tuple[list[bytes], Tree]:
    """Read the file in chunks; return the phrase words and a function that builds the phrase tree."""
    phrases = compiled.MeteorParaphrases()
    with gzip.open(path) as file:
        while part := file.read(CHUNK_SIZE):
            phrases.add(part)
    try:
        return phrases.words(), phrases.tree
    except ValueError as error:
        raise ValueError(f"{path} is not a paraphrase table: {error}") from None


def _read_paraphrases_python(path: Path) -> tuple[list[bytes], Tree]:
    """Return the same with plain Python."""
    left, right = _phrase_pairs(path)
    phrases = sorted({*left, *right})
    return b" ".join(phrases).split(b" "), lambda numbers: _build_tree(phrases, numbers, left, right)


def _phrase_pairs(path: Path) -> tuple[list[bytes], list[bytes]]:
    with gzip.open(path) as file:
        lines = file.read().split(b"\n")
    if len(lines) % 3 != 1:
        raise ValueError(
            f"{path} is not a paraphrase table: each entry needs three lines, a probability and two phrases"
        )
    return lines[1::3], lines[2::3]


def _synonym_entries(archive: zipfile.ZipFile, name: str) -> list[tuple[bytes, bytes]]:
    lines = archive.read(f"synonym/english.{name}").split(b"\n")
    return list(zip(lines[0:-1:2], lines[1::2], strict=False))


def _read_prefixes(archive: zipfile.ZipFile) -> tuple[list[bytes], list[bytes]]:
    lines = archive.read("nonbreaking/english.prefixes").split(b"\n")
    results = [line.strip() for line in lines if line.strip() and not line.startswith(b"#")]
    numeric = [re.split(rb"\s", line)[0] for line in results if b"#NUMERIC_ONLY#" in line]
    return [line for line in results if b"#" not in line], numeric


def _map_values(values: Sequence[bytes], place: Callable[[bytes], int]) -> IntArray:
    return np.fromiter(map(place, values), dtype=np.uint32, count=len(values))


def _word_numbers(words: Iterable[bytes], number: dict[bytes, int]) -> IntArray:
    return np.array(sorted({number[word] for word in words}), dtype=np.uint32)


def _pool_words(words: Sequence[bytes]) -> tuple[IntArray, IntArray]:
    text = b"".join(words)
    starts = np.concatenate([[0], np.cumsum([len(word) for word in words])])
    return starts, np.frombuffer(text + b"\0" * (-len(text) % 4), dtype="<u4")


def _group_pairs(pairs: Sequence[tuple[int, int]], count: int) -> tuple[IntArray, IntArray]:
    """Return the second value of each pair, grouped by the first, and the start of each group."""
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    order = np.argsort(first, kind="stable")
    return np.concatenate([[0], np.cumsum(np.bincount(first, minlength=count))]), second[order]


def _build_tree(phrases: list[bytes], words: IntArray, left: list[bytes], right: list[bytes]) -> dict[str, IntArray]:
    lengths = np.fromiter((phrase.count(b" ") + 1 for phrase in phrases), dtype=np.int64, count=len(phrases))
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    levels: list[IntArray] = []  # for each depth the last words of its nodes
    parents: list[IntArray] = [np.zeros(0, dtype=np.int64)]
    above = np.zeros(len(phrases), dtype=np.int64)  # the node of each phrase at the depth before
    node = np.zeros(len(phrases), dtype=np.int64)  # the node of each whole phrase
    total = 1
    for depth in range(int(lengths.max(initial=0))):
        long = lengths > depth
        word, parent = words[starts[long] + depth], above[long]
        # Phrases are sorted, so those that share a node at this depth stand together.
        new = np.ones(len(word), dtype=bool)
        new[1:] = (word[1:] != word[:-1]) | (parent[1:] != parent[:-1])
        above[long] = total - 1 + np.cumsum(new)
        node[long & (lengths == depth + 1)] = above[long & (lengths == depth + 1)]
        levels.append(word[new])
        parents.append(parent[new])
        total += int(new.sum())
    number = dict(zip(phrases, node.tolist(), strict=True))
    first, second = _map_values(left, number.__getitem__), _map_values(right, number.__getitem__)
    order = np.argsort(first, kind="stable")
    return {
        "node_words": np.concatenate([np.zeros(1, dtype=np.uint32), *levels]),
        "node_children": 1 + np.concatenate([[0], np.cumsum(np.bincount(np.concatenate(parents), minlength=total))]),
        "node_pairs": np.concatenate([[0], np.cumsum(np.bincount(first, minlength=total))]),
        "pairs": second[order],
    }
