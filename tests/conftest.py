"""Fixtures for every test: where the published data lies, and whether Java is there."""

import os
import shutil
import signal
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from rainbow.programs.meteor_program import JAR, meteor_file

# Fixtures: pytest finds them by their names here.
from tests.commands import rainbow  # noqa: F401
from tests.judged import e2e_judgements, judged, rankme_judgements, table_11  # noqa: F401
from tests.reports.browser.driver import axe, browser  # noqa: F401

# A loaded machine may take its time for any example.
hypothesis.settings.register_profile("any machine", deadline=None)
hypothesis.settings.load_profile("any machine")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Return the folder of published data (emnlp2017/, e2e/), or skip: it is not part of the project."""
    folder = Path(os.environ.get("RAINBOW_DATA") or Path(__file__).parents[2] / "shared" / "data")
    if not (folder / "emnlp2017").is_dir():
        pytest.skip(f"the published data is not at {folder}; set RAINBOW_DATA to its folder")
    return folder.resolve()


# METEOR's program, which the tests compare with, finds its files on Java's own class path alone, and that is settled
# when Java starts, for whatever test comes first.
with suppress(FileNotFoundError):
    os.environ.setdefault("CLASSPATH", str(meteor_file(JAR)))


# Tests that are started in the background inherit an interrupt that is ignored, and so would the commands they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def java() -> str:
    """Return the path of the Java program that the reference tools need, or skip."""
    program = shutil.which("java")
    if program is None:
        pytest.skip("Java is not installed: apt-get install default-jre-headless")
    return program


@pytest.fixture
def figures_unwritten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let figures of pages be made, but not written: that takes ten times as long."""
    from rainbow.reports.figures.render import RenderedFigure

    def made(_: object, figures: Iterable[Any], workers: int) -> Iterator[RenderedFigure]:
        for figure in figures:
            figure.draw()
            yield RenderedFigure(b"<svg></svg>", b"")

    monkeypatch.setattr("rainbow.reports.pages.page.in_order", made)


@pytest.fixture(scope="module")
def few_trees() -> Iterator[None]:
    """Let forests have few trees, where nothing that is tested hangs on how many."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("learner.quantised_forest", "training.learn"):
            patch.setattr(f"rainbow.learned.{module}.TREES", 10)
        yield
