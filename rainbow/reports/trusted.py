"""The metric to trust for a rating, how far that goes, and how much further any metric could."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow.metrics.contract.facts import plain_sentence
from rainbow.reports.grid import SIGNIFICANT
from rainbow.reports.number import Number, count, fixed, p_value, percent
from rainbow.reports.saved.saved_analysis import ALL, Saved

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MODEL", "Ceiling", "Pairs", "Trusted", "best_metric", "learned", "main_protocol", "oriented", "trusted"]
__all__ += ["whole"]

# What a learned metric is called.
MODEL = "RAINBOW"
LEARNED = "Learned from the ratings and all other metrics: what people would say of an output."

# The protocols by how much they ask of a model, the most telling first.
PROTOCOLS = ("by-item-and-text", "by-item", "by-text", "by-template", "kfold", "split")

# Those under which held-out outputs share nothing with the others but what the name leaves: a headline needs them all.
STRICT = ("by-item-and-text", "by-template", "leave-one-system-out", "leave-one-dataset-out")


NOTHING = Number(math.nan, fixed(math.nan))


class Ceiling(NamedTuple):
    """The highest correlation that any metric could have, and how that is known."""

    measure: str
    estimate: Number
    low: Number
    high: Number


class Pairs(NamedTuple):
    """How often a metric orders two outputs for the same input as people do, and what chance gives."""

    accuracy: Number
    chance: Number
    pairs: Number


class Trusted(NamedTuple):
    """What agrees best with a rating."""

    rating: str
    metric: str  # a metric whose direction is known, or the learned one; empty if there is none
    lower_is_better: bool = False  # whether its correlation is meant to be negative
    # its Spearman correlation over all outputs with interval and number of outputs
    r: Number = NOTHING
    low: Number = NOTHING
    high: Number = NOTHING
    n: Number = NOTHING
    doubtful: bool = True  # whether the best of so many metrics could have that correlation by luck
    candidates: int = 0  # the number of metrics that it was chosen from
    p_selected: Number = NOTHING  # of its correlation, times the candidates
    equals: int = 0  # how many others are not significantly worse (Holm)
    ceiling: Ceiling | None = None  # None if it is not known
    pairs: Pairs | None = None  # None for a learned metric, and where no input has two outputs
    protocol: str = ""  # how a learned metric was held out where it is weakest; empty for others
    better: bool = False  # whether a learned metric beats the best single one under every strict protocol
    # by how much predictions of a learned metric miss the rating on average, and by how much a constant does
    error: Number = NOTHING
    constant_error: Number = NOTHING

    @property
    def agreement(self) -> float:
        """The correlation, turned so that higher is better."""
        return -self.r.value if self.lower_is_better else self.r.value

    @property
    def says(self) -> str:
        """What it says of an output, for whoever does not know it."""
        return LEARNED if self.protocol else plain_sentence(self.metric)

    @property
    def held_out(self) -> str:
        """How a learned metric was held out, as it stands in a sentence."""
        return self.protocol.replace("leave-one-", "by-").removesuffix("-out").replace("-", " ")

    @property
    def reach(self) -> Number | None:
        """The share of the ceiling that it reaches; None without a ceiling."""
        if self.ceiling is None:
            return None
        share = max(0.0, self.agreement) / self.ceiling.estimate.value
        return Number(share, percent(share))


def trusted(saved: Saved) -> list[Trusted]:
    """Return what to trust for each rating: the best metric with a direction, or the learned one where it is better.

    Better is a learned metric that is significantly better than the best single one under every strict protocol; what
    is said of it is what the protocol shows under which it is weakest.
    """
    chosen = []
    for rating in saved.ratings:
        metric, model = best_metric(saved, rating), learned(saved, rating)
        chosen.append(model if model and (model.better or not metric.metric) else metric)
    return chosen


def oriented(saved: Saved, lines: pd.DataFrame) -> pd.Series[Any]:
    """Return r of every row, turned so that higher is better; NaN for metrics without a direction."""
    better = lines["metric"].map(saved.higher_is_better)
    turned = lines["r"].where(better.astype(object) == True, -lines["r"])  # noqa: E712
    return turned.where(better.notna())


def main_protocol(saved: Saved) -> str:
    """Return the protocol that tells most about a learned metric; empty if none was fitted."""
    if "ensemble_protocols" not in saved.tables:
        return ""
    names = list(dict.fromkeys(saved.tables["ensemble_protocols"]["protocol"]))
    return next((name for name in PROTOCOLS if name in names), names[0] if names else "")


def best_metric(saved: Saved, rating: str) -> Trusted:
    """Return the metric whose correlation, turned so that higher is better, is highest over all outputs."""
    lines = saved.rows("correlations", level="pooled", rating=rating, **saved.whole.wanted)
    agreement = oriented(saved, lines).dropna()
    if agreement.empty:
        return Trusted(rating, "", ceiling=_ceiling(saved, rating))
    row: Any = agreement.idxmax()
    metric = str(lines["metric"].loc[row])
    r, low, high = (saved.number("correlations", row, name, fixed) for name in ("r", "low", "high"))
    luck = min(1.0, float(lines["p"].loc[row]) * len(agreement))
    return Trusted(
        rating,
        metric,
        saved.higher_is_better[metric] is False,
        r=r,
        low=low,
        high=high,
        n=saved.number("correlations", row, "n", count),
        doubtful=not (agreement.loc[row] > 0 and luck < SIGNIFICANT),
        candidates=len(agreement),
        p_selected=Number(luck, p_value(luck)),
        equals=_equals(saved, rating, metric),
        ceiling=_ceiling(saved, rating),
        pairs=_pairs(saved, rating, metric),
    )


def _equals(saved: Saved, rating: str, metric: str) -> int:
    lines = saved.rows("metric_clusters", rating=rating, **saved.whole.wanted)
    if lines.empty:  # there is one metric
        return 0
    own = lines.loc[lines["metric"] == metric, "cluster"]
    return int((lines["cluster"] == own.iloc[0]).sum()) - 1 if len(own) else 0


def _pairs(saved: Saved, rating: str, metric: str) -> Pairs | None:
    lines = saved.rows("ranking", scores="raw", rating=rating, metric=metric).dropna(subset="accuracy")
    if len(lines) != 1:  # several datasets have no common number
        return None
    row = lines.index[0]
    return Pairs(
        saved.number("ranking", row, "accuracy", percent),
        saved.number("ranking", row, "chance", percent),
        saved.number("ranking", row, "pairs", count),
    )


def _ceiling(saved: Saved, rating: str) -> Ceiling | None:
    for known in saved.summary["ceilings"]:
        lines = saved.rows("ceilings", rating=rating, measure=known["measure"])
        if known["rating"] == rating and len(lines):
            row = lines.index[0]
            estimate, low, high = (saved.number("ceilings", row, name, fixed) for name in ("estimate", "low", "high"))
            return Ceiling(known["measure"], estimate, low, high)
    return None


def learned(saved: Saved, rating: str) -> Trusted | None:
    """Return the learned metric of a rating under the strict protocol that it is weakest under; None without one."""
    lines = saved.rows("ensemble_protocols", rating=rating)
    if lines.empty:
        return None
    lines = whole(saved, lines[lines["preset"] == lines["preset"].iloc[0]])
    strict = lines[lines["protocol"].isin(STRICT)]
    lines = lines if strict.empty else strict
    if lines["spearman"].isna().all():
        return None
    row: Any = lines["spearman"].idxmin()
    table = "ensemble_protocols"
    r, low, high = (saved.number(table, row, name, fixed) for name in ("spearman", "low", "high"))
    error, constant_error = (saved.number(table, row, name, fixed) for name in ("mae", "constant_mae"))
    return Trusted(
        rating,
        MODEL,
        r=r,
        low=low,
        high=high,
        n=saved.number(table, row, "n", count),
        doubtful=not low.value > 0,
        ceiling=_ceiling(saved, rating),
        protocol=str(lines["protocol"].loc[row]),
        better=bool(((lines["williams_t"] > 0) & (lines["williams_p"] < SIGNIFICANT)).all()),
        error=error,
        constant_error=constant_error,
    )


def whole(saved: Saved, lines: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table of the learned metric that are about all outputs."""
    lines = lines[lines["system"] == ALL]
    named = lines[lines["dataset"] == saved.whole.dataset]
    return named if len(named) else lines[lines["dataset"] == ALL]
