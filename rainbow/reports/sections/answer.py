"""The first screen: verdicts, the columns that agree best, where people and metrics differ, of what to beware."""

from __future__ import annotations

from typing import Any, NamedTuple

from rainbow.analysis.checks.causes import WORDS, group_causes
from rainbow.analysis.checks.findings import join_listing
from rainbow.analysis.minimum_outputs import MINIMUM_RATED
from rainbow.metrics.contract.facts import short_name
from rainbow.reports.first.apart import Apart, apart
from rainbow.reports.first.ladder import Ladder, ladder
from rainbow.reports.first.rulings import Ruling, rulings
from rainbow.reports.first.strip import Place, strip
from rainbow.reports.number import count, percent
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.section import Section

MOST_SYSTEMS = 8
CAUTIONS = 3
WEAK = 0.2  # an agreement below it says little of one output


class View(NamedTuple):
    """What is shown of one rating."""

    ruling: Ruling
    fault: str  # what is wrong with the ratings; empty where nothing is
    ladder: Ladder | None  # none where few outputs are rated
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
    return Section("answer", "Answer", data | {"preferred": _preferred(saved)})


def _preferred(saved: Saved) -> str:
    """Return which system people prefer, where they compared outputs side by side."""
    if "preferences" not in saved.tables:
        return ""
    first: Any = next(saved.tables["preferences"].itertuples())
    return f"People prefer {first.system}: in {percent(first.preferred)} of its {count(first.comparisons)} comparisons."


def _view(saved: Saved, ruling: Ruling) -> View:
    fault = _fault(saved, ruling.rating)
    if ruling.n.value < MINIMUM_RATED:
        return View(ruling, fault, None, "", [], [])
    chosen = ladder(saved, ruling)
    if not ruling.best:
        return View(ruling, fault, chosen, "", [], [])
    about = saved, ruling.rating, ruling.best
    return View(ruling, fault, chosen, short_name(ruling.best), strip(*about), apart(*about))


def _fault(saved: Saved, rating: str) -> str:
    """Return what the checks found wrong with a rating."""
    checks = saved.tables["checks"]
    found = group_causes(checks[(checks["severity"] == "error") & (checks["subject"] == rating)])
    return "; ".join(cause.sentence for cause in found)


def _cautions(saved: Saved, found: list[Ruling]) -> list[Caution]:
    """Return scores of unknown direction, what is wrong in the data, weak verdicts, then what else misleads."""
    checked = group_causes(saved.tables["checks"])
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
        *_unconfirmed(saved),
        *(caution for severity, caution in of_data if severity == "error"),
        *_long_winded(saved),
        *(own if weak else []),
        *(caution for severity, caution in of_data if severity == "warning"),
    ]


def _unconfirmed(saved: Saved) -> list[Caution]:
    """Return the columns of scores whose direction is not known: no verdict can name them."""
    lines = saved.tables["evidence"]
    lines = lines[lines["status"] == "direction unknown"].dropna(subset="agreement")
    if lines.empty:
        return []
    best: Any = lines.iloc[int(lines["agreement"].abs().to_numpy().argmax())]
    name, way = best["metric"], "higher" if best["agreement"] >= 0 else "lower"
    others = sorted({*lines["metric"]} - {name})
    says = f"{name} has {abs(best['agreement']):.2f} for {best['rating']} if {way} is better, which nobody has said"
    says += f"; {join_listing(others)} too" if others else ""
    return [Caution("no direction", says, f"confirm it with --score {name}:{way}, and run again")]


def _long_winded(saved: Saved) -> list[Caution]:
    """Return the scores that stand for a rating and follow the length of the output more than people do."""
    lines = saved.rows("score_biases", kind="score", bias="length")
    lines = lines[lines["low"] > 0] if len(lines) else lines
    return [
        Caution(
            "biased",
            f"{line.metric} correlates {line.value:.2f} with the length of the output, {line.rating} {line.people:.2f}",
            "compare outputs of equal length, or ask the judge not to reward length",
        )
        for line in lines.drop_duplicates(["metric", "rating"]).itertuples()
    ]
