"""A bidirectional LSTM that reads an output and a reference, trained by PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.learned.replications.liu2021.study import POINTS, Fold, Instances, Setting
from rainbow.learned.replications.passes import drawing, missing_torch
from rainbow.learned.replications.vocabulary import known_words, numbered

if TYPE_CHECKING:
    import torch

EPOCHS, BATCH, RATE = 25, 256, 5e-3  # as the paper has them
FIRST = 3  # the numbers below are of padding, of words that are not known, and of the end of a text


class _Pairs(NamedTuple):
    """Pairs as the numbers of their words, output and reference one behind the other, and their classes."""

    words: list[list[int]]
    labels: IntArray


def bilstm(fold: Fold, setting: Setting) -> FloatArray:
    """Return the log probability of each class, after the pass over the training pairs that knew most dev pairs."""
    if lacking := missing_torch():
        raise RuntimeError(lacking)
    known = known_words(text for texts in (fold.train.outputs, fold.train.references) for text in texts)
    places = {word: place for place, word in enumerate(known)}
    train, dev, test = (_Pairs(_words(own, places), own.labels - 1) for own in fold)
    with drawing(setting.seed, setting.device) as device:
        module = _module(len(known) + FIRST, setting.units, setting.layers).to(device)
        return _trained(module, (train, dev, test), setting, device)


def _trained(module: Any, parts: tuple[_Pairs, _Pairs, _Pairs], setting: Setting, device: torch.device) -> FloatArray:
    import torch
    from torch.nn.functional import cross_entropy

    train, dev, test = parts
    optimiser = torch.optim.Adam(module.parameters(), lr=RATE)
    rng, best, found = np.random.default_rng(setting.seed), -1.0, np.zeros((len(test.words), len(POINTS)))
    for epoch in range(1, EPOCHS + 1):
        module.train()
        for rows in np.array_split(rng.permutation(len(train.words)), -(-len(train.words) // BATCH)):
            optimiser.zero_grad()
            targets = torch.from_numpy(train.labels[rows].astype(np.int64)).to(device)
            loss: Any = cross_entropy(module(*_tensors(train, rows, device)), targets)
            loss.backward()
            optimiser.step()
        right = float((_said(module, dev, device).argmax(axis=1) == dev.labels).mean())
        setting.tell(f"pass {epoch} of {EPOCHS}: dev {right:.3f}")
        if right > best:
            best, found = right, _said(module, test, device)
    return found


def _words(pairs: Instances, places: dict[str, int]) -> list[list[int]]:
    """Return the numbers of the words of both texts, each with its end; those of the vocabulary leave 0 to padding."""
    texts = (numbered(own, places) for own in (pairs.outputs, pairs.references))
    return [[number + 1 for number in output + reference] for output, reference in zip(*texts, strict=True)]


def _tensors(pairs: _Pairs, rows: IntArray, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    import torch

    lengths = [len(pairs.words[row]) for row in rows]
    padded = np.zeros((len(rows), max(lengths)), dtype=np.int64)
    for place, row in enumerate(rows):
        padded[place, : lengths[place]] = pairs.words[row]
    return torch.from_numpy(padded).to(device), torch.tensor(lengths)


def _said(module: Any, pairs: _Pairs, device: torch.device) -> FloatArray:
    import torch

    module.eval()
    with torch.inference_mode():
        parts = [module(*_tensors(pairs, rows, device)).log_softmax(1) for rows in _batches(len(pairs.words))]
    said: FloatArray = torch.cat(parts).double().cpu().numpy()
    return said


def _batches(size: int) -> Iterator[IntArray]:
    yield from (np.arange(start, min(start + BATCH, size)) for start in range(0, size, BATCH))


def _module(words: int, units: int, layers: int) -> Any:
    """Return the network of PyTorch: word vectors, the LSTM, and a linear layer over its last states."""
    from torch import nn
    from torch.nn.utils.rnn import pack_padded_sequence

    class Module(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.vectors = nn.Embedding(words, units, padding_idx=0)
            self.encoder = nn.LSTM(units, units, layers, batch_first=True, bidirectional=True)
            self.output = nn.Linear(2 * units, len(POINTS))

        def forward(self, numbers: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
            packed = pack_padded_sequence(self.vectors(numbers), lengths, batch_first=True, enforce_sorted=False)
            _, (states, _) = self.encoder(packed)
            last: torch.Tensor = states[-2:].transpose(0, 1).flatten(1)
            classes: torch.Tensor = self.output(last)
            return classes

    return Module()
