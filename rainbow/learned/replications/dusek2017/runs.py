"""The runs of the study, each kept in a file of its own: what is there is not computed again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rainbow._version import __version__
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.files import write_atomically
from rainbow.learned.replications.dusek2017.network import Network, train
from rainbow.learned.replications.dusek2017.setups import RATING, TEXTS, Condition, Setup, Study
from rainbow.learned.replications.passes import Tell


class Run(NamedTuple):
    """One network for each fold of a condition, in one setup."""

    setup: Setup
    condition: Condition
    seed: int

    @property
    def name(self) -> str:
        """What its file is called."""
        return f"{self.condition}-{self.setup}-{self.seed}"


class Predicted(NamedTuple):
    """What a run predicts for rows of the study, and how many instances it learned from in each fold."""

    rows: IntArray
    predicted: FloatArray  # as the network gives it: neither cut nor rounded
    instances: list[int]


def runs(setups: Iterable[Setup], conditions: Iterable[Condition], seeds: int) -> list[Run]:
    """Return the runs in the order in which they are done: the first seed of all before the second."""
    conditions, setups = list(conditions), list(setups)
    return [Run(setup, part, seed) for seed in range(1, seeds + 1) for part in conditions for setup in setups]


def run_of(run: Run, study: Study, network: Network, folder: Path, tell: Tell) -> Predicted:
    """Return what a run predicts, as it was computed before by networks like these, or anew."""
    path = folder / f"{run.name}.json"
    found = _read(path, network)
    if found is None:
        found = _run(run, study, network, tell)
        _write(path, found, network)
    return found


def _signature(network: Network) -> str:
    """Return what a run depends on besides its name."""
    told = network._replace(device="cpu")._asdict()
    return f"{RATING}|{'|'.join(f'{name}:{value}' for name, value in told.items())}"


def _after(start: str, tell: Tell) -> Tell:
    """Return what tells what it is told, with this before it."""
    return lambda how: tell(start + how)


def _run(run: Run, study: Study, network: Network, tell: Tell) -> Predicted:
    folds = study.folds(run.condition)
    rows, predicted, instances = [], [], []
    for number, fold in enumerate(folds, 1):
        given = study.instances(run.setup, run.condition, fold)
        named = _after(f"{run.name}, fold {number} of {len(folds)}: ", tell)
        predict = train(*given, network, 1000 * run.seed + number, named)
        texts = {name: [study.texts[name][row] for row in fold.test] for name in TEXTS}
        rows.append(fold.test)
        predicted.append(predict(texts)[:, study.place])
        instances.append(len(given))
    return Predicted(np.concatenate(rows), np.concatenate(predicted), instances)


def _read(path: Path, network: Network) -> Predicted | None:
    if not path.is_file():
        return None
    kept = json.loads(path.read_text(encoding="utf-8"))
    if kept["signature"] != _signature(network):
        return None
    return Predicted(np.array(kept["rows"]), np.array(kept["predicted"]), kept["instances"])


def _write(path: Path, found: Predicted, network: Network) -> None:
    kept = {
        "signature": _signature(network),
        "rainbow": __version__,
        "instances": found.instances,
        "rows": found.rows.tolist(),
        "predicted": found.predicted.tolist(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, lambda part: part.write_text(json.dumps(kept), encoding="utf-8"))
