"""Parse probabilities by other parsers than Stanford's own: stanza, and the CoreNLP server through its client."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rainbow.base.caching import TextCache
from rainbow.base.downloads import locate_file, missing_files
from rainbow.base.lazy import torch
from rainbow.programs.bundles import GRAMMAR, bundle_files
from rainbow.programs.jvm import java_string
from rainbow.programs.stanford_parser import LONGEST_SENTENCE, LONGEST_STRING, LONGEST_TEXT, Parse

PROCESSORS = "tokenize,pos,constituency"

_lock = threading.Lock()
_remembered = TextCache[str, tuple[Parse, ...] | None](50_000)


def stanza_unavailable_reason() -> str | None:
    """Return what is missing to run stanza's parser and how to fix it; None if nothing."""
    if find_spec("stanza") is None:
        return "stanza is not installed: pip install 'rainbow-nlg[stanza]'"
    if not _model_files():
        how = f"import stanza; stanza.download('en', processors='{PROCESSORS}')"
        return f'its models are missing: python -c "{how}"'
    return None


def models_digest() -> str:
    """Return the first 12 hexadecimal digits of the models' SHA-256 (``none`` without them)."""
    return _digest(tuple(_model_files()))


def parse_with_stanza(texts: Sequence[str], _threads: int = 1) -> list[tuple[Parse, ...] | None]:
    """Return the log probability of the parser's transitions for every sentence, in as many threads as PyTorch has."""
    with _lock:
        return _remembered.get_or_compute(texts, lambda new: [_parse(text) for text in new])


def with_log_probabilities(model: Any) -> Callable[[list[Any]], tuple[Any, list[Any], Any]]:
    """Return the model's transition choice with log probabilities instead of raw scores.

    Shapes: model (states, transitions).
    """

    def choose(states: list[Any]) -> tuple[Any, list[Any], Any]:
        logits, transitions, scores = model.predict(states)
        return logits, transitions, scores - torch.logsumexp(logits, dim=1)

    return choose


def _parse(text: str) -> tuple[Parse, ...] | None:
    if not text.strip() or len(text) > LONGEST_STRING:
        return None if text.strip() else ()
    pipeline = _load_pipeline()
    processor = pipeline.processors["constituency"]
    model, size = processor._model, processor._batch_size
    sentences = pipeline(text, processors="tokenize,pos").sentences
    words = [[(word.text, word.xpos if model.uses_xpos() else word.upos) for word in s.words] for s in sentences]
    if any(len(sentence) > LONGEST_SENTENCE for sentence in words) or sum(map(len, words)) > LONGEST_TEXT:
        return None
    parsed = model.parse_sentences_no_grad(
        iter(words), model.build_batch_from_tagged_words, size, with_log_probabilities(model), keep_scores=True
    )
    if len(parsed) != len(words):  # a sentence for which no transition was left
        return None
    values = [float(one.predictions[0].score) for one in parsed]
    return tuple(Parse(value, len(sentence)) for value, sentence in zip(values, words, strict=True))


@cache
def _load_pipeline() -> Any:
    import stanza

    pipeline = stanza.Pipeline("en", processors=PROCESSORS, download_method=None, verbose=False)
    pipeline.processors["constituency"]._model.eval()
    return pipeline


def _model_files() -> list[Path]:
    if find_spec("stanza") is None:
        return []
    from stanza.resources.common import DEFAULT_MODEL_DIR

    folder = os.environ.get("STANZA_RESOURCES_DIR") or DEFAULT_MODEL_DIR
    return sorted(Path(folder, "en", "constituency").glob("*.pt"))


@cache
def _digest(files: tuple[Path, ...]) -> str:
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:12] if files else "none"


# Tokens as the grammar was learned from, and as the parser's own release has them.
OPTIONS = "ptb3Escaping=true,untokenizable=noneDelete"
TIMEOUT = 300_000  # milliseconds for one text: far more than the bounds on its length allow

_remembered_on_server = TextCache[str, tuple[Parse, ...] | None](50_000)


def corenlp_unavailable_reason() -> str | None:
    """Return what is missing to run CoreNLP and how to fix it; None if nothing."""
    if find_spec("stanza") is None:
        return "stanza is not installed: pip install 'rainbow-nlg[stanza]'"
    if shutil.which("java") is None:
        return "Java was not found: apt-get install default-jre-headless"
    return missing_files(bundle_files("corenlp"))


def parse_with_corenlp(texts: Sequence[str], threads: int = 1) -> list[tuple[Parse, ...] | None]:
    """Return the best parse of every sentence of each text."""
    return _remembered_on_server.get_or_compute(texts, partial(_parse_all, threads=threads))


def _parse_all(texts: Sequence[str], threads: int) -> list[tuple[Parse, ...] | None]:
    short = [text for text in texts if text.strip() and len(text) <= LONGEST_STRING]
    result: dict[str, tuple[Parse, ...] | None] = {text: None if text.strip() else () for text in texts}
    if short:
        with _start_server(threads) as client, ThreadPoolExecutor(threads) as pool:
            result |= zip(short, pool.map(partial(_parse_on_server, client), short), strict=True)
    return [result[text] for text in texts]


def _parse_on_server(client: Any, text: str) -> tuple[Parse, ...] | None:
    sentences = client.annotate(java_string(text)).sentence
    lengths = [len(sentence.token) for sentence in sentences]
    # A sentence without a parse gets a flat tree, which has no score.
    if sum(lengths) > LONGEST_TEXT or not all(sentence.parseTree.score for sentence in sentences):
        return None
    return tuple(Parse(sentence.parseTree.score, length) for sentence, length in zip(sentences, lengths, strict=True))


@contextmanager
def _start_server(threads: int) -> Iterator[Any]:
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
