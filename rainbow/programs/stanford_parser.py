"""The Stanford parser inside this process: parse probabilities and trees."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from rainbow.base.caching import TextCache
from rainbow.base.downloads import locate_file, missing_files
from rainbow.programs.bundles import GRAMMAR, bundle_files
from rainbow.programs.jvm import Java, attach_java, java_string, java_unavailable_reason, map_in_threads

# Time grows with the cube of a sentence's length, memory with its square: of 100 tokens some 5 s and 270 MB.
LONGEST_SENTENCE = 100  # tokens
LONGEST_TEXT = 1000  # tokens
LONGEST_STRING = 10_000  # characters: some long runs of signs take the tokenizer time that grows with their square

# Sentences parsed concurrently in all threads; Java's 2 GB suffice for this number.
AT_ONCE = 4

_lock = threading.Lock()
_turn = threading.BoundedSemaphore(AT_ONCE)
_parser: Any = None


class Parse(NamedTuple):
    """Best parse of a sentence: natural log probability of words and tree, and number of tokens."""

    log_probability: float
    tokens: int


Found = TypeVar("Found")

_remembered = TextCache[str, tuple[Parse, ...] | None](50_000)
_remembered_trees = TextCache[str, tuple[str, ...] | None](50_000)


def parser_unavailable_reason() -> str | None:
    """Return what is missing to run the parser and how to fix it; None if nothing."""
    return java_unavailable_reason() or missing_files(bundle_files("parser"))


def parse_texts(texts: Sequence[str], threads: int = 1) -> list[tuple[Parse, ...] | None]:
    """Return the best parse of every sentence of each text; None for a text that cannot be parsed."""
    extract = partial(_parse_all, lambda query, tokens: Parse(float(query.getPCFGScore()), tokens), threads=threads)
    return _remembered.get_or_compute(texts, extract)


def parse_trees(texts: Sequence[str], threads: int = 1) -> list[tuple[str, ...] | None]:
    """Return the bracketed best tree of every sentence of each text; None if it cannot be parsed."""
    extract = partial(_parse_all, lambda query, tokens: str(query.getBestPCFGParse().toString()), threads=threads)
    return _remembered_trees.get_or_compute(texts, extract)


def _parse_all(
    extract: Callable[[Any, int], Found], texts: Sequence[str], threads: int
) -> list[tuple[Found, ...] | None]:
    parse = partial(_parse_text, extract=extract)
    return map_in_threads(parse, texts, threads=min(threads, AT_ONCE), prepare=_borrow_parser)


def _parse_text(text: str, extract: Callable[[Any, int], Found]) -> tuple[Found, ...] | None:
    """Return `extract(parse)` for the best parse of every sentence."""
    if not text or len(text) > LONGEST_STRING:
        return None if text else ()
    parses: list[Found] = []
    tokens = 0
    with _turn, _borrow_parser() as (jpype, parser):
        for sentence in _split_sentences(jpype, text):
            tokens += len(sentence)
            if len(sentence) > LONGEST_SENTENCE or tokens > LONGEST_TEXT:
                return None
            query = parser.parserQuery()
            if not query.parse(sentence):
                if query.parseNoMemory():
                    too_little = "Java was started by other code with too little memory for the parser"
                    raise RuntimeError(f"{too_little}: start it with -Xmx2G")
                return None
            parses.append(extract(query, len(sentence)))
    return tuple(parses)


def _split_sentences(jpype: Java, text: str) -> Iterator[Any]:
    """Split into sentences and tokens as the parser's command line does, without its warnings."""
    reader = jpype.JClass("java.io.StringReader")(java_string(text))
    document = jpype.JClass("edu.stanford.nlp.process.DocumentPreprocessor")(reader)
    labels = jpype.JClass("edu.stanford.nlp.process.CoreLabelTokenFactory")()
    tokenizers = jpype.JClass("edu.stanford.nlp.process.PTBTokenizer")
    document.setTokenizerFactory(tokenizers.factory(labels, "untokenizable=noneDelete"))
    yield from document


@contextmanager
def _borrow_parser() -> Iterator[tuple[Java, Any]]:
    """Lend Java and the parser to this thread; the grammar is loaded on first use."""
    global _parser
    if _parser is None and (missing := parser_unavailable_reason()):
        raise RuntimeError(missing)
    with attach_java(*(locate_file(file) for file in bundle_files("parser") if file != GRAMMAR)) as jpype:
        with _lock:
            if _parser is None:
                _parser = _load_parser(jpype, locate_file(GRAMMAR))
        yield jpype, _parser


def _load_parser(jpype: Java, grammar: Path) -> Any:
    # Given a path, the parser prints it and how long it takes; and Java does not find every name of a folder.
    content = jpype.JArray(jpype.JByte)(grammar.read_bytes())
    unpacked = jpype.JClass("java.util.zip.GZIPInputStream")(jpype.JClass("java.io.ByteArrayInputStream")(content))
    objects = jpype.JClass("java.io.ObjectInputStream")(jpype.JClass("java.io.BufferedInputStream")(unpacked))
    return jpype.JClass("edu.stanford.nlp.parser.lexparser.LexicalizedParser").loadModel(objects)
