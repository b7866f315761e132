"""All data checks of a table of scores and ratings."""

from __future__ import annotations

from collections.abc import Sequence

from rainbow.analysis.checks.baselines import check_baselines
from rainbow.analysis.checks.column_checks import (
    check_constant,
    check_coverage,
    check_missing,
    check_off_scale,
    check_rater_counts,
    check_ties,
)
from rainbow.analysis.checks.copies import (
    check_batch_effects,
    check_copied_inputs,
    check_copied_ratings,
    check_repeated_ratings,
    check_repeated_scores,
)
from rainbow.analysis.checks.findings import SEVERITIES, Check, Finding
from rainbow.analysis.checks.language_check import check_language, check_word_spacing
from rainbow.base.lazy import pd
from rainbow.stats.tidy_tables import require_columns

# In the order in which they are reported.
CHECKS: dict[str, Check] = {
    "missing values": check_missing,
    "ratings off the scale": check_off_scale,
    "copied marks": check_copied_ratings,
    "constant columns": check_constant,
    "repeated outputs: scores": check_repeated_scores,
    "batch effects": check_batch_effects,
    "copied inputs": check_copied_inputs,
    "language": check_language,
    "words": check_word_spacing,
    "numbers of raters": check_rater_counts,
    "coverage": check_coverage,
    "repeated outputs: ratings": check_repeated_ratings,
    "ties": check_ties,
    "baselines": check_baselines,
}


def check_scores(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> pd.DataFrame:
    """Return all findings about a table, one sentence each."""
    require_columns(frame, ["dataset", "system", "item", "output", *metrics, *ratings])
    findings: list[Finding] = []
    for name, check in CHECKS.items():
        results = list(check(frame, metrics, ratings))
        findings += results or [Finding(name, "ok", "", f"nothing found in {len(frame)} outputs", len(frame))]
    findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    return pd.DataFrame(findings, columns=list(Finding._fields))
