"""A bidirectional LSTM on an output and a reference, in PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import torch
from rainbow.learned.replications.epochs import missing_torch, seeded_device
from rainbow.learned.replications.liu2021.study import POINTS, Fold, Instances, Setting
from rainbow.learned.replications.vocabulary import known_words, number_words

EPOCHS, BATCH, RATE = 25, 256, 5e-3  # as the paper has them
FIRST = 3  # the numbers below are of padding, of words that are not known, and of the end of a text


class _Pairs(NamedTuple):
    """Pairs as concatenated word numbers of output and reference, with their classes."""

    words: list[list[int]]
    labels: IntArray


def classify_bilstm(fold: Fold, setting: Setting) -> FloatArray:
    """Return the log probability of each class, from the pass with the best dev accuracy."""
    if missing := missing_torch():
        raise RuntimeError(missing)
    known = known_words(text for texts in (fold.train.outputs, fold.train.references) for text in texts)
    places = {word: place for place, word in enumerate(known)}
    train, dev, test = (_Pairs(_word_numbers(own, places), own.labels - 1) for own in fold)
    with seeded_device(setting.seed, setting.device) as device:
        module = _build_module(len(known) + FIRST, setting.units, setting.layers).to(device)
        return _train_module(module, (train, dev, test), setting, device)


def _train_module(
    module: Any, parts: tuple[_Pairs, _Pairs, _Pairs], setting: Setting, device: torch.device
) -> FloatArray:
    from torch.nn.functional import cross_entropy

    train, dev, test = parts
    optimiser = torch.optim.Adam(module.parameters(), lr=RATE)
    rng, best, result = np.random.default_rng(setting.seed), -1.0, np.zeros((len(test.words), len(POINTS)))
    for epoch in range(1, EPOCHS + 1):
        module.train()
        for rows in np.array_split(rng.permutation(len(train.words)), -(-len(train.words) // BATCH)):
            optimiser.zero_grad()
            targets = torch.from_numpy(train.labels[rows].astype(np.int64)).to(device)
            loss: Any = cross_entropy(module(*_pad_pairs(train, rows, device)), targets)
            loss.backward()
            optimiser.step()
        right = float((_log_probabilities(module, dev, device).argmax(axis=1) == dev.labels).mean())
        setting.tell(f"epoch {epoch} of {EPOCHS}: dev {right:.3f}")
        if right > best:
            best, result = right, _log_probabilities(module, test, device)
    return result


def _word_numbers(pairs: Instances, places: dict[str, int]) -> list[list[int]]:
    """Return the word IDs of both texts, each followed by an end token; 0 is padding."""
    texts = (number_words(own, places) for own in (pairs.outputs, pairs.references))
    return [[number + 1 for number in output + reference] for output, reference in zip(*texts, strict=True)]


def _pad_pairs(pairs: _Pairs, rows: IntArray, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    lengths = [len(pairs.words[row]) for row in rows]
    padded = np.zeros((len(rows), max(lengths)), dtype=np.int64)
    for place, row in enumerate(rows):
        padded[place, : lengths[place]] = pairs.words[row]
    return torch.from_numpy(padded).to(device), torch.tensor(lengths)


def _log_probabilities(module: Any, pairs: _Pairs, device: torch.device) -> FloatArray:
    module.eval()
    with torch.inference_mode():
        parts = [module(*_pad_pairs(pairs, rows, device)).log_softmax(1) for rows in _batch_slices(len(pairs.words))]
    log_probabilities: FloatArray = torch.cat(parts).double().cpu().numpy()
    return log_probabilities


def _batch_slices(size: int) -> Iterator[IntArray]:
    yield from (np.arange(start, min(start + BATCH, size)) for start in range(0, size, BATCH))


def _build_module(words: int, units: int, layers: int) -> Any:
    """Return the PyTorch network: word embeddings, LSTM, and a linear layer on its last states."""
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
