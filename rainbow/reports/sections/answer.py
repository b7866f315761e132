"""Answer first: what to trust, how far, and what not to trust it for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rainbow.analysis.agreement.best_ceilings import why_no_ceiling
from rainbow.analysis.correlations.strata import BAD_AT_MOST
from rainbow.reports.findings import OMITTED, FindingGroup, grouped, named
from rainbow.reports.number import Number, fixed
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.section import Section
from rainbow.reports.trusted import Trusted, learned, trusted

__all__ = ["section"]

MOST_NAMES = 4

# What findings of a check mean that are more than one sentence can say.
SEVERAL = {
    "baselines": "some ratings are told no better by these than by the length of the output alone",
    "ties": "so many outputs have the same value that these hardly put them in an order",
    "constant columns": "these have one value for all outputs of a system, or for all: nothing correlates with it",
    "missing values": "missing in some outputs",
    "repeated outputs: scores": "the same text for the same input has several scores",
    "repeated outputs: ratings": "the same text for the same input has several ratings",
    "batch effects": "the same texts were rated otherwise under another system's name",
    "coverage": "not every system has an output for every input",
    "language": "most words of the outputs are in no English list, and these are made for English",
    "numbers of judges": "not every output has as many judges",
}


class Weakest(NamedTuple):
    """Where something trusted agrees least with people, as it stands in a sentence."""

    where: str
    choice: Trusted
    r: Number
    agreement: float


class Beware(NamedTuple):
    """What a check found: a sentence, or how many findings about what."""

    severity: str
    names: str
    sentence: str


def section(saved: Saved) -> Section:
    """Return three sentences and a picture of every rating, and the warnings beside them."""
    chosen = trusted(saved)
    firm = [choice for choice in chosen if not choice.doubtful]
    data = {
        "chosen": chosen,
        "firm": _by_metric(firm),
        "doubtful": [choice.rating for choice in chosen if choice.doubtful],
        "passed": [model for choice in chosen if not choice.protocol and (model := learned(saved, choice.rating))],
        "without_bad": [(choice, number) for choice in chosen if (number := _without_bad(saved, choice))],
        "weakest": _weakest(saved, firm),
        "bad": fixed(BAD_AT_MOST, 0),
        "from_repeats": any(choice.ceiling and "repeated" in choice.ceiling.measure for choice in chosen),
        "unknown": why_no_ceiling(saved.tables["ceilings"]),
        "beware": _beware(grouped(saved.tables["checks"])),
    }
    return Section("answer", "Answer first", data)


def _by_metric(choices: Iterable[Trusted]) -> list[tuple[str, list[Trusted]]]:
    """Put the ratings together for which the same is to be trusted."""
    groups: dict[str, list[Trusted]] = {}
    for choice in choices:
        groups.setdefault(choice.metric, []).append(choice)
    return list(groups.items())


def _without_bad(saved: Saved, choice: Trusted) -> Number | None:
    """Return the correlation among outputs that people do not call bad."""
    wanted = {"by": "bad-rating", "rating": choice.rating, "stratum": "good and average", "metric": choice.metric}
    lines = saved.rows("strata", **wanted).dropna(subset="r")
    return saved.number("strata", lines.index[0], "r", fixed) if len(lines) else None


def _weakest(saved: Saved, choices: Iterable[Trusted]) -> Weakest | None:
    """Return where a metric agrees least with people; None if there is one part only."""
    found = [entry for choice in choices if not choice.protocol for entry in _parts(saved, choice)]
    return min(found, key=lambda entry: entry.agreement, default=None)


def _parts(saved: Saved, choice: Trusted) -> Iterator[Weakest]:
    """Return the agreement of a metric with a rating in every part of the outputs."""
    for part in saved.parts[1:]:
        wanted = {"level": "pooled", "rating": choice.rating, "metric": choice.metric, **part.wanted}
        lines = saved.rows("correlations", **wanted).dropna(subset="r")
        if len(lines):
            number = saved.number("correlations", lines.index[0], "r", fixed)
            agreement = -number.value if choice.lower_is_better else number.value
            yield Weakest(f"for {saved.label(part)} alone", choice, number, agreement)


def _beware(groups: Sequence[FindingGroup]) -> list[Beware]:
    """Put errors and warnings of one check in one line."""
    kinds: dict[tuple[str, str], list[FindingGroup]] = {}
    for group in groups:
        if group.severity in ("error", "warning"):
            kinds.setdefault((group.severity, group.check), []).append(group)
    return [_line(severity, check, members) for (severity, check), members in kinds.items()]


def _line(severity: str, check: str, members: Sequence[FindingGroup]) -> Beware:
    subjects = list(dict.fromkeys(subject for group in members for subject in group.subjects))
    if len(members) == 1 and OMITTED not in members[0].sentence:
        return Beware(severity, named(subjects), members[0].sentence)
    return Beware(severity, named(subjects, MOST_NAMES), SEVERAL.get(check, f"several findings ({check})"))
