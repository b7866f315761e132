"""Model files, validated before use and never pickled, and the models that come with RAINBOW."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from rainbow.base.files import write_atomically
from rainbow.corpus.views import IN_SIGNATURE
from rainbow.learned.model.archive import (
    add_manifest,
    check_object,
    decode_value,
    encode_value,
    json_bytes,
    pack,
    parse_json,
    unpack,
    verify_entries,
)
from rainbow.learned.model.model import Model
from rainbow.learned.model.saved_learner import dump_learner, dump_metrics, load_learner, load_metrics
from rainbow.learned.protocols.calibration import RatingClasses
from rainbow.learned.training.features import Features
from rainbow.metrics.contract.base import MissingResourceError
from rainbow.stats.estimation.ordinal_regression import CumulativeLogit

MODEL, LEARNER = "model.json", "learner.skops"
MAX_BYTES = 2**30  # bytes of a file

# Before the view, which ends a signature.
_VERSION = re.compile(rf"\|version:[^|]*(?={re.escape(IN_SIGNATURE)}[^|]*$)")

_FIELDS = {
    "name": str,
    "rating": str,
    "low": float,
    "high": float,
    "half_width": float | None,
    "classes": dict | None,
    "columns": list,
    "texts": list,
    "view": str | None,
    "signatures": dict,
    "metrics": list,
    "card": dict,
}


def save_model(model: Model, path: str | Path) -> Path:
    """Write a model to one file atomically, and return its path."""
    data = pack(add_manifest(_model_entries(model)))
    _parse_model(data)  # what could not be read is not written
    return write_atomically(Path(path), lambda part: part.write_bytes(data))


def read_model(path: str | Path) -> Model:
    """Return the model of a file that :func:`save_model` wrote; it scores identically."""
    path = Path(path)
    try:
        if (size := path.stat().st_size) > MAX_BYTES:
            raise ValueError(f"it has {size:,} bytes, but a model file has at most {MAX_BYTES:,}")
        return _parse_model(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path} is not a usable model: {error}") from error
    except MissingResourceError as error:
        raise MissingResourceError(f"{path} needs a package that is not installed: {error}") from error


def _model_entries(model: Model) -> dict[str, bytes]:
    features = model.features
    if features.metrics is None:
        raise ValueError("the features are not fitted: call fit(corpus) first")
    metrics, statistics = dump_metrics(features.metrics)
    classes = None
    if model.classes is not None:
        (slope, cuts), points, shares = model.classes.logit, model.classes.points, model.classes.shares
        classes = {"slope": slope, "points": points.tolist(), "cuts": cuts.tolist(), "shares": shares.tolist()}
    description = {
        "name": model.name,
        "rating": model.rating,
        "low": float(model.low),
        "high": float(model.high),
        "half_width": None if math.isnan(model.half_width) else float(model.half_width),
        "classes": classes,
        "columns": list(features.columns),
        "texts": list(features.texts),
        "view": features.view,
        "signatures": features.signatures,
        "metrics": metrics,
        "card": encode_value(dict(model.card)),
    }
    return {MODEL: json_bytes(description), LEARNER: dump_learner(model.learner), **statistics}


def _parse_model(data: bytes) -> Model:
    entries = verify_entries(unpack(data))
    if missing := [name for name in (MODEL, LEARNER) if name not in entries]:
        raise ValueError(f"the entry {missing[0]!r} is missing")
    description, skops = _parse_description(entries.pop(MODEL)), entries.pop(LEARNER)
    columns, texts = tuple(description["columns"]), tuple(description["texts"])
    try:
        learner = load_learner(skops, len(columns), texts)
    except ValueError as error:
        raise ValueError(f"its {LEARNER} is invalid: {error}") from error
    metrics = load_metrics(description["metrics"], entries)
    features = Features(columns, texts, description["view"], metrics)
    _check_definitions(description["signatures"], features.signatures)
    plain = {name: description[name] for name in ("name", "rating", "low", "high")}
    half_width = math.nan if description["half_width"] is None else description["half_width"]
    card = {name: decode_value(value) for name, value in description["card"].items()}
    classes = _parse_classes(description["classes"])
    return Model(**plain, features=features, learner=learner, half_width=half_width, classes=classes, card=card)


def _parse_description(content: bytes) -> Mapping[str, Any]:
    """Return the content of model.json, checked for types and consistency."""
    data = parse_json(content, MODEL)
    # Files that were written before there were classes have none.
    description = check_object({"classes": None, **data} if isinstance(data, dict) else data, MODEL, _FIELDS)
    if not description["low"] < description["high"] or (description["half_width"] or 0) < 0:
        raise ValueError(f"in {MODEL} the rating scale is empty or the interval has a negative width")
    for name in ("columns", "texts"):
        entries = description[name]
        if not all(isinstance(entry, str) for entry in entries) or len(set(entries)) < len(entries):
            raise ValueError(f"{name} in {MODEL} must be unique names")
    signatures = description["signatures"]
    if signatures.keys() != set(description["columns"]) or not all(isinstance(s, str) for s in signatures.values()):
        raise ValueError(f"signatures in {MODEL} do not match its columns")
    return description


def _parse_classes(saved: dict[str, Any] | None) -> RatingClasses | None:
    """Return the saved classes of a rating, checked to be finite and ascending."""
    if saved is None:
        return None
    saved = check_object(saved, f"classes in {MODEL}", {"slope": float, "points": list, "cuts": list, "shares": list})
    numbers = [saved[name] for name in ("points", "cuts", "shares")]
    if any(type(number) is not float for own in numbers for number in own) or saved["slope"] < 0:
        raise ValueError(f"classes in {MODEL} are not numbers, or their slope is negative")
    points, cuts, shares = map(np.array, numbers)
    if len(points) < 2 or not len(points) - 1 == len(cuts) == len(shares):
        raise ValueError(f"classes in {MODEL} must have one cut between adjacent points")
    if (np.diff(points) <= 0).any() or (np.diff(cuts) <= 0).any() or (np.diff(shares) < 0).any():
        raise ValueError(f"points or cuts of the classes in {MODEL} are not in increasing order")
    return RatingClasses(points, CumulativeLogit(saved["slope"], cuts), shares)


def _check_definitions(saved: Mapping[str, str], current: Mapping[str, str]) -> None:
    """Raise ValueError if a column's definition has changed, ignoring RAINBOW's version."""
    for column, signature in saved.items():
        then, now = (_VERSION.sub("", text) for text in (signature, current.get(column, "")))
        if then != now:
            before, after = _first_difference(then, now)
            raise ValueError(
                f"this model was made with other metric definitions: {column} was made with {before!r}, but this "
                f"RAINBOW has {after!r}"
            )


def _first_difference(saved: str, now: str) -> tuple[str, str]:
    parts, others = saved.split("|"), now.split("|")
    for part, other in zip(parts, others, strict=False):
        if part != other:
            return part, other
    size = min(len(parts), len(others))
    return "|".join(parts[size:]), "|".join(others[size:])


SUFFIX = ".rainbow"


@cache
def shipped_model_names() -> tuple[str, ...]:
    """Return the names of the models that come with RAINBOW."""
    folder = files("rainbow.learned") / "models"
    if not folder.is_dir():
        return ()
    return tuple(sorted(file.name.removesuffix(SUFFIX) for file in folder.iterdir() if file.name.endswith(SUFFIX)))


@cache
def read_shipped_model(name: str) -> Model:
    """Return a model that comes with RAINBOW, read on first use."""
    if name not in shipped_model_names():
        raise ValueError(f"unknown model {name!r}: choose from {', '.join(shipped_model_names())}")
    with as_file(files("rainbow.learned") / "models" / f"{name}{SUFFIX}") as path:
        return read_model(path)
