"""The networks of the study, GRU encoders of an output and its input in PyTorch, and their runs kept in files."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import torch
from rainbow.learned.learner.kernel_ridge import Texts
from rainbow.learned.replications.dusek2017.setups import RATING, TEXTS, Condition, Setup, Study
from rainbow.learned.replications.training import (
    FIRST,
    Tell,
    draw_batches,
    known_words,
    load_or_compute,
    missing_torch,
    number_words,
    prefix_messages,
    seeded_device,
    train_best_pass,
)
from rainbow.programs.network import one_thread

PredictTexts = Callable[[Texts], FloatArray]  # gives the expected ratings of texts, shape (texts, ratings)

MIN_PASSES = 2
BATCH_TEXTS = 512  # texts that are read side by side


class Network(NamedTuple):
    """Architecture and training settings of a network."""

    units: int = 64  # of every encoder's state, and of a word's vector
    layers: int = 1  # of gated recurrent units
    hidden: int = 2  # layers of tanh units
    steps: int = 300  # batches of rated rows, in as many whole passes as needed, at least two
    warming: int = 2  # passes over rated and made-up rows together, before those
    batch: int = 128
    rate: float = 2e-3  # of Adam
    dropout: float = 0.5  # of what the encoders read
    device: str = "auto"  # cpu, cuda, or auto: cuda where there is one


class _Rows(NamedTuple):
    """Training rows: word numbers for every encoder, and standardised ratings (rows, ratings)."""

    words: list[list[list[int]]]
    targets: FloatArray

    def take(self, rows: IntArray) -> _Rows:
        return _Rows([[column[row] for row in rows] for column in self.words], self.targets[rows])


def train_network(
    texts: Texts, ratings: FloatArray, groups: IntArray, held: IntArray, network: Network, seed: int, notify: Tell
) -> PredictTexts:
    """Train a network with one encoder per text and return its prediction function.

    Shapes: ratings (n, ratings), groups (n,).
    """
    if missing := missing_torch():
        raise RuntimeError(missing)
    rated, learned = groups >= 0, np.setdiff1d(np.arange(len(ratings)), held)
    mean, spread = ratings[rated].mean(axis=0), ratings[rated].std(axis=0)
    slope = np.where(spread > 0, spread, 1.0)
    known = {column: known_words(own) for column, own in texts.items()}
    places = {column: {word: place for place, word in enumerate(words)} for column, words in known.items()}

    def rows_of(texts: Texts, targets: FloatArray) -> _Rows:
        return _Rows([number_words(texts[column], at) for column, at in places.items()], targets)

    rows = rows_of(texts, (ratings - mean) / slope)
    with seeded_device(seed, network.device) as device:
        module = _build_module(network, [FIRST + len(words) for words in known.values()], ratings.shape[1]).to(device)
        step = _Trainer(module, network, np.random.default_rng(seed), device)
        dev, own = rows.take(held), rows.take(learned[rated[learned]])
        if not rated.all():
            step.passes(rows.take(learned), dev, network.warming, notify, "all, ")
        length = math.ceil(len(own.targets) / network.batch)
        step.passes(own, dev, max(MIN_PASSES, math.ceil(network.steps / length)), notify, "")

    def predict(texts: Texts) -> FloatArray:
        size = len(next(iter(texts.values())))
        with one_thread():
            predicted: FloatArray = mean + slope * step.predicted(rows_of(texts, np.zeros((size, len(mean)))))
        return predicted

    return predict


class _Trainer:
    """A network in training."""

    def __init__(self, module: Any, network: Network, rng: np.random.Generator, device: Any) -> None:
        self.module, self.network, self.rng, self.device = module, network, rng, device
        self.optimiser = torch.optim.Adam(module.parameters(), lr=network.rate)
        self.best: dict[str, Any] = {}

    def passes(self, rows: _Rows, dev: _Rows, passes: int, notify: Tell, label: str) -> None:
        """Train for several passes and keep the weights of the best pass on the dev rows."""
        self.best = train_best_pass(
            passes,
            lambda: self._train_epoch(rows),
            lambda: self._outputs(dev),
            dev.targets,
            lambda: {name: value.detach().clone() for name, value in self.module.state_dict().items()},
            lambda how_far: notify(f"{label}{how_far}"),
        )

    def predicted(self, rows: _Rows) -> FloatArray:
        """Return the predictions of the best weights, shape (rows, ratings)."""
        self.module.load_state_dict(self.best)
        return self._outputs(rows)

    def _train_epoch(self, rows: _Rows) -> None:
        from torch.nn.functional import mse_loss

        self.module.train()
        lengths = np.array([len(words) for words in rows.words[0]])
        for batch in draw_batches(lengths, self.network.batch, self.rng):
            words, targets = self._tensors(rows.take(batch))
            self.optimiser.zero_grad()
            loss: Any = mse_loss(self.module(words), targets)
            loss.backward()
            self.optimiser.step()

    def _outputs(self, rows: _Rows) -> FloatArray:
        self.module.eval()
        size = len(rows.targets)
        with torch.inference_mode():
            parts = [
                self.module(self._tensors(rows.take(np.arange(start, min(start + BATCH_TEXTS, size))))[0])
                for start in range(0, size, BATCH_TEXTS)
            ]
            outputs: FloatArray = torch.cat(parts).double().cpu().numpy()
        return outputs

    def _tensors(self, rows: _Rows) -> tuple[list[tuple[torch.Tensor, torch.Tensor]], torch.Tensor]:
        """Return the zero-padded words and last positions for every encoder, and the targets."""
        words = []
        for column in rows.words:
            lengths = np.array([len(row) for row in column])
            padded = np.zeros((len(column), lengths.max()), dtype=np.int64)
            for place, row in enumerate(column):
                padded[place, : len(row)] = row
            words.append((torch.from_numpy(padded).to(self.device), torch.from_numpy(lengths - 1).to(self.device)))
        return words, torch.from_numpy(rows.targets.astype(np.float32)).to(self.device)


def _build_module(network: Network, words: Sequence[int], ratings: int) -> Any:
    """Return the PyTorch network with random initial weights."""
    from torch import nn

    class Module(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            units, width = network.units, network.units * network.layers * len(words)
            self.vectors = nn.ModuleList(nn.Embedding(count, units) for count in words)
            self.encoders = nn.ModuleList(nn.GRU(units, units, network.layers, batch_first=True) for _ in words)
            self.dropout = nn.Dropout(network.dropout)
            self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(network.hidden))
            self.output = nn.Linear(width, ratings)
            drawn: Any = self.vectors
            for vectors in drawn:
                nn.init.uniform_(vectors.weight, -math.sqrt(3), math.sqrt(3))

        def forward(self, words: list[tuple[torch.Tensor, torch.Tensor]]) -> torch.Tensor:
            states = []
            for (numbers, last), vectors, encoder in zip(words, self.vectors, self.encoders, strict=True):
                states += _final_states(encoder, self.dropout(vectors(numbers)), last)
            row = torch.cat(states, dim=1)
            for layer in self.hidden:
                row = torch.tanh(layer(row))
            outputs: torch.Tensor = self.output(row)
            return outputs

    return Module()


def _final_states(encoder: Any, inputs: torch.Tensor, last: torch.Tensor) -> list[torch.Tensor]:
    """Return the states of every layer after the last word of each text, before the padding."""
    if encoder.num_layers == 1:
        return [encoder(inputs)[0][torch.arange(len(last), device=last.device), last]]
    packed = torch.nn.utils.rnn.pack_padded_sequence(inputs, (last + 1).cpu(), batch_first=True, enforce_sorted=False)
    return list(encoder(packed)[1])


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
    instances: Sequence[int] | IntArray


def list_runs(setups: Iterable[Setup], conditions: Iterable[Condition], seeds: int) -> list[Run]:
    """Return the runs in order: the first seed of all, then the second."""
    conditions, setups = list(conditions), list(setups)
    return [Run(setup, part, seed) for seed in range(1, seeds + 1) for part in conditions for setup in setups]


def load_or_train(run: Run, study: Study, network: Network, folder: Path, notify: Tell) -> RunPredictions:
    """Return the predictions of a run from its file, or compute them."""
    fields = network._replace(device="cpu")._asdict()
    signature = f"{RATING}|{'|'.join(f'{name}:{value}' for name, value in fields.items())}"
    return load_or_compute(
        folder / f"{run.name}.json", signature, RunPredictions, lambda: _compute_run(run, study, network, notify)
    )


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
