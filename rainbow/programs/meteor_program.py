"""The original METEOR 1.5, installed with pycocoevalcap: its files, and the program inside this process."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.base.fingerprint import file_sha256
from rainbow.programs.jvm import attach_java

ScoreText = Callable[[str, Sequence[str]], float]

_lock = threading.Lock()


class Options(NamedTuple):
    """Options of the program: language by its own code, modules (its default if empty), `-norm` or only `-lower`."""

    language: str = "en"
    modules: tuple[str, ...] = ()
    split: bool = True


ENGLISH_OPTIONS = Options()


@contextmanager
def meteor_program(options: Options = ENGLISH_OPTIONS) -> Iterator[ScoreText]:
    """Yield METEOR 1.5 (by default English, `-norm`) as a function of an output and references."""
    # The program finds its files on Java's own class path alone, and that is settled when Java starts.
    os.environ.setdefault("CLASSPATH", str(meteor_file(JAR)))
    with attach_java(meteor_file(JAR)) as jpype, _lock:
        yield lambda output, references: float(_segment_statistics(jpype, output, references, options).score)


def meteor_program_corpus_score(
    outputs: Sequence[str], references: Sequence[Sequence[str]], options: Options = ENGLISH_OPTIONS
) -> float:
    """Return the program's corpus score, from the sums of its statistics."""
    with meteor_program(options), attach_java(meteor_file(JAR)) as jpype:
        sums = jpype.JClass("edu.cmu.meteor.scorer.MeteorStats")()
        for output, texts in zip(outputs, references, strict=True):
            sums.addStats(_segment_statistics(jpype, output, texts, options))
        _new_scorer(jpype, options).computeMetrics(sums)
        return float(sums.score)


def _segment_statistics(jpype: Any, output: str, references: Sequence[str], options: Options) -> Any:
    texts = jpype.JClass("java.util.ArrayList")()
    for reference in references:
        texts.add(reference)
    return _new_scorer(jpype, options).getMeteorStats(output, texts)


@cache
def _new_scorer(jpype: Any, options: Options) -> Any:
    constants = jpype.JClass("edu.cmu.meteor.util.Constants")
    configuration = jpype.JClass("edu.cmu.meteor.scorer.MeteorConfiguration")()
    configuration.setLanguage(options.language)
    configuration.setNormalization(constants.NORMALIZE_KEEP_PUNCT if options.split else constants.NORMALIZE_LC_ONLY)
    if options.modules:
        modules = jpype.JClass("java.util.ArrayList")()
        for module in options.modules:
            modules.add(module)
        weights = jpype.JClass("java.util.ArrayList")(configuration.getModuleWeights().subList(0, len(options.modules)))
        configuration.setModulesByName(modules)
        configuration.setModuleWeights(weights)
    configuration.setParaFileURL(jpype.JClass("java.io.File")(str(meteor_file(PARAPHRASES))).toURI().toURL())
    return jpype.JClass("edu.cmu.meteor.scorer.MeteorScorer")(configuration)


# The program, with the synonyms (WordNet 3.0) and function words it uses.
JAR = "meteor-1.5.jar"
PARAPHRASES = "data/paraphrase-en.gz"


def meteor_file(name: str) -> Path:
    """Return the path of one of METEOR's files, without importing pycocoevalcap."""
    package = find_spec("pycocoevalcap")
    if package is None:
        raise FileNotFoundError("pycocoevalcap is not installed: pip install pycocoevalcap")
    for folder in package.submodule_search_locations or ():
        if (path := Path(folder, "meteor", name)).is_file():
            return path
    raise FileNotFoundError(f"pycocoevalcap has no file {name}: pip install --force-reinstall --no-deps pycocoevalcap")


def meteor_unavailable_reason(*names: str) -> str | None:
    """Return which of METEOR's files are missing and how to fix it; None if none."""
    try:
        for name in names:
            meteor_file(name)
    except FileNotFoundError as error:
        return str(error)
    return None


def meteor_digest(name: str) -> str:
    """Return the first 12 hexadecimal digits of the file's SHA-256, cached per process."""
    return meteor_sha256(meteor_file(name))[:12]


@cache
def meteor_sha256(path: Path) -> str:
    """Return a file's SHA-256 in hexadecimal digits, cached per process."""
    return file_sha256(path)
