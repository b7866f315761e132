"""Question templates with placeholders for input, output, references and scale."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from rainbow.base.fingerprint import fingerprint

_FOLDER = files("rainbow.judging") / "templates"
# The templates that come with the package.
READY = tuple(sorted(entry.name.removesuffix(".txt") for entry in _FOLDER.iterdir() if entry.name.endswith(".txt")))

_GAP = re.compile(r"\{(input|output|references|first|second|low|high)\}")
_ONE, _TWO = {"output"}, {"first", "second"}


@dataclass(frozen=True)
class Template:
    """A question with placeholders."""

    name: str
    text: str

    def __post_init__(self) -> None:
        if self.gaps & (_ONE | _TWO) not in (_ONE, _TWO):
            raise ValueError(f"template {self.name!r}: use {{output}} once, or {{first}} and {{second}}")

    @classmethod
    def find(cls, name: str, folder: Path) -> Template:
        """Return a template of the package or of a file."""
        if name in READY:
            return cls(name, (_FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
        path = folder / name
        if not path.is_file():
            raise ValueError(f"unknown template {name!r}: use a file, or one of {', '.join(READY)}")
        return cls(path.name, path.read_text(encoding="utf-8"))

    @cached_property
    def gaps(self) -> frozenset[str]:
        """Names of the placeholders."""
        return frozenset(_GAP.findall(self.text))

    @property
    def pairs(self) -> bool:
        """Whether the question compares two outputs."""
        return self.gaps >= _TWO

    @property
    def hash(self) -> str:
        """First 12 hexadecimal digits of the template's hash."""
        return fingerprint(self.text)

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the question with filled placeholders; filled text is not expanded again."""
        return _GAP.sub(lambda gap: values[gap[1]], self.text.strip())
