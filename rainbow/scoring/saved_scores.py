"""Save a table of scores with all that the numbers depend on, and read it back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rainbow.base.files import write_atomically
from rainbow.corpus import Corpus
from rainbow.scoring.schema import refuse_taken

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COMPRESSION", "load_scores", "open_table", "save_scores"]

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
    refuse_taken(corpus.frame.columns, scores.columns)
    frame = corpus.frame.join(scores.set_axis(corpus.frame.index))
    if path.suffix == ".csv":
        return write_atomically(path, lambda target: _as_csv(frame).to_csv(target, index=False))
    about = {"ratings": list(corpus.ratings)} | {str(key): value for key, value in scores.attrs.items()}
    return write_atomically(path, lambda target: _write_parquet(target, frame, about))


def _write_parquet(path: Path, frame: pd.DataFrame, about: dict[str, Any]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    frame.attrs = {}
    table = pa.Table.from_pandas(frame, preserve_index=False)
    pq.write_table(table.cast(_described(table.schema, about)), path, compression=COMPRESSION)


def _described(schema: Any, about: Mapping[str, Any]) -> Any:
    """Return the schema of a table with what pandas wants to know of it and what :func:`load_scores` gives as attrs."""
    kept = {key: value for key, value in (schema.metadata or {}).items() if key == b"pandas"}
    return schema.with_metadata({**kept, _KEY: json.dumps(about).encode()})


def _as_csv(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table as a CSV file holds it: references as a JSON list."""
    return frame.assign(references=[json.dumps(list(texts), ensure_ascii=False) for texts in frame["references"]])


@contextmanager
def open_table(path: Path, schema: Any, about: Mapping[str, Any]) -> Iterator[Callable[[Any], None]]:
    """Give what writes Arrow tables one after the other into the file that :func:`save_scores` would write of them all.

    Parameters
    ----------
    path
        The file.
    schema
        Of all tables.
    about
        What :func:`load_scores` gives as ``attrs``.
    """
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            yield lambda table: _as_csv(table.to_pandas(integer_object_nulls=True)).to_csv(
                file, index=False, header=file.tell() == 0
            )
        return
    import pyarrow.parquet as pq

    with pq.ParquetWriter(path, _described(schema, about), compression=COMPRESSION) as writer:
        yield lambda table: writer.write_table(table.cast(writer.schema))


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
