"""The original METEOR 1.5 and its WordNet 3.0, installed with pycocoevalcap: files, program, and senses of words."""

from __future__ import annotations

import os
import threading
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.base.caching import cache_by_size
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


# Almost everything is a neighbour of a word with more senses than this.
MOST_SENSES = 10

# Endings that WordNet's lemmatiser (Morphy) replaces, in order: a form counts if WordNet has the result.
ENDINGS = (
    *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man")),
    *(("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    *(("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
)

# In METEOR's program: senses of lemmas, senses near to senses, irregular forms of lemmas.
_FILES = ("synsets", "relations", "exceptions")


class Senses(NamedTuple):
    """Senses of a word and their neighbours."""

    own: frozenset[str]  # numbers of synonym sets
    near: frozenset[str] = frozenset()  # of those that WordNet relates directly to these

    @property
    def few(self) -> bool:
        """Whether neighbouring senses count."""
        return len(self.own) <= MOST_SENSES


def wordnet_distance(word: str, other: str) -> int | None:
    """Return the distance of two words: 0 for synonyms, 1 for neighbours, else None.

    Source: Miller, G. A. (1995). WordNet: a lexical database for English. Communications of the ACM 38 (11).
    """
    mine, theirs = word_senses(word), word_senses(other)
    if mine.own & theirs.own:
        return 0
    if mine.few and theirs.few and (mine.near & theirs.own or theirs.near & mine.own):
        return 1
    return None


@cache_by_size(1 << 20)
def word_senses(word: str) -> Senses:
    """Return the senses of a lower-case word; inflected forms use their lemmas."""
    senses, neighbours, lemmas = _load_tables()
    forms = {word, *lemmas.get(word, ())}
    forms |= {word.removesuffix(ending) + base for ending, base in ENDINGS if word.endswith(ending)}
    own = frozenset(sense for form in forms for sense in senses.get(form, "").split())
    near = (near for sense in own for near in neighbours.get(sense, "").split())
    return Senses(own, frozenset(near if len(own) <= MOST_SENSES else ()))


@cache
def _load_tables() -> tuple[dict[str, str], dict[str, str], dict[str, list[str]]]:
    """Return senses of lemmas, neighbours of senses (space-separated synset numbers), lemmas of irregular forms."""
    with zipfile.ZipFile(meteor_file(JAR)) as jar:
        lines = [jar.read(f"synonym/english.{name}").decode("utf-8").split("\n") for name in _FILES]
    # Pairs of consecutive lines; an empty one follows the last.
    senses, neighbours, forms = (zip(own[::2], own[1::2], strict=False) for own in lines)
    lemmas: dict[str, list[str]] = {}
    for lemma, irregular in forms:
        for form in irregular.split():
            lemmas.setdefault(form, []).append(lemma)
    related: dict[str, str] = {}
    for sense, near in neighbours:  # some senses of different parts of speech share a number
        related[sense] = f"{related[sense]} {near}" if sense in related else near
    return dict(senses), related, lemmas
