"""Named datasets and user files, all loaded as a Corpus."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeGuard, cast

from rainbow.base.lazy import pd
from rainbow.base.storage import Place, path_of
from rainbow.corpus import Corpus
from rainbow.datasets.sources import dataset_names, load_named, open_named, source
from rainbow.scoring.chunks import Rows

__all__ = ["dataset_names", "domain", "judgements", "load_dataset", "open_dataset", "source"]


def load_dataset(name: str | Place | pd.DataFrame, **columns: Any) -> Corpus:
    """Load a dataset by name, from a file, or from a table in memory.

    Parameters
    ----------
    name : str, path or DataFrame
        ``demo``, ``sfhotel``, ``sfrest``, ``bagel``, ``emnlp2017``, ``e2e``, ``rankme``, ``rnnlg``, ``webnlg2020``,
        ``webnlg2020_ru``, ``wmt17``, ``begin``, ``q_squared``, ``conture``, ``mlqe_de``, ``mlqe_zh``, ``wmt24_cs``,
        ``wmt24_hi``, ``wmt24_ja``, ``wmt24_zh``, or the path of a file. A folder of Parquet files or a file pattern
        (``in/*.csv``) is read as one table. Paths in an object store (``s3://bucket/in.parquet``) are accepted.
    **columns
        Columns of a file or table; columns that are not given are detected.

        `output`, `mr`, `system`, `item`, `id`: outputs, inputs, systems, input names and row names. `references`: one
        or several columns; a cell holds one reference, a JSON list, or several separated by `reference_separator`. For
        plain text, files of references. `ratings`: human ratings, ``NAME=COLUMN,COLUMN`` for one column per rater.
        `rater`: column of raters, in a table with one row per judgement. `scores`: external scores, ``comet:higher`` or
        ``ter2:lower``. `mr_format`: notation of the inputs, one of :data:`rainbow.meaning.FORMATS`. `encoding`,
        `delimiter`, `decimal`, `sheet`: format of the file. `joined`: tables of further columns, joined by `id`, or
        else by output and input. `recipe`: file that maps the columns of another tool's export. `background`: file of
        references for other inputs (columns ``mr``, ``ref``).

        `scores`, `joined` and `background` also apply to named datasets. ``e2e`` accepts `as_published`, to keep the
        outputs as published. ``rankme`` accepts `method`: ``likert``, ``plainME`` or ``rankME``.

    Raises
    ------
    ValueError
        If the dataset or file does not exist, its content is invalid, or the columns of outputs or ratings are
        ambiguous; the message names file, row and field.
    FileNotFoundError
        If the dataset has not been fetched; the message gives the command.

    Examples
    --------
    >>> corpus = load_dataset("demo")
    >>> len(corpus) >= 900, corpus.ratings
    (True, ('informativeness', 'naturalness', 'quality'))
    """
    if is_frame(name) or _is_many_files(cast("str | Place", name)):
        rows = open_dataset(name, **columns)
        return replace(Corpus.concatenate(list(rows.chunks(sys.maxsize))), background=rows.background)
    name = cast("str | Place", name)
    if _is_file(name):
        from rainbow.datasets.files import read_file

        return read_file(path_of(name), **_detect_columns(name, columns))
    return load_named(str(name), **columns)


def _detect_columns(name: str | Place, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a file, with a warning if any were detected."""
    from rainbow.datasets.columns import Columns, saved_columns
    from rainbow.datasets.table_mapping import check_certain, read_mapping

    known = Columns.create(**given)
    mapping = read_mapping(name, known)
    if not known.output:
        check_certain(mapping, name)
    known = known.with_defaults(saved_columns(path_of(name)))
    if not (known.output or mapping.columns.without(*known.set_options()).has_default_names):
        message = f"{name}: columns detected as {mapping.columns}"
        warnings.warn(f"{message}: name others, or see `rainbow run {name}`", stacklevel=3)
    return mapping.columns.set_options()


def is_frame(name: Any) -> TypeGuard[pd.DataFrame]:
    """Return whether this is a DataFrame."""
    return "pandas" in sys.modules and isinstance(name, sys.modules["pandas"].DataFrame)


def open_dataset(name: str | Place | pd.DataFrame, **columns: Any) -> Rows:
    """Open a dataset for reading in chunks; a file may be larger than memory.

    Named datasets, plain text (``.txt``) and JSON lists (``.json``) are read at once.

    Parameters
    ----------
    name, **columns
        As in :func:`load_dataset`.

    Raises
    ------
    ValueError
        If there is no such dataset.
    FileNotFoundError
        If there is no such file, or the dataset has not been fetched.

    Examples
    --------
    >>> [len(chunk) for chunk in open_dataset("demo").chunks(1000)]
    [1000, 38]
    """
    from rainbow.datasets.columns import Columns

    if is_frame(name):
        from rainbow.datasets.table_mapping import check_certain, open_table

        rows, mapping = open_table(name, Columns.create(**columns))
        check_certain(mapping, "table")
        return rows
    name = cast("str | Place", name)
    if not (_is_many_files(name) or _is_file(name)):
        return open_named(str(name), **columns)
    from rainbow.datasets.folders.folder_rows import open_files
    from rainbow.datasets.folders.user_files import open_user_files

    if together := [str(name)] if _is_text_folder(name) else _span_exports(name):
        return open_user_files(together, Columns.create(**columns)).rows
    return open_files(name, Columns.create(**_detect_columns(name, columns)))


def _span_exports(name: str | Place) -> list[str]:
    """Return the files of a pattern if they are exports of error spans, which are read together."""
    from rainbow.datasets.read.many_files import find_files
    from rainbow.datasets.spans.span_table import read_span_table

    files = find_files(name)[1] if _is_many_files(name) else ()
    return [*map(str, files)] if len(files) > 1 and read_span_table(files) is not None else []


def _is_many_files(name: str | Place) -> bool:
    """Return whether a name refers to a folder or a file pattern."""
    from rainbow.datasets.read.many_files import is_many_files

    return str(name) not in dataset_names() and is_many_files(name)


def _is_text_folder(name: str | Place) -> bool:
    """Return whether a folder holds text files, not parts of a large table."""
    path = path_of(name)
    return isinstance(path, Path) and path.is_dir() and any(path.iterdir()) and not any(path.rglob("*.parquet"))


def _is_file(name: str | Place) -> bool:
    """Return whether a name refers to a file; raise FileNotFoundError if it is missing."""
    if str(name) in dataset_names() or not path_of(name).suffix:
        return False
    if not path_of(name).is_file():
        raise FileNotFoundError(f"no such file: {str(name)!r}")
    return True


def judgements(name: str | Path) -> pd.DataFrame:
    """Load individual human judgements of outputs, from a named dataset or a file.

    Parameters
    ----------
    name : str or path
        ``e2e``, ``rankme``, ``webnlg2020``, ``webnlg2020_ru``, ``wmt24_cs`` (hi, ja, zh), or the path of a table
        (:func:`rainbow.datasets.judgement_files.read_judgements`).

    Returns
    -------
    DataFrame
        One row per rated output: `judgement` (one per rater and task), `rater` (NaN if unknown), `item`, `system`,
        `criterion` (``quality`` ...), `kind` (``magnitude``, ``likert`` or ``preference``), `value` (float), and
        columns of the dataset: `check` (e2e: ``ok``, ``missing``, ``added``, or ``missing,added``), `output` (as
        shown).

    Raises
    ------
    ValueError
        If the dataset has no individual judgements, or the file is invalid.
    FileNotFoundError
        If the dataset has not been fetched; the message gives the command.

    Examples
    --------
    >>> judgements("demo")
    Traceback (most recent call last):
    ValueError: demo has no ratings of single raters; these datasets have: e2e, rankme, webnlg2020, ...
    """
    if _is_file(name):
        from rainbow.datasets.judgement_files import read_judgements

        return read_judgements(Path(name))
    module = source(str(name))
    if not hasattr(module, "judgements"):
        others = ", ".join(other for other in dataset_names() if hasattr(source(other), "judgements"))
        raise ValueError(f"{name} has no ratings of single raters; these datasets have: {others}")
    table: pd.DataFrame = module.judgements(str(name))
    return table


def domain(name: str | Place) -> str:
    """Return the domain of a dataset; for a file, its name without folder and extension.

    Parameters
    ----------
    name : str or path
        Name of a dataset, or path of a file.

    Examples
    --------
    >>> domain("e2e"), domain("news/summaries.csv")
    ('hotels and restaurants', 'summaries')
    """
    return str(source(str(name)).DOMAIN) if str(name) in dataset_names() else path_of(name).stem
