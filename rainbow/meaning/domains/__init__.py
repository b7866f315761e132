"""What is true of one dataset's meaning representations only: a file for each, with a `DOMAIN`; nothing lists it."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

from rainbow.base.native import compiled
from rainbow.meaning import MeaningRepresentation
from rainbow.meaning.slot_states import Realisation

__all__ = ["Domain", "domain_of"]


class Domain(NamedTuple):
    """Which meaning representations are its own, and what a text (a list of words) says of such a one."""

    owns: Callable[[MeaningRepresentation], bool]
    realisation: Callable[[MeaningRepresentation, Sequence[str]], Realisation]
    prepared: Callable[[MeaningRepresentation], compiled.Asked] | None = None


def domain_of(meaning: MeaningRepresentation) -> Domain | None:
    """Return the domain whose own a meaning representation is; None if it is of none."""
    return next((domain for domain in _domains() if domain.owns(meaning)), None)


@cache
def _domains() -> tuple[Domain, ...]:
    modules = (import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    return tuple(module.DOMAIN for module in modules if hasattr(module, "DOMAIN"))
