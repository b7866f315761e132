"""The first screen: verdicts, best columns, disagreements and cautions."""

from __future__ import annotations

from typing import Any, NamedTuple

from rainbow.analysis.checks.findings import WORDS, group_causes, join_listing
from rainbow.analysis.verdicts.candidate_columns import MINIMUM_RATED
from rainbow.metrics.contract.metric_card import short_name
from rainbow.reports.number_format import format_count, format_percent
from rainbow.reports.overview.agreement_chart import AgreementChart, agreement_chart
from rainbow.reports.overview.disagreeing_outputs import (
    DisagreeingOutput,
    SystemPlace,
    disagreeing_outputs,
    system_order,
)
from rainbow.reports.overview.page_verdicts import PageVerdict, page_verdicts
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.section import Section

MOST_SYSTEMS = 8
CAUTIONS = 3
WEAK = 0.2  # an agreement below it says little of one output


class RatingView(NamedTuple):
    """What is shown about one rating."""

    ruling: PageVerdict
    fault: str  # the problem with the ratings; empty for none
    ladder: AgreementChart | None  # none where few outputs are rated
    called: str  # the best column in plain words
    places: list[SystemPlace]
    apart: list[DisagreeingOutput]


class Caution(NamedTuple):
    """A caution with advice."""

    word: str
    says: str
    advice: str


def section(saved: SavedAnalysis) -> Section:
    """Return the verdict on every rating with its evidence, and at most three cautions."""
    views = [_rating_view(saved, ruling) for ruling in page_verdicts(saved)]
    cautions = _select_cautions(saved, [view.ruling for view in views])
    data = {"views": views, "most": MOST_SYSTEMS, "cautions": cautions[:CAUTIONS], "more": len(cautions) - CAUTIONS}
    return Section("answer", "Answer", data | {"preferred": _preferred_system(saved)})


def _preferred_system(saved: SavedAnalysis) -> str:
    """Return which system people prefer in side-by-side comparisons."""
    if "preferences" not in saved.tables:
        return ""
    first: Any = next(saved.tables["preferences"].itertuples())
    return (
        f"People prefer {first.system}: in {format_percent(first.preferred)} of its "
        f"{format_count(first.comparisons)} comparisons."
    )


def _rating_view(saved: SavedAnalysis, verdict: PageVerdict) -> RatingView:
    fault = _rating_problem(saved, verdict.rating)
    if verdict.n.value < MINIMUM_RATED:
        return RatingView(verdict, fault, None, "", [], [])
    chosen = agreement_chart(saved, verdict)
    if not verdict.best:
        return RatingView(verdict, fault, chosen, "", [], [])
    about = saved, verdict.rating, verdict.best
    return RatingView(
        verdict, fault, chosen, short_name(verdict.best), system_order(*about), disagreeing_outputs(*about)
    )


def _rating_problem(saved: SavedAnalysis, rating: str) -> str:
    """Return the problem that the checks found with a rating."""
    checks = saved.tables["checks"]
    result = group_causes(checks[(checks["severity"] == "error") & (checks["subject"] == rating)])
    return "; ".join(cause.sentence for cause in result)


def _select_cautions(saved: SavedAnalysis, page_verdicts: list[PageVerdict]) -> list[Caution]:
    """Return cautions: unknown directions, data problems, weak verdicts, then others."""
    checked = group_causes(saved.tables["checks"])
    of_data = [
        (cause.severity, Caution(WORDS[cause.severity], f"{cause.names}: {cause.sentence}", cause.advice))
        for cause in checked
    ]
    weak = [ruling for ruling in page_verdicts if ruling.state == "green" and ruling.agreement.value < WEAK]
    own = [
        Caution(
            "weak",
            f"{', '.join(f'{ruling.metric} for {ruling.rating}' for ruling in weak)}: below {WEAK}",
            "do not judge single outputs by it: compare means of many",
        )
    ]
    return [
        *_unknown_directions(saved),
        *(caution for severity, caution in of_data if severity == "error"),
        *_length_biased(saved),
        *(own if weak else []),
        *(caution for severity, caution in of_data if severity == "warning"),
    ]


def _unknown_directions(saved: SavedAnalysis) -> list[Caution]:
    """Return score columns of unknown direction, which no verdict can name."""
    lines = saved.tables["evidence"]
    lines = lines[lines["status"] == "direction unknown"].dropna(subset="agreement")
    if lines.empty:
        return []
    best: Any = lines.iloc[int(lines["agreement"].abs().to_numpy().argmax())]
    name, direction = best["metric"], "higher" if best["agreement"] >= 0 else "lower"
    others = sorted({*lines["metric"]} - {name})
    says = (
        f"{name} has {abs(best['agreement']):.2f} for {best['rating']} if {direction} is better, but its direction "
        "is not given"
    )
    says += f"; {join_listing(others)} too" if others else ""
    return [Caution("no direction", says, f"confirm it with --score {name}:{direction} and run again")]


def _length_biased(saved: SavedAnalysis) -> list[Caution]:
    """Return scores standing for a rating that favour length more than people do."""
    lines = saved.rows("score_biases", kind="score", bias="length")
    lines = lines[lines["low"] > 0] if len(lines) else lines
    return [
        Caution(
            "biased",
            f"{line.metric} correlates {line.value:.2f} with output length, {line.rating} {line.people:.2f}",
            "compare outputs of equal length, or ask the judge not to reward length",
        )
        for line in lines.drop_duplicates(["metric", "rating"]).itertuples()
    ]
