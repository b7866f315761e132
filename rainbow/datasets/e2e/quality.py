"""The challenge's ratings of quality: five outputs at once, by magnitude, with a check of what is said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rainbow.datasets.e2e.sources import NAME, QUALITY, RATED_TOGETHER, SYSTEMS

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_quality"]

# The columns of a file, and what they are called in a table of judgements.
_NAMES = {"sys": "system", "ref": "output", "quality": "value", "check": "check"}


def read_quality(path: Path) -> pd.DataFrame:
    """Return the judgements in a file, one row per rated output; columns that say who rated are not read.

    Raises
    ------
    ValueError
        If a column is missing, a system unknown, or a rating no number.
    """
    import numpy as np
    import pandas as pd

    wide = pd.read_csv(path, usecols=lambda name: name in QUALITY.columns, dtype=str, encoding="utf-8")
    if missing := [name for name in QUALITY.columns if name not in wide]:
        raise ValueError(f"{path}: there is no column {missing[0]!r}: it is no file of the challenge's ratings")
    identity = pd.DataFrame(
        {
            "judgement": [f"{NAME}-quality-{row:04d}" for row in range(1, len(wide) + 1)],
            "rater": np.full(len(wide), np.nan),
            "item": wide["mr"],
            "unit": wide["_unit_id"],
            "created": pd.to_datetime(wide["_created_at"], format="%m/%d/%Y %H:%M:%S"),
        }
    )
    places = [
        identity.join(wide[[f"{name}{place}" for name in _NAMES]].set_axis(list(_NAMES.values()), axis=1))
        for place in range(1, RATED_TOGETHER + 1)
    ]
    long = pd.concat(places).sort_index(kind="stable").reset_index(drop=True)
    long["value"] = _numbers(path, long["value"])
    long["system"] = _printed(path, long["system"])
    long["check"] = long["check"].str.replace("\n", ", ")
    long = long.assign(criterion="quality", kind="magnitude")
    first = ["judgement", "rater", "item", "system", "criterion", "kind", "value", "check"]
    return long[[*first, "output", "unit", "created"]]


def _numbers(path: Path, values: pd.Series[str]) -> pd.Series[float]:
    import pandas as pd

    try:
        return pd.to_numeric(values).astype(float)
    except ValueError as error:
        raise ValueError(f"{path}: a rating is no number: {error}") from None


def _printed(path: Path, labels: pd.Series[str]) -> pd.Series[str]:
    if unknown := sorted(set(labels) - set(SYSTEMS)):
        raise ValueError(f"{path}: {unknown[0]!r} is none of the systems {', '.join(SYSTEMS)}")
    return labels.map(SYSTEMS)
