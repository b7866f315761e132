"""A matplotlib figure as SVG and PDF, the same bytes whenever it is drawn, and as SVG that stands in a page."""

from __future__ import annotations

import html
import io
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rainbow.reports.colours import INK, LEVELS, scale, step_class
from rainbow.reports.figures.style import STYLE
from rainbow.reports.section import Figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

# What a page has no use for: data about the file, and groups' names that nothing refers to.
_UNWANTED = re.compile(r'<metadata>.*?</metadata>|<style.*?</style>|(?<=<g) id="(?!axes_)[^"]*"', re.DOTALL)
_AXES = re.compile(r'<g id="axes_\d+"')
# A text as matplotlib draws it: what it says as a comment, then the shapes of its letters.
_DRAWN_TEXT = re.compile(
    r'<!-- (?P<says>.*?) --> ?<g style="fill: (?P<fill>[^";]+)[^"]*" '
    r'transform="(?P<place>translate[^"]*?) ?scale\((?P<size>\S+) [^"]*">(?P<letters>.*?)</g>'
)
_RECTANGLE = re.compile(r"M(\S+) (\S+?)L(\S+) \2L\3 (\S+?)L\1 \4(?:L\1 \2)?z")
_NAME = re.compile(r'(\bid="|href="#|url\(#)([^")]+)')
_TAG = re.compile(r"<[^>]*>")
_EMPTY = re.compile(r"<g/>|<g></g>|<defs></defs>")
_STYLE = re.compile(r'style="([^"]*)"')

# What stands under the pointer: matplotlib has a place for the address of a mark, and none for a title.
TITLE = "title:"
_TITLED = re.compile(rf'<a xlink:href="{TITLE}([^"]*)"[^>]*>(.*?)</a>'.encode(), re.DOTALL)

POINTS = 72  # in an inch: both formats are laid out in them
LEFT_OUT = "_drop_tables_default"  # of fontTools' options: tables of a font


class Drawn(NamedTuple):
    """A figure in the formats of papers."""

    svg: bytes
    pdf: bytes


def render(figure: Figure) -> Drawn:
    """Draw a figure; no date is in the files, and names inside them come from the figure's own."""
    import matplotlib

    style = STYLE | {"svg.hashsalt": figure.name}
    with matplotlib.rc_context(style), _boxes_for_unknown_letters(), _fonts_without_layout():
        drawing = _laid_out(figure.draw())
        svg = _saved(drawing, "svg", dict.fromkeys(["Date", "Creator", "Format", "Type"]))
        pdf = _saved(drawing, "pdf", dict.fromkeys(["CreationDate", "Creator", "Producer"]))
    return Drawn(_TITLED.sub(rb"<g><title>\1</title>\2</g>", svg), pdf)


def _laid_out(drawing: Canvas) -> Canvas:
    """Return a figure whose parts have their places: once for both formats, as it would be done for the first."""
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


def _saved(drawing: Canvas, form: str, metadata: dict[str, None]) -> bytes:
    buffer = io.BytesIO()
    drawing.savefig(buffer, format=form, metadata=metadata)
    return buffer.getvalue()


@contextmanager
def _fonts_without_layout() -> Iterator[None]:
    """Leave out of fonts in a PDF what places letters: they have their places. To look through it takes half the
    time.
    """
    from fontTools.subset import Options

    left_out = getattr(Options, LEFT_OUT, [])
    setattr(Options, LEFT_OUT, [*left_out, "GDEF", "GPOS", "GSUB", "MATH"])
    try:
        yield
    finally:
        setattr(Options, LEFT_OUT, left_out)


