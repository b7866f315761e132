"""Domains: data sets whose meaning representations are known by themselves, and how texts say their values."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

from rainbow.meaning import MeaningRepresentation
from rainbow.meaning.slot_states import Realisation

__all__ = ["Domain", "domain_of"]


class Domain(NamedTuple):
    """What a module of this folder gives as `DOMAIN`; nothing else lists it.

    Attributes
    ----------
    name
        Of the data set.
    owns
        Says whether a meaning representation is one of its own.
    realisation
        Gives what a text (as :func:`rainbow.text.words.mentions.words` gives it) says of such a meaning representation.
    """

    name: str
    owns: Callable[[MeaningRepresentation], bool]
    realisation: Callable[[MeaningRepresentation, Sequence[str]], Realisation]


def domain_of(meaning: MeaningRepresentation) -> Domain | None:
    """Return the domain whose own a meaning representation is; None if it is of none.

    Examples
    --------
    >>> from rainbow.meaning import parse
    >>> domain_of(parse("name[Zizzi], eatType[pub]")).name, domain_of(parse("inform(name=inn)"))
    ('e2e', None)
    """
    return next((domain for domain in _domains() if domain.owns(meaning)), None)


@cache
def _domains() -> tuple[Domain, ...]:
    package = import_module("rainbow.meaning.domains")
    modules = [import_module(f"{package.__name__}.{found.name}") for found in pkgutil.iter_modules(package.__path__)]
    return tuple(module.DOMAIN for module in modules if hasattr(module, "DOMAIN"))
