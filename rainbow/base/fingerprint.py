"""Hashes of file contents, and fingerprints of behaviour that no version number shows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rainbow.base.lazy import pd
from rainbow.base.storage import Place


def fingerprint(values: Any) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of plain data as JSON with sorted keys."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:12]


def file_sha256(path: Place) -> str:
    """Return the SHA-256 of a file as 64 hexadecimal digits, reading it in constant memory."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hash_texts(texts: Iterable[str]) -> NDArray[np.uint64]:
    """Return one number per text, shape (n,), equal in every process and on every machine."""
    return pd.util.hash_array(np.array(list(texts), dtype=object), categorize=False)
