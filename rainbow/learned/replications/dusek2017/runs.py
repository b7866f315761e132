"""Runs of the study, each cached in its own file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rainbow._version import __version__
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.files import write_atomically
from rainbow.learned.replications.dusek2017.network import Network, train_network
from rainbow.learned.replications.dusek2017.setups import RATING, TEXTS, Condition, Setup, Study
from rainbow.learned.replications.epochs import Tell, prefix_messages


class Run(NamedTuple):
    """One run of a setup and condition: a network per fold."""

    setup: Setup
    condition: Condition
    seed: int

    @property
    def name(self) -> str:
        """File name of the run, without suffix."""
        return f"{self.condition}-{self.setup}-{self.seed}"


class RunPredictions(NamedTuple):
    """Predictions of a run, and the number of training instances in each fold."""

    rows: IntArray
    predicted: FloatArray  # as the network gives it: neither cut nor rounded
    instances: list[int]


def list_runs(setups: Iterable[Setup], conditions: Iterable[Condition], seeds: int) -> list[Run]:
    """Return the runs in order: the first seed of all, then the second."""
    conditions, setups = list(conditions), list(setups)
    return [Run(setup, part, seed) for seed in range(1, seeds + 1) for part in conditions for setup in setups]


def load_or_train(run: Run, study: Study, network: Network, folder: Path, notify: Tell) -> RunPredictions:
    """Return the predictions of a run from its file, or compute them."""
    path = folder / f"{run.name}.json"
    result = _read_run(path, network)
    if result is None:
        result = _compute_run(run, study, network, notify)
        _write_run(path, result, network)
    return result


def _network_signature(network: Network) -> str:
    """Return the settings that a run depends on, except its name."""
    fields = network._replace(device="cpu")._asdict()
    return f"{RATING}|{'|'.join(f'{name}:{value}' for name, value in fields.items())}"


def _compute_run(run: Run, study: Study, network: Network, notify: Tell) -> RunPredictions:
    folds = study.folds(run.condition)
    rows, predicted, instances = [], [], []
    for number, fold in enumerate(folds, 1):
        given = study.instances(run.setup, run.condition, fold)
        named = prefix_messages(f"{run.name}, fold {number} of {len(folds)}: ", notify)
        predict = train_network(*given, network, 1000 * run.seed + number, named)
        texts = {name: [study.texts[name][row] for row in fold.test] for name in TEXTS}
        rows.append(fold.test)
        predicted.append(predict(texts)[:, study.place])
        instances.append(len(given))
    return RunPredictions(np.concatenate(rows), np.concatenate(predicted), instances)


def _read_run(path: Path, network: Network) -> RunPredictions | None:
    if not path.is_file():
        return None
    kept = json.loads(path.read_text(encoding="utf-8"))
    if kept["signature"] != _network_signature(network):
        return None
    return RunPredictions(np.array(kept["rows"]), np.array(kept["predicted"]), kept["instances"])


def _write_run(path: Path, run_predictions: RunPredictions, network: Network) -> None:
    kept = {
        "signature": _network_signature(network),
        "rainbow": __version__,
        "instances": run_predictions.instances,
        "rows": run_predictions.rows.tolist(),
        "predicted": run_predictions.predicted.tolist(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, lambda part: part.write_text(json.dumps(kept), encoding="utf-8"))
