"""The saved tables of a dataset, as the commands before this one left them: all that a report is made from."""

from __future__ import annotations

import hashlib
import io
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow.reports.number import Form, Number, signed

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ALL", "Part", "Saved", "SavedFile", "load_saved"]

# What a table says in place of a name where all datasets, or all systems, stand together.
ALL = "all"

PUBLISHED = "published"

# Columns that hold names and sentences, however much they may look like numbers.
_TEXTS = frozenset(
    [
        "dataset",
        "system",
        "rating",
        "metric",
        "other",
        "column",
        "first",
        "second",
        "stratum",
        "level",
        "by",
        "group",
        "measure",
        "check",
        "severity",
        "subject",
        "finding",
        "test",
        "scores",
        "method",
        "interval",
        "reason",
        "model",
        "preset",
        "protocol",
        "best_metric",
        "feature",
        "kind",
        "id",
    ]
)


class SavedFile(NamedTuple):
    """A file that a report was made from: its name, its content, and the SHA-256 of that."""

    name: str
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


class Part(NamedTuple):
    """Outputs that were looked at together; ``all`` where datasets or systems are pooled."""

    dataset: str
    system: str

    @property
    def label(self) -> str:
        names = [name for name in self if name != ALL]
        return " · ".join(names) or ALL


@dataclass(frozen=True)
class Saved:
    """Everything that was saved about a dataset.

    Attributes
    ----------
    name
        Of the dataset; ``-published`` is part of it where the authors' scores were analysed.
    scores
        A row per output, as :func:`rainbow.metrics.table.load_scores` gives it.
    tables
        The tables of ``analysis/NAME/`` by name. A row's label is its place in the file, from 0.
    summary
        ``summary.json``.
    groups, higher_is_better
        Of every metric, whether it was analysed or not.
    files
        What all this was read from.
    """

    name: str
    scores: pd.DataFrame
    tables: Mapping[str, pd.DataFrame]
    summary: Mapping[str, Any]
    groups: Mapping[str, str]
    higher_is_better: Mapping[str, bool | None]
    files: tuple[SavedFile, ...]

    @property
    def ratings(self) -> list[str]:
        """Columns of human ratings."""
        return list(self.summary["ratings"])

    @property
    def metrics(self) -> list[str]:
        """Columns of metrics."""
        return list(self.summary["metrics"])

    @property
    def datasets(self) -> list[str]:
        """Datasets in the table; more than one where several were scored together."""
        return list(self.summary["datasets"])

    @property
    def whole(self) -> Part:
        """All outputs."""
        return Part(self.datasets[0] if len(self.datasets) == 1 else ALL, ALL)

    @property
    def parts(self) -> list[Part]:
        """All outputs, then those of every dataset, of every system on a dataset, and of a system on all datasets."""
        table = self.tables["correlations"]
        pairs = dict.fromkeys(zip(table["dataset"], table["system"], strict=True))
        parts = [Part(*pair) for pair in pairs if len(self.datasets) > 1 or pair[0] != ALL]
        systems = {part.system for part in parts if part.system != ALL}
        if len(systems) < 2:  # the only system is the whole
            parts = [part for part in parts if part.system == ALL]
        return sorted(parts, key=lambda part: (part != self.whole, part.system != ALL, part.dataset == ALL))

    def label(self, part: Part) -> str:
        """Give the name of a part as a column has it: without the dataset where there is one only."""
        if part == self.whole:
            return "all outputs"
        return part.system if len(self.datasets) == 1 else part.label

    def number(self, table: str, row: Any, column: str, form: Form = signed) -> Number:
        """Give one number of a table with its source; `row` is its label."""
        value = float(self.tables[table][column].loc[row])
        return Number(value, form(value), f"{table}:{row}:{column}")

    def rows(self, table: str, **wanted: str) -> pd.DataFrame:
        """Give the rows of a table that have these values, none if the table is not there."""
        if table not in self.tables:
            import pandas as pd

            return pd.DataFrame()
        frame = self.tables[table]
        for column, value in wanted.items():
            frame = frame[frame[column] == value]
        return frame

    def lookup(self, table: str, *columns: str, **wanted: str) -> dict[Any, Any]:
        """Give the rows of a table that have the `wanted` values, by what they have in `columns`.

        Rows are as ``itertuples`` gives them; a key is a tuple, or the one value where there is one column.
        """
        lines = list(self.rows(table, **wanted).itertuples())
        if len(columns) == 1:
            return {getattr(line, columns[0]): line for line in lines}
        return {tuple(getattr(line, column) for column in columns): line for line in lines}


