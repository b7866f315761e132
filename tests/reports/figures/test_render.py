"""A figure as it stands in a page: its texts are texts, its places are where they were drawn."""

import io
import re
import zlib
from xml.etree import ElementTree

import matplotlib
import pytest
from fontTools.subset import Options
from fontTools.ttLib import TTFont
from matplotlib.figure import Figure as Canvas

from rainbow.reports.figures.render import inline_svg, render_figure
from rainbow.reports.figures.style import STYLE
from rainbow.reports.section import Figure

NAMES = ["TER", "a--b", "10.25678", "<i>& M 3.14159", "#1c2128"]


@pytest.fixture(scope="module")
def drawn() -> ElementTree.Element:
    figure = Figure("bars", "", "Bars.", _bars)
    return ElementTree.fromstring(inline_svg(render_figure(figure).svg, figure))


def _bars() -> Canvas:
    canvas = Canvas(figsize=(7, 2))
    axes = canvas.subplots()
    axes.barh(NAMES, [1, 2, 3, 4, 5])
    axes.set_title("Bars", fontweight="bold")
    return canvas


def test_texts_of_a_figure_are_found_as_they_were_given(drawn: ElementTree.Element) -> None:
    assert [text for text in [text.text for text in drawn.iter("text")] if text in NAMES] == NAMES
    assert [text.text for text in drawn.iter("text") if text.get("font-weight")] == ["Bars"]


def test_texts_that_the_font_lacks_letters_of_have_their_own_width() -> None:
    figure = Figure("names", "", "Names.", _names)
    texts = {
        text.text: text for text in ElementTree.fromstring(inline_svg(render_figure(figure).svg, figure)).iter("text")
    }
    assert texts["Система 1"].get("textLength") and not texts["प्रणाली दो"].get("textLength")


def _names() -> Canvas:
    canvas = Canvas(figsize=(7, 2))
    canvas.subplots().barh(["Система 1", "प्रणाली दो"], [1, 2])
    return canvas


def test_bars_stay_rectangles_of_their_lengths(drawn: ElementTree.Element) -> None:
    paths = [path.get("d", "") for group in drawn.iter("g") for path in group.findall("path")]
    corners = [[float(x) for x in re.findall(r"[ML] (\S+) \S+", path)] for path in paths if path.count("L") == 3]
    bars = sorted(max(places) - min(places) for places in corners)[: len(NAMES)]
    assert [round(width / bars[0]) for width in bars] == [1, 2, 3, 4, 5]


def test_a_figures_panels_can_be_told(drawn: ElementTree.Element) -> None:
    assert [group.get("class") for group in drawn.iter("g") if group.get("class")] == ["axes"]


def test_figures_are_drawn_as_matplotlib_would_lay_them_out_by_itself() -> None:
    figure, buffer = Figure("laid-out", "", "", _two_panels), io.BytesIO()
    with matplotlib.rc_context(STYLE | {"svg.hashsalt": figure.name, "axes.titley": None}):
        figure.draw().savefig(buffer, format="svg", metadata=dict.fromkeys(["Date", "Creator", "Format", "Type"]))
    assert render_figure(figure).svg == buffer.getvalue()


def _two_panels() -> Canvas:
    canvas = Canvas(figsize=(7, 2), layout="constrained")
    left, right = canvas.subplots(1, 2, sharey=True)
    left.barh(NAMES, [1, 2, 3, 4, 5], label="bars")
    left.set_xlabel("how long")
    right.scatter([1, 2], [0, 4], label="dots")
    right.set_title("Dots")
    canvas.supxlabel("below")
    canvas.legend(loc="outside upper right")
    return canvas


def test_fonts_in_a_pdf_hold_letters_and_not_how_to_place_them() -> None:
    usual = list(Options().drop_tables)
    pdf = render_figure(Figure("bars", "", "Bars.", _bars)).pdf
    streams = re.findall(rb"/Length1 \d+.*?stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    fonts = [TTFont(io.BytesIO(zlib.decompress(stream))) for stream in streams]
    assert len(fonts) >= 2
    for font in fonts:
        assert {"glyf", "hmtx", "loca"} <= {*font.keys()} and not {"GSUB", "GPOS", "GDEF"} & {*font.keys()}
    assert Options().drop_tables == usual
