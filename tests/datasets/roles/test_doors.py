"""Every door reads a table alike: files of any kind, tables in memory, commands and functions."""

import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from benchmarks.roles.tables import Table, labelled
from rainbow.cli.column_options import resolve_columns
from rainbow.datasets import load_dataset, open_dataset
from rainbow.datasets.columns import NO_COLUMNS, Columns
from rainbow.datasets.folders.user_files import open_user_files, open_user_table
from rainbow.datasets.table_mapping import check_certain, open_table, read_mapping

EVERY = 12  # table in the default tests
TABLES = list(labelled())


def _written(table: Table, folder: Path) -> Path:
    path, rows = folder / "table.jsonl", table.frame.to_dict("records")
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


def _columns_of(rows: Any) -> Columns:
    return Columns.create(**rows.metadata()["columns"])


def _doors(path: Path, frame: pd.DataFrame) -> Iterator[tuple[str, Callable[[], Columns]]]:
    yield "read_mapping", lambda: read_mapping(path).columns
    yield "commands", lambda: resolve_columns(str(path), NO_COLUMNS)
    yield "open_dataset", lambda: _columns_of(open_dataset(path))
    yield "open_dataset, a pattern", lambda: _columns_of(open_dataset(str(path.parent / "*.jsonl")))
    yield "open_dataset, a table", lambda: _columns_of(open_dataset(frame))
    yield "run", lambda: open_user_files([str(path)]).mapping.columns
    yield "run, a table", lambda: open_user_table(frame).mapping.columns
    yield "open_table", lambda: open_table(frame)[1].columns


def _answer(door: Callable[[], Columns]) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return str(door())
        except ValueError as error:
            return str(error).partition(": ")[2][:60]


def _check(table: Table, folder: Path) -> None:
    path = _written(table, folder)
    frame = pd.DataFrame(table.frame.to_dict("records"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mapping = read_mapping(path)
    answers = {name: _answer(door) for name, door in _doors(path, frame)}
    try:
        check_certain(mapping, path)
    except ValueError:  # then the doors that ask refuse, each with the same words
        asked = ("commands", "open_dataset", "open_dataset, a pattern", "open_dataset, a table")
        refusing = {answers[name] for name in asked}
        assert len(refusing) == 1, answers
        answers = {name: answer for name, answer in answers.items() if answer not in refusing}
    assert len({*answers.values()}) == 1, answers


@pytest.mark.parametrize("table", TABLES[::EVERY], ids=lambda table: table.name)
def test_every_door_reads_a_table_alike(table: Table, tmp_path: Path) -> None:
    _check(table, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_door_reads_every_table_alike(table: Table, tmp_path: Path) -> None:
    _check(table, tmp_path)


class _Resolved(BaseException):
    """Ends a command when it knows the columns."""


@pytest.mark.parametrize("module, words", [
    ("metrics", ["metrics"]),
    ("analyse", ["analyse"]),
    ("fit", ["fit"]),
    ("systems", ["systems"]),
    ("scorers.audit", ["audit", "METEOR"]),
    ("checks.verify", ["verify"]),
    ("column_options", ["study"]),
], ids=lambda value: value[0] if isinstance(value, list) else "")  # fmt: skip
def test_every_command_reads_a_table_alike(module, words, tmp_path, monkeypatch) -> None:
    from rainbow.cli import main

    def resolve(dataset: str, given: Columns, table: Any = None) -> Columns:
        raise _Resolved(resolve_columns(dataset, given, table))

    monkeypatch.setattr(f"rainbow.cli.{module}.resolve_columns", resolve)
    monkeypatch.chdir(tmp_path)
    for table in TABLES[:: 8 * EVERY]:
        path = _written(table, tmp_path)
        expected = _answer(lambda name=str(path): resolve_columns(name, NO_COLUMNS))
        monkeypatch.setattr("sys.argv", ["rainbow", *words, str(path)])
        with pytest.raises((_Resolved, SystemExit)) as end:
            main()
        if isinstance(end.value, _Resolved):  # else the command refused, as every door does
            assert str(end.value.args[0]) == expected
        else:
            assert " " in expected and not expected.startswith("--"), expected


def test_a_table_in_memory_is_read_as_its_file_is(tmp_path: Path) -> None:
    table = next(table for table in labelled("cases") if "source_names" in table.name)
    path = tmp_path / "table.csv"
    table.frame.to_csv(path, index=False)
    assert load_dataset(table.frame).frame["output"].tolist() == load_dataset(path).frame["output"].tolist()
    assert load_dataset(table.frame).ratings == ("fluency", "clarity")
