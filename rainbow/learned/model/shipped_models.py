"""The models that come with RAINBOW."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files

from rainbow.learned.model.model import Model
from rainbow.learned.model.model_file import read_model

SUFFIX = ".rainbow"


@cache
def shipped_model_names() -> tuple[str, ...]:
    """Return the names of the models that come with RAINBOW."""
    folder = files("rainbow.learned") / "models"
    if not folder.is_dir():
        return ()
    return tuple(sorted(file.name.removesuffix(SUFFIX) for file in folder.iterdir() if file.name.endswith(SUFFIX)))


@cache
def read_shipped_model(name: str) -> Model:
    """Return a model that comes with RAINBOW, read on first use."""
    if name not in shipped_model_names():
        raise ValueError(f"unknown model {name!r}: choose from {', '.join(shipped_model_names())}")
    with as_file(files("rainbow.learned") / "models" / f"{name}{SUFFIX}") as path:
        return read_model(path)
