"""Stanza's constituency parser: log probabilities of parser transitions."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rainbow.base.caching import TextCache
from rainbow.base.lazy import torch
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


def parse_with_stanza(texts: Sequence[str]) -> list[tuple[Parse, ...] | None]:
    """Return the log probability of the parser's transitions for every sentence of each text."""
    if missing := stanza_unavailable_reason():
        raise RuntimeError(missing)
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
