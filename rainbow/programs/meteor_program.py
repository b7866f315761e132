"""METEOR 1.5 itself, called inside this process: what the package's own METEOR has to equal."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from rainbow.programs.jvm import java
from rainbow.programs.meteor_files import JAR, PARAPHRASES, meteor_file

ScoreText = Callable[[str, Sequence[str]], float]

_lock = threading.Lock()


@contextmanager
def meteor_program() -> Iterator[ScoreText]:
    """Lend METEOR 1.5 (English, `-norm`): a function that scores an output against references."""
    # The program finds its files on Java's own class path alone, and that is settled when Java starts.
    os.environ.setdefault("CLASSPATH", str(meteor_file(JAR)))
    with java(meteor_file(JAR)) as jpype, _lock:
        yield lambda output, references: float(_statistics(jpype, output, references).score)


def meteor_program_of_corpus(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return the program's score of a whole corpus, from the sums of its own statistics."""
    with meteor_program(), java(meteor_file(JAR)) as jpype:
        sums = jpype.JClass("edu.cmu.meteor.scorer.MeteorStats")()
        for output, texts in zip(outputs, references, strict=True):
            sums.addStats(_statistics(jpype, output, texts))
        _scorer(jpype).computeMetrics(sums)
        return float(sums.score)


def _statistics(jpype: Any, output: str, references: Sequence[str]) -> Any:
    texts = jpype.JClass("java.util.ArrayList")()
    for reference in references:
        texts.add(reference)
    return _scorer(jpype).getMeteorStats(output, texts)


@cache
def _scorer(jpype: Any) -> Any:
    configuration = jpype.JClass("edu.cmu.meteor.scorer.MeteorConfiguration")()
    configuration.setLanguage("en")
    configuration.setNormalization(jpype.JClass("edu.cmu.meteor.util.Constants").NORMALIZE_KEEP_PUNCT)  # -norm
    configuration.setParaFileURL(jpype.JClass("java.io.File")(str(meteor_file(PARAPHRASES))).toURI().toURL())
    return jpype.JClass("edu.cmu.meteor.scorer.MeteorScorer")(configuration)
