"""A matplotlib figure as SVG and PDF, the same bytes whenever it is drawn, and as SVG that stands in a page."""

from __future__ import annotations

import io
import re
import warnings
from typing import TYPE_CHECKING, NamedTuple

from rainbow.reports.colours import INK, LEVELS, scale, step_class
from rainbow.reports.figures.style import STYLE
from rainbow.reports.section import Figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

# What a page has no use for: data about the file, comments, and groups' names that nothing refers to.
_UNWANTED = re.compile(r'<metadata>.*?</metadata>|<!--.*?-->|<style.*?</style>|(?<=<g) id="[^"]*"', re.DOTALL)

__all__ = ["Drawn", "for_page", "render"]


class Drawn(NamedTuple):
    """A figure in the formats of papers."""

    svg: bytes
    pdf: bytes


def render(figure: Figure) -> Drawn:
    """Draw a figure; no date is in the files, and names inside them come from the figure's own."""
    import matplotlib

    with matplotlib.rc_context(STYLE | {"svg.hashsalt": figure.name}):
        drawing = figure.draw()
        svg = _saved(drawing, "svg", dict.fromkeys(["Date", "Creator", "Format", "Type"]))
        pdf = _saved(drawing, "pdf", dict.fromkeys(["CreationDate", "Creator", "Producer"]))
    return Drawn(svg, pdf)


def _saved(drawing: Canvas, form: str, metadata: dict[str, None]) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        # A name in letters that the font lacks is a box in the figure; the tables have it as it is.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
        drawing.savefig(buffer, format=form, metadata=metadata)
    drawing.set_layout_engine("none")  # what was laid out stays so
    return buffer.getvalue()


def for_page(svg: bytes, figure: Figure) -> str:
    """Return an SVG file as an element of a page.

    Names inside it are made the figure's own, so that figures do not mix; colours become those of the page, light
    or dark; what a screen reader says is the figure's `alternative`.
    """
    from markupsafe import escape

    text = svg.decode()
    text = _UNWANTED.sub("", text[text.index("<svg") :])
    opening, rest = text.split(">", 1)
    size = re.search(r'viewBox="[^"]+"', opening)
    label = f'<svg {size[0] if size else ""} role="img" aria-label="{escape(figure.alternative)}">'
    rest = re.sub(r'((?:\bid=")|(?:href="#)|(?:url\(#))', rf"\g<1>{figure.name}-", rest)
    return label + _themed(_shortened(rest))


def _shortened(svg: str) -> str:
    """Leave out what nobody sees: blanks between elements, digits behind a tenth of a point."""
    svg = re.sub(r">\s+<", "><", re.sub(r"\s+", " ", svg))
    svg = re.sub(r" ([MLQCHVz])\b ?", r"\1", svg.replace('d="M ', 'd="M'))
    svg = re.sub(r"(\d{2,}\.\d)\d+", r"\1", svg)
    return re.sub(r"(?<!scale\()(\b\d\.\d\d)\d+", r"\1", svg)


def _themed(svg: str) -> str:
    names = {colours[0]: f"var(--{name})" for name, colours in INK.items()}
    names |= {
        colour: f"var(--{step_class(step)})" for step, colour in zip(range(-LEVELS, LEVELS + 1), scale(), strict=True)
    }
    return re.sub("|".join(names), lambda colour: names[colour[0]], svg)
