"""A few digits that stand for the content or the behaviour of something, whatever release of it is installed."""

from __future__ import annotations

import hashlib
import json
from typing import Any

__all__ = ["fingerprint"]


def fingerprint(values: Any) -> str:
    """Give the first 12 hexadecimal digits of the SHA-256 of plain data, written as JSON with sorted keys.

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
