"""Bounded archives of strict JSON and other named entries, with a manifest of checksums."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from types import UnionType
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import numpy as np

from rainbow._version import __version__

FORMAT = "RAINBOW model"
VERSION = 3
MANIFEST = "manifest.json"
_FIELDS = {"format": str, "version": int, "rainbow": str, "entries": dict}

ZIP_SIGNATURE = b"PK"  # of a zip file
INVALID_FILE_HINT = (
    "it was not written by `rainbow fit`: name a model file, e.g. models/demo-quality-all.rainbow, or a "
    "model, e.g. quality-fast"
)

# Largest total size of all entries, and its largest ratio to the file size: a small file can declare terabytes.
MAX_BYTES = 64 * 2**20
MAX_RATIO = 4


def pack(entries: Mapping[str, bytes], compression: int = ZIP_DEFLATED) -> bytes:
    """Return a zip file of these entries, byte-identical for equal entries."""
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, content in entries.items():
            # The date and the system would differ between two savings of one model.
            entry = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.create_system = compression, 3
            archive.writestr(entry, content, compresslevel=9)
    return buffer.getvalue()


def unpack(data: bytes) -> dict[str, bytes]:
    """Return the entries of a zip file by name."""
    if not data.startswith(ZIP_SIGNATURE):
        raise ValueError(INVALID_FILE_HINT)
    # For the bytes of a part zipfile raises errors of a dozen kinds.
    try:
        archive = ZipFile(BytesIO(data))
    except Exception as error:
        raise ValueError("the model file is incomplete: copy it again, or run `rainbow fit` again") from error
    with archive:
        _check_entries(archive.infolist(), max(MAX_BYTES, MAX_RATIO * len(data)))
        try:
            return {entry.filename: archive.read(entry) for entry in archive.infolist()}
        except Exception as error:
            raise ValueError(f"it is damaged: {error}") from error


def _check_entries(entries: Sequence[ZipInfo], limit: int) -> None:
    if twice := [name for name, count in Counter(entry.filename for entry in entries).items() if count > 1]:
        raise ValueError(f"its entry {twice[0]!r} occurs twice")
    if (size := sum(entry.file_size for entry in entries)) > limit:
        raise ValueError(f"its entries take {size:,} bytes, but a model file of its size holds at most {limit:,}")
    # Other ways of compression cannot be unpacked bit by bit.
    if foreign := [entry.filename for entry in entries if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED)]:
        raise ValueError(f"its entry {foreign[0]!r} uses a compression method that model files do not use")


def add_manifest(entries: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the entries with a manifest of their checksums."""
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "rainbow": __version__,
        "entries": {name: _checksum(content) for name, content in entries.items()},
    }
    return {MANIFEST: json_bytes(manifest), **entries}


def verify_entries(entries: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the entries named by the manifest; ValueError if any differs from what was saved."""
    if MANIFEST not in entries:
        raise ValueError(f"it is a zip file, but not a RAINBOW model: {MANIFEST} is missing")
    manifest = parse_json(entries[MANIFEST], MANIFEST)
    _check_format(manifest)
    sealed = check_object(manifest, MANIFEST, _FIELDS)["entries"]
    rest = {name: content for name, content in entries.items() if name != MANIFEST}
    if missing := sorted(sealed.keys() - rest.keys()):
        raise ValueError(f"the entry {missing[0]!r} is missing")
    if extra := sorted(rest.keys() - sealed.keys()):
        raise ValueError(f"its entry {extra[0]!r} is not listed in the manifest")
    for name, content in rest.items():
        if _checksum(content) != sealed[name]:
            raise ValueError(f"the entry {name!r} was changed after saving: its checksum or size differs")
    return rest


def _check_format(manifest: object) -> None:
    result = manifest.get("format") if isinstance(manifest, dict) else None
    if not isinstance(manifest, dict) or result != FORMAT:
        raise ValueError(f"it is a zip file, but not a RAINBOW model: its format is {result!r}, not {FORMAT!r}")
    version = manifest.get("version")
    if type(version) is not int or version < 1:
        raise ValueError(f"its format version is {version!r}: it must be a whole number of at least 1")
    if version < VERSION:
        raise ValueError(f"its format version is {version}, but this RAINBOW needs {VERSION}: fit the model again")
    if version > VERSION:
        made = manifest.get("rainbow")
        raise ValueError(
            f"it was made by a newer RAINBOW ({made}; format version {version}, here {VERSION}): "
            "upgrade with pip install -U rainbow-nlg"
        )


def _checksum(content: bytes) -> dict[str, str | int]:
    return {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}


_SEQUENCES: dict[str, Callable[[Iterable[Any]], Any]] = {"$tuple": tuple, "$set": set, "$frozenset": frozenset}
_FLOAT = "$float"


def json_bytes(data: Any) -> bytes:
    """Return data as compact ASCII JSON, which preserves any string, even lone surrogates."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).encode()


def parse_json(data: bytes, description: str) -> Any:
    """Return the data of a JSON file, rejecting NaN and infinity."""
    try:
        return json.loads(data.decode(), parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{description} is not valid JSON: {error}") from error


def _reject_constant(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


def check_object(data: Any, description: str, kinds: Mapping[str, type | UnionType]) -> dict[str, Any]:
    """Return the data if it has exactly these fields with these types, else raise ValueError."""
    if not isinstance(data, dict) or data.keys() != kinds.keys():
        raise ValueError(f"the fields of {description} must be {', '.join(kinds)}")
    for name, kind in kinds.items():
        # True counts as an integer in Python, but JSON's true is not a number.
        if not isinstance(data[name], kind) or (isinstance(data[name], bool) and kind is not bool):
            expected = getattr(kind, "__name__", str(kind))
            raise ValueError(f"{name} in {description} has type {type(data[name]).__name__}, not {expected}")
    return data


def encode_value(value: Any) -> Any:
    """Return a plain value as JSON data that :func:`decode_value` restores with its type."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {_FLOAT: repr(value)}
    if type(value) is list:
        return [encode_value(entry) for entry in value]
    for tag, kind in _SEQUENCES.items():
        if type(value) is kind:
            return {tag: [encode_value(entry) for entry in value]}
    if isinstance(value, Mapping) and all(isinstance(key, str) and not key.startswith("$") for key in value):
        return {key: encode_value(entry) for key, entry in value.items()}
    raise ValueError(
        f"{value!r} has type {type(value).__name__}, which a model file cannot store: use numbers, strings, "
        "lists, tuples, sets, and dictionaries with string keys"
    )


def decode_value(data: Any) -> Any:
    """Return the value that :func:`encode_value` turned into this data."""
    if isinstance(data, list):
        return [decode_value(entry) for entry in data]
    if not isinstance(data, dict):
        return data
    if len(data) == 1:
        [(tag, content)] = data.items()
        if tag == _FLOAT and content in ("nan", "inf", "-inf"):
            return float(content)
        if tag in _SEQUENCES and isinstance(content, list):
            try:
                return _SEQUENCES[tag](map(decode_value, content))
            except TypeError as error:
                raise ValueError(f"{data} is not a set: {error}") from error
    if any(key.startswith("$") for key in data):
        raise ValueError(f"{data} is not a valid value in a model file")
    return {key: decode_value(entry) for key, entry in data.items()}
