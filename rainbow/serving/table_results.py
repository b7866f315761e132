"""Results for notebooks: tables as attributes, the main result first."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rainbow.base.lazy import pd
from rainbow.corpus import Corpus


def as_corpus(data: Corpus | pd.DataFrame | str | Path, ratings: Sequence[str] = ()) -> Corpus:
    """Return a corpus from a corpus, a file, a dataset name, or a table with these ratings."""
    return corpus_and_scores(data, ratings)[0]


def corpus_and_scores(
    data: Corpus | pd.DataFrame | str | Path, ratings: Sequence[str] = ()
) -> tuple[Corpus, dict[str, Any]]:
    """Return a corpus as :func:`as_corpus` does, and the metadata of its score columns."""
    from rainbow.datasets import dataset_names, is_frame, open_dataset

    if isinstance(data, (str, Path)) or (is_frame(data) and "output" not in data):
        by_name = isinstance(data, str) and data in dataset_names()
        named = {"ratings": list(ratings)} if ratings and not by_name else {}
        rows = open_dataset(data, **named)
        corpus = Corpus.concatenate(list(rows.chunks(sys.maxsize)))
        return replace(corpus, background=rows.background), dict(rows.metadata().get("external", {}))
    return (data if isinstance(data, Corpus) else Corpus(data, ratings=tuple(ratings))), {}


def write_page(html: str, path: str | Path | None) -> str:
    """Return a page, written to a file if a path is given."""
    if path is not None:
        Path(path).write_text(html, encoding="utf-8", errors="backslashreplace")
    return html


@dataclass(frozen=True, repr=False, kw_only=True)
class TableResults(ABC):
    """Tidy tables, one per question, as attributes.

    Attributes
    ----------
    tables : mapping of str to DataFrame
        Tables by name.
    """

    tables: Mapping[str, pd.DataFrame]

    @abstractmethod
    def headline(self) -> str:
        """Describe the object and its short table in one line."""

    @abstractmethod
    def short(self) -> pd.DataFrame:
        """Return the main results as a table of text."""

    def __getattr__(self, name: str) -> pd.DataFrame:
        tables: Mapping[str, pd.DataFrame] = self.__dict__.get("tables", {})
        if name not in tables:
            raise AttributeError(f"unknown table {name!r}: choose from {', '.join(tables)}")
        return tables[name]

    def __dir__(self) -> list[str]:
        return sorted([*super().__dir__(), *self.tables])

    def __repr__(self) -> str:
        rows = self.short().to_numpy().tolist()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        return "\n".join([self.headline(), *lines])

    def _repr_html_(self) -> str:
        return f"<p>{self.headline()}</p>{self.short().to_html(index=False, border=0)}"

    def to_dict(self) -> dict[str, Any]:
        """Return every table as lists and numbers for JSON; NaN if undefined."""
        return {"tables": {name: table.to_dict("records") for name, table in self.tables.items()}}
