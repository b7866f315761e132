"""Training utilities of the studies: batches, one thread, and selection of the best pass."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, TypeVar

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import torch
from rainbow.programs.network import one_thread
from rainbow.stats.correlation.correlation import correlate

# Called with a short message on the training progress.
Tell = Callable[[str], None]
State = TypeVar("State")

POOLED = 8  # batches that are sorted by length together: a batch is as long as its longest text


def prefix_messages(prefix: str, notify: Tell) -> Tell:
    """Return a message function that adds a prefix."""
    return lambda message: notify(prefix + message)


def missing_torch() -> str | None:
    """Return how to install PyTorch if it is missing, else None."""
    return None if find_spec("torch") else "torch is not installed: pip install 'rainbow-nlg[neural]'"


def draw_batches(lengths: IntArray, size: int, rng: np.random.Generator) -> Iterator[IntArray]:
    """Yield random batches of rows with similar text lengths."""
    drawn = rng.permutation(len(lengths))
    dealt: list[IntArray] = []
    for start in range(0, len(drawn), POOLED * size):
        pool = drawn[start : start + POOLED * size]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        dealt += [pool[first : first + size] for first in range(0, len(pool), size)]
    yield from (dealt[place] for place in rng.permutation(len(dealt)))


@contextmanager
def seeded_device(seed: int, device: str) -> Iterator[Any]:
    """Provide a PyTorch device with a fixed seed, running on one thread."""
    chosen = select_device(device)
    with one_thread(), torch.random.fork_rng(devices=[chosen.index or 0] if chosen.type == "cuda" else []):
        torch.manual_seed(seed)
        yield chosen


def select_device(name: str) -> Any:
    """Return the PyTorch device for ``cpu``, ``cuda`` or ``auto`` (cuda if available)."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise RuntimeError(f"PyTorch cannot use a device {name!r}: use cpu")
    return torch.device(name)


def train_best_pass(
    passes: int,
    learn: Callable[[], None],
    predicted: Callable[[], FloatArray],
    targets: FloatArray,
    state: Callable[[], State],
    notify: Tell,
    tolerance: float = 0.0,
) -> State:
    """Train for several passes and return the state with the best dev agreement.

    Shapes: predicted, targets (rows, ratings).
    """
    best, kept = -math.inf, None
    for number in range(1, passes + 1):
        learn()
        result = dev_agreement(predicted(), targets)
        notify(f"epoch {number} of {passes}: dev {result:.3f}")
        if kept is None or result > best - tolerance:
            best, kept = max(best, result), state()
    if kept is None:
        raise ValueError(f"passes is {passes}: use at least 1")
    return kept


def dev_agreement(predicted: FloatArray, targets: FloatArray) -> float:
    """Return twice the mean of Pearson and Spearman correlations, minus a small error term."""
    results = [
        np.nan_to_num(correlate(own, rated, kind).r)
        for own, rated in zip(predicted.T, targets.T, strict=True)
        for kind in ("pearson", "spearman")
    ]
    return float(2 * np.mean(results) - 0.001 * np.abs(predicted - targets).mean())
