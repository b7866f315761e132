"""Models to save in tests, and model files taken apart and put together again."""

from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Literal
from zipfile import ZIP_STORED

import numpy as np

from rainbow import Corpus, load_dataset
from rainbow.learned.learner.regressor import Preset, RainbowRegressor
from rainbow.learned.model.archive import add_manifest, json_bytes, pack, parse_json, unpack
from rainbow.learned.model.model import Model
from rainbow.learned.training.features import Features, select_general
from rainbow.metrics.general.general_score import general_columns

# Metrics with statistics of every kind, and one without.
COLUMNS = ("TER", "CIDErD", "NIST", "lm_mean", "slots_missing", "len")
TEXTS = ("delexicalised", "surface")

Entries = dict[str, bytes]
Kind = Preset | Literal["started"]


@cache
def corpus() -> Corpus:
    return load_dataset("demo").take(range(60))


@cache
def model(kind: Kind = "default", columns: tuple[str, ...] = COLUMNS, texts: tuple[str, ...] = TEXTS) -> Model:
    """Return a learned metric; `started` starts from general scores, whose columns stand first."""
    rows = corpus()
    features = Features((*general_columns("fast"), *columns) if kind == "started" else columns, texts).fit(rows)
    general = select_general(features.columns)
    preset: Preset = "default" if kind == "started" else kind
    estimator = RainbowRegressor(preset, general=(general,) if general else ())
    learner = estimator.fit(features.table(rows), rows.frame["quality"].to_numpy(float)).learner_
    card = {"rows": len(rows), "interval": (0.25, float("nan")), "notes": ["über", None, True]}
    return Model(f"quality-{kind}", "quality", 1.0, 6.0, features, learner, 0.75, card)


def entries_of(path: Path) -> Entries:
    """Return the entries of a model file but for its manifest."""
    entries = unpack(path.read_bytes())
    del entries["manifest.json"]
    return entries


def write(path: Path, entries: Entries) -> Path:
    """Write a model file whose checksums are right, whatever its entries say."""
    path.write_bytes(pack(add_manifest(entries)))
    return path


def edited(entries: Entries, name: str, edit: Callable[[Any], Any]) -> Entries:
    """Return the entries with one JSON entry as `edit` leaves it or gives it."""
    data = parse_json(entries[name], name)
    changed = edit(data)
    return entries | {name: json_bytes(data if changed is None else changed)}


def learner_edited(entries: Entries, edit: Callable[[Entries], object]) -> Entries:
    """Return the entries with the learner's skops file as `edit` leaves it."""
    inner = unpack(entries["learner.skops"])
    edit(inner)
    return entries | {"learner.skops": pack(inner, ZIP_STORED)}


def arrays_of(entries: Entries) -> dict[str, Any]:
    """Return the arrays of the learner by their places (`trees.left`)."""
    inner = unpack(entries["learner.skops"])
    return {place: np.load(BytesIO(inner[name])) for place, name in _places(entries).items()}


def with_array(entries: Entries, place: str, array: Any) -> Entries:
    """Return the entries with another array in one place of the learner."""
    buffer = BytesIO()
    np.save(buffer, array)
    return learner_edited(entries, lambda inner: inner.update({_places(entries)[place]: buffer.getvalue()}))


def _places(entries: Entries) -> dict[str, str]:
    return dict(_found(parse_json(unpack(entries["learner.skops"])["schema.json"], "schema.json"), ""))


def _found(node: Any, place: str) -> list[tuple[str, str]]:
    if "file" in node:
        return [(place.removeprefix("."), node["file"])]
    content = node.get("content")
    if isinstance(content, list):
        return [pair for number, entry in enumerate(content) for pair in _found(entry, f"{place}.{number}")]
    if not isinstance(content, dict):
        return []
    if "__loader__" in content:
        return _found(content, place)
    return [pair for name, entry in content.items() for pair in _found(entry, f"{place}.{name}")]
