"""A learned metric in one file, and back: JSON and skops, checked before use, never pickle."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rainbow.base.files import write_atomically
from rainbow.corpus.views import IN_SIGNATURE
from rainbow.learned.model.archive import pack, unpack, verified, with_manifest
from rainbow.learned.model.model import Model
from rainbow.learned.model.plain import checked, decoded, encoded, json_bytes, json_data
from rainbow.learned.model.saved_learner import learner_from, learner_saved
from rainbow.learned.model.saved_metrics import metrics_from, metrics_saved
from rainbow.learned.protocols.rating_classes import RatingClasses
from rainbow.learned.training.features import Features
from rainbow.metrics.contract.base import MissingResourceError
from rainbow.stats.estimation.ordinal_regression import CumulativeLogit

MODEL, LEARNER = "model.json", "learner.skops"
LARGEST = 2**30  # bytes of a file

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
    """Write a model to one file, which appears whole or not at all, and give its path."""
    data = pack(with_manifest(_entries(model)))
    _model(data)  # what could not be read is not written
    return write_atomically(Path(path), lambda part: part.write_bytes(data))


def load_model(path: str | Path) -> Model:
    """Return the model of a file that :func:`save_model` wrote; it scores as the saved one does, bit by bit."""
    path = Path(path)
    try:
        if (size := path.stat().st_size) > LARGEST:
            raise ValueError(f"it has {size:,} bytes, and a model file at most {LARGEST:,}")
        return _model(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path} is not a model that can be used: {error}") from error
    except MissingResourceError as error:
        raise MissingResourceError(f"{path} needs what is not installed: {error}") from error


def _entries(model: Model) -> dict[str, bytes]:
    features = model.features
    if features.metrics is None:
        raise ValueError("the features are not fitted: call fit(corpus) first")
    metrics, statistics = metrics_saved(features.metrics)
    description = {
        "name": model.name,
        "rating": model.rating,
        "low": float(model.low),
        "high": float(model.high),
        "half_width": None if math.isnan(model.half_width) else float(model.half_width),
        "classes": _classes_saved(model.classes),
        "columns": list(features.columns),
        "texts": list(features.texts),
        "view": features.view,
        "signatures": features.signatures,
        "metrics": metrics,
        "card": encoded(dict(model.card)),
    }
    return {MODEL: json_bytes(description), LEARNER: learner_saved(model.learner), **statistics}


def _model(data: bytes) -> Model:
    entries = verified(unpack(data))
    if missing := [name for name in (MODEL, LEARNER) if name not in entries]:
        raise ValueError(f"the entry {missing[0]!r} is missing")
    description, skops = _description(entries.pop(MODEL)), entries.pop(LEARNER)
    columns, texts = tuple(description["columns"]), tuple(description["texts"])
    try:
        learner = learner_from(skops, len(columns), texts)
    except ValueError as error:
        raise ValueError(f"its {LEARNER} is not sound: {error}") from error
    metrics = metrics_from(description["metrics"], entries)
    features = Features(columns, texts, description["view"], metrics)
    _check_definitions(description["signatures"], features.signatures)
    plain = {name: description[name] for name in ("name", "rating", "low", "high")}
    half_width = math.nan if description["half_width"] is None else description["half_width"]
    card = {name: decoded(value) for name, value in description["card"].items()}
    classes = _classes_from(description["classes"])
    return Model(**plain, features=features, learner=learner, half_width=half_width, classes=classes, card=card)


def _description(content: bytes) -> Mapping[str, Any]:
    """Return what model.json says, of the right types and in itself consistent."""
    data = json_data(content, MODEL)
    # Files that were written before there were classes have none.
    description = checked({"classes": None, **data} if isinstance(data, dict) else data, MODEL, _FIELDS)
    if not description["low"] < description["high"] or (description["half_width"] or 0) < 0:
        raise ValueError(f"in {MODEL} the scale of the ratings has no width, or the interval a negative one")
    for name in ("columns", "texts"):
        entries = description[name]
        if not all(isinstance(entry, str) for entry in entries) or len(set(entries)) < len(entries):
            raise ValueError(f"{name} in {MODEL} are not names, each once")
    signatures = description["signatures"]
    if signatures.keys() != set(description["columns"]) or not all(isinstance(s, str) for s in signatures.values()):
        raise ValueError(f"signatures in {MODEL} are not those of its columns")
    return description


def _classes_saved(classes: RatingClasses | None) -> dict[str, Any] | None:
    if classes is None:
        return None
    slope, cuts = classes.logit
    return {"slope": slope, "points": classes.points.tolist(), "cuts": cuts.tolist(), "shares": classes.shares.tolist()}


def _classes_from(saved: dict[str, Any] | None) -> RatingClasses | None:
    """Return the classes of a rating that were saved; numbers of each kind rise, and all are finite."""
    if saved is None:
        return None
    saved = checked(saved, f"classes in {MODEL}", {"slope": float, "points": list, "cuts": list, "shares": list})
    numbers = [saved[name] for name in ("points", "cuts", "shares")]
    if any(type(number) is not float for own in numbers for number in own) or saved["slope"] < 0:
        raise ValueError(f"classes in {MODEL} are no numbers, or their slope is below 0")
    points, cuts, shares = map(np.array, numbers)
    if len(points) < 2 or not len(points) - 1 == len(cuts) == len(shares):
        raise ValueError(f"classes in {MODEL} have not one cut between every two points")
    if (np.diff(points) <= 0).any() or (np.diff(cuts) <= 0).any() or (np.diff(shares) < 0).any():
        raise ValueError(f"points or cuts of the classes in {MODEL} do not rise")
    return RatingClasses(points, CumulativeLogit(saved["slope"], cuts), shares)


def _check_definitions(saved: Mapping[str, str], here: Mapping[str, str]) -> None:
    """Refuse a model whose columns are defined otherwise than here (RAINBOW's version does not count)."""
    for column, signature in saved.items():
        then, now = (_VERSION.sub("", text) for text in (signature, here.get(column, "")))
        if then != now:
            before, after = _first_difference(then, now)
            raise ValueError(
                f"this model was made with other definitions: {column} was made with {before!r}, and here has {after!r}"
            )


def _first_difference(then: str, now: str) -> tuple[str, str]:
    parts, others = then.split("|"), now.split("|")
    for part, other in zip(parts, others, strict=False):
        if part != other:
            return part, other
    size = min(len(parts), len(others))
    return "|".join(parts[size:]), "|".join(others[size:])
