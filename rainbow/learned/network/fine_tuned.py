"""A pretrained encoder whose layers were trained on ratings, as it scores: every row by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from functools import cached_property
from threading import Lock
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import FloatArray
from rainbow.base.remembered import Remembered
from rainbow.learned.network.dual_encoder import Linear, by_row
from rainbow.learned.network.vocabulary import familiarity
from rainbow.programs.encoder import encoder_sha256, loaded, one_thread, tokens_of

__all__ = ["FineTuned", "TrainedEncoder", "pooled"]

# Vectors of texts that are kept: of 384 numbers they take 15 MB.
REMEMBERED = 5_000
_lock = Lock()


class TrainedEncoder:
    """A pretrained encoder with the weights that training changed: what it gives of a text or a pair is one vector.

    Parameters
    ----------
    name
        The encoder that was trained: ``minilm``, a folder, or the name of a model of Hugging Face's hub.
    sha256
        Its hash, as :func:`~rainbow.programs.encoder.encoder_sha256` gives it: on another the weights would be noise.
    weights
        The bytes of a safetensors file, shape (bytes,): those tensors of the encoder that training changed, in half
        precision.
    """

    def __init__(self, name: str, sha256: str, weights: NDArray[np.uint8]) -> None:
        self.name, self.sha256, self.weights = name, sha256, weights

    def vectors(self, rows: Sequence[tuple[str, ...]]) -> FloatArray:
        """Return the vector of every row of texts, shape (rows, dimensions); each distinct one is read by itself."""
        return np.array(self._remembered.of(rows, self._read)).reshape(len(rows), -1)

    @property
    def dimensions(self) -> int:
        """How long a vector is."""
        return int(self.network.config.hidden_size)

    @cached_property
    def network(self) -> Any:
        """The network of PyTorch.

        Raises
        ------
        RuntimeError
            If the encoder, or what runs it, is missing; the message says how to get it.
        ValueError
            If the encoder is another than the one that was trained, or has no weights of these names and shapes.
        """
        if encoder_sha256(self.name) != self.sha256:
            raise ValueError(f"the encoder {self.name!r} on this machine is not the one that was trained")
        from safetensors.torch import load

        network = deepcopy(loaded(self.name)[1])
        own = network.state_dict()
        for name, tensor in load(self.weights.tobytes()).items():
            if name not in own or own[name].shape != tensor.shape:
                raise ValueError(f"the encoder {self.name!r} has no weights {name!r} of shape {tuple(tensor.shape)}")
            own[name].copy_(tensor)
        return network.eval()

    @cached_property
    def _remembered(self) -> Remembered[tuple[str, ...], FloatArray]:
        return Remembered(REMEMBERED)

    def _read(self, rows: Sequence[tuple[str, ...]]) -> list[FloatArray]:
        with _lock, one_thread():
            return [self._vector(row) for row in rows]

    def _vector(self, row: tuple[str, ...]) -> FloatArray:
        import torch

        tokens = tokens_of(loaded(self.name)[0], self.network, *row)
        with torch.inference_mode():
            vector = pooled(self.network, {name: torch.tensor([numbers]) for name, numbers in tokens.items()})
        numbers: FloatArray = vector[0].double().numpy()
        return numbers

    def __getstate__(self) -> dict[str, Any]:
        return {name: vars(self)[name] for name in ("name", "sha256", "weights")}


def pooled(network: Any, tokens: Mapping[str, Any]) -> Any:
    """Return the mean vector of every text's tokens in the last layer, shape (texts, dimensions)."""
    states, counts = network(**tokens).last_hidden_state, tokens["attention_mask"].unsqueeze(-1)
    return (states * counts).sum(1) / counts.sum(1)


class FineTuned:
    """A pretrained encoder, trained further on rated texts, with a linear layer that has an output a rating.

    :func:`rainbow.learned.network.fine_tuning.fine_tune` makes it.

    Parameters
    ----------
    encoder
        What turns the texts of a row into a vector.
    columns
        The texts that it reads: the first, and if there are others those behind it, as the second of a pair.
    words
        Of each of these texts the words that were met in training, with blanks between.
    output
        From vectors to outputs, of one network.
    mean, slope
        Shape (ratings,): ``mean + slope * output`` is the expected rating.

    Notes
    -----
    Every text is read by itself, in single precision: a row alone has the same bits as in any batch.

    References
    ----------
    Liu, Y., Maier, W., Minker, W. and Ultes, S. (2021). Naturalness evaluation of natural language generation in
    task-oriented dialogues using BERT. RANLP.
    """

    def __init__(
        self,
        encoder: TrainedEncoder,
        columns: list[str],
        words: list[str],
        output: Linear,
        mean: FloatArray,
        slope: FloatArray,
    ) -> None:
        self.encoder, self.columns, self.words = encoder, columns, words
        self.output, self.mean, self.slope = output, mean, slope

    def predict(self, scores: FloatArray, texts: Mapping[str, Sequence[str]]) -> FloatArray:
        """Return the expected ratings of these rows, shape (rows, ratings), each by itself; no score is looked at."""
        rows = read_rows([texts[column] for column in self.columns])
        if not rows:
            return np.empty((0, len(self.mean)))
        outputs = by_row(self.encoder.vectors(rows)[None], self.output.weight)[0] + self.output.bias[0]
        predicted: FloatArray = self.mean + self.slope * outputs
        return predicted

    def familiarity(self, texts: Mapping[str, Sequence[str]], rows: int) -> FloatArray:
        """Return how much of every text was met in training, shape (rows,): the share of words that were met twice.

        Of several texts it is the geometric mean of theirs.
        """
        return familiarity([texts[column] for column in self.columns], [set(words.split()) for words in self.words])

    @property
    def median(self) -> FloatArray:
        """What a missing score of each column counts as: there are none."""
        return np.zeros(0)

    def of_rating(self, place: int) -> Self:
        """Return what was learned of one of the ratings; the encoder is shared."""
        one, chosen = copy(self), slice(place, place + 1)
        one.output = self.output.of(chosen)
        one.mean, one.slope = self.mean[chosen], self.slope[chosen]
        return one


def read_rows(columns: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the texts of every row as the encoder reads them: one, or a pair of the first and all others.

    Examples
    --------
    >>> read_rows([["an inn"], ["inform"], ["the inn is cheap"]])
    [('an inn', 'inform the inn is cheap')]
    """
    first, *others = columns
    if not others:
        return [(text,) for text in first]
    return [(text, " ".join(rest)) for text, *rest in zip(first, *others, strict=True)]
