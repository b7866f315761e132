"""Saved score tables with all that their numbers depend on, and metrics that are kept when others are computed."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from rainbow.base.files import escape_formulas, write_atomically
from rainbow.base.lazy import pa, pd, pq
from rainbow.base.storage import Place, path_of, read_parquet_table, readable_source
from rainbow.corpus import Corpus
from rainbow.metrics.contract.metric_card import LEARNED
from rainbow.metrics.contract.registry import all_columns
from rainbow.scoring.table_schema import TEXTS, check_names_free, scored_texts
from rainbow.text.languages.detection import ENGLISH

COMPRESSION = "zstd"

# Group of external scores.
EXTERNAL = "external"


class About(NamedTuple):
    """Metadata of a score table."""

    signatures: Mapping[str, str] = MappingProxyType({})  # what each score column depends on
    missing: Mapping[str, Mapping[str, Any]] = MappingProxyType({})  # why cells are NaN
    view: str = "surface"  # view of the texts for word-based metrics
    ratings: Sequence[str] = ()  # columns of human ratings
    language: str = "en"  # of the outputs
    columns: Mapping[str, Any] = MappingProxyType({})  # columns and format of the input file
    external: Mapping[str, Mapping[str, Any]] = MappingProxyType({})  # external scores: `higher_is_better`

    @classmethod
    def from_table(cls, frame: pd.DataFrame) -> About:
        """Return the metadata of a table from :func:`load_scores` or :func:`rainbow.score_corpus`."""
        return cls(**{name: frame.attrs[name] for name in cls._fields if name in frame.attrs})

    def groups_and_directions(self, names: Iterable[str]) -> tuple[dict[str, str], dict[str, bool | None]]:
        """Return the group and direction of every score column (None: no direction)."""
        known, groups, better = all_columns(), dict[str, str](), dict[str, bool | None]()
        for name in names:
            column, group = known.get(name, (None, EXTERNAL))
            groups[name] = EXTERNAL if name in self.external else str(group)
            of_others = self.external.get(name)
            better[name] = of_others["higher_is_better"] if of_others else column and column.higher_is_better
        return groups, better


# File that makes a folder of parts a table: metadata and the list of parts.
SIGNATURES = "_signatures.json"

_KEY = b"rainbow"


def save_scores(path: str | Path, corpus: Corpus, scores: pd.DataFrame) -> Path:
    """Write a corpus and its scores as Parquet, or as CSV for names ending in ``.csv``."""
    path = Path(path)
    check_names_free(corpus.frame.columns, scores.columns)
    frame = corpus.frame.join(scores.set_axis(corpus.frame.index))
    if path.suffix == ".csv":
        return write_atomically(path, lambda target: _csv_table(frame).to_csv(target, index=False))
    about = {"ratings": list(corpus.ratings)} | {str(key): value for key, value in scores.attrs.items()}
    return write_atomically(path, lambda target: _write_parquet(target, frame, about))


def _write_parquet(path: Path, frame: pd.DataFrame, metadata: dict[str, Any]) -> None:
    frame.attrs = {}
    table = pa.Table.from_pandas(frame, preserve_index=False)
    pq.write_table(table.cast(_schema_with_metadata(table.schema, metadata)), path, compression=COMPRESSION)


def _schema_with_metadata(schema: Any, metadata: Mapping[str, Any]) -> Any:
    """Return the schema with pandas metadata and the attributes of :func:`load_scores`."""
    kept = {key: value for key, value in (schema.metadata or {}).items() if key == b"pandas"}
    return schema.with_metadata({**kept, _KEY: json.dumps(metadata).encode()})


def _csv_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table as saved in CSV, with references as JSON lists."""
    return frame.assign(references=[json.dumps(list(texts), ensure_ascii=False) for texts in frame["references"]])


@contextmanager
def open_table_writer(
    path: Path, schema: Any, metadata: Mapping[str, Any], *, guard: bool = False
) -> Iterator[Callable[[Any], None]]:
    """Yield a writer of Arrow tables to the file that :func:`save_scores` would produce."""
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            shown = escape_formulas if guard else lambda frame: frame
            yield lambda table: shown(_csv_table(table.to_pandas(integer_object_nulls=True))).to_csv(
                file, index=False, header=file.tell() == 0
            )
        return
    with pq.ParquetWriter(path, _schema_with_metadata(schema, metadata), compression=COMPRESSION) as writer:
        yield lambda table: writer.write_table(table.cast(writer.schema))


def is_score_table(path: Place) -> bool:
    """Return whether a path is a saved score table: a file or folder with metadata."""
    try:
        if path.suffix != ".parquet" and (path / SIGNATURES).is_file():
            return True
        return _KEY in (pq.read_schema(readable_source(path)).metadata or {})
    except (pa.ArrowInvalid, OSError):
        return False


def read_about(path: Place) -> About:
    """Return the metadata of a score table without reading its rows."""
    result = _about_folder(path) if path.is_dir() else _parse_about(path, pq.read_schema(readable_source(path)))
    return About(**{name: result[name] for name in About._fields if name in result})


def _about_folder(folder: Place) -> dict[str, Any]:
    try:
        data: dict[str, Any] = json.loads((folder / SIGNATURES).read_bytes())
    except FileNotFoundError:
        raise ValueError(f"{folder} is not a complete table of scores: create one with `rainbow metrics`") from None
    return data


