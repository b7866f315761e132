"""Sections and figures of a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


class Figure(NamedTuple):
    """A figure for papers and the page."""

    name: str  # of its files, and of its place in the page
    caption: str  # what it shows, as plain text
    alternative: str  # text alternative for readers who cannot see it
    draw: Callable[[], Canvas]  # gives the matplotlib figure
    inside: bool = True  # whether the page embeds it: not if the page draws the same itself


class Section(NamedTuple):
    """A section of a report."""

    name: str  # of its template and its place in the page
    title: str  # its heading
    data: Mapping[str, Any]  # what the template shows
    figures: Sequence[Figure] = ()  # in the order in which they appear; the template has them by name
    tab: str = ""  # the tab that holds it; by default a tab of the same name


def block_section(name: str, title: str, blocks: Sequence[Mapping[str, Any]], **more: Any) -> Section:
    """Return a section of a block per dataset; a block may have a figure."""
    figures = [block["figure"] for block in blocks if block.get("figure")]
    return Section(name, title, {"blocks": blocks, **more}, figures)
