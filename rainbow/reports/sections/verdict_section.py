"""The first screen: verdicts, best columns, disagreements and cautions."""

from __future__ import annotations

from typing import Any

from rainbow.analysis.checks.findings import WORDS, group_causes, join_listing
from rainbow.analysis.verdicts.candidate_columns import MINIMUM_RATED
from rainbow.metrics.contract.metric_card import short_name
from rainbow.reports.overview.agreement_chart import agreement_chart
from rainbow.reports.overview.disagreeing_outputs import disagreeing_outputs, system_order
from rainbow.reports.overview.page_verdicts import PageVerdict, page_verdicts
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_tables import SavedRow
from rainbow.reports.section import Section

MOST_SYSTEMS = 8
CAUTIONS = 3
WEAK = 0.2  # an agreement below it says little of one output


def section(saved: SavedAnalysis) -> Section:
    """Return the verdict on every rating with its evidence, and at most three cautions."""
    views = [_rating_view(saved, ruling) for ruling in page_verdicts(saved)]
    cautions = _select_cautions(saved, [view["ruling"] for view in views])
    data = {"views": views, "most": MOST_SYSTEMS, "cautions": cautions[:CAUTIONS], "more": len(cautions) - CAUTIONS}
    return Section("answer", "Answer", data | {"preferred": _preferred_system(saved)})


def _preferred_system(saved: SavedAnalysis) -> str:
    """Return which system people prefer in side-by-side comparisons."""
    if "preferences" not in saved.tables:
        return ""
    sentence = "People prefer {system}: in {preferred:percent} of its {comparisons:count} comparisons."
    return saved.lines("preferences")[0].text(sentence)


def _rating_view(saved: SavedAnalysis, verdict: PageVerdict) -> dict[str, Any]:
    """Return what is shown about one rating; without a chart if few outputs are rated."""
    checks, about = saved.tables["checks"], (saved, verdict.rating, verdict.best)
    problems = group_causes(checks[(checks["severity"] == "error") & (checks["subject"] == verdict.rating)])
    charted = verdict.n.value >= MINIMUM_RATED
    compared = charted and bool(verdict.best)
    return {
        "ruling": verdict,
        "fault": "; ".join(cause.sentence for cause in problems),
        "ladder": agreement_chart(saved, verdict) if charted else None,
        "called": short_name(verdict.best) if compared else "",
        "places": system_order(*about) if compared else [],
        "apart": disagreeing_outputs(*about) if compared else [],
    }


def _caution(word: str, says: str, advice: str) -> dict[str, str]:
    return {"word": word, "says": says, "advice": advice}


def _select_cautions(saved: SavedAnalysis, verdicts: list[PageVerdict]) -> list[dict[str, str]]:
    """Return cautions: unknown directions, data problems, weak verdicts, then others."""
    of_data: dict[str, list[dict[str, str]]] = {"error": [], "warning": []}
    for cause in group_causes(saved.tables["checks"]):
        caution = _caution(WORDS[cause.severity], f"{cause.names}: {cause.sentence}", cause.advice)
        of_data.setdefault(cause.severity, []).append(caution)
    weak = [
        f"{ruling.metric} for {ruling.rating}"
        for ruling in verdicts
        if ruling.state == "green" and ruling.agreement.value < WEAK
    ]
    advice = "do not judge single outputs by it: compare means of many"
    own = [_caution("weak", f"{', '.join(weak)}: below {WEAK}", advice)] if weak else []
    return [*_unknown_directions(saved), *of_data["error"], *_length_biased(saved), *own, *of_data["warning"]]


def _unknown_directions(saved: SavedAnalysis) -> list[dict[str, str]]:
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
    return [_caution("no direction", says, f"confirm it with --score {name}:{direction} and run again")]


def _length_biased(saved: SavedAnalysis) -> list[dict[str, str]]:
    """Return scores standing for a rating that favour length more than people do."""
    says = "{metric} correlates {value:.2f} with output length, {rating} {people:.2f}"
    advice = "compare outputs of equal length, or ask the judge not to reward length"
    lines: dict[tuple[str, str], SavedRow] = {}
    for line in saved.lines("score_biases", kind="score", bias="length"):
        if line.low > 0:
            lines.setdefault((line.metric, line.rating), line)
    return [_caution("biased", line.text(says), advice) for line in lines.values()]
