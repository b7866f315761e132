"""Public files of the WMT 2024 general translation task, by target language."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.base.downloads import DATA, RemoteFile

_PINNED = tomllib.loads(Path(__file__).with_name("files.toml").read_text(encoding="utf-8"))


class Translations(NamedTuple):
    """The files of one target language."""

    language: str
    code: str  # of the language in the files of scores
    scores: tuple[RemoteFile, ...]
    reference: RemoteFile
    outputs: dict[str, RemoteFile]  # by system

    @property
    def files(self) -> tuple[RemoteFile, ...]:
        """All files."""
        return (*self.scores, self.reference, *self.outputs.values())


def _translations(language: str, pinned: dict[str, Any]) -> Translations:
    """Return the files of a language from their hashes."""

    def file(path: str, sha256: str) -> RemoteFile:
        url = f"https://raw.githubusercontent.com/{_PINNED['repository']}/{path}"
        return RemoteFile(DATA, f"wmt24/{path}", url, sha256, f"wmt24_{language}")

    pair = f"en-{language}"
    return Translations(
        language,
        pinned["code"],
        tuple(file(f"humeval/esa_generalMT2024_{wave}.csv", _PINNED["scores"][wave]) for wave in pinned["waves"]),
        file(f"txt/references/{pair}.refA.txt", pinned["reference"]),
        {
            system: file(f"txt/system-outputs/{pair}/{system}.txt", sha256)
            for system, sha256 in pinned["systems"].items()
        },
    )


PUBLISHED = {
    f"wmt24_{language}": _translations(language, pinned)
    for language, pinned in _PINNED.items()
    if language not in ("repository", "scores")
}