def _parse_about(path: Place, schema: Any) -> dict[str, Any]:
    about = (schema.metadata or {}).get(_KEY)
    if about is None:
        raise ValueError(f"{path} is not a table of scores: create one with `rainbow metrics`")
    data: dict[str, Any] = json.loads(about)
    return data


def load_scores(path: str | Place) -> pd.DataFrame:
    """Read a Parquet score table, or a folder of parts; ``attrs`` holds the metadata.

    Parameters
    ----------
    path : str or path
        The file or folder.

    Raises
    ------
    ValueError
        If the file is not in Parquet format, or was not written by :func:`save_scores`.

    Examples
    --------
    >>> import rainbow
    >>> from tempfile import TemporaryDirectory
    >>> corpus = rainbow.Corpus.from_texts(["the inn", "an inn"])
    >>> with TemporaryDirectory() as folder:
    ...     path = save_scores(Path(folder) / "scores.parquet", corpus, rainbow.score_corpus(corpus, ["len"]))
    ...     table = load_scores(path)
    >>> table["len"].tolist(), list(table.attrs["signatures"])
    ([6.0, 5.0], ['len'])
    """
    path = path_of(path)
    if path.is_dir():
        about = _about_folder(path)
        parts = [read_parquet_table(path / name).replace_schema_metadata(None) for name, _ in about.pop("parts")]
        table = pa.concat_tables(parts)
    else:
        try:
            table = read_parquet_table(path)
        except pa.ArrowInvalid as error:
            raise ValueError(f"{path} is not a Parquet file: {error}") from None
        about = _parse_about(path, table.schema)
    frame: pd.DataFrame = table.to_pandas()
    frame["references"] = [tuple(texts) for texts in frame["references"]]
    frame.attrs = dict[Any, Any]({"columns": {}, "external": {}} | about)
    return frame


# Takes a number of rows: the next ones of a saved table.
Next = Callable[[int], Any]


@dataclass(frozen=True)
class EarlierScores:
    """Metric columns of a saved table that are kept when it is rewritten."""

    path: Place
    about: About
    names: tuple[str, ...]
    optional: bool = False  # whether the table may be replaced if its rows have changed

    @classmethod
    def at(cls, path: Place, computed: Collection[str]) -> EarlierScores | None:
        """Return the metrics of the saved table that are not computed now; None if there are none."""
        if not is_score_table(path):
            return None
        about = read_about(path)
        own = (name for name in about.signatures if name not in about.external or name.startswith(LEARNED))
        names = tuple(name for name in own if name not in computed)
        # The learned score alone does not hold a table to its rows: an analysis adds it again.
        optional = bool(computed) and all(name.startswith(LEARNED) for name in names)
        return cls(path, about, names, optional) if names else None

    @property
    def learned(self) -> dict[str, Any]:
        """Metadata of the learned scores among the kept columns."""
        return {name: self.about.external[name] for name in self.names if name in self.about.external}

    def check(self, view: str, background: str | None, language: str | None) -> None:
        """Raise an error if the kept metrics use another view, background or language."""
        compared = (
            ("view", view, self.about.view),
            ("background", background, self.about.columns.get("background")),
            ("language", language or ENGLISH, self.about.language),
        )
        for what, now, then in compared:
            if now != then and (not self.optional or what == "language"):
                raise self._mismatch_error(f"were computed with the {what} {then}, not {now}")

    @contextmanager
    def compared(self) -> Iterator[Callable[[pd.DataFrame | None], None]]:
        """Return a function that raises an error for rows other than the table's; None ends it."""
        with self._rows(TEXTS) as following:
            done = 0

            def compare(frame: pd.DataFrame | None) -> None:
                nonlocal done
                if frame is None:
                    if len(following(1)):
                        raise self._mismatch_error(f"have more rows than the current {done}")
                    return
                now = scored_texts(frame)
                then = following(len(frame)).cast(now.schema)
                if not now.equals(then):
                    pairs = zip(now.to_pylist(), then.to_pylist(), strict=False)
                    same = next((place for place, (one, other) in enumerate(pairs) if one != other), len(then))
                    raise self._mismatch_error(f"were computed for other rows (row {done + same + 1} differs)")
                done += len(frame)

            yield compare

    def has_rows(self, chunks: Iterable[Corpus]) -> bool:
        """Return whether the saved table has exactly these rows."""
        try:
            with self.compared() as compare:
                for frame in chain((chunk.frame for chunk in chunks), [None]):
                    compare(frame)
        except ValueError:
            return False
        return True

    def columns(self) -> AbstractContextManager[Next]:
        """Return a function that yields the kept columns of the next rows as an Arrow table."""
        return self._rows(self.names)

    @contextmanager
    def _rows(self, names: Collection[str]) -> Iterator[Next]:
        with pq.ParquetFile(readable_source(self.path), pre_buffer=False) as file:
            batches, left = file.iter_batches(8000, columns=list(names), use_threads=False), list[Any]()
            schema = pa.schema([file.schema_arrow.field(name) for name in names])

            def following(rows: int) -> Any:
                while sum(map(len, left)) < rows and (batch := next(batches, None)) is not None:
                    left.append(batch.select(list(names)))
                table = pa.Table.from_batches(left, schema=schema)
                left[:] = table.slice(rows).to_batches()
                return table.slice(0, rows)

            yield following

    def _mismatch_error(self, problem: str) -> ValueError:
        count = f"{len(self.names)} metrics" if len(self.names) > 1 else f"the metric {self.names[0]}"
        return ValueError(
            f"{self.path} has {count} that {problem}: write elsewhere (--out), or replace the table (--anew)"
        )
