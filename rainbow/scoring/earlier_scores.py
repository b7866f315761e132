"""Metrics of a saved table that are kept when others are computed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any

from rainbow.base.lazy import pa, pd, pq
from rainbow.base.storage import Place, readable_source
from rainbow.corpus import Corpus
from rainbow.metrics.contract.metric_card import LEARNED
from rainbow.scoring.saved_scores import About, is_score_table, read_about
from rainbow.scoring.table_schema import TEXTS, scored_texts
from rainbow.text.languages.detection import ENGLISH

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
