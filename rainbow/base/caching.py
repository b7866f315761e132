"""In-memory caches for values that are slow to compute."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast

Text = TypeVar("Text", bound=Hashable)
Value = TypeVar("Value")
Found = TypeVar("Found", covariant=True)
Given = ParamSpec("Given")

ENTRY = 32  # characters that an entry counts for besides its own


class CachedFunction(Protocol[Given, Found]):
    """A function with a cache."""

    def __call__(self, *given: Given.args, **named: Given.kwargs) -> Found: ...

    def cache_clear(self) -> None:
        """Clear the cache."""


def cache_by_size(characters: int) -> Callable[[Callable[Given, Found]], CachedFunction[Given, Found]]:
    """Return a decorator that caches results until their arguments exceed a number of characters."""

    def decorate(compute: Callable[Given, Found]) -> CachedFunction[Given, Found]:
        known: dict[tuple[Any, ...], Any] = {}
        left = characters

        @wraps(compute)
        def of(*given: Any) -> Any:
            nonlocal left
            try:
                return known[given]
            except KeyError:
                pass
            value = compute(*given)  # type: ignore[call-arg]
            if left < 0:
                forget()
            left -= ENTRY + _characters(given)
            known[given] = value
            return value

        def forget() -> None:
            nonlocal left
            known.clear()
            left = characters

        of.cache_clear = forget  # type: ignore[attr-defined]
        return cast("CachedFunction[Given, Found]", of)

    return decorate


def _characters(arguments: object) -> int:
    """Return the number of characters of arguments."""
    if isinstance(arguments, tuple):
        return sum(map(_characters, arguments))
    return len(arguments) if isinstance(arguments, str) else 1


class TextCache(Generic[Text, Value]):
    """Thread-safe cache of values for recently seen texts."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._values: OrderedDict[Text, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get_or_compute(self, texts: Sequence[Text], compute: Callable[[list[Text]], Sequence[Value]]) -> list[Value]:
        """Return the value of every text; `compute` is called at most once, with the distinct unknown texts."""
        with self._lock:
            result = {text: self._values[text] for text in set(texts) if text in self._values}
        new = [text for text in dict.fromkeys(texts) if text not in result]
        if new:
            computed = dict(zip(new, compute(new), strict=True))
            result |= computed
            with self._lock:
                self._values |= computed
                while len(self._values) > self.size:
                    self._values.popitem(last=False)
        return [result[text] for text in texts]
