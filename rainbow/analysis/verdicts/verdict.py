"""The rule by which a metric may be used for a rating, only to compare systems, or not at all.

**green**, *Use METEOR for quality*: one column passes all of these at .05. It agrees with the rating within systems;
within inputs, where these have several outputs (systems held fixed too, as they are the same few for every input); and
within systems where the length of the output is held fixed: corrected together, for being three questions and for
having chosen it among all candidates. And, on the mean of the first two, it agrees better than the length does,
corrected for the choice among those that lie an error above 0 in the first three. A column that is the same in nine
outputs of ten tells none apart. The one with the highest mean is named; *but not to compare systems* where it has the
means of three or more in an order that is nearer to the reverse of people's than four in five by chance.

**amber**, *Only to compare systems*: not green, and one column has the means of systems in the order of the mean
ratings, by permutation of the systems, corrected for the choice. A permutation of three systems has no p below 1/6, so
that three are too few, whatever they are like.

**red**, *No metric here*, and the first reason that holds: columns agree with the rating the wrong way round within
systems and none the right way (`wrong way`); there are too few ratings to find a correlation of .3 in four of five
cases (`too few`); single raters agree no better than chance (`raters`); a column agrees within systems, not within
inputs (`inputs`) or not beyond the length of the output (`length`); nothing agrees within systems (`nothing`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import NormalDist
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rainbow.analysis.verdicts.evidence import COVERED, LENGTH
from rainbow.stats.estimation.sample_size import rows_needed
from rainbow.stats.tidy import tidy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["STATES", "Colour", "of_single_raters", "verdicts"]

Colour = Literal["green", "amber", "red"]
STATES: tuple[Colour, ...] = get_args(Colour)

ALPHA = 0.05
# A correlation within systems that there should be ratings enough to find, and how surely.
WORTH, POWER = 0.3, 0.8
FEWEST = 10  # rated outputs
# Below this an order of systems is called the reverse of people's: the normal quantile that chance gives one in five.
REVERSED = -0.84
ALIKE = 0.5  # below this two orders of systems are called other orders

COLUMNS = (
    *("rating", "verdict", "metric", "headline", "because", "cause", "agreement", "low", "high"),
    *("within_systems", "within_inputs", "between_systems", "length", "n", "needed", "inputs", "systems", "candidates"),
)


def verdicts(evidence: pd.DataFrame, agreement: Mapping[str, float] = MappingProxyType({})) -> pd.DataFrame:
    """Return one verdict per rating, by the rule at the top of this file.

    Parameters
    ----------
    evidence
        As :func:`~rainbow.analysis.verdicts.evidence.evidence` gives it.
    agreement
        The lower end of the 95 % interval of the agreement of single raters, for ratings of which it is known.

    Returns
    -------
    DataFrame
        A row per rating: `verdict` (green, amber, red), `metric` (empty for red), `headline` and `because` (a sentence
        each), `cause` (of red), what is known of the metric, or else of the best column (`agreement`, `low`, `high`,
        `within_systems`, `within_inputs`, `between_systems`), `length` (its agreement, the sign kept), `n` rated
        outputs, `needed` for a correlation of .3, `inputs`, `systems`, `candidates`.

    Examples
    --------
    >>> import rainbow
    >>> from rainbow.analysis.verdicts.evidence import evidence
    >>> demo = rainbow.load_dataset("demo").take(range(300))
    >>> frame = demo.frame.join(rainbow.score_corpus(demo, ["slots"]))
    >>> table = verdicts(evidence(frame, ["slots_realised"], ["quality"], {"slots_realised": True}))
    >>> table[["verdict", "headline"]].values.tolist()
    [['green', 'Use slots_realised for quality']]
    """
    parts = evidence.groupby("rating", sort=False)
    return tidy([_verdict(str(rating), part, agreement.get(str(rating), math.nan)) for rating, part in parts], COLUMNS)


def of_single_raters(lines: pd.DataFrame) -> dict[str, float]:
    """Return the lower end of the agreement of single raters, for each rating in a table of agreement that has it.

    Examples
    --------
    >>> import pandas as pd
    >>> of_single_raters(pd.DataFrame({"rating": ["quality"], "measure": ["ICC(1,1)"], "low": [0.4]}))
    {'quality': 0.4}
    """
    single = lines[lines["measure"] == "ICC(1,1)"].dropna(subset="low")
    return dict(zip(single["rating"], single["low"], strict=True))


def _verdict(rating: str, part: pd.DataFrame, agreement: float) -> dict[str, Any]:
    columns = part[part["metric"] != LENGTH]
    facts: Any = part.iloc[-1]
    found = {
        **{"rating": rating, "length": facts["agreement"], "candidates": len(columns), "needed": _needed(facts)},
        **{name: int(facts[name]) for name in ("n", "inputs", "systems")},
    }
    if (chosen := _best(columns[_tells_outputs(columns)], "agreement")) is not None:
        return found | _named(chosen) | _green(rating, chosen, found)
    if (chosen := _best(columns[columns["p_between_systems"] < ALPHA], "between_systems")) is not None:
        return found | _named(chosen) | _amber(rating, chosen, found)
    best = _best(columns, "agreement")
    known = {} if best is None else _named(best) | {"metric": ""}
    return found | known | _red(rating, columns, found, agreement)


def _best(columns: pd.DataFrame, by: str) -> Any:
    known = columns.dropna(subset=by)
    places: Any = known.index
    return None if known.empty else known.loc[places[known[by].argmax()]]


def _tells_outputs(columns: pd.DataFrame) -> Any:
    passed = (columns["p_within_systems"] < ALPHA) & (columns["p_beyond_length"] < ALPHA)
    return passed & (columns["p_over_length"] < ALPHA) & (columns["tied"] < COVERED) & _within_inputs(columns)


def _within_inputs(columns: pd.DataFrame) -> Any:
    """Return whether columns agree within inputs; all do where no input has outputs enough to say."""
    if columns["within_inputs"].isna().all():
        return np.ones(len(columns), dtype=bool)
    return columns["p_within_inputs"] < ALPHA


def _named(row: Any) -> dict[str, Any]:
    names = ("metric", "agreement", "low", "high", "within_systems", "within_inputs", "between_systems")
    return {name: row[name] for name in names}


def _needed(facts: Any) -> int | None:
    """Return how many rated outputs a correlation of .3 takes, if as many means are taken away per output as here."""
    threshold = facts["threshold"]
    if math.isnan(threshold) or facts["n"] <= facts["means"]:
        return None
    normal = NormalDist()

    def power(rows: int) -> float:
        return normal.cdf(math.atanh(WORTH) * math.sqrt(rows - 3) - threshold)

    needed = rows_needed(power, POWER, FEWEST)
    return None if needed is None else math.ceil(needed * facts["n"] / (facts["n"] - facts["means"]))


def _two(value: float) -> str:
    return f"{value:.2f}"


def _green(rating: str, row: Any, found: Mapping[str, Any]) -> dict[str, str]:
    inside = f"{_two(row['within_systems'])} within systems"
    if not math.isnan(row["within_inputs"]):
        inside += f", {_two(row['within_inputs'])} within inputs"
    length = "" if math.isnan(found["length"]) else f" ({_two(abs(found['length']))})"
    because = (
        f"It tells good outputs from bad ones as people do ({inside}), better than the length of the output{length} "
        f"and than the best of {found['candidates']} columns would by chance; {found['n']:,} rated outputs."
    )
    headline = f"Use {row['metric']} for {rating}"
    if row["weakest"] < row["within_systems"] / 2:
        others = f"; below 0.1 within {row['weak_systems']:.0f}" if row["weak_systems"] > 1 else ""
        because += f" It says least within {row['weakest_system']} ({_two(row['weakest'])}{others})."
    if found["systems"] > 2 and row["between_systems"] < ALIKE:
        reverse = row["between_systems"] * math.sqrt(found["systems"] - 1) < REVERSED
        headline += ", but not to compare systems" if reverse else ""
        because += f" The means of {found['systems']} systems are in another order ({_two(row['between_systems'])})."
    return {"verdict": "green", "headline": headline, "because": because}


def _amber(rating: str, row: Any, found: Mapping[str, Any]) -> dict[str, str]:
    because = (
        f"Its order of {found['systems']} systems is near people's (Spearman {_two(row['between_systems'])}). But no "
        "column tells single outputs apart by every test: within systems, within inputs, and better than their length."
    )
    return {
        "verdict": "amber",
        "headline": f"Use {row['metric']} for {rating} only to compare systems",
        "because": because,
    }


def _red(rating: str, columns: pd.DataFrame, found: Mapping[str, Any], agreement: float) -> dict[str, str]:
    cause = _cause(columns, found, agreement)
    return {
        "verdict": "red",
        "headline": f"No metric here for {rating}",
        "cause": cause,
        "because": _SAYS[cause](columns, found),
    }


def _cause(columns: pd.DataFrame, found: Mapping[str, Any], agreement: float) -> str:
    within = columns["p_within_systems"] < ALPHA
    if not within.any() and (columns["p_wrong_way"] < ALPHA).any():
        return "wrong way"
    if found["needed"] is None or found["n"] < found["needed"]:
        return "too few"
    if agreement <= 0:
        return "raters"
    if not within.any():
        return "nothing"
    return "length" if (within & _within_inputs(columns)).any() else "inputs"


def _wrong_way(columns: pd.DataFrame, found: Mapping[str, Any]) -> str:
    names = columns.loc[columns["p_wrong_way"] < ALPHA].sort_values("within_systems")["metric"].tolist()
    others = f" and {len(names) - 3} others" if len(names) > 3 else ""
    agree = "agrees" if len(names) == 1 else "agree"
    named = f"{', '.join(names[:3])}{others} {agree}"
    return f"Within systems {named} with people the wrong way round, and none the right way."


def _too_few(columns: pd.DataFrame, found: Mapping[str, Any]) -> str:
    if found["needed"] is None:
        return f"{found['n']:,} rated outputs of {found['systems']} systems are too few to say anything within systems."
    return (
        f"{found['n']:,} rated outputs are too few: to find a correlation of {WORTH} within systems and inputs takes "
        f"about {found['needed']:,}."
    )


def _raters(columns: pd.DataFrame, found: Mapping[str, Any]) -> str:
    return "The raters agree with each other no better than chance, so that no metric can agree with them."


def _nothing(columns: pd.DataFrame, found: Mapping[str, Any]) -> str:
    best = _best(columns, "within_systems")
    most = "" if best is None else f"; most has {best['metric']}, {_two(best['within_systems'])}"
    return f"Within systems no column agrees with people better than the best of {len(columns)} does by chance{most}."


def _inputs(columns: pd.DataFrame, found: Mapping[str, Any]) -> str:
    best = _best(columns[columns["p_within_systems"] < ALPHA], "within_systems")
    return (
        f"{best['metric']} tells inputs apart ({_two(best['within_systems'])} within systems), but not the outputs for "
        f"one input ({_two(best['within_inputs'])}, no more than chance gives the best of {len(columns)})."
    )


def _length(columns: pd.DataFrame, found: Mapping[str, Any]) -> str:
    best = _best(columns[columns["p_within_systems"] < ALPHA], "agreement")
    return (
        f"No column tells outputs apart better than their length does: {best['metric']} {_two(best['agreement'])}, "
        f"length {_two(abs(found['length']))}."
    )


_SAYS = {
    **{"wrong way": _wrong_way, "too few": _too_few, "raters": _raters},
    **{"nothing": _nothing, "inputs": _inputs, "length": _length},
}
