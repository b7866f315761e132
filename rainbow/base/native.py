"""The compiled kernels, where they are there and wanted."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib import import_module
from types import ModuleType

__all__ = ["compiled_kernels", "kernels"]


def kernels() -> ModuleType | None:
    """Return the module of compiled kernels; None where it was not built, or the environment says RAINBOW_NATIVE=0.

    Whoever asks for a kernel has a twin in Python that gives the same numbers and takes its place.

    Examples
    --------
    >>> compiled = kernels()
    >>> compiled is None or "texts" in compiled.Texts.__doc__.lower()
    True
    """
    return None if os.environ.get("RAINBOW_NATIVE") == "0" else compiled_kernels()


@lru_cache(maxsize=1)
def compiled_kernels() -> ModuleType | None:
    """Return the module of compiled kernels, wanted or not; None where it was not built."""
    try:
        return import_module("rainbow._native")
    except ImportError:
        return None
