"""A figure as it stands in a page: its texts are texts, its places are where they were drawn."""

from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure as Canvas

from rainbow.reports.figures.render import for_page, render
from rainbow.reports.section import Figure

NAMES = ["TER", "a--b", "10.25678", "<i>& M 3.14159", "#1c2128"]


@pytest.fixture(scope="module")
def drawn() -> ElementTree.Element:
    figure = Figure("bars", "", "Bars.", _bars)
    return ElementTree.fromstring(for_page(render(figure).svg, figure))


def _bars() -> Canvas:
    canvas = Canvas(figsize=(7, 2))
    axes = canvas.subplots()
    axes.barh(NAMES, [1, 2, 3, 4, 5])
    axes.set_title("Bars", fontweight="bold")
    return canvas


def test_texts_of_a_figure_are_found_as_they_were_given(drawn: ElementTree.Element) -> None:
    texts = [text.text for text in drawn.iter("text")]
    assert [text for text in texts if text in NAMES] == NAMES
    assert [text.text for text in drawn.iter("text") if text.get("font-weight")] == ["Bars"]


def test_bars_stay_rectangles_of_their_lengths(drawn: ElementTree.Element) -> None:
    paths = [path.get("d", "") for group in drawn.iter("g") for path in group.findall("path")]
    widths = [float(path.split("h")[1].split("v")[0]) for path in paths if path.count("h") == 2]
    bars = sorted(widths)[: len(NAMES)]
    assert [round(width / bars[0]) for width in bars] == [1, 2, 3, 4, 5]


def test_a_figures_panels_can_be_told(drawn: ElementTree.Element) -> None:
    assert [group.get("class") for group in drawn.iter("g") if group.get("class")] == ["axes"]
