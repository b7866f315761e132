"""Digits that stand for the content of a file, or for the behaviour of something whatever release is installed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rainbow.base.storage import Place

__all__ = ["file_sha256", "fingerprint", "hashes"]


def fingerprint(values: Any) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of plain data, written as JSON with sorted keys.

    Parameters
    ----------
    values
        What JSON can hold. Numbers should be rounded to digits that are the same on every machine.

    Raises
    ------
    TypeError
        If JSON cannot hold the values.

    Examples
    --------
    >>> fingerprint(["cheap", "inn"]), fingerprint(["inn", "cheap"])
    ('84dda1d2b73c', 'fed787d60042')
    """
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:12]


def file_sha256(path: Place) -> str:
    """Return the SHA-256 of a file's content, 64 hexadecimal digits, in memory that does not grow with the file.

    Raises
    ------
    OSError
        If it cannot be read.

    Examples
    --------
    >>> import rainbow
    >>> from pathlib import Path
    >>> len(file_sha256(Path(rainbow.__file__)))
    64
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hashes(texts: Iterable[str]) -> NDArray[np.uint64]:
    """Return a number for every text, shape (n,), the same in every process and on every machine.

    Examples
    --------
    >>> hashes(["a", "b", "a"])[[0, 2]].tolist() == [hashes(["a"])[0]] * 2
    True
    """
    import pandas as pd

    return pd.util.hash_array(np.array(list(texts), dtype=object), categorize=False)
