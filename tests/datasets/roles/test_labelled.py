"""Readings of labelled tables: right where sure, and hardly ever wrong without a word.

The network learned from these tables: the shares are floors that show a broken reading. How it reads tables that it
did not learn from is measured by ``python -m benchmarks.roles evaluate``.
"""

import warnings
from collections import Counter

import pytest

from benchmarks.roles.accepted import AT_STAKE, wrong
from benchmarks.roles.tables import Table, labelled
from rainbow.datasets.roles.mapping import ColumnMapping
from rainbow.datasets.table_mapping import open_table

EVERY = 5  # table is read in the default tests


def outcome(table: Table, mapping: ColumnMapping) -> str:
    """Return how a reading ended.

    ``right`` and ``wrong``: it was sure. ``asked``: it was not. ``refused``: no column is taken as the outputs.
    """
    if not (mapping.columns.output or mapping.columns.pair):
        return "refused"
    if any(doubt.stops for doubt in mapping.doubts):
        return "asked"
    told = {doubt.column for doubt in mapping.doubts}
    return "wrong" if table.refuse or [part for part in wrong(table, mapping) if part[0] not in told] else "right"


def is_harmful(table: Table, mapping: ColumnMapping) -> bool:
    """Return whether a sure reading is wrong about outputs, systems or marks."""
    at_stake = any(not AT_STAKE.isdisjoint({role, *accepted}) for _, role, accepted in wrong(table, mapping))
    return outcome(table, mapping) == "wrong" and (bool(table.refuse) or at_stake)


def _ended(table: Table) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            mapping = open_table(table.frame)[1]
        except ValueError:
            return "refused"
    return "harmful" if is_harmful(table, mapping) else outcome(table, mapping)


@pytest.mark.parametrize("table", labelled("cases"), ids=lambda table: table.name)
def test_no_case_is_read_wrongly_without_a_word(table: Table) -> None:
    mapping = open_table(table.frame)[1]
    assert outcome(table, mapping) != "wrong", wrong(table, mapping)


def test_labelled_tables_are_read_right_and_hardly_ever_harmfully() -> None:
    ended = Counter(map(_ended, list(labelled())[::EVERY]))
    total = ended.total()
    assert ended["right"] >= RIGHT * total, ended
    assert ended["harmful"] <= HARMFUL * total, ended


RIGHT, HARMFUL = 0.7, 0.05
