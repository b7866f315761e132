"""Stanford CoreNLP server with the Stanford parser's grammar, through stanza's client."""

from __future__ import annotations

import logging
import shutil
import socket
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rainbow.base.caching import TextCache
from rainbow.base.downloads import locate_file, missing_files
from rainbow.programs.bundles import GRAMMAR, bundle_files
from rainbow.programs.jvm import java_string
from rainbow.programs.stanford_parser import LONGEST_SENTENCE, LONGEST_STRING, LONGEST_TEXT, Parse

# Tokens as the grammar was learned from, and as the parser's own release has them.
OPTIONS = "ptb3Escaping=true,untokenizable=noneDelete"
TIMEOUT = 300_000  # milliseconds for one text: far more than the bounds on its length allow

_remembered = TextCache[str, tuple[Parse, ...] | None](50_000)


def corenlp_unavailable_reason() -> str | None:
    """Return what is missing to run CoreNLP and how to fix it; None if nothing."""
    if find_spec("stanza") is None:
        return "stanza is not installed: pip install 'rainbow-nlg[stanza]'"
    if shutil.which("java") is None:
        return "Java was not found: apt-get install default-jre-headless"
    return missing_files(bundle_files("corenlp"))


def parse_with_corenlp(texts: Sequence[str], threads: int = 1) -> list[tuple[Parse, ...] | None]:
    """Return the best parse of every sentence of each text."""
    return _remembered.get_or_compute(texts, partial(_parse_all, threads=threads))


def _parse_all(texts: Sequence[str], threads: int) -> list[tuple[Parse, ...] | None]:
    short = [text for text in texts if text.strip() and len(text) <= LONGEST_STRING]
    result: dict[str, tuple[Parse, ...] | None] = {text: None if text.strip() else () for text in texts}
    if short:
        with _start_server(threads) as client, ThreadPoolExecutor(threads) as pool:
            result |= zip(short, pool.map(partial(_parse, client), short), strict=True)
    return [result[text] for text in texts]


def _parse(client: Any, text: str) -> tuple[Parse, ...] | None:
    sentences = client.annotate(java_string(text)).sentence
    lengths = [len(sentence.token) for sentence in sentences]
    # A sentence without a parse gets a flat tree, which has no score.
    if sum(lengths) > LONGEST_TEXT or not all(sentence.parseTree.score for sentence in sentences):
        return None
    return tuple(Parse(sentence.parseTree.score, length) for sentence, length in zip(sentences, lengths, strict=True))


@contextmanager
def _start_server(threads: int) -> Iterator[Any]:
    if missing := corenlp_unavailable_reason():
        raise RuntimeError(missing)
    from stanza.server import CoreNLPClient
    from stanza.server.client import AnnotationException, PermanentlyFailedException, TimeoutException

    logging.getLogger("stanza").setLevel(logging.WARNING)
    jars = [str(locate_file(file)) for file in bundle_files("corenlp") if file != GRAMMAR]
    try:
        with (
            TemporaryDirectory() as folder,
            CoreNLPClient(
                classpath=":".join(jars),
                properties=_write_properties(folder),
                endpoint=f"http://localhost:{_free_port()}",
                memory="2G",
                threads=threads,
                timeout=TIMEOUT,
                be_quiet=True,
            ) as client,
        ):
            yield client
    except (AnnotationException, PermanentlyFailedException, TimeoutException) as error:
        raise RuntimeError(f"the CoreNLP server failed: {error}") from error


def _write_properties(folder: str) -> str:
    """Write the server settings to a file, because stanza would write a dictionary to the working folder."""
    settings = {
        "annotators": "tokenize,parse",
        "parse.model": str(locate_file(GRAMMAR)),
        "parse.maxlen": str(LONGEST_SENTENCE),
        "parse.binaryTrees": "false",
        "tokenize.options": OPTIONS,
    }
    path = Path(folder, "corenlp.properties")
    path.write_text("".join(f"{name} = {value}\n" for name, value in settings.items()), encoding="utf-8")
    return str(path)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("", 0))
        return int(listener.getsockname()[1])