def load_saved(dataset: str, scores: str = "ours", folder: Path | None = None) -> Saved:
    """Read what ``rainbow metrics`` and ``rainbow analyse`` (and ``rainbow fit``) saved about a dataset.

    Parameters
    ----------
    dataset
        A dataset's name, or the file that was scored.
    scores
        ``ours``, or ``published`` for the analysis of the scores that the authors stored.
    folder
        Holds ``metrics/`` and ``analysis/``; by default the current one.

    Raises
    ------
    FileNotFoundError
        If something was not made yet; the message names the command that makes it.
    ValueError
        If the analysis belongs to other scores than those that lie there now.
    """
    from rainbow.metrics.table import load_scores

    folder, stem = folder or Path(), Path(dataset).stem
    name, option = (stem, "") if scores == "ours" else (f"{stem}-{scores}", f" --scores {scores}")
    path, analysis = folder / "metrics" / f"{stem}.parquet", folder / "analysis" / name
    if not path.is_file():
        raise FileNotFoundError(f"{path} is not there: run `rainbow metrics {dataset}` first")
    if not (analysis / "summary.json").is_file():
        raise FileNotFoundError(f"{analysis} is not there: run `rainbow analyse {dataset}{option}` first")
    frame = load_scores(path)
    if scores == PUBLISHED:
        frame = _published(frame)
    summary = json.loads((analysis / "summary.json").read_text(encoding="utf-8"))
    _check(frame, summary, analysis, f"rainbow analyse {dataset}{option}")
    files = tuple(_files(folder, path, analysis))
    tables = {Path(file.name).stem: _table(file.content) for file in files if file.name.endswith(".csv")}
    groups, better = _directions(summary["metrics"])
    return Saved(name, frame, tables, summary, groups, better, files)


def _files(folder: Path, scores: Path, analysis: Path) -> Iterator[SavedFile]:
    for path in (scores, *sorted(analysis.glob("*.csv")), analysis / "summary.json"):
        yield SavedFile(path.relative_to(folder).as_posix(), path.read_bytes())


def _table(content: bytes) -> pd.DataFrame:
    """Read a CSV file so that every number is the very one that was written, and a system may be called NA or 1."""
    import pandas as pd

    table = pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)
    numbers = {name: _numbers(table[name].tolist()) for name in table if name not in _TEXTS}
    return table.assign(**{str(name): column for name, column in numbers.items()})


def _numbers(texts: list[str]) -> list[float] | list[str]:
    """Give a column as numbers, NaN for what is not written; as it is where it holds something else."""
    try:
        return [float(text) if text else math.nan for text in texts]
    except ValueError:
        return texts


def _published(frame: pd.DataFrame) -> pd.DataFrame:
    """Put the scores that the authors stored in place of ours."""
    prefix = f"{PUBLISHED}."
    frame = frame.drop(columns=list(frame.attrs["signatures"]))
    frame = frame.rename(columns=lambda name: name.removeprefix(prefix))
    frame.attrs = frame.attrs | {"signatures": {}, "missing": {}, "view": PUBLISHED}
    return frame


def _check(frame: pd.DataFrame, summary: Mapping[str, Any], analysis: Path, command: str) -> None:
    missing = [name for name in [*summary["metrics"], *summary["ratings"]] if name not in frame]
    if summary["outputs"] != len(frame) or missing:
        found = f"has no column {missing[0]!r}" if missing else f"has {len(frame)} outputs, not {summary['outputs']}"
        raise ValueError(f"{analysis} was made from other scores, the table of today {found}: run `{command}` again")


def _directions(metrics: list[str]) -> tuple[dict[str, str], dict[str, bool | None]]:
    """Give group and direction of every metric that is known, and of those named."""
    from rainbow.metrics import all_metrics

    known = [(column, metric.group) for metric in all_metrics().values() for column in metric.columns]
    # A stored column that no metric of ours gives is the parser's score.
    groups = dict.fromkeys(metrics, "grammar") | {column.name: str(group) for column, group in known}
    unknown: dict[str, bool | None] = dict.fromkeys(metrics)
    return groups, unknown | {column.name: column.higher_is_better for column, _ in known}
