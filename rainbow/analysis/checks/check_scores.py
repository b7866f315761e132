"""Checks of a table of scores and ratings, to be run and read before any comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rainbow.analysis.checks.baselines import check_baselines
from rainbow.analysis.checks.column_checks import check_constant, check_missing, check_off_scale, check_ties
from rainbow.analysis.checks.copied_marks import check_copied_marks
from rainbow.analysis.checks.coverage_checks import check_coverage, check_judges
from rainbow.analysis.checks.findings import SEVERITIES, Check, Finding
from rainbow.analysis.checks.language_check import check_language, check_words
from rainbow.analysis.checks.repeated_outputs import check_batch_effects, check_repeated_ratings, check_repeated_scores
from rainbow.stats.tidy import require

if TYPE_CHECKING:
    import pandas as pd

# In the order in which they are reported.
CHECKS: dict[str, Check] = {
    "missing values": check_missing,
    "marks off the scale": check_off_scale,
    "copied marks": check_copied_marks,
    "constant columns": check_constant,
    "repeated outputs: scores": check_repeated_scores,
    "batch effects": check_batch_effects,
    "language": check_language,
    "words": check_words,
    "numbers of judges": check_judges,
    "coverage": check_coverage,
    "repeated outputs: ratings": check_repeated_ratings,
    "ties": check_ties,
    "baselines": check_baselines,
}


def check_scores(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> pd.DataFrame:
    """Return what is wrong with a table, or to be known before its numbers are read: one sentence per finding."""
    import pandas as pd

    require(frame, ["dataset", "system", "item", "output", *metrics, *ratings])
    findings: list[Finding] = []
    for name, check in CHECKS.items():
        found = list(check(frame, metrics, ratings))
        findings += found or [Finding(name, "ok", "", f"nothing found in {len(frame)} outputs", len(frame))]
    findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    return pd.DataFrame(findings, columns=list(Finding._fields))
