"""Write the table of `rainbow.text.ngrams.class_bigrams`: which classes of words follow each other in English.

The sentences are those of the docstrings of the standard library (PSF licence) and of NumPy, SciPy, pandas,
scikit-learn and Matplotlib (BSD and PSF licences), general English as free software has it; and what people wrote for
the inputs of Novikova et al. (2017), rated or not. No output of a system is among them, and no rating is looked at. It
holds counts of classes, and the words that are most frequent in the documentation. Run from the root of the repository,
with the data fetched (`rainbow fetch emnlp2017`)::

    python -m scripts.make_class_bigrams
"""

from __future__ import annotations

import ast
import inspect
import json
import platform
import re
import sysconfig
import warnings
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from rainbow.datasets import load_dataset
from rainbow.text.ngrams.class_bigrams import TABLE, token_classes
from rainbow.text.ngrams.kneser_ney import KneserNey

PACKAGES = {
    "numpy": "numpy",
    "scipy": "scipy",
    "pandas": "pandas",
    "sklearn": "scikit-learn",
    "matplotlib": "matplotlib",
}
DATASET = "emnlp2017"
COMMON = 300
SHORTEST, LONGEST = 6, 50  # words of a sentence
WORDS = 0.8  # the share of a sentence's tokens that are nothing but letters, at least

_MARKUP = re.compile(r":\w+:`~?([^`]*)`|[*`]+")
_NOT_PROSE = re.compile(r"^\s|::|>>>|[=(){}\[\]<>|\\_/@#]|^\s*[-*+]\s|--|\.\.", re.MULTILINE)
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?")


def main() -> None:
    """Collect the sentences, count, and write the table."""
    prose = list(dict.fromkeys(sentence for folder in folders() for sentence in sentences_in(folder)))
    written = references()
    counted = Counter(word for sentence in prose for word in _WORD.findall(sentence.lower()))
    common = frozenset(sorted(counted, key=lambda word: (-counted[word], word))[:COMMON])
    texts = [token_classes(text, common) for text in (*prose, *written)]
    model = KneserNey.fit({"": texts}, order=2).counts_only()
    sources = {"python": platform.python_version(), **{name: version(name) for name in PACKAGES.values()}}
    data = {"sources": sources | {"sentences": len(prose), "references": len(written)}, "common": sorted(common)}
    TABLE.write_text(json.dumps(data | {"model": model.to_json()}, ensure_ascii=False, separators=(",", ":")), "utf-8")
    print(f"{TABLE.name}: {len(model.counts)} pairs of {len(texts)} texts, {TABLE.stat().st_size / 1e6:.2f} MB")


def folders() -> Iterator[Path]:
    """Return the folders of the standard library and of the packages."""
    yield Path(sysconfig.get_paths()["stdlib"])
    for name in PACKAGES:
        yield Path(str(find_spec(name).origin)).parent  # type: ignore[union-attr]


def sentences_in(folder: Path) -> Iterator[str]:
    """Return the sentences of all docstrings below a folder, but for those of tests and of what is installed there."""
    for path in sorted(folder.rglob("*.py")):
        inside = path.relative_to(folder)
        if "test" in str(inside) or "site-packages" in inside.parts:
            continue
        try:
            with warnings.catch_warnings(action="ignore"):
                tree = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):  # broken on purpose, for the library's own tests
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield from sentences(ast.get_docstring(node) or "")


def sentences(docstring: str) -> Iterator[str]:
    """Return the sentences of those paragraphs that are nothing but prose."""
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(_MARKUP.sub(r"\1", docstring))):
        if _NOT_PROSE.search(paragraph):
            continue
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])", " ".join(paragraph.split())):
            words = sentence.split()
            plain = sum(word.isalpha() or word[:-1].isalpha() for word in words)
            whole = sentence[:1].isupper() and sentence[-1:] in (".", "!", "?")
            if SHORTEST <= len(words) <= LONGEST and whole and plain >= WORDS * len(words):
                yield sentence


def references() -> list[str]:
    """Return what people wrote, each text once for every input."""
    corpus = load_dataset(DATASET)
    found: dict[tuple[str, str], None] = {}
    for part in filter(None, (corpus, corpus.background)):
        for item, texts in part.frame[["item", "references"]].itertuples(index=False):
            found |= {(item, text): None for text in texts}
    return [text for _, text in sorted(found)]


if __name__ == "__main__":
    main()
