"""Folders of converted models that are there whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import platformdirs


def kept_at(name: str) -> Path:
    """Return where in the user's cache a converted model of this name belongs."""
    return platformdirs.user_cache_path("rainbow-nlg") / "language_models" / name


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Give a folder to write into, which becomes `folder` when all is written, and leaves nothing when that fails."""
    part = folder.with_name(f".{folder.name}.{uuid4().hex}.part")
    part.mkdir(parents=True)
    try:
        yield part
        try:
            part.replace(folder)
        except OSError:  # another process was faster
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
