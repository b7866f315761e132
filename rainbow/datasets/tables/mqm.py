"""Tables with a row for each error that a rater found (Multidimensional Quality Metrics), as WMT publishes them.

Errors are weighted as Freitag et al. (2021, "Experts, Errors, and Context", table 1) do: 25 for a text that is no
translation, 5 for a major error, 1 for a minor one (punctuation .1), 0 for a neutral one and none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["is_mqm", "weighted"]

_OF_AN_ERROR = ("category", "severity")
_TEXTS = ("source", "target")  # in which the error is marked
_WEIGHTS = {"critical": 5.0, "major": 5.0, "minor": 1.0, "neutral": 0.0, "no-error": 0.0, "no error": 0.0}


def is_mqm(columns: Iterable[str]) -> bool:
    """Return whether these are the columns of such a table."""
    return {*_OF_AN_ERROR, "rater", *_TEXTS} <= {*columns}


def weighted(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each judgement, with the rating `mqm`: the weights of its errors, added up, below zero.

    A table whose severities are others stays as it is.

    Examples
    --------
    >>> import pandas as pd
    >>> columns = ["seg_id", "rater", "source", "target", "category", "severity"]
    >>> rows = [["1", "A", "s", "an <v>in</v>", "Fluency/Spelling", "Major"],
    ...         ["1", "A", "s", "<v>an</v> in", "Fluency/Punctuation", "Minor"],
    ...         ["1", "B", "s", "an in", "No-error", "No-error"]]
    >>> weighted(pd.DataFrame(rows, columns=columns)).values.tolist()
    [['1', 'A', 's', 'an in', -5.1], ['1', 'B', 's', 'an in', 0.0]]
    """
    weights = frame["severity"].str.strip().str.casefold().map(_WEIGHTS)
    if weights.isna().any():
        return frame
    category = frame["category"].str.casefold()
    weights = weights.mask(category.str.contains("punctuation") & (weights == 1), 0.1)
    weights = weights.mask(category.str.contains("non-translation"), 25.0)
    plain = {name: frame[name].str.replace(r"</?v>", "", regex=True) for name in _TEXTS}
    judgement = [name for name in frame if name not in (*_OF_AN_ERROR, *_TEXTS)]
    table = frame.drop(columns=[*_OF_AN_ERROR]).assign(**plain, mqm=0.0 - weights)
    first = dict.fromkeys(_TEXTS, "first")
    return table.groupby(judgement, sort=False, as_index=False).agg({**first, "mqm": "sum"})
