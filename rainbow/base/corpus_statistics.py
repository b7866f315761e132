"""Corpus statistics: immutable, saved as JSON, identified by a digest of their content."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Self, TypeVar


class CompiledCounts(Mapping[tuple[str, ...], int]):
    """N-gram counts held by a compiled kernel, converted to a dictionary on first access."""

    def __init__(self, source: Any) -> None:
        self.source = source

    @cached_property
    def _counts(self) -> dict[tuple[str, ...], int]:
        counts: dict[tuple[str, ...], int] = self.source.counts()
        return counts

    def __getitem__(self, ngram: tuple[str, ...]) -> int:
        return self._counts[ngram]

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)


class Statistics(ABC):
    """Corpus statistics; equal content means equal objects and equal digests."""

    @abstractmethod
    def to_json(self) -> Any:
        """Return the content as JSON-serialisable data, equal for equal statistics."""

    def content(self) -> bytes:
        """Return the content as JSON with sorted keys, written by the kernel if one holds it."""
        return json.dumps(self.to_json(), sort_keys=True).encode()

    @classmethod
    @abstractmethod
    def from_json(cls, data: Any) -> Self:
        """Create statistics from the data of :meth:`to_json`; ValueError if they are invalid."""

    def portable(self) -> Self:
        """Return what scoring new inputs needs, without the texts that were counted."""
        return self

    @cached_property
    def _prepared(self) -> dict[Callable[..., Any], Any]:
        return {}

    def cached(self, step: Callable[[Self], Result]) -> Result:
        """Return the cached result of a function of these statistics."""
        if step not in self._prepared:
            self._prepared.setdefault(step, step(self))  # threads share what one of them made
        result: Result = self._prepared[step]
        return result

    @cached_property
    def digest(self) -> str:
        """First 12 hexadecimal digits of the SHA-256 of the content."""
        return hashlib.sha256(self.content()).hexdigest()[:12]

    def __str__(self) -> str:
        return self.digest

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.digest}>"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and str(other) == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_json, (self.to_json(),)


Result = TypeVar("Result")
Part = TypeVar("Part", bound=Statistics)


@dataclass(frozen=True, eq=False, repr=False)
class ByCollection(Statistics, Generic[Part]):
    """Statistics of several collections of texts, by collection name."""

    part: ClassVar[type[Statistics]]

    collections: Mapping[str, Part]

    def __post_init__(self) -> None:
        object.__setattr__(self, "collections", MappingProxyType(dict(self.collections)))

    def __getitem__(self, collection: str) -> Part:
        if collection not in self.collections:
            known = ", ".join(map(repr, self.collections)) or "none"
            raise ValueError(
                f"there are no corpus statistics for the collection {collection!r} (only for {known}): fit the "
                "metric on rows of that collection"
            )
        return self.collections[collection]

    def to_json(self) -> dict[str, Any]:
        """Return the content of each collection by name."""
        return {name: part.to_json() for name, part in sorted(self.collections.items())}

    def content(self) -> bytes:
        """Return the content as JSON with sorted keys."""
        parts = (
            b"%b: %b" % (json.dumps(name).encode(), part.content()) for name, part in sorted(self.collections.items())
        )
        return b"{%b}" % b", ".join(parts)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Create statistics from the data of :meth:`to_json`."""
        parts: dict[str, Any] = {}
        for name, entry in data.items():
            try:
                parts[name] = cls.part.from_json(entry)
            except ValueError as error:
                raise ValueError(f"collection {name!r}: {error}") from None
        return cls(parts)
