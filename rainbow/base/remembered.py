"""What takes long to compute of a text, computed once for each distinct text and kept for a while."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

__all__ = ["Remembered"]

Text = TypeVar("Text", bound=Hashable)
Value = TypeVar("Value")


class Remembered(Generic[Text, Value]):
    """Values of the texts met last, for every thread of the process.

    Parameters
    ----------
    size
        The largest number of texts remembered.

    Examples
    --------
    >>> lengths = Remembered[str, int](100)
    >>> lengths.of(["a", "bb", "a"], lambda texts: [len(text) for text in texts])
    [1, 2, 1]
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._values: OrderedDict[Text, Value] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, texts: Sequence[Text], compute: Callable[[list[Text]], Sequence[Value]]) -> list[Value]:
        """Return the value of every text; `compute` is called once, if at all, with the distinct ones not known."""
        with self._lock:
            found = {text: self._values[text] for text in set(texts) if text in self._values}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        if new:
            computed = dict(zip(new, compute(new), strict=True))
            found |= computed
            self._keep(computed)
        return [found[text] for text in texts]

    def _keep(self, values: dict[Text, Value]) -> None:
        with self._lock:
            self._values |= values
            while len(self._values) > self.size:
                self._values.popitem(last=False)
