"""A user's own table of human judgements."""

from __future__ import annotations

from pathlib import Path

from rainbow.base.lazy import pd
from rainbow.corpus.rows import to_nfc
from rainbow.datasets.read.encoding import UTF8, name_file_in_errors
from rainbow.datasets.read.formats import DELIMITED

KINDS = ("magnitude", "likert", "preference")
_NEEDED = ("judgement", "item", "system", "criterion", "kind", "value")


def read_judgements(path: Path) -> pd.DataFrame:
    """Read and validate the judgements in a CSV or TSV file."""
    import numpy as np

    if not path.is_file():
        raise FileNotFoundError(f"no such file: {str(path)!r}")
    separator = DELIMITED.get(path.suffix.lower(), ",")
    with name_file_in_errors(path):
        table = pd.read_csv(path, sep=separator, dtype=str, keep_default_na=False, encoding=UTF8)
    if missing := [name for name in _NEEDED if name not in table]:
        raise ValueError(f"{path}: the column {missing[0]!r} is missing: the columns are {', '.join(map(str, table))}")
    values = pd.to_numeric(table["value"], errors="coerce")
    if not np.isfinite(values).all():
        line = int(np.flatnonzero(~np.isfinite(values))[0])
        raise ValueError(f"{path}, line {line + 2}, value: {table['value'][line]!r} is not a number")
    if wrong := [line for line, kind in enumerate(table["kind"], 2) if kind not in KINDS]:
        raise ValueError(f"{path}, line {wrong[0]}, kind: choose from {', '.join(KINDS)}")
    table = table.assign(**{name: table[name].map(to_nfc) for name in ("item", "system")})
    raters = table["rater"].where(table["rater"] != "") if "rater" in table else np.nan
    return table.assign(value=values.astype(float), rater=raters)
