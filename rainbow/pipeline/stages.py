"""Stages that are done again only when what they depend on has changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, NamedTuple

from rainbow._version import __version__
from rainbow.base.files import write_json


class Stage(NamedTuple):
    """A part of the work."""

    name: str  # what it is called
    state: Literal["done", "current", "left out"]
    seconds: float  # how long it took
    says: str  # what came out; of one that was left out, what it lacks and would have given


def key_of(*parts: Any) -> str:
    """Return what differs where any of these, a file's bytes among them, differs."""
    digest = hashlib.sha256(__version__.encode())
    for part in parts:
        if isinstance(part, Path):
            with part.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        else:
            digest.update(json.dumps(part, sort_keys=True, default=str).encode())
    return digest.hexdigest()


def hash_of(files: Sequence[Path]) -> str:
    """Return what differs if one of these files differs, is gone, or is new."""
    return key_of(*(path if path.is_file() else None for path in files))


class Stages:
    """The stages of a run, and what was kept of earlier ones."""

    def __init__(self, kept: Path, started: Callable[[str], object], ended: Callable[[Stage], object]) -> None:
        self.kept, self.started, self.ended, self.all = kept, started, ended, list[Stage]()
        try:
            self.before: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.before = {}

    def do(self, name: str, key: str, made: Sequence[Path], work: Callable[[], str], needed: bool = False) -> None:
        """Do a stage unless it read the same before and its files are as it wrote them."""
        before = self.before.get(name, {})
        if before.get("key") == key and made[0].exists() and before.get("made") == hash_of(made):
            self._end(Stage(name, "current", 0.0, before["says"]))
            return
        self.started(name)
        start = perf_counter()
        try:
            says = work()
        except ValueError as error:
            if needed:
                raise
            self.leave(name, str(error))
            return
        self.before[name] = {"key": key, "says": says}
        self.record(name, made)
        self._end(Stage(name, "done", perf_counter() - start, says))

    def record(self, name: str, made: Sequence[Path]) -> None:
        """Keep the hash of the files of a stage, as they are now."""
        self.before[name] = {**self.before.get(name, {}), "made": hash_of(made)}
        write_json(self.kept, self.before)

    def leave(self, name: str, why: str) -> None:
        """Leave a stage out."""
        self.before.pop(name, None)
        self._end(Stage(name, "left out", 0.0, why))

    def has(self, name: str) -> bool:
        """Return whether a stage was done, now or before."""
        return any(stage.name == name and stage.state != "left out" for stage in self.all)

    def _end(self, stage: Stage) -> None:
        self.all.append(stage)
        self.ended(stage)
