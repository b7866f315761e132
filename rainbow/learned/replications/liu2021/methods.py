"""Classification methods, among them a bidirectional LSTM: each learns from pairs and scores the classes of others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import torch
from rainbow.learned.protocols.groups import folded_text
from rainbow.learned.protocols.training_overlap import look_up_targets
from rainbow.learned.replications.liu2021.encoder import classify_encoder
from rainbow.learned.replications.liu2021.study import POINTS, Fold, Instances, Setting
from rainbow.learned.replications.training import known_words, missing_torch, number_words, seeded_device

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# From a fold to a number for every test pair and class, shape (test pairs, classes): the largest is predicted.
Classify = Callable[[Fold, Setting], FloatArray]


class Classifier(NamedTuple):
    """A method: its description, its function, and whether it selects passes on dev pairs."""

    said: str
    classify: Classify
    chooses: bool = False


def classify_majority(fold: Fold, setting: Setting) -> FloatArray:
    """Return the class frequencies in training."""
    return np.tile(_one_hot_labels(fold.train).mean(axis=0), (len(fold.test), 1))


def classify_lookup(fold: Fold, setting: Setting) -> FloatArray:
    """Return the class frequencies of the same text in training, or of all texts if unseen."""
    texts = [folded_text(output) for own in (fold.train, fold.test) for output in own.outputs]
    numbers: IntArray = np.unique(np.array(texts), return_inverse=True)[1]
    known, size = _one_hot_labels(fold.train), len(fold.train)
    shares = known.mean(axis=0)
    targets = np.concatenate([known, np.tile(shares, (len(fold.test), 1))])
    result = look_up_targets(targets, np.arange(size), np.arange(size, len(texts)), [numbers])
    # Ties between classes of a text are broken by overall frequency.
    likeliest: FloatArray = result + shares / (size + 1)
    return likeliest


def classify_svm(fold: Fold, setting: Setting, *, only_outputs: bool = False) -> FloatArray:
    """Classify by a one-vs-one linear SVM on word counts, C = 1."""
    from sklearn.svm import SVC

    machine = SVC(kernel="linear", C=1.0, decision_function_shape="ovr")
    train, test = _word_counts(fold, only_outputs)
    machine.fit(train, fold.train.labels)
    numbers = machine.decision_function(test)
    # For two classes there is one number, which speaks for the second.
    return _expand_classes(machine.classes_, numbers if numbers.ndim > 1 else np.stack([-numbers, numbers], axis=1))


def classify_logistic(fold: Fold, setting: Setting) -> FloatArray:
    """Classify by logistic regression on the same word counts."""
    from sklearn.linear_model import LogisticRegression

    machine = LogisticRegression(max_iter=1000)
    train, test = _word_counts(fold, only_outputs=False)
    machine.fit(train, fold.train.labels)
    return _expand_classes(machine.classes_, machine.predict_proba(test))


def _one_hot_labels(instances: Instances) -> FloatArray:
    ones: FloatArray = (instances.labels[:, None] == POINTS).astype(float)
    return ones


def _word_counts(fold: Fold, only_outputs: bool) -> tuple[csr_array, csr_array]:
    """Return the word counts of training and test pairs, with the training vocabulary."""
    from sklearn.feature_extraction.text import CountVectorizer

    train, test = (
        own.outputs if only_outputs else list(map(" ".join, zip(own.outputs, own.references, strict=True)))
        for own in (fold.train, fold.test)
    )
    counter = CountVectorizer()
    return counter.fit_transform(train), counter.transform(test)


def _expand_classes(known: FloatArray, numbers: FloatArray) -> FloatArray:
    """Return class scores for all classes; unseen classes never have the highest score."""
    values = np.full((len(numbers), len(POINTS)), numbers.min(initial=0) - 1)
    values[:, np.searchsorted(POINTS, known)] = numbers
    return values


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
        rows = np.arange(len(pairs.words))
        batches = (rows[start : start + BATCH] for start in range(0, len(rows), BATCH))
        parts = [module(*_pad_pairs(pairs, batch, device)).log_softmax(1) for batch in batches]
    log_probabilities: FloatArray = torch.cat(parts).double().cpu().numpy()
    return log_probabilities


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


CLASSIFIERS: dict[str, Classifier] = {
    "majority": Classifier("the most common class", classify_majority),
    "look-up": Classifier("the class of the same text in training", classify_lookup),
    "svm": Classifier("support vector machine on the words of output and reference", classify_svm),
    "svm-output": Classifier(
        "support vector machine on the words of the output only", partial(classify_svm, only_outputs=True)
    ),
    "logistic": Classifier("logistic regression on the words of output and reference", classify_logistic),
    "bilstm": Classifier("bidirectional LSTM over the words of output and reference", classify_bilstm, chooses=True),
    "encoder": Classifier("MiniLM, fine-tuned on pairs of output and reference", classify_encoder),
}
