"""The compiled kernels, where they are there and wanted."""

from __future__ import annotations

import os
from types import ModuleType

try:
    import rainbow._native as compiled
except ImportError:  # it was not built
    compiled = None  # type: ignore[assignment]  # whoever calls it asks first

__all__ = ["compiled", "kernels"]


def kernels() -> ModuleType | None:
    """Return the module of compiled kernels; None where it was not built, or the environment says RAINBOW_NATIVE=0.

    Whoever asks for a kernel has a twin in Python that gives the same numbers and takes its place. The kernels are then
    called by the name `compiled`, which stands for the same module: of that the type checker knows what is in it.

    Examples
    --------
    >>> not kernels() or "texts" in compiled.Texts.__doc__.lower()
    True
    """
    return None if os.environ.get("RAINBOW_NATIVE") == "0" else compiled
