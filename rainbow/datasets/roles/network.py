"""The network that gives the role probabilities of each column."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from rainbow.base.arrays import FloatArray

MIN_PROBABILITY = 1e-9  # probability
LAYERS = ("W1", "b1", "W2", "b2", "W3", "b3", "W4", "b4", "W5", "b5", "WQ", "WK", "WV")


@dataclass(frozen=True)
class Network:
    """An ensemble over a column, its table, the other columns (attention) and the layout."""

    mean: FloatArray
    deviation: FloatArray
    members: tuple[dict[str, FloatArray], ...]
    sure: float = 0.0  # lead from which a reading is sure
    likely: float = 0.0  # lead from which a reading need not be accepted by somebody

    def log_probabilities(self, features: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return log probabilities of roles (kinds, columns, roles) and of kinds (kinds,)."""
        scaled = (features - self.mean) / self.deviation
        both = [_forward(layers, scaled) for layers in self.members]
        roles, kinds = (np.mean([part[place] for part in both], axis=0) for place in (0, 1))
        return np.log(np.maximum(roles, MIN_PROBABILITY)), np.log(np.maximum(kinds, MIN_PROBABILITY))


def _forward(layers: dict[str, FloatArray], features: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the role probabilities for each layout kind, and the kind probabilities."""
    own = np.maximum(features @ layers["W1"] + layers["b1"], 0)
    table = np.concatenate([own.mean(axis=0), own.max(axis=0)])
    kinds = _softmax(np.maximum(table @ layers["W4"] + layers["b4"], 0) @ layers["W5"] + layers["b5"])
    query, key, value = (own @ layers[name] for name in ("WQ", "WK", "WV"))
    others = _softmax(query @ key.T / key.shape[1] ** 0.5) @ value
    seen = np.hstack([own, np.tile(table, (len(own), 1)), others])
    results = []
    for kind in np.eye(len(kinds)):
        both = np.hstack([seen, np.tile(kind, (len(own), 1))])
        hidden = np.maximum(both @ layers["W2"] + layers["b2"], 0)
        results.append(_softmax(np.hstack([hidden, own]) @ layers["W3"] + layers["b3"]))
    return np.array(results), kinds


def _softmax(logits: FloatArray) -> FloatArray:
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))


@cache
def load_network() -> Network:
    """Return the network in ``network.json``."""
    held = json.loads(files("rainbow.datasets.roles").joinpath("network.json").read_text(encoding="utf-8"))
    members = tuple({name: _decode_array(member[name]) for name in LAYERS} for member in held["members"])
    return Network(_decode_array(held["mean"]), _decode_array(held["deviation"]), members, **held["calibration"])


def _decode_array(entry: dict[str, Any]) -> FloatArray:
    """Return an array stored as 8-bit steps of each row's maximum."""
    steps = np.frombuffer(base64.b64decode(entry["steps"]), dtype=np.int8).astype(float)
    scales = np.array(entry["scales"])
    return np.asarray((steps.reshape(len(scales), -1) * scales[:, None]).reshape(entry["shape"]))
