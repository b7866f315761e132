"""Findings of data checks, and their causes with advice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from rainbow.base.lazy import pd

# error: wrong data, comparisons that use this column or these rows are not sound; warning: numbers read without it are
# misleading; note: background; ok: nothing found.
Severity = Literal["error", "warning", "note", "ok"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)


class Finding(NamedTuple):
    """One finding of a check."""

    check: str  # the name of the check
    severity: Severity  # ``error``, ``warning``, ``note`` or ``ok``
    subject: str  # the column, the system or the dataset that it is about
    finding: str  # one sentence with the numbers
    n: int  # the rows, texts or items that it rests on


# A check looks at a table, its metrics and its ratings.
Check = Callable[["pd.DataFrame", Sequence[str], Sequence[str]], Iterator[Finding]]


def join_listing(names: Sequence[str]) -> str:
    """Join names for a sentence."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


# Labels of severities: unusable, misleading, good to know.
WORDS = {"error": "wrong data", "warning": "beware", "note": "note", "ok": "nothing found"}

# A number on its own, or the sign for a missing one.
_NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])|\bnan\b")

OMITTED = "…"

# Names that begin alike are one family from this many on.
_FAMILY = 3


# Joint description of the findings of a check, and advice.
SEVERAL = {
    "baselines": ("no better than output length or a constant", "see the verdict, which controls for length"),
    "ties": ("most pairs of outputs are tied", "use a finer scale or more raters per output"),
    "constant columns": ("constant over all outputs, or over those of a system", "exclude constant columns"),
    "missing values": ("missing for some outputs", "see the reasons under Methods; recompute external scores"),
    "ratings off the scale": ("one rating is far from all others", "correct it if it is a typo, or leave it empty"),
    "copied marks": (
        "ratings of whole documents are copied to their parts",
        "rely on the verdict, which counts each rating once",
    ),
    "repeated outputs: scores": ("the same output for the same input has different scores", "recompute these scores"),
    "repeated outputs: ratings": (
        "the same output for the same input has different ratings",
        "this shows the error of the raters",
    ),
    "batch effects": (
        "the same texts are rated differently under another system's name",
        "compare systems only within one batch of ratings",
    ),
    "copied inputs": (
        "some outputs copy their input",
        "test whether a metric rewards copies: rainbow audit METRIC FILE --kinds mr-copied",
    ),
    "coverage": ("some systems lack outputs for some inputs", "compare systems on their common inputs"),
    "language": ("most words of the outputs are not English", "do not use these metrics, which are made for English"),
    "words": (
        "the language has no spaces between words, which these metrics compare",
        "use chrF++, which compares characters, or segment the texts into words first",
    ),
    "numbers of raters": ("outputs have different numbers of raters", "compare systems with equal numbers of raters"),
}
MOST_NAMES = 4


class Cause(NamedTuple):
    """All findings of one check with one severity."""

    check: str
    severity: str
    names: str  # what it is about
    sentence: str
    advice: str
    times: int  # findings


def group_causes(checks: pd.DataFrame) -> list[Cause]:
    """Return problems and warnings once per cause, worst first, without notes."""
    result: dict[tuple[str, str], list[FindingGroup]] = {}
    for group in group_findings(checks):
        if group.severity in ("error", "warning"):
            result.setdefault((group.severity, group.check), []).append(group)
    return [_cause(*key, groups) for key, groups in result.items()]


def _cause(severity: str, check: str, groups: Sequence[FindingGroup]) -> Cause:
    subjects = list(dict.fromkeys(subject for group in groups for subject in group.subjects))
    several, advice = SEVERAL.get(check, (f"several findings ({check})", "see the details under Checks"))
    single = len(groups) == 1 and OMITTED not in groups[0].sentence
    sentence = groups[0].sentence if single else several
    return Cause(
        check, severity, join_names(subjects, MOST_NAMES), sentence, advice, sum(len(g.findings) for g in groups)
    )


class FindingGroup(NamedTuple):
    """Findings of one kind."""

    check: str
    severity: str
    subjects: Sequence[str]  # the columns, systems or datasets that they are about
    names: str  # the same in short: families by what their names begin with
    sentence: str  # the finding; numbers in which the findings differ are left out
    findings: Sequence[tuple[str, str]]  # every subject with its own sentence


def group_findings(checks: pd.DataFrame) -> list[FindingGroup]:
    """Group findings of ``checks.csv`` that differ only in numbers, worst first."""
    kinds: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for line in checks.itertuples():
        kind = (str(line.severity), str(line.check), _NUMBER.sub(OMITTED, str(line.finding)))
        kinds.setdefault(kind, []).append((str(line.subject), str(line.finding)))
    groups = []
    for (severity, check, _), result in kinds.items():
        subjects = list(dict.fromkeys(subject for subject, _ in result))
        sentence = _common_sentence([sentence for _, sentence in result])
        groups.append(FindingGroup(check, severity, subjects, join_names(subjects), sentence, result))
    order: Sequence[str] = SEVERITIES
    return sorted(groups, key=lambda group: order.index(group.severity))


def _common_sentence(sentences: Sequence[str]) -> str:
    """Return the first sentence without the numbers that differ."""
    numbers = [_NUMBER.findall(sentence) for sentence in sentences]
    kept = iter([places[0] if len(set(places)) == 1 else OMITTED for places in zip(*numbers, strict=True)])
    return _NUMBER.sub(lambda _: next(kept), sentences[0])


def join_names(subjects: Sequence[str], limit: int | None = None) -> str:
    """Return names for a sentence; three or more with a common prefix become a family."""
    families: dict[str, list[str]] = {}
    for subject in subjects:
        families.setdefault(subject.split("_")[0] + "_" if "_" in subject else subject, []).append(subject)
    short = [
        name
        for beginning, members in families.items()
        for name in ([f"{beginning}* ({len(members)})"] if len(members) >= _FAMILY else members)
    ]
    if limit is not None and len(short) > limit:
        short = [*short[:limit], f"{len(short) - limit} more"]
    return join_listing(short)
