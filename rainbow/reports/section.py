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
    alternative: str  # what a reader who cannot see it is told
    draw: Callable[[], Canvas]  # gives the matplotlib figure
    inside: bool = True  # whether it stands in the page too: not where the page draws the same by itself


class Section(NamedTuple):
    """A section of a report."""

    name: str  # of its template and its place in the page
    title: str  # its heading
    data: Mapping[str, Any]  # what the template shows
    figures: Sequence[Figure] = ()  # in the order in which they appear; the template has them by name
    tab: str = ""  # the tab that it stands in with its neighbours; by default one of its own, named as itself
