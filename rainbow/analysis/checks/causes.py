"""Findings of the data checks grouped by cause, with advice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rainbow.analysis.checks.findings import SEVERITIES, join_listing

if TYPE_CHECKING:
    import pandas as pd

# What a severity is called: what it is about cannot be used; it misleads whoever does not know; to be known.
WORDS = {"error": "wrong data", "warning": "beware", "note": "note", "ok": "nothing found"}

# A number that stands by itself, or what is written where there is none.
_NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])|\bnan\b")

OMITTED = "…"

# Names that begin alike are one family from this many on.
_FAMILY = 3


# What findings of a check say together where one sentence cannot, and what to do about it.
SEVERAL = {
    "baselines": ("the length of the output, or a constant, tells as much", "see the verdict, which allows for length"),
    "ties": ("most pairs of outputs have the same value", "ask for finer marks, or more raters of an output"),
    "constant columns": ("one value for all outputs of a system, or for all", "leave out what is constant"),
    "missing values": (
        "missing in some outputs",
        "see the reasons under Methods; external scores: compute them again",
    ),
    "marks off the scale": ("a mark lies far from all others", "correct it if it is a slip, or leave it empty"),
    "copied marks": ("marks of a whole are copied to its parts", "read the verdict, which counts each mark once"),
    "repeated outputs: scores": ("the same text for the same input has several scores", "compute these scores anew"),
    "repeated outputs: ratings": ("the same text for the same input has several ratings", "that is how far raters err"),
    "batch effects": (
        "the same texts were rated otherwise under another system's name",
        "compare systems by ratings of one batch alone",
    ),
    "coverage": ("not every system has an output for every input", "compare systems on the inputs that all have"),
    "language": ("most words of the outputs are in no English list", "do not use these, which are made for English"),
    "words": (
        "the language has no blanks between words, which these compare",
        "use chrF++, which compares characters, or split the texts into words first",
    ),
    "numbers of judges": ("not every output has as many judges", "compare systems that were judged by as many"),
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
    found: dict[tuple[str, str], list[FindingGroup]] = {}
    for group in group_findings(checks):
        if group.severity in ("error", "warning"):
            found.setdefault((group.severity, group.check), []).append(group)
    return [_cause(*key, groups) for key, groups in found.items()]


def _cause(severity: str, check: str, groups: Sequence[FindingGroup]) -> Cause:
    subjects = list(dict.fromkeys(subject for group in groups for subject in group.subjects))
    several, advice = SEVERAL.get(check, (f"several findings ({check})", "see what they say under Checks"))
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
    for (severity, check, _), found in kinds.items():
        subjects = list(dict.fromkeys(subject for subject, _ in found))
        sentence = _common_sentence([sentence for _, sentence in found])
        groups.append(FindingGroup(check, severity, subjects, join_names(subjects), sentence, found))
    order: Sequence[str] = SEVERITIES
    return sorted(groups, key=lambda group: order.index(group.severity))


def _common_sentence(sentences: Sequence[str]) -> str:
    """Return the first sentence without the numbers that differ."""
    numbers = [_NUMBER.findall(sentence) for sentence in sentences]
    kept = iter([places[0] if len(set(places)) == 1 else OMITTED for places in zip(*numbers, strict=True)])
    return _NUMBER.sub(lambda _: next(kept), sentences[0])


def join_names(subjects: Sequence[str], most: int | None = None) -> str:
    """Return names for a sentence; three or more with a common prefix become a family."""
    families: dict[str, list[str]] = {}
    for subject in subjects:
        families.setdefault(subject.split("_")[0] + "_" if "_" in subject else subject, []).append(subject)
    short = [
        name
        for beginning, members in families.items()
        for name in ([f"{beginning}* ({len(members)})"] if len(members) >= _FAMILY else members)
    ]
    if most is not None and len(short) > most:
        short = [*short[:most], f"{len(short) - most} more"]
    return join_listing(short)
