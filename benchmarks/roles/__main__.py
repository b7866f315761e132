"""Fit the network that reads columns, and measure its readings."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import typer

from benchmarks.roles.altered import altered, names_by_role
from benchmarks.roles.generated import invented, refused
from benchmarks.roles.readings import LIKELY, SURE, Outcome, outcomes, summary
from benchmarks.roles.tables import Table, labelled, read_tables
from benchmarks.roles.training import Example, fit_network
from rainbow.base.arrays import FloatArray
from rainbow.datasets.roles.network import LAYERS, Network, load_network

INVENTED, REFUSED = 3000, 500  # tables
COPIES = {"real_like": 3, "earlier": 1}  # altered copies of a labelled table
WEIGHTS = {"real": 2.0, "invented": 1.0}
MEMBERS = 4
FOLDS, FOLD_MEMBERS = 3, 2
app = typer.Typer(help=__doc__, no_args_is_help=True)


@app.command()
def fit(members: int = MEMBERS, workers: int = 2) -> None:
    """Train on all tables and write the network that the package reads columns with."""
    tables = list(labelled())
    with ProcessPoolExecutor(workers) as pool:
        examples = _examples(tables, pool)
        networks = list(pool.map(partial(_one_member, examples), range(members)))
    network = Network(networks[0].mean, networks[0].deviation, tuple(one.members[0] for one in networks))
    held = {
        "mean": _entry(network.mean),
        "deviation": _entry(network.deviation),
        "calibration": {"sure": SURE, "likely": LIKELY},
        "members": [{name: _entry(member[name]) for name in LAYERS} for member in network.members],
    }
    path = Path(str(files("rainbow.datasets.roles").joinpath("network.json")))
    path.write_text(json.dumps(held) + "\n", encoding="utf-8")
    typer.echo(f"{path}: {len(examples)} tables, {path.stat().st_size / 1e3:.0f} kB")


@app.command()
def evaluate(folds: int = FOLDS, members: int = FOLD_MEMBERS, workers: int = 2) -> None:
    """Leave repositories out in turn, and print how often readings are right, sure, and silently wrong."""
    tables = list(labelled("real_like"))
    others = [table for table in labelled() if table not in tables]
    groups = sorted({table.group for table in tables})
    np.random.default_rng(0).shuffle(groups)
    found: list[Outcome] = []
    with ProcessPoolExecutor(workers) as pool:
        for fold in range(folds):
            held_out = {*groups[fold::folds]}
            examples = _examples([*others, *(table for table in tables if table.group not in held_out)], pool)
            parts = list(pool.map(partial(_one_member, examples), range(members)))
            network = Network(parts[0].mean, parts[0].deviation, tuple(one.members[0] for one in parts), SURE, LIKELY)
            found += outcomes(network, [table for table in tables if table.group in held_out])
            typer.echo(f"fold {fold + 1}: {summary(found)}")
    for sure in (1, 2, 3, 4, 5, 6, 8):
        for at_stake in (True, False):
            of = "roles at stake" if at_stake else "all roles"
            typer.echo(f"{of}, sure above {sure}: {summary(found, sure, at_stake=at_stake)}")


@app.command()
def batch(path: Path) -> None:
    """Read the tables of a file with the package as it is, and print every reading that is not right."""
    found = outcomes(load_network(), list(read_tables(path)))
    for outcome in found:
        if outcome.ended() != "sure" or not outcome.is_right(at_stake=True):
            told = [(doubt.column, doubt.role, doubt.other, round(doubt.lead, 1)) for doubt in outcome.doubts]
            typer.echo(f"{outcome.ended():<8}{outcome.name}: {outcome.errors}; {told}")
    for at_stake in (True, False):
        typer.echo(f"{'roles at stake' if at_stake else 'all roles'}: {summary(found, at_stake=at_stake)}")


def _examples(tables: Sequence[Table], pool: ProcessPoolExecutor) -> list[Example]:
    """Return the examples of labelled tables, their altered copies, and invented ones."""
    names = names_by_role(tables)
    real: list[Table] = list(tables)
    for table in tables:
        copies = COPIES["real_like" if "/" in table.source or "knowledge" in table.source else "earlier"]
        real += [altered(table, names, seed) for seed in range(copies)]
    made: Iterable[Table] = [*map(invented, range(INVENTED)), *map(refused, range(REFUSED))]
    return [
        *pool.map(partial(Table.example, weight=WEIGHTS["real"]), real, chunksize=50),
        *pool.map(partial(Table.example, weight=WEIGHTS["invented"]), made, chunksize=50),
    ]


def _one_member(examples: Sequence[Example], seed: int) -> Network:
    return fit_network(examples, [seed])


def _entry(array: FloatArray) -> dict[str, Any]:
    """Return what :func:`rainbow.datasets.roles.network.load_network` reads."""
    rows = array.reshape(len(array), -1)
    scales = np.maximum(np.abs(rows).max(axis=1), 1e-12) / 127
    steps = np.round(rows / scales[:, None]).astype(np.int8)
    return {
        "shape": list(array.shape),
        "scales": [float(f"{scale:.6g}") for scale in scales],
        "steps": base64.b64encode(steps.tobytes()).decode(),
    }


if __name__ == "__main__":
    app()
