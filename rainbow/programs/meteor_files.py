"""Files of METEOR 1.5, installed with pycocoevalcap."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from rainbow.base.fingerprint import file_sha256

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


def meteor_digest(name: str) -> str:
    """Return the first 12 hexadecimal digits of the file's SHA-256, cached per process."""
    return meteor_sha256(meteor_file(name))[:12]


@cache
def meteor_sha256(path: Path) -> str:
    """Return a file's SHA-256 in hexadecimal digits, cached per process."""
    return file_sha256(path)
