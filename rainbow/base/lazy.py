"""Packages that are loaded when they are first used: neither an import nor the score of a text waits for them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["httpx2", "openai", "pa", "pd", "platformdirs", "pooch", "pq", "ray", "scipy", "torch"]


class _LazyModule(ModuleType):
    """A module that is imported when one of its names is first read."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked of every object, such as `__wrapped__`
            raise AttributeError(name)
        return getattr(import_module(self.__name__), name)


if TYPE_CHECKING:
    import httpx2
    import openai
    import pandas as pd
    import platformdirs
    import pooch
    import pyarrow as pa
    import pyarrow.parquet as pq
    import ray
    import scipy.cluster.hierarchy
    import scipy.optimize
    import scipy.sparse.csgraph
    import scipy.spatial.distance
    import scipy.special
    import scipy.stats
    import torch
else:
    pd, torch, platformdirs, pooch = map(_LazyModule, ("pandas", "torch", "platformdirs", "pooch"))
    httpx2, openai, ray, scipy = map(_LazyModule, ("httpx2", "openai", "ray", "scipy"))
    pa, pq = map(_LazyModule, ("pyarrow", "pyarrow.parquet"))
