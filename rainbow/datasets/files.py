"""A user's own outputs: CSV, TSV, JSONL, Parquet, or the plain text of the E2E metrics scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rainbow.corpus import Corpus

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_file"]


def read_file(
    path: Path,
    *,
    output: str | None = None,
    references: str | Sequence[str] | Path | None = None,
    reference_separator: str | None = None,
    mr: str | None = None,
    system: str | None = None,
    item: str | None = None,
    id: str | None = None,  # named as the column it fills
    ratings: Sequence[str] = (),
) -> Corpus:
    r"""Read outputs and what belongs to them from a file.

    Parameters
    ----------
    path
        A table (``.csv``, ``.tsv``, ``.jsonl``, ``.parquet``) with a row per output, or plain text (``.txt``) with a
        line per output.
    output, mr, system, item, id
        The columns that hold the texts, meaning representations, systems, inputs and row ids; by default those
        of these names, where the table has them.
    references
        The columns that hold references (several columns, several references; empty cells are none); by default
        `references`, `reference`, `reference_1`, `reference_2` … A cell may hold one reference, a JSON list, or
        several with `reference_separator` between them. For plain text: the file of references, those of
        one output on successive lines, outputs separated by a blank line.
    ratings
        The columns that hold human ratings.

    Raises
    ------
    ValueError
        If the file cannot be read so; the message names file, row and field.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.csv"
    ...     _ = path.write_text("text,gold\nthe inn.,the inn .|an inn .\n")
    ...     corpus = read_file(path, output="text", references="gold", reference_separator="|")
    >>> corpus.frame["references"].tolist()
    [('the inn .', 'an inn .')]
    """
    try:
        if path.suffix == ".txt":
            return _read_text(path, references)
        frame = _read_table(path)
        chosen = {"output": output, "mr": mr, "system": system, "item": item, "id": id}
        frame = _renamed(frame, {field: column for field, column in chosen.items() if column is not None})
        columns = _reference_columns(frame, references)
        if columns:
            cells = zip(*(frame[column] for column in columns), strict=True)
            gathered = [_references(row, cell, reference_separator) for row, cell in enumerate(cells, 1)]
            frame = frame.drop(columns=columns)
            frame["references"] = gathered
        if "dataset" not in frame:
            frame["dataset"] = path.stem
        return Corpus(frame, tuple(ratings))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _read_table(path: Path) -> pd.DataFrame:
    import pandas as pd

    match path.suffix:
        case ".csv" | ".tsv":
            separator = "\t" if path.suffix == ".tsv" else ","
            return pd.read_csv(path, sep=separator, dtype=object, keep_default_na=False, encoding="utf-8-sig")
        case ".jsonl":
            return pd.DataFrame(_json_lines(path), dtype=object)
        case ".parquet":
            return pd.read_parquet(path)
        case other:
            raise ValueError(f"cannot read {other or 'a file without an ending'}: use csv, tsv, jsonl, parquet or txt")


def _json_lines(path: Path) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(_lines(path), 1):
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"line {number} is no JSON: {error.msg}") from None
        if not isinstance(row, dict):
            raise ValueError(f'line {number} is no JSON object: write one object per line, {{"output": …}}')
        rows.append(row)
    return rows


def _lines(path: Path) -> list[str]:
    """Give the lines of a file; only a line feed ends one (a text may hold Unicode's other separators)."""
    lines = path.read_text(encoding="utf-8-sig").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _renamed(frame: pd.DataFrame, chosen: dict[str, str]) -> pd.DataFrame:
    """Give the table with the chosen columns under the names of a corpus."""
    for field, column in chosen.items():
        if column not in frame:
            raise ValueError(f"there is no column {column!r} for the {field}: there are {', '.join(map(str, frame))}")
    frame = frame.drop(columns=[field for field, column in chosen.items() if field in frame and field != column])
    return frame.rename(columns={column: field for field, column in chosen.items()})


def _reference_columns(frame: pd.DataFrame, references: str | Sequence[str] | Path | None) -> list[str]:
    if references is None:
        return [name for name in map(str, frame) if re.fullmatch(r"references|reference(_?\d+)?", name)]
    columns = [str(references)] if isinstance(references, (str, Path)) else list(references)
    for column in columns:
        if column not in frame:
            raise ValueError(f"there is no reference column {column!r}: there are {', '.join(map(str, frame))}")
    return columns


def _references(row: int, cells: Sequence[Any], separator: str | None) -> tuple[str, ...]:
    return tuple(text for cell in cells for text in _cell(row, cell, separator) if text)


def _cell(row: int, cell: Any, separator: str | None) -> list[str]:
    """Give the references in one cell: a list, a JSON list, separated texts, or one text."""
    if isinstance(cell, str):
        if separator:
            return [text.strip() for text in cell.split(separator)]
        return _json_list(cell) or [cell]
    if cell is None or isinstance(cell, float):  # pandas writes NaN for an empty cell
        return []
    texts = list(cell)
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"row {row}, references: {texts!r:.60} is no list of texts")
    return texts


def _json_list(cell: str) -> list[str] | None:
    if not cell.lstrip().startswith("["):
        return None
    try:
        texts = json.loads(cell)
    except json.JSONDecodeError:
        return None
    return texts if isinstance(texts, list) and all(isinstance(text, str) for text in texts) else None


def _read_text(path: Path, references: str | Sequence[str] | Path | None) -> Corpus:
    outputs = _lines(path)
    if references is None:
        return Corpus.of(outputs, dataset=[path.stem] * len(outputs))
    if not isinstance(references, (str, Path)):
        raise ValueError("plain text takes one file of references")
    blocks = [block.split("\n") for block in re.split(r"\n\s*\n", "\n".join(_lines(Path(references))).strip("\n"))]
    if len(blocks) != len(outputs):
        raise ValueError(
            f"{len(outputs)} outputs, but {references} has {len(blocks)} sets of references: "
            "separate the references of one output from the next by a blank line"
        )
    return Corpus.of(outputs, blocks, dataset=[path.stem] * len(outputs))
