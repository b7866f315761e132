"""Dataset-specific meaning representations, one file per domain."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

from rainbow.base.native import compiled
from rainbow.meaning import MeaningRepresentation
from rainbow.meaning.slot_values import Realisation

__all__ = ["Domain", "find_domain"]


class Domain(NamedTuple):
    """Functions that recognise a domain's meaning representations and compute their realisation."""

    owns: Callable[[MeaningRepresentation], bool]
    realisation: Callable[[MeaningRepresentation, Sequence[str]], Realisation]
    prepared: Callable[[MeaningRepresentation], compiled.Asked] | None = None


def find_domain(meaning: MeaningRepresentation) -> Domain | None:
    """Return the domain of a meaning representation; None if it has none."""
    return next((domain for domain in _load_domains() if domain.owns(meaning)), None)


@cache
def _load_domains() -> tuple[Domain, ...]:
    modules = (import_module(f"{__name__}.{results.name}") for results in pkgutil.iter_modules(__path__))
    return tuple(module.DOMAIN for module in modules if hasattr(module, "DOMAIN"))
