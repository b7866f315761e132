"""What a model file holds: its format, and the checksum of every entry."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from rainbow._version import __version__
from rainbow.learned.model.plain import checked, json_bytes, json_data

__all__ = ["FORMAT", "VERSION", "verified", "with_manifest"]

FORMAT = "RAINBOW model"
VERSION = 2
MANIFEST = "manifest.json"

_FIELDS = {"format": str, "version": int, "rainbow": str, "entries": dict}


def with_manifest(entries: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the entries behind a manifest of them.

    Examples
    --------
    >>> verified(with_manifest({"model.json": b"{}"}))
    {'model.json': b'{}'}
    """
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "rainbow": __version__,
        "entries": {name: _seal(content) for name, content in entries.items()},
    }
    return {MANIFEST: json_bytes(manifest), **entries}


def verified(entries: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the entries that the manifest names, all of them as they were saved.

    Raises
    ------
    ValueError
        If there is no manifest, it is of another format or of a newer version, an entry is missing, is not named, or
        is not what was saved.
    """
    if MANIFEST not in entries:
        raise ValueError(f"it is a zip file, but no RAINBOW model: it has no {MANIFEST}")
    manifest = json_data(entries[MANIFEST], MANIFEST)
    _check_format(manifest)
    sealed = checked(manifest, MANIFEST, _FIELDS)["entries"]
    rest = {name: content for name, content in entries.items() if name != MANIFEST}
    if missing := sorted(sealed.keys() - rest.keys()):
        raise ValueError(f"the entry {missing[0]!r} is missing")
    if extra := sorted(rest.keys() - sealed.keys()):
        raise ValueError(f"it has an entry {extra[0]!r} that its manifest does not name")
    for name, content in rest.items():
        if _seal(content) != sealed[name]:
            raise ValueError(f"the entry {name!r} is not the one that was saved: its checksum or size differs")
    return rest


def _check_format(manifest: object) -> None:
    found = manifest.get("format") if isinstance(manifest, dict) else None
    if not isinstance(manifest, dict) or found != FORMAT:
        raise ValueError(f"it is a zip file, but no RAINBOW model: its format is {found!r}, not {FORMAT!r}")
    version = manifest.get("version")
    if type(version) is not int or version < 1:
        raise ValueError(f"its format version is {version!r}, not a number from 1 up")
    if version < VERSION:
        raise ValueError(f"it is of the old format version {version}, here {VERSION}: fit the model again")
    if version > VERSION:
        made = manifest.get("rainbow")
        raise ValueError(
            f"it was made by a newer RAINBOW ({made}; format version {version}, here {VERSION}): "
            "upgrade with pip install -U rainbow-nlg"
        )


def _seal(content: bytes) -> dict[str, str | int]:
    return {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
