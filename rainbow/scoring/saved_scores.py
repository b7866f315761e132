"""Save a table of scores with all that the numbers depend on, and read it back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rainbow.base.files import write_atomically
from rainbow.corpus import Corpus

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["load_scores", "save_scores"]

COMPRESSION = "zstd"

_KEY = b"rainbow"


def save_scores(path: str | Path, corpus: Corpus, scores: pd.DataFrame) -> Path:
    """Write a corpus and its scores side by side, as Parquet, or as CSV if the file's name ends in ``.csv``.

    The file appears whole or not at all. A Parquet file carries the signature of every column, the reasons of
    missing values, the view and the names of the rating columns; a CSV file cannot, and holds the references as a
    JSON list.

    Raises
    ------
    ValueError
        If a column of the corpus has the name of a metric's column.
    """
    path = Path(path)
    if taken := sorted(set(corpus.frame.columns) & set(scores.columns)):
        raise ValueError(f"the corpus already has a column {taken[0]!r}: rename it, a metric's column has that name")
    frame = corpus.frame.join(scores.set_axis(corpus.frame.index))
    if path.suffix == ".csv":
        return write_atomically(path, lambda target: as_csv(frame).to_csv(target, index=False))
    about = {"ratings": list(corpus.ratings)} | {str(key): value for key, value in scores.attrs.items()}
    return write_atomically(path, lambda target: _write_parquet(target, frame, about))


def _write_parquet(path: Path, frame: pd.DataFrame, about: dict[str, Any]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    frame.attrs = {}
    table = pa.Table.from_pandas(frame, preserve_index=False)
    pq.write_table(table.cast(described(table.schema, about)), path, compression=COMPRESSION)


def described(schema: Any, about: Mapping[str, Any]) -> Any:
    """Return the schema of a table of scores, with all that :func:`load_scores` gives as ``attrs``."""
    return schema.with_metadata({**(schema.metadata or {}), _KEY: json.dumps(about).encode()})


def as_csv(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table as a CSV file holds it: references as a JSON list."""
    return frame.assign(references=[json.dumps(list(texts), ensure_ascii=False) for texts in frame["references"]])


def load_scores(path: str | Path) -> pd.DataFrame:
    """Read a Parquet table of scores; ``attrs`` holds signatures, missing, view and ratings.

    Raises
    ------
    ValueError
        If the file is no Parquet file, or was not written by :func:`save_scores`.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{path} is no Parquet file: {error}") from None
    about = (table.schema.metadata or {}).get(_KEY)
    if about is None:
        raise ValueError(f"{path} is no table of scores: make one with `rainbow metrics`")
    frame: pd.DataFrame = table.to_pandas()
    frame["references"] = [tuple(texts) for texts in frame["references"]]
    frame.attrs = json.loads(about)
    return frame
