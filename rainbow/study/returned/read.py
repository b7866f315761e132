"""Any file that came back, told by what is in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from rainbow.study.returned.answer import File
from rainbow.study.returned.page_file import page_file

if TYPE_CHECKING:
    from rainbow.study.study import Study

__all__ = ["read_file"]


def read_file(path: Path, study: Study) -> File | None:
    """Return what is in a file that came back; None where it is nothing that a study gives out."""
    if path.suffix == ".json":
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError):
            return None
        return page_file(found)
    return None
