"""Folders of converted models, written atomically."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import platformdirs


def cache_folder(name: str) -> Path:
    """Return the cache folder of a converted model."""
    return platformdirs.user_cache_path("rainbow-nlg") / "language_models" / name


@contextmanager
def write_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder that replaces `folder` on success and is removed on failure."""
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
