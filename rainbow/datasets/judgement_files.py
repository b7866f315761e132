"""A user's own table of human judgements."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rainbow.datasets.encoding import UTF8, named
from rainbow.datasets.tables.frames import DELIMITED

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["KINDS", "read_judgements"]

KINDS = ("magnitude", "likert", "preference")
_NEEDED = ("judgement", "item", "system", "criterion", "kind", "value")


def read_judgements(path: Path) -> pd.DataFrame:
    r"""Return the judgements in a CSV or TSV file, checked.

    Parameters
    ----------
    path
        A table with a row per rated output: `judgement`, `item`, `system`, `criterion`, `kind` (``magnitude``,
        ``likert`` or ``preference``), `value` (a number), and, if there is one, `rater`. Other columns are kept.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If a column is missing, or a value is not as it should be; the message names file, line and column.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.csv"
    ...     _ = path.write_text("judgement,item,system,criterion,kind,value\n1,a,TGen,quality,likert,5\n")
    ...     read_judgements(path)["value"].tolist()
    [5.0]
    """
    import numpy as np
    import pandas as pd

    if not path.is_file():
        raise FileNotFoundError(f"there is no file {str(path)!r}")
    separator = DELIMITED.get(path.suffix.lower(), ",")
    with named(path):
        table = pd.read_csv(path, sep=separator, dtype=str, keep_default_na=False, encoding=UTF8)
    if missing := [name for name in _NEEDED if name not in table]:
        raise ValueError(f"{path}: there is no column {missing[0]!r}: it has {', '.join(map(str, table))}")
    values = pd.to_numeric(table["value"], errors="coerce")
    if not np.isfinite(values).all():
        line = int(np.flatnonzero(~np.isfinite(values))[0])
        raise ValueError(f"{path}, line {line + 2}, value: {table['value'][line]!r} is no number")
    if wrong := [line for line, kind in enumerate(table["kind"], 2) if kind not in KINDS]:
        raise ValueError(f"{path}, line {wrong[0]}, kind: give one of {', '.join(KINDS)}")
    raters = table["rater"].where(table["rater"] != "") if "rater" in table else np.nan
    return table.assign(value=values.astype(float), rater=raters)
