"""A trained network as it scores: an encoder a text, without PyTorch, every row by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.learned.network.vocabulary import familiarity, numbered

__all__ = ["GATES", "DualEncoder", "Encoder", "Layer", "Linear", "by_row"]

# Texts that are read side by side: more take more memory and no less time.
AT_ONCE = 512
GATES = 3  # reset, update and candidate


class Layer(NamedTuple):
    """A layer of gated recurrent units of all networks: reset, update and candidate side by side."""

    inputs: FloatArray  # shape (nets, inputs, 3 * units)
    bias: FloatArray  # shape (nets, 3 * units)
    states: FloatArray  # shape (nets, units, 3 * units)
    candidate: FloatArray  # shape (nets, units): what is added to the state's part in the candidate, before the reset


class Linear(NamedTuple):
    """A fully connected layer of all networks."""

    weight: FloatArray  # shape (nets, inputs, outputs)
    bias: FloatArray  # shape (nets, outputs)

    def of(self, outputs: slice) -> Linear:
        """Return the layer of some of the outputs."""
        return Linear(self.weight[:, :, outputs].copy(), self.bias[:, outputs].copy())


class Encoder(NamedTuple):
    """What reads one text: its words' vectors, and layers of gated recurrent units."""

    column: str
    words: str  # the known words, with blanks between
    vectors: FloatArray  # shape (nets, 2 + words, inputs): of what is not known, of the end, of the words
    layers: list[Layer]


class DualEncoder:
    """Networks of gated recurrent units, an encoder a text (output and input, say), whose predictions are averaged.

    The final states of the encoders go through layers of tanh units and a linear one (Dušek, Novikova and Rieser 2017).
    :func:`rainbow.learned.network.training.train` makes it.

    Parameters
    ----------
    encoders
        One for each text column.
    hidden, output
        The tanh layers, and the linear one, which has an output a rating.
    mean, slope
        Shape (ratings,): ``mean + slope * output`` is the expected rating.

    Notes
    -----
    Every row is multiplied by itself, whatever stands beside it, and texts are not padded: a row alone has the same
    bits as in any batch. Numbers are of double precision, of weights trained in single precision.

    References
    ----------
    Dušek, O., Novikova, J. and Rieser, V. (2017). Referenceless quality estimation for natural language generation.
    Learning to Generate Natural Language workshop, ICML.
    """

    def __init__(
        self, encoders: list[Encoder], hidden: list[Linear], output: Linear, mean: FloatArray, slope: FloatArray
    ) -> None:
        self.encoders, self.hidden, self.output = encoders, hidden, output
        self.mean, self.slope = mean, slope

    def predict(self, scores: FloatArray, texts: Mapping[str, Sequence[str]]) -> FloatArray:
        """Return the expected ratings of these rows, shape (rows, ratings), each by itself; no score is looked at."""
        rows = len(next(iter(texts.values()), ()))
        parts = [self._predicted(texts, start) for start in range(0, rows, AT_ONCE)]
        predicted: FloatArray = np.concatenate([np.empty((0, len(self.mean))), *parts])
        return predicted

    def familiarity(self, texts: Mapping[str, Sequence[str]], rows: int) -> FloatArray:
        """Return how much of every text was met in training, shape (rows,): the share of words that were met twice.

        Of several texts it is the geometric mean of theirs.
        """
        return familiarity([texts[encoder.column] for encoder in self.encoders], self._places)

    @property
    def median(self) -> FloatArray:
        """What a missing score of each column counts as: there are none."""
        return np.zeros(0)

    def of_rating(self, place: int) -> Self:
        """Return the networks of one of the ratings."""
        one, chosen = copy(self), slice(place, place + 1)
        one.output = self.output.of(chosen)
        one.mean, one.slope = self.mean[chosen], self.slope[chosen]
        return one

    def _predicted(self, texts: Mapping[str, Sequence[str]], start: int) -> FloatArray:
        """Return the expected ratings of some rows from `start` on."""
        states = [
            self._states(place, texts[encoder.column][start : start + AT_ONCE])
            for place, encoder in enumerate(self.encoders)
        ]
        row = np.concatenate(states, axis=2)
        for weight, bias in self.hidden:
            row = np.tanh(by_row(row, weight) + bias[:, None])
        outputs = by_row(row, self.output.weight) + self.output.bias[:, None]
        # One after the other: numpy's own sum takes another order where there is one row.
        total = sum(outputs[1:], start=outputs[0])
        predicted: FloatArray = self.mean + self.slope * (total / len(outputs))
        return predicted

    def _states(self, place: int, texts: Sequence[str]) -> FloatArray:
        """Return the final states of an encoder, shape (nets, texts, layers * units); equal texts are read once."""
        encoder, first = self.encoders[place], self._first_inputs[place]
        distinct = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        words = numbered(list(distinct), self._places[place])
        order = sorted(range(len(words)), key=lambda number: -len(words[number]))
        states = [np.zeros((len(first), len(words), layer.candidate.shape[1])) for layer in encoder.layers]
        left = len(words)
        for step in range(len(words[order[0]])):
            # The longest text stands first: those that have ended keep their states.
            while len(words[order[left - 1]]) <= step:
                left -= 1
            inputs = first[:, [words[number][step] for number in order[:left]]]
            for depth, (layer, state) in enumerate(zip(encoder.layers, states, strict=True)):
                if depth:
                    inputs = by_row(inputs, layer.inputs) + layer.bias[:, None]
                inputs = state[:, :left] = _next_state(layer, inputs, state[:, :left])
        where = np.empty(len(words), dtype=np.intp)
        where[order] = np.arange(len(words))
        final: FloatArray = np.concatenate(states, axis=2)[:, where[[distinct[text] for text in texts]]]
        return final

    @cached_property
    def _places(self) -> list[dict[str, int]]:
        return [{word: place for place, word in enumerate(encoder.words.split())} for encoder in self.encoders]

    @cached_property
    def _first_inputs(self) -> list[FloatArray]:
        """What every word gives to the first layer of its encoder, shape (nets, 2 + words, 3 * units)."""
        return [
            by_row(encoder.vectors, encoder.layers[0].inputs) + encoder.layers[0].bias[:, None]
            for encoder in self.encoders
        ]

    def __getstate__(self) -> dict[str, Any]:
        return {name: vars(self)[name] for name in ("encoders", "hidden", "output", "mean", "slope")}


def by_row(rows: FloatArray, weight: FloatArray) -> FloatArray:
    """Return rows (nets, rows, inputs) times weights (nets, inputs, outputs), every row in a product of its own.

    One product of all rows would take the sums of a row in an order that hangs on how many there are.
    """
    product: FloatArray = np.matmul(rows[:, :, None], weight[:, None])[:, :, 0]
    return product


def _next_state(layer: Layer, inputs: FloatArray, state: FloatArray) -> FloatArray:
    """Return the states (nets, texts, units) after one more word, as PyTorch's GRU has them."""
    units = state.shape[2]
    from_state = by_row(state, layer.states)
    gates = 0.5 + 0.5 * np.tanh(0.5 * (inputs[..., : 2 * units] + from_state[..., : 2 * units]))
    reset, update = gates[..., :units], gates[..., units:]
    candidate = np.tanh(inputs[..., 2 * units :] + reset * (from_state[..., 2 * units :] + layer.candidate[:, None]))
    following: FloatArray = candidate + update * (state - candidate)
    return following
