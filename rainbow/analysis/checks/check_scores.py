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

__all__ = ["CHECKS", "check_scores"]

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
    """Return what is wrong with a table, or to be known before its numbers are read: one sentence per finding.

    Looked for are: missing and infinite values; marks off the scale; marks of a whole that are copied to its parts;
    constant columns; metrics that were not
    computed alike for all systems (the same output for the same input has different scores); batch effects (the
    same text is rated differently as the output of one system than of another); metrics for English where texts are
    in another language; metrics of words where a language has no blanks between them; ratings by unlike numbers of
    judges; items that some systems lack, or have more often; how far ratings of the same output differ; columns that
    are mostly ties; metrics that say no more about a rating than the length of the output, or than a constant.

    Parameters
    ----------
    frame
        A row per output, with columns `dataset`, `system`, `item`, `output` and those named next.
    metrics, ratings
        Columns of the table; either may be empty.

    Returns
    -------
    DataFrame
        Columns check, severity, subject, finding, n (rows, texts or items); errors first, then warnings, notes, and
        a line ``ok`` for every check that found nothing. An ``error`` is wrong data: no comparison that uses it is
        sound; a ``warning`` says of what to beware; a ``note`` is what somebody may want to know.

    Raises
    ------
    ValueError
        If a column is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"dataset": "inns", "system": ["A", "B"] * 3, "item": list("iijjkk")})
    >>> frame = frame.assign(output=list("abcdef"), TER=[0.1, 0.3, 0.5, 0.2, 0.3, 0.9], quality=3)
    >>> found = check_scores(frame, ["TER"], ["quality"])
    >>> found.loc[found["severity"] == "error", ["check", "subject", "finding"]].to_dict("records")
    [{'check': 'constant columns', 'subject': 'quality',
      'finding': 'constant (3) over all 6 outputs: nothing correlates with it'}]
    """
    import pandas as pd

    require(frame, ["dataset", "system", "item", "output", *metrics, *ratings])
    findings: list[Finding] = []
    for name, check in CHECKS.items():
        found = list(check(frame, metrics, ratings))
        findings += found or [Finding(name, "ok", "", f"nothing found in {len(frame)} outputs", len(frame))]
    findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    return pd.DataFrame(findings, columns=list(Finding._fields))
