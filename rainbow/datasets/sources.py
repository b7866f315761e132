"""Datasets of a name: the module of each, and loading one."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rainbow.corpus import Corpus
from rainbow.datasets.read.formats import TABLES
from rainbow.scoring.chunks import CorpusRows

if TYPE_CHECKING:
    from rainbow.datasets.external_scores import ExternalScores

# Options that named datasets share with files.
EXTERNAL_OPTIONS = ("scores", "joined", "background")

# The module of each name, imported on first use. A module has `load(name)`, `DOMAIN` (the domain of its texts) and
# `FILES` (per name the remote files of `rainbow fetch`; none if included in the package). Optional: `OPTIONS` (further
# arguments of `load`) and `judgements(name)`.
_SOURCES = {
    "demo": "demo",
    **dict.fromkeys(("sfhotel", "sfrest", "bagel", "emnlp2017"), "emnlp2017"),
    "e2e": "e2e",
    "rankme": "rankme",
    "rnnlg": "emnlp2017",
    **dict.fromkeys(("webnlg2020", "webnlg2020_ru"), "webnlg2020"),
    **dict.fromkeys(("wmt17", "begin", "q_squared", "conture", "mlqe_de", "mlqe_zh"), "rated_texts"),
    **dict.fromkeys(("wmt24_cs", "wmt24_hi", "wmt24_ja", "wmt24_zh"), "wmt24"),
}


def dataset_names() -> tuple[str, ...]:
    """Return the dataset names accepted by :func:`load_dataset`.

    Examples
    --------
    >>> dataset_names()[:3]
    ('demo', 'sfhotel', 'sfrest')
    """
    return tuple(_SOURCES)


def source(name: str) -> ModuleType:
    """Return the module that loads a named dataset.

    Parameters
    ----------
    name : str
        Name of a dataset.

    Raises
    ------
    ValueError
        If there is no such dataset; the message suggests the closest name.

    Examples
    --------
    >>> source("demo").__name__
    'rainbow.datasets.demo'
    """
    if name not in _SOURCES:
        near = difflib.get_close_matches(name.lower(), _SOURCES, n=1)
        hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(_SOURCES)}"
        raise ValueError(f"unknown dataset {name!r}: {hint}, or name a file ({', '.join(TABLES)}, .txt)")
    return import_module(f"rainbow.datasets.{_SOURCES[name]}")


def load_named(name: str, **columns: Any) -> Corpus:
    """Return a named dataset, with external scores and further references if columns name any."""
    module, external = source(name), _external_scores(columns)
    if unknown := [column for column in columns if column not in (*EXTERNAL_OPTIONS, *getattr(module, "OPTIONS", ()))]:
        raise ValueError(f"{', '.join(unknown)}: only for your own files; {name} has fixed columns")
    options = {option: value for option, value in columns.items() if option not in EXTERNAL_OPTIONS}
    corpus: Corpus = module.load(name, **options)
    if path := external.columns.background:
        from rainbow.datasets.text_files import read_background

        corpus = corpus.with_background(read_background(Path(path)))
    if external.scores or external.columns.joined:
        from rainbow.datasets.external_scores import check_joined_tables

        corpus = replace(corpus, frame=external.join_scores(corpus.frame))
        check_joined_tables(name, [external])
    return corpus


def open_named(name: str, **columns: Any) -> CorpusRows:
    """Return the rows of a named dataset with the metadata of its columns."""
    external = _external_scores(columns)
    about = {"columns": external.columns.set_options(), "external": external.metadata()}
    return CorpusRows(load_named(name, **columns), about)


def _external_scores(columns: Mapping[str, Any]) -> ExternalScores:
    """Return the external scores of a named dataset."""
    from rainbow.datasets.columns import Columns
    from rainbow.datasets.external_scores import ExternalScores

    given = {name: value for name, value in columns.items() if name in EXTERNAL_OPTIONS}
    return ExternalScores(Columns.create(**given))
