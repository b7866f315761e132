"""What a report is made of: sections, each a template with its data, and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["Figure", "Section"]


class Figure(NamedTuple):
    """A picture for the page and for papers.

    Attributes
    ----------
    name
        Of its files, and of its place in the page.
    caption
        What it shows, as plain text.
    alternative
        What a reader who cannot see it is told.
    draw
        Gives the matplotlib figure.
    """

    name: str
    caption: str
    alternative: str
    draw: Callable[[], Canvas]


class Section(NamedTuple):
    """A part of a report.

    Attributes
    ----------
    name
        Of its template and its place in the page.
    title
        Its heading.
    data
        What the template shows.
    figures
        In the order in which they appear; the template has them by name.
    """

    name: str
    title: str
    data: Mapping[str, Any]
    figures: Sequence[Figure] = ()