@contextmanager
def _boxes_for_unknown_letters() -> Iterator[None]:
    """Let a name in letters that the font lacks be boxes in the files; in the page it stands as it is."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
        yield


def for_page(svg: bytes, figure: Figure) -> str:
    """Return an SVG file as an element of a page."""
    from markupsafe import escape

    text = re.sub(r"\s+", " ", svg.decode())
    text = _UNWANTED.sub("", text[text.index("<svg") :])
    opening, rest = text.split(">", 1)
    size = re.search(r'viewBox="[^"]+"', opening)
    label = f'<svg {size[0] if size else ""} role="img" aria-label="{escape(figure.alternative)}">'
    rest = _without_empty(_DRAWN_TEXT.sub(_written, rest))
    names: dict[str, str] = {}
    rest = _TAG.sub(lambda tag: _themed(_named(_shortened(tag[0]), figure.name, names)), rest)
    return label + _classed(rest, figure.name)


def _written(text: re.Match[str]) -> str:
    """Return a text as text, in the letters of the page and as wide as it was drawn: it is found, and copied."""
    size, bold = 100 * float(text["size"]), "-Bold-" in text["letters"]
    says = re.sub("- (?=-)", "-", text["says"])  # no comment may hold two hyphens
    where = f'transform="{text["place"]}" font-size="{size:.3g}" fill="{text["fill"]}"' + bold * ' font-weight="700"'
    width = f'textLength="{_width(says, size, bold):.1f}" lengthAdjust="spacingAndGlyphs"'
    return f"<text {where} {width}>{says}</text>"


def _width(says: str, size: float, bold: bool) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    letters = FontProperties(family=STYLE["font.family"], size=size, weight="bold" if bold else "normal")
    with _boxes_for_unknown_letters():
        width, *_ = text_to_path.get_text_width_height_descent(html.unescape(says), letters, ismath=False)
    return float(width)


def _without_empty(svg: str) -> str:
    """Leave out comments, blanks between elements, and groups of nothing."""
    svg = re.sub(r"<!--.*?-->|(?<=>) (?=<)", "", svg)
    while (fewer := _EMPTY.sub("", svg)) != svg:
        svg = fewer
    return svg


def _shortened(tag: str) -> str:
    """Leave out what nobody sees: blanks, digits behind a tenth of a point, corners that follow from others."""
    tag = _AXES.sub('<g class="axes"', tag).replace("xlink:href", "href").replace('" />', '"/>').replace(' "', '"')
    tag = re.sub(r" ?([MLQCHVz])\b ?", r"\1", tag)
    tag = re.sub(r"(\d{2,}\.\d)\d+", r"\1", tag)
    tag = re.sub(r"(?<!scale\()(\b\d\.\d\d)\d+", r"\1", tag)
    return _RECTANGLE.sub(_rectangle, tag)


def _rectangle(path: re.Match[str]) -> str:
    left, top, right, bottom = (float(path[group]) for group in (1, 2, 3, 4))
    width, height = right - left, bottom - top
    return f"M{path[1]} {path[2]}h{width:.4g}v{height:.4g}h{-width:.4g}z"


def _named(tag: str, figure: str, names: dict[str, str]) -> str:
    """Call what is referred to by the figure's name and a number; `names` are those given so far."""
    return _NAME.sub(lambda found: found[1] + names.setdefault(found[2], f"{figure}-{len(names)}"), tag)


def _classed(svg: str, name: str) -> str:
    """Write styles that return once, as classes of the figure."""
    often = [style for style, times in Counter(_STYLE.findall(svg)).items() if times > 2]
    names = {style: f"{name}-{place}" for place, style in enumerate(often)}
    rules = "".join(f".{names[style]}{{{style}}}" for style in often)
    svg = _STYLE.sub(lambda found: f'class="{names[found[1]]}"' if found[1] in names else found[0], svg)
    return f"<style>{rules}</style>{svg}"


def _themed(tag: str) -> str:
    colours = _theme()
    return re.sub(r"#[0-9a-f]{6}", lambda colour: colours.get(colour[0], colour[0]), tag)


@cache
def _theme() -> dict[str, str]:
    """Return the page's names of the colours that figures are drawn in."""
    names = {colours[0]: f"var(--{name})" for name, colours in INK.items()}
    steps = zip(range(-LEVELS, LEVELS + 1), scale(), strict=True)
    return names | {colour: f"var(--{step_class(step)})" for step, colour in steps}
