"""Save a table of scores with all that the numbers depend on, and read it back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow.base.files import escape_formulas, write_atomically, write_bytes
from rainbow.base.storage import Place, readable_source, read_parquet_table, path_of
from rainbow.corpus import Corpus
from rainbow.metrics.contract.registry import all_columns
from rainbow.scoring.schema import refuse_taken

if TYPE_CHECKING:
    import pandas as pd

COMPRESSION = "zstd"

# The group of scores that others computed.
EXTERNAL = "external"


class About(NamedTuple):
    """What is known of a table of scores beside its rows."""

    signatures: Mapping[str, str] = MappingProxyType({})  # all that each column of scores depends on
    missing: Mapping[str, Mapping[str, Any]] = MappingProxyType({})  # why cells are NaN
    view: str = "surface"  # of the texts that word-based metrics saw
    ratings: Sequence[str] = ()  # columns of human ratings
    columns: Mapping[str, Any] = MappingProxyType({})  # what was said of the file of the rows
    external: Mapping[str, Mapping[str, Any]] = MappingProxyType({})  # scores that others computed: `higher_is_better`

    @classmethod
    def of(cls, frame: pd.DataFrame) -> About:
        """Return what is known of a table that :func:`load_scores` or :func:`rainbow.score_corpus` gives."""
        return cls(**{name: frame.attrs[name] for name in cls._fields if name in frame.attrs})

    def groups_and_directions(self, names: Iterable[str]) -> tuple[dict[str, str], dict[str, bool | None]]:
        """Return the group of every column of scores, and whether higher is better (None: neither direction is)."""
        known, groups, better = all_columns(), dict[str, str](), dict[str, bool | None]()
        for name in names:
            column, group = known.get(name, (None, EXTERNAL))
            groups[name] = EXTERNAL if name in self.external else str(group)
            of_others = self.external.get(name)
            better[name] = of_others["higher_is_better"] if of_others else column and column.higher_is_better
        return groups, better


# What a folder of parts is a table by: what is known of them, and which they are.
SIGNATURES = "_signatures.json"

_KEY = b"rainbow"


def save_scores(path: str | Path, corpus: Corpus, scores: pd.DataFrame) -> Path:
    """Write a corpus and its scores side by side, as Parquet, or as CSV if the file's name ends in ``.csv``."""
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
def open_table(
    path: Path, schema: Any, about: Mapping[str, Any], *, guard: bool = False
) -> Iterator[Callable[[Any], None]]:
    """Give what writes Arrow tables one after the other into the file that :func:`save_scores` would write of them
    all.
    """
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            shown = escape_formulas if guard else lambda frame: frame
            yield lambda table: shown(_as_csv(table.to_pandas(integer_object_nulls=True))).to_csv(
                file, index=False, header=file.tell() == 0
            )
        return
    import pyarrow.parquet as pq

    with pq.ParquetWriter(path, _described(schema, about), compression=COMPRESSION) as writer:
        yield lambda table: writer.write_table(table.cast(writer.schema))


def is_table_of_scores(path: Place) -> bool:
    """Return whether a table of scores lies there, a file or a folder, which says what its columns are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        if path.suffix != ".parquet" and (path / SIGNATURES).is_file():
            return True
        return _KEY in (pq.read_schema(readable_source(path)).metadata or {})
    except (pa.ArrowInvalid, OSError):
        return False


def read_about(path: Place) -> About:
    """Return what is known of a table of scores, without its rows."""
    import pyarrow.parquet as pq

    found = _about_folder(path) if path.is_dir() else _about(path, pq.read_schema(readable_source(path)))
    return About(**{name: found[name] for name in About._fields if name in found})


def write_about(folder: Place, about: Mapping[str, Any]) -> None:
    """Write what is known of the parts in a folder, which is a table from then on."""
    write_bytes(folder / SIGNATURES, json.dumps(about, indent=1).encode())


def forget_table(folder: Place) -> None:
    """Make a folder of parts no table any more: its parts stay."""
    (folder / SIGNATURES).unlink(missing_ok=True)


def _about_folder(folder: Place) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((folder / SIGNATURES).read_bytes())
    except FileNotFoundError:
        raise ValueError(
            f"{folder} is no table of scores, or not a whole one: make one with `rainbow metrics`"
        ) from None
    return found


def _about(path: Place, schema: Any) -> dict[str, Any]:
    about = (schema.metadata or {}).get(_KEY)
    if about is None:
        raise ValueError(f"{path} is no table of scores: make one with `rainbow metrics`")
    found: dict[str, Any] = json.loads(about)
    return found


def load_scores(path: str | Place) -> pd.DataFrame:
    """Read a Parquet table of scores, or a folder of its parts; ``attrs`` holds what :class:`About` reads.

    Raises
    ------
    ValueError
        If the file is no Parquet file, or was not written by :func:`save_scores`.
    """
    import pyarrow as pa

    path = path_of(path)
    if path.is_dir():
        about = _about_folder(path)
        parts = [read_parquet_table(path / name).replace_schema_metadata(None) for name, _ in about.pop("parts")]
        table = pa.concat_tables(parts)
    else:
        try:
            table = read_parquet_table(path)
        except pa.ArrowInvalid as error:
            raise ValueError(f"{path} is no Parquet file: {error}") from None
        about = _about(path, table.schema)
    frame: pd.DataFrame = table.to_pandas()
    frame["references"] = [tuple(texts) for texts in frame["references"]]
    frame.attrs = dict[Any, Any]({"columns": {}, "external": {}} | about)
    return frame
