"""Digits that stand for the content of a file, or for the behaviour of something whatever release is installed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rainbow.base.storage import Place


def fingerprint(values: Any) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of plain data, written as JSON with sorted keys."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:12]


def file_sha256(path: Place) -> str:
    """Return the SHA-256 of a file's content, 64 hexadecimal digits, in memory that does not grow with the file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hashes(texts: Iterable[str]) -> NDArray[np.uint64]:
    """Return a number for every text, shape (n,), the same in every process and on every machine."""
    import pandas as pd

    return pd.util.hash_array(np.array(list(texts), dtype=object), categorize=False)
