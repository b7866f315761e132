"""METEOR 1.5 itself, called inside this process."""

from __future__ import annotations

import os
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rainbow.text.jvm import Java, java, missing_java
from rainbow.text.meteor_files import JAR, PARAPHRASES, meteor_file

__all__ = ["LARGEST_EFFORT", "effort", "meteor", "missing_meteor"]

Score = Callable[[str, Sequence[str]], float]

# Up to here the aligner takes seconds and some 300 MB at most, whatever the words; far beyond, hours and gigabytes.
LARGEST_EFFORT = 4_000_000_000

_PIECE = re.compile(r"[^\W_]+|\S")

_lock = threading.Lock()
_original: Any = None  # the scorer that has loaded the tables
_idle: list[Any] = []  # copies that share them: one scorer serves one thread at a time


def missing_meteor() -> str | None:
    """Say what this machine lacks to run METEOR, and how to mend it; None if it lacks nothing.

    Examples
    --------
    >>> missing_meteor() is None or "install" in missing_meteor()
    True
    """
    try:
        jar, _ = meteor_file(JAR), meteor_file(PARAPHRASES)
    except FileNotFoundError as error:
        return str(error)
    if not str(jar).isascii():
        return f"Java cannot load {jar}: install pycocoevalcap in a folder whose path is plain ASCII"
    return missing_java()


def effort(output: str, reference: str) -> int:
    """Give a number that METEOR's time and memory for two texts grow with.

    ``max(n, m)² Σ_k h_k r_k``, where n and m are the numbers of words and h_k and r_k the counts of the k-th most
    frequent word of each text. No more than the sum of pairs can be equal words, or synonyms where each word has one;
    the aligner keeps alternatives for all pairs, each as large as the texts.

    Parameters
    ----------
    output, reference
        Tokens joined by blanks.

    Examples
    --------
    >>> effort("good good inn", "an inn")
    27
    """
    pieces, others = _PIECE.findall(output), _PIECE.findall(reference)
    counts, other_counts = (sorted(Counter(words).values(), reverse=True) for words in (pieces, others))
    return max(len(pieces), len(others)) ** 2 * sum(h * r for h, r in zip(counts, other_counts, strict=False))


@contextmanager
def meteor() -> Iterator[Score]:
    """Lend METEOR 1.5 (English, `-norm`) to this thread: a function that scores an output against references.

    It takes the output and its references, each as tokens joined by blanks, and gives the score of the best, exactly
    as ``java -jar meteor-1.5.jar - - -stdio -l en -norm`` prints it. The first use in a process loads Java and the
    tables (some seconds, 0.7 GB); any number of threads can score at the same time.

    Raises
    ------
    RuntimeError
        If something is missing (:func:`missing_meteor`), or as :func:`rainbow.text.jvm.java` does.

    Examples
    --------
    >>> with meteor() as score:  # doctest: +SKIP
    ...     score("the inn is cheap", ["a cheap inn", "the inn is not expensive"])
    0.3356...
    """
    if _original is None and (missing := missing_meteor()):
        raise RuntimeError(missing)
    os.environ.setdefault("CLASSPATH", str(meteor_file(JAR)))  # where it looks for its files
    with java(meteor_file(JAR)) as jpype:
        scorer = _borrow(jpype)
        try:
            yield lambda output, references: _score(jpype, scorer, output, references)
        finally:
            _idle.append(scorer)


def _borrow(jpype: Java) -> Any:
    global _original
    with _lock:
        if _idle:
            return _idle.pop()
        new = jpype.JClass("edu.cmu.meteor.scorer.MeteorScorer")
        if _original is None:
            _original = new(_configuration(jpype))
        return new(_original)


def _configuration(jpype: Java) -> Any:
    configuration = jpype.JClass("edu.cmu.meteor.scorer.MeteorConfiguration")()
    configuration.setLanguage("en")
    configuration.setNormalization(jpype.JClass("edu.cmu.meteor.util.Constants").NORMALIZE_KEEP_PUNCT)  # -norm
    # Said again, because the program does not find its own table under a path with a blank.
    table = jpype.JClass("java.io.File")(str(meteor_file(PARAPHRASES)))
    configuration.setParaFileURL(table.toURI().toURL())
    return configuration


def _score(jpype: Java, scorer: Any, output: str, references: Sequence[str]) -> float:
    texts = jpype.JClass("java.util.ArrayList")()
    for reference in references:
        texts.add(reference)
    return float(scorer.getMeteorStats(output, texts).score)
