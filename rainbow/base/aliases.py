"""Alternative argument names: singular and plural, and several names for the input."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

# Other names of the argument `inputs`.
INPUTS = ("mrs", "mr", "input")
# The argument for each entry of a scorer's `needs`.
_ARGUMENTS = {"mrs": "inputs"}


def accept_aliases(**names: tuple[str, ...]) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Return a decorator that accepts alternative names for arguments."""
    own = {other: name for name, others in names.items() for other in others}

    def decorated(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        @wraps(function)
        def wrapped(*args: Any, **given: Any) -> Any:
            for other in own.keys() & given.keys():
                if own[other] in given:
                    raise TypeError(f"{other} and {own[other]} are the same argument: give only one")
                given[own[other]] = given.pop(other)
            return function(*args, **given)

        return wrapped

    return decorated


def argument_for(requirement: str) -> str:
    """Return the name of the argument that provides what a scorer needs."""
    return _ARGUMENTS.get(requirement, requirement)
