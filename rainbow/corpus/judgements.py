"""Judgements by raters, validated and normalised to a scale that can be averaged."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, get_args

import numpy as np

from rainbow.base.lazy import pd
from rainbow.stats.tidy_tables import require_columns

Scale = Literal["rank", "log", "z", "log-z", "raw"]
Within = Literal["judgement", "rater"]

KINDS = ("magnitude", "likert", "preference")
_COLUMNS = ("judgement", "item", "system", "criterion", "kind", "value")


def validate_judgements(judgements: pd.DataFrame) -> pd.DataFrame:
    """Return the validated judgements that have a value, with a new index."""
    from pandas.api.types import is_numeric_dtype

    require_columns(judgements, _COLUMNS)
    if not is_numeric_dtype(judgements["value"]):
        raise ValueError("the column 'value' has no numbers: give a number for every rated output, or NaN")
    table = judgements[judgements["value"].notna()].reset_index(drop=True)
    value, kind = table["value"].to_numpy(dtype=float), table["kind"]
    if unknown := sorted(set(map(str, kind)) - set(KINDS)):
        raise ValueError(f"unknown kind of judgement {unknown[0]!r}: choose from {', '.join(KINDS)}")
    if not np.isfinite(value).all():
        raise ValueError("infinite value: use NaN for a missing one")
    if (bad := (kind == "magnitude").to_numpy() & (value <= 0)).any():
        raise ValueError(
            f"a magnitude of {value[bad][0]:g}: magnitudes must be positive (kind 'likert' accepts any number)"
        )
    twice = table.duplicated(["criterion", "judgement", "item", "system"])
    if twice.any():
        row = table[twice].iloc[0]
        raise ValueError(
            f"judgement {row['judgement']} rates system {row['system']!r} twice for one item ({row['criterion']})"
        )
    return table


def split_by_kind(judgements: pd.DataFrame) -> pd.DataFrame:
    """Rename criteria with several kinds of judgement: ``quality`` becomes ``quality (likert)`` etc."""
    several = judgements.groupby("criterion", observed=True)["kind"].transform("nunique") > 1
    named = judgements["criterion"].astype(str) + " (" + judgements["kind"].astype(str) + ")"
    return judgements.assign(criterion=judgements["criterion"].where(~several, named))


def normalise_judgements(
    judgements: pd.DataFrame, scale: Scale = "rank", *, within: Within = "judgement"
) -> pd.Series[float]:
    """Return judgement values on a scale on which different raters can be averaged.

    Source: Novikova, J., Dušek, O. and Rieser, V. (2018). RankME: reliable human ratings for natural language
    generation. NAACL. Bard, E. G., Robertson, D. and Sorace, A. (1996). Magnitude estimation of linguistic
    acceptability. Language 72(1).
    """
    for name, given, choices in (("scale", scale, get_args(Scale)), ("within", within, get_args(Within))):
        if given not in choices:
            raise ValueError(f"{name} is {given!r}: choose from {', '.join(choices)}")
    table = validate_judgements(judgements)
    value = table["value"].astype(float)
    if scale == "raw":
        if (table["kind"] == "magnitude").any():
            raise ValueError("magnitudes of different raters are on different scales: choose 'rank', 'log' or 'z'")
        return value
    if scale.startswith("log"):
        if (value <= 0).any():
            raise ValueError(f"the logarithm of {value.min():g} is undefined: choose the scale 'rank' or 'z'")
        value = value.map(math.log)
    group = value.groupby(_group_keys(table, within))
    if scale == "rank":
        size = group.transform("size")
        return ((group.rank() - 1) / (size - 1).where(size > 1)).rename("value")
    centred = value - group.transform("mean")
    if scale == "log":
        return centred
    # Equal values have a deviation of 0 up to rounding error.
    varies, deviation = group.transform("nunique") > 1, group.transform("std", ddof=0)
    return (centred / deviation.where(varies, 1.0)).where(varies, 0.0)


def add_mean_ratings(outputs: pd.DataFrame, judgements: pd.DataFrame, values: str = "value") -> pd.DataFrame:
    """Return the outputs with the mean judgement per criterion; NaN if there is none."""
    means = judgements.groupby(["item", "system", "criterion"], observed=True)[values].mean().unstack("criterion")
    return outputs.join(means, on=["item", "system"])


def require_complete(table: pd.DataFrame, columns: Iterable[str]) -> None:
    """Raise an error if a column is missing or has gaps."""
    names = list(columns)
    require_columns(table, names)
    for name in names:
        if table[name].isna().any():
            raise ValueError(f"the column {name!r}, which groups judgements, has gaps")


def _group_keys(table: pd.DataFrame, within: Within) -> pd.Series[int]:
    if within == "rater":
        require_complete(table, ["rater"])
    names = ["criterion", "rater"] if within == "rater" else ["criterion", "judgement", "item"]
    return table.groupby(names, sort=False, observed=True).ngroup()
