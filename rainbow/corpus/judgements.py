"""Tables of judgements: what people said of outputs, checked and put on a scale that may be averaged."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from rainbow.stats.tidy import require

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["KINDS", "Scale", "Within", "check_judgements", "kinds_apart", "normalised", "require_full", "with_ratings"]

Scale = Literal["rank", "log", "z", "log-z", "raw"]
Within = Literal["judgement", "rater"]

KINDS = ("magnitude", "likert", "preference")
_COLUMNS = ("judgement", "item", "system", "criterion", "kind", "value")


def check_judgements(judgements: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table of judgements that have a value, checked; the index is renewed.

    Parameters
    ----------
    judgements
        A row per rated output, with columns `judgement` (an id: what one person said of one input), `item` (the
        input), `system`, `criterion` (``"quality"`` and the like), `kind` and `value` (higher is better). A kind is
        ``magnitude`` (any positive number), ``likert`` (a mark on a scale) or ``preference`` (1 for the output that
        is preferred, 0 for the other, .5 for both if they are equally good). Further columns stay as they are.

    Returns
    -------
    DataFrame
        A copy without the rows whose value is NaN.

    Raises
    ------
    ValueError
        If a column is missing, a kind is unknown, a value is no number, infinite, or no magnitude above 0, or one
        judgement rates a system twice for the same item and criterion.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"judgement": 1, "item": "a", "system": ["A", "B"], "criterion": "quality"})
    >>> check_judgements(table.assign(kind="likert", value=[6, None]))["system"].tolist()
    ['A']
    """
    from pandas.api.types import is_numeric_dtype

    require(judgements, _COLUMNS)
    if not is_numeric_dtype(judgements["value"]):
        raise ValueError("the column 'value' holds no numbers: give a number for every rated output, or NaN")
    table = judgements[judgements["value"].notna()].reset_index(drop=True)
    value, kind = table["value"].to_numpy(dtype=float), table["kind"]
    if unknown := sorted(set(map(str, kind)) - set(KINDS)):
        raise ValueError(f"there is no kind of judgement {unknown[0]!r}: choose from {', '.join(KINDS)}")
    if not np.isfinite(value).all():
        raise ValueError("there is an infinite value: use NaN where there is none")
    if (bad := (kind == "magnitude").to_numpy() & (value <= 0)).any():
        raise ValueError(f"a magnitude of {value[bad][0]:g}: magnitudes are above 0 (kind 'likert' takes any number)")
    twice = table.duplicated(["criterion", "judgement", "item", "system"])
    if twice.any():
        row = table[twice].iloc[0]
        raise ValueError(
            f"judgement {row['judgement']} rates system {row['system']!r} twice for one item ({row['criterion']})"
        )
    return table


def kinds_apart(judgements: pd.DataFrame) -> pd.DataFrame:
    """Return judgements whose criteria have one kind each: ``quality`` becomes ``quality (likert)``, and so on.

    Criteria that were judged by one kind keep their names.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"criterion": ["quality"] * 2 + ["length"], "kind": ["likert", "magnitude", "likert"]})
    >>> kinds_apart(table)["criterion"].tolist()
    ['quality (likert)', 'quality (magnitude)', 'length']
    """
    several = judgements.groupby("criterion", observed=True)["kind"].transform("nunique") > 1
    named = judgements["criterion"].astype(str) + " (" + judgements["kind"].astype(str) + ")"
    return judgements.assign(criterion=judgements["criterion"].where(~several, named))


