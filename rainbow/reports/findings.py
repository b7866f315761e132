"""Findings of the data checks as a reader wants them: those of one kind in one line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rainbow.analysis.checks.findings import SEVERITIES, listing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["OMITTED", "FindingGroup", "grouped", "named"]

# A number that stands by itself, or what is written where there is none.
_NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])|\bnan\b")

OMITTED = "…"

# Names that begin alike are one family from this many on.
_FAMILY = 3


class FindingGroup(NamedTuple):
    """Findings of one kind."""

    check: str
    severity: str
    subjects: Sequence[str]  # the columns, systems or datasets that they are about
    names: str  # the same in short: families by what their names begin with
    sentence: str  # the finding; numbers in which the findings differ are left out
    findings: Sequence[tuple[str, str]]  # every subject with its own sentence


def grouped(checks: pd.DataFrame) -> list[FindingGroup]:
    """Put findings of ``checks.csv`` together that say the same but for the numbers, the worst first.

    Examples
    --------
    >>> import pandas as pd
    >>> checks = pd.DataFrame({"check": "ties", "severity": "warning", "subject": ["msp", "pol"]})
    >>> (group,) = grouped(checks.assign(finding=["99 % of 875 are tied", "40 % of 875 are tied"]))
    >>> group.names, group.sentence
    ('msp and pol', '… % of 875 are tied')
    """
    kinds: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for line in checks.itertuples():
        kind = (str(line.severity), str(line.check), _NUMBER.sub(OMITTED, str(line.finding)))
        kinds.setdefault(kind, []).append((str(line.subject), str(line.finding)))
    groups = []
    for (severity, check, _), found in kinds.items():
        subjects = list(dict.fromkeys(subject for subject, _ in found))
        sentence = _common([sentence for _, sentence in found])
        groups.append(FindingGroup(check, severity, subjects, named(subjects), sentence, found))
    order: Sequence[str] = SEVERITIES
    return sorted(groups, key=lambda group: order.index(group.severity))


def _common(sentences: Sequence[str]) -> str:
    """Return the first sentence without the numbers that are others elsewhere."""
    numbers = [_NUMBER.findall(sentence) for sentence in sentences]
    kept = iter([places[0] if len(set(places)) == 1 else OMITTED for places in zip(*numbers, strict=True)])
    return _NUMBER.sub(lambda _: next(kept), sentences[0])


def named(subjects: Sequence[str], most: int | None = None) -> str:
    """Return names as they stand in a sentence, families (three or more with a common beginning) by that beginning.

    Where there are more than `most`, the others are counted.

    Examples
    --------
    >>> named(["msp", "type_inform", "type_select", "type_other"])
    'msp and type_* (3)'
    >>> named(["msp", "len", "TER", "RE"], most=2)
    'msp, len and 2 more'
    """
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
    return listing(short)
