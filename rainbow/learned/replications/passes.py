"""What studies need to train networks: rows held out, batches, one thread, and passes of which the best is kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, TypeVar

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.programs.network import one_thread
from rainbow.stats.correlation.correlation import correlate

# Is told how far training is, in a few words.
Tell = Callable[[str], None]
State = TypeVar("State")

POOLED = 8  # batches that are sorted by length together: a batch is as long as its longest text


def missing_torch() -> str | None:
    """Say how to get PyTorch where it is not installed; None where it is."""
    return None if find_spec("torch") else "torch not installed: pip install 'rainbow-nlg[neural]'"


def batches(lengths: IntArray, size: int, rng: np.random.Generator) -> Iterator[IntArray]:
    """Deal rows of these lengths in random order into batches of texts of about one length."""
    drawn = rng.permutation(len(lengths))
    dealt: list[IntArray] = []
    for start in range(0, len(drawn), POOLED * size):
        pool = drawn[start : start + POOLED * size]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        dealt += [pool[first : first + size] for first in range(0, len(pool), size)]
    yield from (dealt[place] for place in rng.permutation(len(dealt)))


@contextmanager
def drawing(seed: int, device: str) -> Iterator[Any]:
    """Give the device of PyTorch that trains, where all that is drawn depends on the seed, and one thread computes."""
    import torch

    chosen = device_of(device)
    with one_thread(), torch.random.fork_rng(devices=[chosen.index or 0] if chosen.type == "cuda" else []):
        torch.manual_seed(seed)
        yield chosen


def device_of(name: str) -> Any:
    """Return the device of PyTorch that ``cpu``, ``cuda`` or ``auto`` (cuda where there is one) means."""
    import torch

    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise RuntimeError(f"there is no device {name!r} that PyTorch can use: take cpu")
    return torch.device(name)


def best_pass(
    passes: int,
    learn: Callable[[], None],
    predicted: Callable[[], FloatArray],
    targets: FloatArray,
    state: Callable[[], State],
    tell: Tell,
    slack: float = 0.0,
) -> State:
    """Learn from rows again and again; return the state after the pass that agreed best with the rows held out.

    Shapes: predicted, targets (rows, ratings).
    """
    best, kept = -math.inf, None
    for number in range(1, passes + 1):
        learn()
        found = agreement(predicted(), targets)
        tell(f"{number} of {passes}: dev {found:.3f}")
        if kept is None or found > best - slack:
            best, kept = max(best, found), state()
    if kept is None:
        raise ValueError(f"passes is {passes}: learn once at least")
    return kept


def agreement(predicted: FloatArray, targets: FloatArray) -> float:
    """Return by what the best pass is chosen: Pearson and Spearman correlation added, less a little of the distance."""
    found = [
        np.nan_to_num(correlate(own, rated, kind).r)
        for own, rated in zip(predicted.T, targets.T, strict=True)
        for kind in ("pearson", "spearman")
    ]
    return float(2 * np.mean(found) - 0.001 * np.abs(predicted - targets).mean())
