"""Single invalid cells, treated as missing with a warning."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rainbow.base.lazy import pd
from rainbow.corpus.corpus_table import cell_number
from rainbow.datasets.shapes.cell_values import is_missing


def clear_invalid_numbers(
    frame: pd.DataFrame, names: Sequence[str], before: int = 0, file: str = "the table"
) -> pd.DataFrame:
    """Return the table with non-numeric cells cleared, and a warning naming the first."""
    read = {name: cell_number for name in names if frame[name].dtype.kind in "Of"}
    return _clear_invalid(frame, read, np.nan, "not a number", before, file)


def clear_invalid_texts(frame: pd.DataFrame, before: int = 0, file: str = "the table") -> pd.DataFrame:
    """Return rows with invalid texts, names and references cleared, with a warning."""
    texts = {name: _valid_text for name in ("output", "mr", "system", "item") if name in frame}
    if "id" in frame and not all(isinstance(cell, str) and cell for cell in frame["id"]):
        ids = enumerate(frame["id"], before + 1)
        frame = frame.assign(id=[cell if isinstance(cell, str) and cell else f"row {row}" for row, cell in ids])
    lists = {name: _valid_texts for name in ("references",) if name in frame}
    frame = _clear_invalid(frame, texts, "", "not a text", before, file)
    return _clear_invalid(frame, lists, (), "not a list of texts", before, file)


def _valid_text(cell: Any) -> str | None:
    if is_missing(cell):
        return ""
    return cell if isinstance(cell, str) else None


def _valid_texts(cells: Any) -> Any:
    return cells if all(isinstance(cell, str) for cell in cells) else None


def _clear_invalid(
    frame: pd.DataFrame,
    read: Mapping[str, Callable[[Any], Any]],
    nothing: Any,
    description: str,
    before: int,
    file: str,
) -> pd.DataFrame:
    """Return the table with single cells that cannot be read replaced by `nothing`."""
    changed: dict[str, pd.Series[Any]] = {}
    for name, reader in read.items():
        results = [reader(cell) for cell in frame[name]]
        odd = [place for place, value in enumerate(results) if value is None]
        if not odd or 2 * len(odd) > sum(
            value is not None and value == value and value != nothing for value in results
        ):
            continue
        others = f", and so are {len(odd) - 1} more cells: they count" if len(odd) > 1 else " and counts"
        row, cell = before + odd[0] + 1, frame[name].iloc[odd[0]]
        warnings.warn(f"{file}: row {row}, {name}: {cell!r:.60} is {description}{others} as missing", stacklevel=4)
        cells = [nothing if value is None else value for value in results]
        # Objects, because pandas' own strings cannot hold lone surrogates.
        changed[name] = type(frame[name])(cells, index=frame.index, dtype=object)
    return frame.assign(**changed)
