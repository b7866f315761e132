"""The original METEOR 1.5 inside this process, the reference for our implementation."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from rainbow.programs.jvm import attach_java
from rainbow.programs.meteor_files import JAR, PARAPHRASES, meteor_file

ScoreText = Callable[[str, Sequence[str]], float]

_lock = threading.Lock()


@contextmanager
def meteor_program() -> Iterator[ScoreText]:
    """Yield METEOR 1.5 (English, `-norm`) as a function of an output and references."""
    # The program finds its files on Java's own class path alone, and that is settled when Java starts.
    os.environ.setdefault("CLASSPATH", str(meteor_file(JAR)))
    with attach_java(meteor_file(JAR)) as jpype, _lock:
        yield lambda output, references: float(_segment_statistics(jpype, output, references).score)


def meteor_program_corpus_score(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return the program's corpus score, from the sums of its statistics."""
    with meteor_program(), attach_java(meteor_file(JAR)) as jpype:
        sums = jpype.JClass("edu.cmu.meteor.scorer.MeteorStats")()
        for output, texts in zip(outputs, references, strict=True):
            sums.addStats(_segment_statistics(jpype, output, texts))
        _new_scorer(jpype).computeMetrics(sums)
        return float(sums.score)


def _segment_statistics(jpype: Any, output: str, references: Sequence[str]) -> Any:
    texts = jpype.JClass("java.util.ArrayList")()
    for reference in references:
        texts.add(reference)
    return _new_scorer(jpype).getMeteorStats(output, texts)


@cache
def _new_scorer(jpype: Any) -> Any:
    configuration = jpype.JClass("edu.cmu.meteor.scorer.MeteorConfiguration")()
    configuration.setLanguage("en")
    configuration.setNormalization(jpype.JClass("edu.cmu.meteor.util.Constants").NORMALIZE_KEEP_PUNCT)  # -norm
    configuration.setParaFileURL(jpype.JClass("java.io.File")(str(meteor_file(PARAPHRASES))).toURI().toURL())
    return jpype.JClass("edu.cmu.meteor.scorer.MeteorScorer")(configuration)
