"""The first screen: verdicts, the columns that agree best, where people and metrics differ, of what to beware."""

from __future__ import annotations

from typing import NamedTuple

from rainbow.analysis.checks.causes import WORDS, causes
from rainbow.metrics.contract.facts import short_name
from rainbow.reports.first.apart import Apart, apart
from rainbow.reports.first.ladder import Ladder, ladder
from rainbow.reports.first.rulings import Ruling, rulings
from rainbow.reports.first.strip import Place, strip
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.section import Section

__all__ = ["MOST_SYSTEMS", "section"]

MOST_SYSTEMS = 8
CAUTIONS = 3
WEAK = 0.2  # an agreement below it says little of one output


class View(NamedTuple):
    """What is shown of one rating."""

    ruling: Ruling
    ladder: Ladder
    called: str  # the best column in plain words
    places: list[Place]
    apart: list[Apart]


class Caution(NamedTuple):
    """Of what to beware, and what to do."""

    word: str
    says: str
    advice: str


def section(saved: Saved) -> Section:
    """Return the verdict on every rating with all that stands beside it, and at most three cautions."""
    views = [_view(saved, ruling) for ruling in rulings(saved)]
    cautions = _cautions(saved, [view.ruling for view in views])
    data = {"views": views, "most": MOST_SYSTEMS, "cautions": cautions[:CAUTIONS], "more": len(cautions) - CAUTIONS}
    return Section("answer", "Answer", data)


def _view(saved: Saved, ruling: Ruling) -> View:
    chosen = ladder(saved, ruling)
    if not ruling.best:
        return View(ruling, chosen, "", [], [])
    places, differing = (make(saved, ruling.rating, ruling.best) for make in (strip, apart))
    return View(ruling, chosen, short_name(ruling.best), places, differing)  # type: ignore[arg-type]


def _cautions(saved: Saved, found: list[Ruling]) -> list[Caution]:
    """Return what is wrong in the data, then what is weak in the verdicts, then what else there is to beware of."""
    checked = causes(saved.tables["checks"])
    of_data = [
        (cause.severity, Caution(WORDS[cause.severity], f"{cause.names}: {cause.sentence}", cause.advice))
        for cause in checked
    ]
    weak = [ruling for ruling in found if ruling.state == "green" and ruling.agreement.value < WEAK]
    own = [
        Caution(
            "weak",
            f"{', '.join(f'{ruling.metric} for {ruling.rating}' for ruling in weak)}: below {WEAK}",
            "do not judge one output by it: compare means of many",
        )
    ]
    return [
        *(caution for severity, caution in of_data if severity == "error"),
        *(own if weak else []),
        *(caution for severity, caution in of_data if severity == "warning"),
    ]
