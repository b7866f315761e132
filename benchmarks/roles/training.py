"""Training of the network by Adam, with gradients written out: tables are bags of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.datasets.roles.assignment import KINDS, ROLES
from rainbow.datasets.roles.network import LAYERS, Network

HIDDEN, HEAD, ATTENTION = 48, 24, 24  # units
EPOCHS, BATCH, RATE, DECAY, DROPOUT = 14, 48, 2e-3, 1e-3, 0.2
LAYOUT_WEIGHT = 0.5  # of the loss of the layout next to that of the roles
USUAL_COLUMNS = 6  # the weight of a table grows with the square root of its columns
SPREAD = 0.05  # added to standard deviations


@dataclass(frozen=True)
class Example:
    """A table: features (columns, width), accepted roles (columns, roles) as 0 and 1, its layout, and its weight."""

    features: FloatArray
    accepted: FloatArray
    layout: int
    weight: float = 1.0


def fit_network(examples: Sequence[Example], seeds: Sequence[int]) -> Network:
    """Return a network with a member for each seed."""
    rows = np.vstack([example.features for example in examples])
    mean, deviation = rows.mean(axis=0), rows.std(axis=0) + SPREAD
    scaled = [Example((each.features - mean) / deviation, each.accepted, each.layout, each.weight) for each in examples]
    return Network(mean, deviation, tuple(_fit_member(scaled, seed) for seed in seeds))


def _start(width: int, rng: np.random.Generator) -> dict[str, FloatArray]:
    context = 3 * HIDDEN + ATTENTION + len(KINDS)
    return {
        "W1": rng.normal(0, (1 / width) ** 0.5, (width, HIDDEN)),
        "b1": np.zeros(HIDDEN),
        "W2": rng.normal(0, (2 / context) ** 0.5, (context, HIDDEN)),
        "b2": np.zeros(HIDDEN),
        "W3": rng.normal(0, (1 / (2 * HIDDEN)) ** 0.5, (2 * HIDDEN, len(ROLES))),
        "b3": np.zeros(len(ROLES)),
        "W4": rng.normal(0, (1 / HIDDEN) ** 0.5, (2 * HIDDEN, HEAD)),
        "b4": np.zeros(HEAD),
        "W5": rng.normal(0, 0.2, (HEAD, len(KINDS))),
        "b5": np.zeros(len(KINDS)),
        "WQ": rng.normal(0, HIDDEN**-0.5, (HIDDEN, ATTENTION)),
        "WK": rng.normal(0, HIDDEN**-0.5, (HIDDEN, ATTENTION)),
        "WV": rng.normal(0, HIDDEN**-0.5, (HIDDEN, ATTENTION)),
    }


def _fit_member(examples: Sequence[Example], seed: int) -> dict[str, FloatArray]:
    rng = np.random.default_rng(seed)
    layers = _start(examples[0].features.shape[1], rng)
    first = {name: np.zeros_like(layer) for name, layer in layers.items()}
    second = {name: np.zeros_like(layer) for name, layer in layers.items()}
    steps, step = EPOCHS * -(-len(examples) // BATCH), 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(examples))
        for start in range(0, len(order), BATCH):
            batch = [examples[place] for place in order[start : start + BATCH]]
            gradients = _gradients(layers, batch, rng)
            step += 1
            rate = RATE * (1 - step / steps) + 1e-5
            for name, gradient in gradients.items():
                gradient = gradient + (DECAY * layers[name] if name.startswith("W") else 0)
                first[name] = 0.9 * first[name] + 0.1 * gradient
                second[name] = 0.999 * second[name] + 0.001 * gradient**2
                scale = np.sqrt(second[name] / (1 - 0.999**step)) + 1e-8
                layers[name] = layers[name] - rate * first[name] / (1 - 0.9**step) / scale
    return {name: layers[name] for name in LAYERS}


def _gradients(
    layers: dict[str, FloatArray], batch: Sequence[Example], rng: np.random.Generator
) -> dict[str, FloatArray]:
    """Return the gradients of the weighted cross-entropy of roles, given the true layout, and of the layout."""
    features = np.vstack([example.features for example in batch])
    accepted = np.vstack([example.accepted for example in batch])
    sizes = np.array([len(example.features) for example in batch])
    of = np.repeat(np.arange(len(batch)), sizes)
    kinds = np.eye(len(KINDS))[[example.layout for example in batch]]
    weights = np.array([example.weight for example in batch])
    rows = weights[of] / np.sqrt(sizes[of] / USUAL_COLUMNS)

    before = features @ layers["W1"] + layers["b1"]
    kept = (rng.random(before.shape) > DROPOUT) / (1 - DROPOUT)
    own = np.maximum(before, 0) * kept
    mean, most = _pooled(own, of, sizes)
    context = np.hstack([mean, most])
    attention = _Attention(layers, own, of, sizes)
    both = np.hstack([own, context[of], attention.others, kinds[of]])
    hidden_before = both @ layers["W2"] + layers["b2"]
    top = np.hstack([np.maximum(hidden_before, 0), own])
    roles = _softmax(top @ layers["W3"] + layers["b3"])
    head_before = context @ layers["W4"] + layers["b4"]
    head = np.maximum(head_before, 0)
    layouts = _softmax(head @ layers["W5"] + layers["b5"])

    target = roles * accepted
    target /= target.sum(axis=1, keepdims=True) + 1e-9
    at_roles = (roles - target) * (rows / rows.sum())[:, None]
    at_layouts = (layouts - kinds) * (weights / weights.sum() * LAYOUT_WEIGHT)[:, None]
    at_head = (at_layouts @ layers["W5"].T) * (head_before > 0)
    at_context = at_head @ layers["W4"].T
    at_top = at_roles @ layers["W3"].T
    at_hidden = at_top[:, :HIDDEN] * (hidden_before > 0)
    at_both = at_hidden @ layers["W2"].T
    at_own = at_both[:, :HIDDEN] + at_top[:, HIDDEN:]
    at_context = at_context + _summed(at_both[:, HIDDEN : 3 * HIDDEN], of, len(batch))
    at_own += (at_context[:, :HIDDEN] / sizes[:, None])[of] + at_context[of, HIDDEN:] * (own == most[of])
    at_attention, at_seen = attention.gradients(layers, at_both[:, 3 * HIDDEN : 3 * HIDDEN + ATTENTION])
    at_own += at_seen
    at_before = at_own * kept * (before > 0)
    return {
        "W1": features.T @ at_before,
        "b1": at_before.sum(axis=0),
        "W2": both.T @ at_hidden,
        "b2": at_hidden.sum(axis=0),
        "W3": top.T @ at_roles,
        "b3": at_roles.sum(axis=0),
        "W4": context.T @ at_head,
        "b4": at_head.sum(axis=0),
        "W5": head.T @ at_layouts,
        "b5": at_layouts.sum(axis=0),
        **at_attention,
    }


class _Attention:
    """What each column sees of the other columns of its table; tables are padded to the widest."""

    def __init__(self, layers: dict[str, FloatArray], own: FloatArray, of: IntArray, sizes: IntArray) -> None:
        self.places = of, np.arange(len(of)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        self.own = self._padded(own, len(sizes), sizes.max())
        self.query, self.key, self.value = (self.own @ layers[name] for name in ("WQ", "WK", "WV"))
        absent = np.arange(sizes.max())[None, :] >= sizes[:, None]
        similar = self.query @ self.key.transpose(0, 2, 1) / ATTENTION**0.5 - 1e9 * absent[:, None, :]
        self.weight = _softmax(similar.reshape(-1, similar.shape[2])).reshape(similar.shape)
        self.others: FloatArray = (self.weight @ self.value)[self.places]

    def _padded(self, rows: FloatArray, tables: int, most: int) -> FloatArray:
        found = np.zeros((tables, most, rows.shape[1]))
        found[self.places] = rows
        return found

    def gradients(
        self, layers: dict[str, FloatArray], at_others: FloatArray
    ) -> tuple[dict[str, FloatArray], FloatArray]:
        """Return the gradients of the weights, and of the columns, shape (columns, hidden)."""
        at_padded = self._padded(at_others, *self.own.shape[:2])
        at_weight = at_padded @ self.value.transpose(0, 2, 1)
        centred = at_weight - (at_weight * self.weight).sum(axis=2, keepdims=True)
        at_similar = self.weight * centred / ATTENTION**0.5
        at = {
            "WQ": at_similar @ self.key,
            "WK": at_similar.transpose(0, 2, 1) @ self.query,
            "WV": self.weight.transpose(0, 2, 1) @ at_padded,
        }
        flat = self.own.reshape(-1, HIDDEN)
        weights = {name: flat.T @ part.reshape(-1, ATTENTION) for name, part in at.items()}
        return weights, sum(part @ layers[name].T for name, part in at.items())[self.places]


def _pooled(own: FloatArray, of: IntArray, sizes: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return mean and maximum of the columns of each table, shape (tables, hidden)."""
    most = np.full((len(sizes), own.shape[1]), -1.0)
    np.maximum.at(most, of, own)
    return _summed(own, of, len(sizes)) / sizes[:, None], most


def _summed(rows: FloatArray, of: IntArray, tables: int) -> FloatArray:
    found = np.zeros((tables, rows.shape[1]))
    np.add.at(found, of, rows)
    return found


def _softmax(logits: FloatArray) -> FloatArray:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
