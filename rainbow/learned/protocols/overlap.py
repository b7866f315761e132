"""How much of the test rows a model has already met in training."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.base.arrays import IntArray
from rainbow.learned.protocols.folds import FoldAssignment, iter_folds
from rainbow.learned.protocols.groups import row_groups, row_templates
from rainbow.stats.tidy import tidy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["overlap_table"]

_COLUMNS = ("protocol", "seed", "n", "rows", "items", "texts", "templates")


def overlap_table(frame: pd.DataFrame, assignments: Iterable[FoldAssignment]) -> pd.DataFrame:
    """Return for every assignment the share of test rows that have something in common with a training row.

    Parameters
    ----------
    frame
        A row per output, as in a :class:`rainbow.Corpus`.
    assignments
        As from :func:`~rainbow.learned.protocols.folds.assign_folds`.

    Returns
    -------
    DataFrame
        A row per assignment: `protocol`, `seed`, `n` (test rows), and shares from 0 to 1 of those that are themselves
        among the training rows (`rows`), or whose input (`items`), output (`texts`, case and blanks apart) or kind of
        input (`templates`; the input itself where there is no meaning representation) stands there.

    Raises
    ------
    ValueError
        If a column is missing.

    Examples
    --------
    >>> import rainbow
    >>> from rainbow.learned.protocols.folds import assign_folds
    >>> frame = rainbow.load_dataset("demo").frame
    >>> overlap_table(frame, [assign_folds(frame, name) for name in ("kfold", "by-item")]).round(2)
      protocol  seed     n  rows  items  texts  templates
    0    kfold  2017  1038   0.0   0.95   0.02       0.97
    1  by-item  2017  1038   0.0   0.00   0.01       0.27
    """
    common = {
        "rows": np.arange(len(frame)),
        "items": row_groups(frame, "by-item"),
        "texts": row_groups(frame, "by-text"),
        "templates": row_templates(frame),
    }
    lines = [_line(assignment, common) for assignment in assignments]
    return tidy(lines, _COLUMNS)


def _line(assignment: FoldAssignment, common: Mapping[str, IntArray]) -> dict[str, Any]:
    parts = list(iter_folds(assignment))
    met = {
        name: float(np.concatenate([np.isin(groups[test], groups[train]) for train, test in parts]).mean())
        for name, groups in common.items()
    }
    return {"protocol": assignment.protocol, "seed": assignment.seed, "n": sum(len(test) for _, test in parts), **met}
