"""Deterministic rendering of figures as SVG and PDF, and as SVG inside a page."""

from __future__ import annotations

import html
import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rainbow.reports.colours import INK, LEVELS, diverging_scale, step_class
from rainbow.reports.figures.style import STYLE
from rainbow.reports.section import Figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

# Parts that a page does not need: metadata, and group names without references.
_UNWANTED = re.compile(r'<metadata>.*?</metadata>|<style.*?</style>|(?<=<g) id="(?!axes_)[^"]*"', re.DOTALL)
_AXES = re.compile(r'<g id="axes_\d+"')
# A text as matplotlib draws it: what it says as a comment, then the shapes of its letters.
_DRAWN_TEXT = re.compile(
    r'<!-- (?P<says>.*?) --> ?<g style="fill: (?P<fill>[^";]+)[^"]*" '
    r'transform="(?P<place>translate[^"]*?) ?scale\((?P<size>\S+) [^"]*">(?P<letters>.*?)</g>'
)
_NAME = re.compile(r'(\bid="|href="#|url\(#)([^")]+)')
_TAG = re.compile(r"<[^>]*>")
_DIGITS = re.compile(r"(\.\d\d)\d+")

# Tooltips: matplotlib supports a URL for a mark but no title.
TITLE = "title:"
_TITLED = re.compile(rf'<a xlink:href="{TITLE}([^"]*)"[^>]*>(.*?)</a>'.encode(), re.DOTALL)

POINTS = 72  # in an inch: both formats are laid out in them
LEFT_OUT = "_drop_tables_default"  # of fontTools' options: tables of a font


class RenderedFigure(NamedTuple):
    """A figure in SVG and PDF."""

    svg: bytes
    pdf: bytes


def render_figure(figure: Figure) -> RenderedFigure:
    """Render a figure without dates and with reproducible internal names."""
    import matplotlib

    style = STYLE | {"svg.hashsalt": figure.name}
    with matplotlib.rc_context(style), _allow_missing_glyphs(), _fonts_without_layout():
        drawing = _with_layout(figure.draw())
        svg = _save(drawing, "svg", dict.fromkeys(["Date", "Creator", "Format", "Type"]))
        pdf = _save(drawing, "pdf", dict.fromkeys(["CreationDate", "Creator", "Producer"]))
    return RenderedFigure(_TITLED.sub(rb"<g><title>\1</title>\2</g>", svg), pdf)


def _with_layout(drawing: Canvas) -> Canvas:
    """Return a figure whose layout is fixed for both formats."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    FigureCanvasSVG(drawing)
    drawing.set_dpi(POINTS)
    for axes in drawing.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if not axis.get_label_text():
                axis.set_label_coords(0, 0)  # no label's place is looked for
    if engine := drawing.get_layout_engine():
        engine.execute(drawing)
        drawing.set_layout_engine(None)
    return drawing


def _save(drawing: Canvas, form: str, metadata: dict[str, None]) -> bytes:
    buffer = io.BytesIO()
    drawing.savefig(buffer, format=form, metadata=metadata)
    return buffer.getvalue()


@contextmanager
def _fonts_without_layout() -> Iterator[None]:
    """Omit unused layout tables of fonts in a PDF, which halves the time."""
    from fontTools.subset import Options

    left_out = getattr(Options, LEFT_OUT, [])
    setattr(Options, LEFT_OUT, [*left_out, "GDEF", "GPOS", "GSUB", "MATH"])
    try:
        yield
    finally:
        setattr(Options, LEFT_OUT, left_out)


@contextmanager
def _allow_missing_glyphs() -> Iterator[None]:
    """Allow glyphs that the font lacks: boxes in files, real text in the page."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
        yield


def inline_svg(svg: bytes, figure: Figure) -> str:
    """Return an SVG file as an element of a page."""
    from markupsafe import escape

    text = re.sub(r"\s+", " ", svg.decode())
    text = _UNWANTED.sub("", text[text.index("<svg") :])
    opening, rest = text.split(">", 1)
    size = re.search(r'viewBox="[^"]+"', opening)
    label = f'<svg {size[0] if size else ""} role="img" aria-label="{escape(figure.alternative)}">'
    rest = re.sub(r"<!--.*?-->|(?<=>) (?=<)", "", _DRAWN_TEXT.sub(_svg_text, rest))
    names: dict[str, str] = {}
    return label + _TAG.sub(lambda tag: _apply_theme(_rename_ids(_shorten_tag(tag[0]), figure.name, names)), rest)


def _svg_text(text: re.Match[str]) -> str:
    """Return text as searchable SVG text, as wide as it was drawn unless it was drawn as boxes."""
    size, bold = 100 * float(text["size"]), "-Bold-" in text["letters"]
    says = re.sub("- (?=-)", "-", text["says"])  # no comment may hold two hyphens
    where = f'transform="{text["place"]}" font-size="{size:.3g}" fill="{text["fill"]}"' + bold * ' font-weight="700"'
    if _glyphs().issuperset(map(ord, html.unescape(says))):
        where += f' textLength="{_text_width(says, size, bold):.1f}" lengthAdjust="spacingAndGlyphs"'
    return f"<text {where}>{says}</text>"


@cache
def _glyphs() -> frozenset[int]:
    """Return the characters that the font of figures has."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return frozenset(get_font(findfont(FontProperties(family=STYLE["font.family"]))).get_charmap())


def _text_width(text: str, size: float, bold: bool) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    letters = FontProperties(family=STYLE["font.family"], size=size, weight="bold" if bold else "normal")
    with _allow_missing_glyphs():
        width, *_ = text_to_path.get_text_width_height_descent(html.unescape(text), letters, ismath=False)
    return float(width)


def _shorten_tag(tag: str) -> str:
    """Shorten a tag: names of axes, and digits beyond 0.01 pt."""
    tag = _AXES.sub('<g class="axes"', tag).replace("xlink:href", "href")
    return tag if "scale(" in tag else _DIGITS.sub(r"\1", tag)


def _rename_ids(tag: str, figure: str, names: dict[str, str]) -> str:
    """Replace IDs by the figure's name and a number."""
    return _NAME.sub(lambda match: match[1] + names.setdefault(match[2], f"{figure}-{len(names)}"), tag)


def _apply_theme(tag: str) -> str:
    colours = _theme_variables()
    return re.sub(r"#[0-9a-f]{6}", lambda colour: colours.get(colour[0], colour[0]), tag)


@cache
def _theme_variables() -> dict[str, str]:
    """Return the page's CSS variables for the colours of figures."""
    names = {colours[0]: f"var(--{name})" for name, colours in INK.items()}
    steps = zip(range(-LEVELS, LEVELS + 1), diverging_scale(), strict=True)
    return names | {colour: f"var(--{step_class(step)})" for step, colour in steps}
