"""The ways to ask, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rainbow.study.ask.page import write_pages

if TYPE_CHECKING:
    from rainbow.study.study import Study

__all__ = ["WAYS", "write_way"]


def _pages(study: Study) -> str:
    written = write_pages(study)
    return f"{written[0].parent}: send each rater a page, which works offline; it gives a file to send back"


WAYS: dict[str, Callable[[Study], str]] = {"page": _pages}


def write_way(study: Study, way: str) -> str:
    """Write what a way of asking needs into the folder of a study, and say what to do with it."""
    return WAYS[way](study)
