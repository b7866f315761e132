"""What the studies share: words as numbers, batches, one thread, the best pass, and runs kept in files."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from rainbow._version import __version__
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.files import write_text
from rainbow.base.lazy import pd, torch
from rainbow.programs.network import one_thread
from rainbow.stats.correlation.correlation import correlate
from rainbow.text.words.words_and_punctuation import text_words

# Called with a short message on the training progress.
Tell = Callable[[str], None]
State = TypeVar("State")
Result = TypeVar("Result")

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


# Indices of unknown words and of the end of a text; the known words follow.
UNKNOWN, END = 0, 1
FIRST = 2
# A word that occurs once represents all unknown words.
MIN_COUNT = 2


def known_words(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the words that occur at least twice in the texts, sorted."""
    counts = Counter(word for text in texts for word in text_words(text))
    return tuple(sorted(word for word, count in counts.items() if count >= MIN_COUNT))


def number_words(texts: Sequence[str], places: Mapping[str, int]) -> list[list[int]]:
    """Return every text as word numbers followed by the end token; `places` maps known words."""
    return [
        [*(places[word] + FIRST if word in places else UNKNOWN for word in text_words(text)), END] for text in texts
    ]


def load_or_compute(path: Path, signature: str, kind: Any, compute: Callable[[], Result]) -> Result:
    """Return the arrays of a run from its file if it has this signature; else compute and keep them."""
    if path.is_file() and (kept := json.loads(path.read_text(encoding="utf-8")))["signature"] == signature:
        saved: Result = kind(*(np.array(kept[name]) for name in kind._fields))
        return saved
    result = compute()
    fields: Any = result
    kept = {"signature": signature, "rainbow": __version__}
    kept |= {name: np.asarray(own).tolist() for name, own in fields._asdict().items()}
    write_text(path, json.dumps(kept))
    return result


def printed_table(study: str) -> pd.DataFrame:
    """Return the numbers printed in a study."""
    with (files("rainbow.learned.replications") / study / "printed.csv").open(encoding="utf-8") as stream:
        return pd.read_csv(stream)
