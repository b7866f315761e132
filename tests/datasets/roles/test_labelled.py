"""Readings of labelled tables are right where sure; the gradients of the network of roles are those of its loss."""

import json
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.roles import training
from benchmarks.roles.accepted import AT_STAKE, wrong
from benchmarks.roles.tables import FOLDER, Table, labelled
from benchmarks.roles.training import LAYOUT_WEIGHT, USUAL_COLUMNS, Example
from rainbow.base.arrays import FloatArray
from rainbow.datasets import load_dataset
from rainbow.datasets.roles.assignment import KINDS, ROLES
from rainbow.datasets.roles.mapping import ColumnMapping
from rainbow.datasets.roles.network import LAYERS, _forward
from rainbow.datasets.table_mapping import open_table, read_mapping

EVERY = 5  # table is read in the default tests
PINNED = [
    held for held in map(json.loads, (FOLDER / "earlier_tests.jsonl").open("r", encoding="utf-8")) if "options" in held
]


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


@pytest.mark.parametrize("table", list(labelled("cases")), ids=lambda table: table.name)
def test_no_case_is_read_wrongly_without_a_word(table: Table) -> None:
    mapping = open_table(table.frame)[1]
    assert outcome(table, mapping) != "wrong", wrong(table, mapping)


@pytest.mark.parametrize("table", PINNED, ids=lambda table: table["name"])
def test_a_table_is_read_with_exactly_the_options_that_it_names(table: dict[str, Any], tmp_path: Path) -> None:
    path, cells = tmp_path / "mine.jsonl", table["columns"]
    rows = [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    mapping = read_mapping(path)
    assert str(mapping.columns) == table["options"]
    mapped, named = ({name.partition(".")[0] for name in names} for names in (mapping.roles(), cells))
    assert mapped >= named
    corpus = load_dataset(path, **mapping.columns.set_options())
    assert len(corpus) and all(corpus.frame["output"])
    assert corpus.frame[[*corpus.ratings]].notna().all(axis=None)


def test_labelled_tables_are_read_right_and_hardly_ever_harmfully() -> None:
    ended = Counter(map(_ended, list(labelled())[::EVERY]))
    total = ended.total()
    assert ended["right"] >= RIGHT * total, ended
    assert ended["harmful"] <= HARMFUL * total, ended


RIGHT, HARMFUL = 0.7, 0.05


WIDTH, STEP = 10, 1e-6


def _examples(rng: np.random.Generator) -> list[Example]:
    sizes = rng.integers(1, 7, 5)
    return [
        Example(
            rng.normal(size=(size, WIDTH)),
            np.eye(len(ROLES))[rng.integers(0, len(ROLES), size)],
            int(rng.integers(len(KINDS))),
        )
        for size in sizes
    ]


def _loss(layers: dict[str, FloatArray], examples: list[Example]) -> float:
    """Return the loss by the network that the package has, a table at a time."""
    shares = [len(each.features) / (len(each.features) / USUAL_COLUMNS) ** 0.5 for each in examples]
    total = 0.0
    for example, share in zip(examples, shares, strict=True):
        roles, layouts = _forward(layers, example.features)
        of_columns = np.log((roles[example.layout] * example.accepted).sum(axis=1)).mean()
        total -= of_columns * share / sum(shares)
        total -= np.log(layouts[example.layout]) * LAYOUT_WEIGHT / len(examples)
    return float(total)


@pytest.mark.parametrize("name", LAYERS)
def test_a_gradient_is_the_difference_of_losses(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "DROPOUT", 0.0)
    rng = np.random.default_rng(1)
    examples, layers = _examples(rng), training._start(WIDTH, rng)
    gradient = training._gradients(layers, examples, rng)[name]
    for place in map(tuple, rng.integers(0, layers[name].shape, (4, layers[name].ndim))):
        before, losses = layers[name][place], []
        for step in (STEP, -STEP):
            layers[name][place] = before + step
            losses.append(_loss(layers, examples))
        layers[name][place] = before
        assert gradient[place] == pytest.approx((losses[0] - losses[1]) / 2 / STEP, rel=1e-3, abs=1e-7)
