"""Stages that are repeated only if their inputs have changed."""

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
    """One stage of a run."""

    name: str  # what it is called
    state: Literal["done", "current", "left out"]
    seconds: float  # how long it took
    says: str  # what came out; of one that was left out, what it lacks and would have given


def hash_values(*parts: Any) -> str:
    """Return a hash of values and file contents."""
    digest = hashlib.sha256(__version__.encode())
    for part in parts:
        if isinstance(part, Path):
            with part.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        else:
            digest.update(json.dumps(part, sort_keys=True, default=str).encode())
    return digest.hexdigest()


def hash_files(files: Sequence[Path]) -> str:
    """Return a hash that changes if a file changes, disappears or appears."""
    return hash_values(*(path if path.is_file() else None for path in files))


class Stages:
    """Stages of a run, and the records of earlier runs."""

    def __init__(self, file: Path, started: Callable[[str], object], ended: Callable[[Stage], object]) -> None:
        self.kept, self.started, self.ended, self.all = file, started, ended, list[Stage]()
        try:
            self.before: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.before = {}

    def run_stage(
        self, name: str, key: str, outputs: Sequence[Path], work: Callable[[], str], needed: bool = False
    ) -> None:
        """Run a stage unless its inputs and output files are unchanged."""
        before = self.before.get(name, {})
        if before.get("key") == key and outputs[0].exists() and before.get("made") == hash_files(outputs):
            self._end(Stage(name, "current", 0.0, before["says"]))
            return
        self.started(name)
        start = perf_counter()
        try:
            says = work()
        except ValueError as error:
            if needed:
                raise
            self.skip(name, str(error))
            return
        self.before[name] = {"key": key, "says": says}
        self.record(name, outputs)
        self._end(Stage(name, "done", perf_counter() - start, says))

    def record(self, name: str, outputs: Sequence[Path]) -> None:
        """Save the current hash of the files of a stage."""
        self.before[name] = {**self.before.get(name, {}), "made": hash_files(outputs)}
        write_json(self.kept, self.before)

    def skip(self, name: str, reason: str) -> None:
        """Skip a stage."""
        self.before.pop(name, None)
        self._end(Stage(name, "left out", 0.0, reason))

    def has(self, name: str) -> bool:
        """Return whether a stage was completed, now or earlier."""
        return any(stage.name == name and stage.state != "left out" for stage in self.all)

    def _end(self, stage: Stage) -> None:
        self.all.append(stage)
        self.ended(stage)
