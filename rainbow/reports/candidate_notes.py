"""Notes on columns that are not candidates of a verdict."""

from __future__ import annotations

from rainbow.analysis.verdicts.candidate_columns import CANDIDATE, COVERED
from rainbow.reports.number_format import format_percent
from rainbow.reports.saved.saved_analysis import SavedAnalysis


def candidate_notes(saved: SavedAnalysis) -> dict[str, str]:
    """Return a short note for each column that is not a candidate for every rating."""
    reasons = {rating: candidate_reasons(saved, rating) for rating in saved.ratings}
    notes = {
        metric: _format_note({rating: result[metric] for rating, result in reasons.items()}) for metric in saved.metrics
    }
    return {metric: note for metric, note in notes.items() if note}


def candidate_reasons(saved: SavedAnalysis, rating: str) -> dict[str, str]:
    """Return the reason of every column; empty for a candidate, and if no verdict was sought."""
    if "evidence" not in saved.tables:
        return dict.fromkeys(saved.metrics, "")
    lines = saved.rows("evidence", rating=rating)
    known = dict(zip(lines["metric"], lines["status"], strict=True))
    rated = saved.scores.loc[saved.scores[rating].notna()]
    missing = {metric: float(rated[metric].isna().mean()) for metric in saved.metrics}
    return {
        metric: known[metric].replace(CANDIDATE, "")
        if metric in known
        else _absence_reason(saved.higher_is_better[metric], missing[metric])
        for metric in saved.metrics
    }


def _absence_reason(higher_is_better: bool | None, missing: float) -> str:
    """Return why a column is absent from the evidence."""
    if higher_is_better is None:
        return "no direction"
    return f"missing in {format_percent(missing)} of rated outputs" if missing > 1 - COVERED else "not compared"


def _format_note(reasons: dict[str, str]) -> str:
    ratings: dict[str, list[str]] = {}
    for rating, reason in reasons.items():
        if reason:
            ratings.setdefault(reason, []).append(rating)
    return "; ".join(
        f"not a candidate{'' if len(names) == len(reasons) else ' for ' + ', '.join(names)}: {reason}"
        for reason, names in ratings.items()
    )
