"""Arrays and trees that lead astray are refused, and never crash the process."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.learned import saved

# What no array of an estimator can be.
WRONG_ARRAYS: dict[str, Callable[[Any], Any]] = {
    "shorter": lambda array: array[:-1],
    "longer": lambda array: np.concatenate([array, array[-1:]]),
    "empty": lambda array: array[:0],
    "deeper": lambda array: array[None],
    "flat": lambda array: array.ravel()[0],
    "other type": lambda array: array.astype(np.float16 if array.dtype.kind == "i" else np.int64),
    "bytes swapped": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "text": lambda array: array.astype("U8"),
    "not a number": lambda array: array * np.nan,
    "endless": lambda array: array + np.inf,
    "negative": lambda array: -9 - np.abs(array),
    "huge": lambda array: np.full_like(array, 2**31 - 1 if array.dtype.kind == "i" else 1e308),
}
# Coefficients and values may be any finite number.
FREE = {"negative", "huge"}
BOUND = {
    "scale": {"negative"}, "support": FREE, "roots": FREE, "left": FREE, "right": FREE, "column": FREE, "_start": FREE,
}  # fmt: skip


def wrong_arrays(entries: saved.Entries) -> Iterator[tuple[str, saved.Entries]]:
    for place, array in saved.arrays_of(entries).items():
        name = place.rpartition(".")[2]
        for what, change in WRONG_ARRAYS.items():
            if what not in FREE or what in BOUND.get(name, set()):
                yield f"{place} {what}", saved.with_array(entries, place, change(array))


def wrong_trees(entries: saved.Entries) -> Iterator[tuple[str, saved.Entries]]:
    """Return trees with right types and lengths that lead astray."""
    trees = {place: array for place, array in saved.arrays_of(entries).items() if "trees." in place}
    names = {place.rpartition(".")[2]: place for place in trees}
    left, right, roots = (trees[names[name]] for name in ("left", "right", "roots"))
    inner = np.flatnonzero(left != np.arange(len(left)))
    node, later = inner[1], inner[inner > roots[1]][1]
    for name, place, value in [
        ("left", node, 0),
        ("left", node, node),
        ("left", node, right[node]),
        ("left", node, -1),
        ("left", node, len(left)),
        ("left", node, roots[1]),
        ("right", node, left[node] + 1 if right[node] != left[node] + 1 else left[node]),
        ("left", later, 1),
        ("right", later, roots[0]),
        ("roots", 0, 1),
        ("roots", 1, 0),
        ("roots", 1, node),
        ("roots", -1, len(left)),
        ("column", node, 3),
        ("column", node, -1),
    ]:
        changed = trees[names[name]].copy()
        changed[place] = value
        yield f"{name}[{place}] = {value}", saved.with_array(entries, names[name], changed)


def wild_trees(entries: saved.Entries, count: int) -> Iterator[tuple[str, saved.Entries]]:
    """Return trees with random numbers in random places."""
    rng = np.random.default_rng(2017)
    trees = {place: array for place, array in saved.arrays_of(entries).items() if "trees." in place}
    for number in range(count):
        changed = entries
        for place, array in trees.items():
            wild = array.copy().ravel()
            where = rng.integers(0, wild.size, rng.integers(1, 4))
            bits = rng.bytes(wild.itemsize * len(where))
            wild[where] = np.frombuffer(bits, wild.dtype) if number % 2 else rng.integers(-2, len(wild) + 2, len(where))
            changed = saved.with_array(changed, place, wild.reshape(array.shape))
        yield f"wild trees {number}", changed


# Loads every file of a folder, and uses what it could load: what happened to each, in a process of its own.
LOADER = """
import json, pathlib, sys, warnings
from rainbow.learned.model.model_file import read_model
from tests.learned import saved
warnings.simplefilter("ignore")
corpus, found = saved.corpus().take(range(3)), {}
for path in pathlib.Path(sys.argv[1]).iterdir():
    try:
        read_model(path).predict(corpus)
        found[path.name] = "loaded"
    except ValueError as error:
        found[path.name] = f"ValueError: {error}"
    except BaseException as error:
        found[path.name] = f"{type(error).__name__}: {error}"
print(json.dumps(found))
"""


def loaded_elsewhere(changes: Iterator[tuple[str, saved.Entries]], folder: Path) -> dict[str, str]:
    """Say what comes of loading and using these files in a process whose death would be seen."""
    names: list[str] = []
    for what, entries in changes:
        saved.write(folder / f"{len(names)}.rainbow", entries)
        names.append(what)
    ran = subprocess.run(
        [sys.executable, "-c", LOADER, str(folder)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[4],
    )
    assert ran.returncode == 0, f"the process died: {ran.returncode}\n{ran.stderr[-2000:]}"
    found = json.loads(ran.stdout)
    assert len(found) == len(names) > 0
    return {what: found[f"{number}.rainbow"] for number, what in enumerate(names)}


@pytest.mark.slow
def test_wrong_arrays_and_trees_that_lead_astray_are_refused_though_checksums_are_right(files, tmp_path) -> None:
    kernels, forest, started = (saved.entries_of(files[preset]) for preset in ("default", "paper", "started"))
    # Beside its kernel it has arrays of its own.
    own = (change for change in wrong_arrays(started) if not change[0].startswith("_kernel."))
    found = loaded_elsewhere(chain(wrong_arrays(kernels), own, wrong_arrays(forest), wrong_trees(forest)), tmp_path)
    expected = "ValueError: .*: its learner.skops is invalid: "
    assert {what: result for what, result in found.items() if not re.match(expected, result)} == {} and len(found) > 200


def test_trees_with_random_numbers_never_crash_the_process(files: dict[str, Path], tmp_path: Path) -> None:
    found = loaded_elsewhere(wild_trees(saved.entries_of(files["paper"]), 60), tmp_path)
    assert {what: result for what, result in found.items() if not result.startswith(("ValueError: ", "loaded"))} == {}
    assert sum(result.startswith("ValueError: ") for result in found.values()) > 50
