"""The Stanford parser inside this process: how probable the best parse of each sentence of a text is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from rainbow.base.fetched import locate_file, missing_files
from rainbow.base.caching import TextCache
from rainbow.programs.bundles import GRAMMAR, bundle
from rainbow.programs.jvm import Java, java, java_string, missing_java

# Time grows with the cube of a sentence's length, memory with its square: of 100 tokens some 5 s and 270 MB.
LONGEST_SENTENCE = 100  # tokens
LONGEST_TEXT = 1000  # tokens
LONGEST_STRING = 10_000  # characters: some long runs of signs take the tokenizer time that grows with their square

# So many sentences are parsed at once, in all threads of the process together: Java's 2 GB suffice for them.
AT_ONCE = 4

_lock = threading.Lock()
_turn = threading.BoundedSemaphore(AT_ONCE)
_parser: Any = None


class Parse(NamedTuple):
    """The best parse of a sentence: its natural-log probability (words and tree), and the number of tokens."""

    log_probability: float
    tokens: int


Found = TypeVar("Found")

_remembered = TextCache[str, tuple[Parse, ...] | None](50_000)
_remembered_trees = TextCache[str, tuple[str, ...] | None](50_000)


def missing_parser() -> str | None:
    """Say what this machine lacks to run the parser, and how to mend it; None if it lacks nothing."""
    return missing_java() or missing_files(bundle("parser"))


def parse_texts(texts: Sequence[str], threads: int = 1) -> list[tuple[Parse, ...] | None]:
    """Return the best parse of every sentence of each text; None where a text is not parsed."""
    return _remembered.of(texts, partial(_parsed, _score, threads=threads))


def parse_trees(texts: Sequence[str], threads: int = 1) -> list[tuple[str, ...] | None]:
    """Return the best tree of every sentence of each text in brackets; None where a text is not parsed."""
    return _remembered_trees.of(texts, partial(_parsed, _tree, threads=threads))


def _score(query: Any, tokens: int) -> Parse:
    return Parse(float(query.getPCFGScore()), tokens)


def _tree(query: Any, tokens: int) -> str:
    return str(query.getBestPCFGParse().toString())


def _parsed(take: Callable[[Any, int], Found], texts: Sequence[str], threads: int) -> list[tuple[Found, ...] | None]:
    with _loaded():  # in this thread, so that what is missing is told before any thread is started
        pass
    if threads <= 1 or len(texts) == 1:
        return [_parse(text, take) for text in texts]
    with ThreadPoolExecutor(min(threads, AT_ONCE, len(texts)), "parser") as pool:
        return list(pool.map(partial(_parse, take=take), texts))


def _parse(text: str, take: Callable[[Any, int], Found]) -> tuple[Found, ...] | None:
    """Return what is taken of the best parse of every sentence."""
    if not text or len(text) > LONGEST_STRING:
        return None if text else ()
    parses: list[Found] = []
    tokens = 0
    with _turn, _loaded() as (jpype, parser):
        for sentence in _sentences(jpype, text):
            tokens += len(sentence)
            if len(sentence) > LONGEST_SENTENCE or tokens > LONGEST_TEXT:
                return None
            query = parser.parserQuery()
            if not query.parse(sentence):
                _check_memory(query)
                return None
            parses.append(take(query, len(sentence)))
    return tuple(parses)


def _check_memory(query: Any) -> None:
    if query.parseNoMemory():
        raise RuntimeError(
            "Java, which other code has started, has too little memory for the parser: start it with -Xmx2G"
        )


def _sentences(jpype: Java, text: str) -> Iterator[Any]:
    """Split into sentences and tokens as the parser's own command does, without its warnings of odd characters."""
    reader = jpype.JClass("java.io.StringReader")(java_string(text))
    document = jpype.JClass("edu.stanford.nlp.process.DocumentPreprocessor")(reader)
    labels = jpype.JClass("edu.stanford.nlp.process.CoreLabelTokenFactory")()
    tokenizers = jpype.JClass("edu.stanford.nlp.process.PTBTokenizer")
    document.setTokenizerFactory(tokenizers.factory(labels, "untokenizable=noneDelete"))
    yield from document


@contextmanager
def _loaded() -> Iterator[tuple[Java, Any]]:
    """Lend Java and the parser to this thread; the grammar is loaded at the first use in the process."""
    global _parser
    if _parser is None and (lacking := missing_parser()):
        raise RuntimeError(lacking)
    with java(*(locate_file(file) for file in bundle("parser") if file != GRAMMAR)) as jpype:
        with _lock:
            if _parser is None:
                _parser = _load(jpype, locate_file(GRAMMAR))
        yield jpype, _parser


def _load(jpype: Java, grammar: Path) -> Any:
    # Given a path, the parser prints it and how long it takes; and Java does not find every name of a folder.
    content = jpype.JArray(jpype.JByte)(grammar.read_bytes())
    unpacked = jpype.JClass("java.util.zip.GZIPInputStream")(jpype.JClass("java.io.ByteArrayInputStream")(content))
    objects = jpype.JClass("java.io.ObjectInputStream")(jpype.JClass("java.io.BufferedInputStream")(unpacked))
    return jpype.JClass("edu.stanford.nlp.parser.lexparser.LexicalizedParser").loadModel(objects)