def normalised(judgements: pd.DataFrame, scale: Scale = "rank", *, within: Within = "judgement") -> pd.Series[float]:
    """Return the values of judgements on a scale on which those of different people may be averaged.

    A person's 100 may be another's 5,000, so that a mean of raw magnitudes is the opinion of those with the largest
    numbers.

    Parameters
    ----------
    judgements
        As for :func:`check_judgements`, which is called.
    scale
        ``rank``: the place among the values compared, ties sharing theirs, from 0 (the lowest) to 1 (the highest);
        .5 where all are equal. ``log``: the natural logarithm less the mean of those compared. ``z``: less the mean,
        by the standard deviation (divisor n); 0 where all are equal. ``log-z``: the z of the logarithm. ``raw``: as
        it is, which magnitudes are refused.
    within
        What is compared: the values of one ``judgement``, or all values of one ``rater`` (needs a column `rater`
        without gaps), each criterion by itself.

    Returns
    -------
    Series
        A value per row that :func:`check_judgements` keeps, in its order. Where one output alone is compared, the
        rank is NaN, z and the logarithm are 0.

    Raises
    ------
    ValueError
        As :func:`check_judgements`; if the scale or what is compared has another name, the raters are not known, a
        magnitude is to stay raw, or the logarithm of a value that is not above 0 is asked for.

    References
    ----------
    Novikova, J., Dušek, O. and Rieser, V. (2018). RankME: reliable human ratings for natural language generation.
    NAACL.

    Bard, E. G., Robertson, D. and Sorace, A. (1996). Magnitude estimation of linguistic acceptability. Language 72(1).

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"judgement": 1, "item": "a", "system": [*"ABCD"], "criterion": "quality"})
    >>> table = table.assign(kind="magnitude", value=[50, 5000, 100, 100])
    >>> normalised(table).tolist()
    [0.0, 1.0, 0.5, 0.5]
    """
    for name, given, choices in (("scale", scale, get_args(Scale)), ("within", within, get_args(Within))):
        if given not in choices:
            raise ValueError(f"{name} is {given!r}: choose from {', '.join(choices)}")
    table = check_judgements(judgements)
    value = table["value"].astype(float)
    if scale == "raw":
        return _raw(table, value)
    if scale.startswith("log"):
        if (value <= 0).any():
            raise ValueError(f"there is no logarithm of {value.min():g}: choose the scale 'rank' or 'z'")
        value = value.map(math.log)
    group = value.groupby(_groups(table, within))
    if scale == "rank":
        size = group.transform("size")
        return ((group.rank() - 1) / (size - 1).where(size > 1)).rename("value")
    centred = value - group.transform("mean")
    if scale == "log":
        return centred
    # Of equal values the deviation is rounding error, or 0.
    varies, deviation = group.transform("nunique") > 1, group.transform("std", ddof=0)
    return (centred / deviation.where(varies, 1.0)).where(varies, 0.0)


def with_ratings(outputs: pd.DataFrame, judgements: pd.DataFrame, values: str = "value") -> pd.DataFrame:
    """Return the outputs with a column for each criterion: the mean of what people said of them, NaN where none did.

    Parameters
    ----------
    outputs
        A row per output, with columns `item` and `system`.
    judgements
        A row per rated output, with columns `item`, `system`, `criterion` and `values`; what is said of no row of
        `outputs` is left aside.
    values
        The column to average, on a scale on which values of different people may be (:func:`normalised`).

    Examples
    --------
    >>> import pandas as pd
    >>> told = pd.DataFrame({"item": "a", "system": [*"AA"], "criterion": "quality", "value": [0.5, 1.0]})
    >>> with_ratings(pd.DataFrame({"item": "a", "system": [*"BA"]}), told)["quality"].tolist()
    [nan, 0.75]
    """
    means = judgements.groupby(["item", "system", "criterion"], observed=True)[values].mean().unstack("criterion")
    return outputs.join(means, on=["item", "system"])


def require_full(table: pd.DataFrame, columns: Iterable[str]) -> None:
    """Refuse a table that lacks one of these columns, or has gaps in it.

    Raises
    ------
    ValueError
        If it does.

    Examples
    --------
    >>> import pandas as pd
    >>> require_full(pd.DataFrame({"rater": ["Ann", None]}), ["rater"])
    Traceback (most recent call last):
    ValueError: the column 'rater' has gaps: it says which judgements belong together
    """
    names = list(columns)
    require(table, names)
    for name in names:
        if table[name].isna().any():
            raise ValueError(f"the column {name!r} has gaps: it says which judgements belong together")


def _raw(table: pd.DataFrame, value: pd.Series[float]) -> pd.Series[float]:
    if (table["kind"] == "magnitude").any():
        raise ValueError("magnitudes of different people are on different scales: choose 'rank', 'log' or 'z'")
    return value


def _groups(table: pd.DataFrame, within: Within) -> pd.Series[int]:
    if within == "rater":
        require_full(table, ["rater"])
    names = ["criterion", "rater"] if within == "rater" else ["criterion", "judgement", "item"]
    return table.groupby(names, sort=False, observed=True).ngroup()
