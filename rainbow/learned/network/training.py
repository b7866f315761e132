"""Train networks of gated recurrent units on texts and ratings, by PyTorch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray, IntArray
from rainbow.learned.network.dual_encoder import DualEncoder, Encoder, Layer, Linear
from rainbow.learned.network.passes import Tell, batches, best_pass, drawing, drawn_groups, silent, text_groups
from rainbow.learned.network.vocabulary import FIRST, known_words, numbered

if TYPE_CHECKING:
    import torch

__all__ = ["UNRATED_TIMES", "Network", "missing_torch", "train"]

# Where nothing is rated, errors are all there is to learn, and that takes so many times as many batches: after two
# passes over 20,000 texts hardly anything is learned, after thirteen still more with each.
UNRATED_TIMES = 7

FEWEST_PASSES = 2


class Network(NamedTuple):
    """What a network is like and how it is trained; by default what :doc:`docs/network.md` measures."""

    nets: int = 1  # trained from different seeds, their predictions averaged
    units: int = 64  # of every encoder's state, and of a word's vector
    layers: int = 1  # of gated recurrent units
    hidden: int = 2  # layers of tanh units
    steps: int = 300  # batches of the rows that are rated, in so many whole passes as that takes, but two at least
    warming: int = 2  # passes over rated and made-up rows together, before those
    batch: int = 128
    rate: float = 2e-3  # of Adam
    dropout: float = 0.5  # of what the encoders read
    device: str = "auto"  # cpu, cuda, or auto: cuda where there is one


class _Rows(NamedTuple):
    """Rows to learn from: for every encoder the numbers of their words, and standardised ratings (rows, ratings)."""

    words: list[list[list[int]]]
    targets: FloatArray

    def take(self, rows: IntArray) -> _Rows:
        return _Rows([[column[row] for row in rows] for column in self.words], self.targets[rows])


def missing_torch() -> str | None:
    """Say how to get PyTorch where it is not installed; None where it is.

    Examples
    --------
    >>> missing_torch() is None or "pip install" in missing_torch()
    True
    """
    return None if find_spec("torch") else "torch not installed: pip install 'rainbow-nlg[neural]'"


def train(
    texts: Mapping[str, Sequence[str]],
    ratings: FloatArray,
    network: Network,
    seed: int,
    groups: IntArray | None = None,
    held: BoolArray | None = None,
    tell: Tell = silent,
) -> DualEncoder:
    """Return networks that predict ratings from texts.

    Every network is first trained on all rows and then on those that are rated, and is kept as it was after the pass
    that agreed best with the ratings of a fifth of those, which it does not learn from.

    Parameters
    ----------
    texts
        For every encoder n texts.
    ratings
        Shape (n, ratings), without NaN.
    network, seed
        How; nothing else is drawn.
    groups
        The number of every row's group, shape (n,): rows of a group are held out together. Rows of group -1 are made
        up: they are never held out, and learned from in the first passes alone. By default equal texts are a group.
    held
        The rows by which the best pass is chosen, shape (n,); by default about a fifth of the groups, drawn.
    tell
        Is told how far training is.

    Raises
    ------
    RuntimeError
        If PyTorch is missing, or the device is not there.
    ValueError
        If there are fewer than two rated rows.
    """
    if lacking := missing_torch():
        raise RuntimeError(lacking)
    groups = text_groups(texts) if groups is None else groups
    rated = groups >= 0
    if rated.sum() < 2:
        raise ValueError("a network learns from two rows or more")
    mean, spread = ratings[rated].mean(axis=0), ratings[rated].std(axis=0)
    slope = np.where(spread > 0, spread, 1.0)
    known = {column: known_words(own) for column, own in texts.items()}
    places = [{word: place for place, word in enumerate(words)} for words in known.values()]
    rows = _Rows([numbered(own, at) for own, at in zip(texts.values(), places, strict=True)], (ratings - mean) / slope)
    trained = []
    for number in range(network.nets):
        told = f"net {number + 1} of {network.nets}, " if network.nets > 1 else ""
        rng = np.random.default_rng(seed + number)
        phases = _phases(rows, groups, drawn_groups(groups, rng) if held is None else held)
        trained.append(_train_one(phases, known, network, seed + number, rng, lambda how, told=told: tell(told + how)))  # type: ignore[misc]
    return _served(trained, known, mean, slope)


class _Phases(NamedTuple):
    """What is learned from first (None: nothing is made up) and then, and what says which pass was the best."""

    all: _Rows | None
    rated: _Rows
    dev: _Rows


def _phases(rows: _Rows, groups: IntArray, held: BoolArray) -> _Phases:
    rated = groups >= 0
    first = rows.take(np.flatnonzero(~held)) if not rated.all() else None
    # Where all rows are one group none is held out: they say themselves which pass was the best.
    dev = rows.take(np.flatnonzero(held if held.any() else rated))
    return _Phases(first, rows.take(np.flatnonzero(rated & ~held)), dev)


def _train_one(
    phases: _Phases,
    known: Mapping[str, Sequence[str]],
    network: Network,
    seed: int,
    rng: np.random.Generator,
    tell: Tell,
) -> dict[str, FloatArray]:
    """Return the weights of one network by their names in PyTorch."""
    with drawing(seed, network.device) as device:
        module = _module(network, [FIRST + len(words) for words in known.values()], phases.dev.targets.shape[1])
        step = _Step(module.to(device), network, rng, device)
        if phases.all is not None:
            step.passes(phases.all, phases.dev, network.warming, tell, "all, pass")
        length = math.ceil(len(phases.rated.targets) / network.batch)
        passes = max(FEWEST_PASSES, math.ceil(network.steps / length))
        return step.passes(phases.rated, phases.dev, passes, tell, "pass")


class _Step:
    """One network in training."""

    def __init__(self, module: Any, network: Network, rng: np.random.Generator, device: Any) -> None:
        import torch

        self.module, self.network, self.rng, self.device = module, network, rng, device
        self.optimiser = torch.optim.Adam(module.parameters(), lr=network.rate)

    def passes(self, rows: _Rows, dev: _Rows, passes: int, tell: Tell, what: str) -> dict[str, FloatArray]:
        """Learn from rows again and again; return the weights after the pass that agreed best with the dev rows."""
        return best_pass(
            passes,
            lambda: self._learn(rows),
            lambda: self._predicted(dev),
            dev.targets,
            lambda: {name: value.detach().cpu().numpy().copy() for name, value in self.module.state_dict().items()},
            lambda how_far: tell(f"{what} {how_far}"),
        )

    def _learn(self, rows: _Rows) -> None:
        from torch.nn.functional import mse_loss

        self.module.train()
        lengths = np.array([len(words) for words in rows.words[0]])
        for batch in batches(lengths, self.network.batch, self.rng):
            words, targets = self._tensors(rows.take(batch))
            self.optimiser.zero_grad()
            loss: Any = mse_loss(self.module(words), targets)
            loss.backward()
            self.optimiser.step()

    def _predicted(self, rows: _Rows) -> FloatArray:
        import torch

        self.module.eval()
        with torch.inference_mode():
            parts = [
                self.module(self._tensors(rows.take(np.arange(start, min(start + 512, len(rows.targets)))))[0])
                for start in range(0, len(rows.targets), 512)
            ]
            predicted: FloatArray = torch.cat(parts).double().cpu().numpy()
        return predicted

    def _tensors(self, rows: _Rows) -> tuple[list[tuple[torch.Tensor, torch.Tensor]], torch.Tensor]:
        """Return for every encoder the words, zeros behind them, and the place of the last; and the targets."""
        import torch

        words = []
        for column in rows.words:
            lengths = np.array([len(row) for row in column])
            padded = np.zeros((len(column), lengths.max()), dtype=np.int64)
            for place, row in enumerate(column):
                padded[place, : len(row)] = row
            words.append((torch.from_numpy(padded).to(self.device), torch.from_numpy(lengths - 1).to(self.device)))
        return words, torch.from_numpy(rows.targets.astype(np.float32)).to(self.device)


def _module(network: Network, words: Sequence[int], ratings: int) -> Any:
    """Return the network of PyTorch, its weights drawn."""
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
            import torch

            states = []
            for (numbers, last), vectors, encoder in zip(words, self.vectors, self.encoders, strict=True):
                states += _final(encoder, self.dropout(vectors(numbers)), last)
            row = torch.cat(states, dim=1)
            for layer in self.hidden:
                row = torch.tanh(layer(row))
            outputs: torch.Tensor = self.output(row)
            return outputs

    return Module()


def _final(encoder: Any, inputs: torch.Tensor, last: torch.Tensor) -> list[torch.Tensor]:
    """Return the states of every layer after the last word of each text; what is padded comes behind it."""
    import torch

    if encoder.num_layers == 1:
        return [encoder(inputs)[0][torch.arange(len(last), device=last.device), last]]
    packed = torch.nn.utils.rnn.pack_padded_sequence(inputs, (last + 1).cpu(), batch_first=True, enforce_sorted=False)
    return list(encoder(packed)[1])


def _served(
    trained: Sequence[Mapping[str, FloatArray]], known: Mapping[str, Sequence[str]], mean: FloatArray, slope: FloatArray
) -> DualEncoder:
    """Return trained networks as they score, from their weights by the names that PyTorch gives them."""

    def stacked(name: str) -> FloatArray:
        return np.stack([weights[name] for weights in trained]).astype(np.float64)

    def turned(name: str) -> FloatArray:
        return np.ascontiguousarray(stacked(name).swapaxes(1, 2))

    def layer(place: int, depth: int) -> Layer:
        whole = f"encoders.{place}.{{}}_l{depth}".format
        states, bias, own = turned(whole("weight_hh")), stacked(whole("bias_ih")), stacked(whole("bias_hh"))
        units = states.shape[1]
        # The state's biases of reset and update are added whatever the reset says.
        bias[:, : 2 * units] += own[:, : 2 * units]
        return Layer(turned(whole("weight_ih")), bias, states, own[:, 2 * units :].copy())

    def linear(name: str) -> Linear:
        return Linear(turned(f"{name}.weight"), stacked(f"{name}.bias"))

    first = trained[0]
    depths = sum(name.startswith("encoders.0.weight_hh") for name in first)
    hidden = sum(name.startswith("hidden.") and name.endswith(".weight") for name in first)
    encoders = [
        Encoder(column, " ".join(words), stacked(f"vectors.{place}.weight"), [layer(place, d) for d in range(depths)])
        for place, (column, words) in enumerate(known.items())
    ]
    return DualEncoder(
        encoders, [linear(f"hidden.{number}") for number in range(hidden)], linear("output"), mean, slope
    )
