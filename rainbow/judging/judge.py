"""Settings of a judge, read from `judge.toml`."""

from __future__ import annotations

import json
import math
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from rainbow.base.fingerprint import fingerprint
from rainbow.judging.template import Template

ReadAs = Literal["logprobs", "text", "json"]

OPENAI = "https://api.openai.com/v1"
SHORTEST = 4  # characters of a key: a shorter one is found in texts that do not hold it
MISSING = "_missing"  # ends the name of the column that says why a mark is missing
MOST_MARKS = 20  # as many as servers give the probabilities of
# Fields that [request] must not set, because the answer would be another one or unreadable.
_NOT_TO_SET: dict[str, tuple[object, ...]] = {"model": ("",), "messages": (), "stream": ("", False), "n": ("", 1)}
# What a file may give where a field is declared so; everything else is a string.
_TYPES: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "tuple": (tuple,), "Mapping": (dict,)}
_LENGTHS: dict[ReadAs, int] = {"logprobs": 1, "text": 16, "json": 128}


@dataclass(frozen=True)
class Criterion:
    """One judge column: its question, and how a rating is read from the answer."""

    column: str
    template: Template
    scale: tuple[float, float] = (1, 6)
    rating: str | None = None
    read: ReadAs = "logprobs"
    samples: int = 1
    temperature: float | None = None
    least_mass: float = 0.5
    length: int | None = None

    def __post_init__(self) -> None:
        low, high = self.scale
        if self.column != " ".join(self.column.split()) or not re.fullmatch(r"[^=:\x00-\x1f\x7f-\x9f]+", self.column):
            raise ValueError("invalid column name: use a name without = or : and without spaces at its ends")
        if self.read not in get_args(ReadAs):
            raise ValueError(f"read is {self.read!r}: choose from {', '.join(get_args(ReadAs))}")
        if not low < high or math.isinf(high - low):
            raise ValueError(f"scale goes from {low:g} to {high:g}: give the lowest rating first")
        whole = float(low).is_integer() and float(high).is_integer()
        if self.read == "logprobs" and not self.template.pairs and not (whole and high - low < MOST_MARKS):
            raise ValueError(f'logprobs support at most {MOST_MARKS} integer ratings: use fewer, or read = "text"')
        _check_bounds(self, samples=(1, 1000), temperature=(0, 100), least_mass=(0, 1), length=(1, 10**6))
        if self.template.pairs and self.rating:
            raise ValueError(f"a comparison of two outputs cannot predict {self.rating}: remove rating")

    @cached_property
    def marks(self) -> dict[str, float]:
        """Possible answers and their values; for pairs, those of the first output."""
        if self.template.pairs:
            return {"A": 1.0, "B": 0.0}
        low, high = map(int, self.scale)
        return {str(mark): float(mark) for mark in range(low, high + 1)} if self.read == "logprobs" else {}

    @property
    def parameters(self) -> dict[str, Any]:
        """Request parameters of this criterion."""
        heat = self.temperature if self.temperature is not None else float(self.samples > 1)
        result: dict[str, Any] = {"temperature": heat, "max_tokens": self.length or _LENGTHS[self.read]}
        if self.read == "logprobs":
            result |= {"logprobs": True, "top_logprobs": MOST_MARKS}
        if self.read == "json":
            number = {"type": "number", "minimum": self.scale[0], "maximum": self.scale[1]}
            mark = {"type": "string", "enum": [*self.marks]} if self.template.pairs else number
            closed = {"required": ["mark"], "additionalProperties": False}
            schema = {"type": "object", "properties": {"mark": mark}, **closed}
            result["response_format"] = {"type": "json_schema", "json_schema": {"name": "mark", "schema": schema}}
        return result

    @property
    def signature(self) -> str:
        """Everything the ratings depend on, except the model."""
        scale = "pairs" if self.template.pairs else f"scale:{self.scale[0]:g} to {self.scale[1]:g}"
        known = f"template:{self.template.name} {self.template.hash}|{scale}|read:{self.read}"
        how = f"samples:{self.samples}|temperature:{self.parameters['temperature']:g}"
        return f"{known}|{how}|least_mass:{self.least_mass:g}|max_tokens:{self.parameters['max_tokens']}"


@dataclass(frozen=True)
class Judge:
    """A model on a server, and the columns it rates."""

    model: str
    criteria: tuple[Criterion, ...]
    url: str = OPENAI
    key: str | None = None
    seed: int = 2017
    requests_per_minute: float | None = None
    at_once: int = 4
    retries: int = 6
    seconds: float = 120.0
    request: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.criteria:
            raise ValueError('no columns: add a table with a template, e.g. [judge] and template = "quality"')
        if self.key and not re.fullmatch(r"[A-Z][A-Z0-9_]*", self.key):
            raise ValueError(
                "key must be the name of an environment variable, e.g. OPENAI_API_KEY, never the key itself"
            )
        if not self.model.strip():
            raise ValueError("it names no model")
        if not _is_url(self.url):
            raise ValueError("url is not a server URL, e.g. http://localhost:8000/v1 (without user or key)")
        _check_bounds(self, at_once=(1, 1000), retries=(0, 100), seconds=(0.001, 86_400))
        _check_bounds(self, requests_per_minute=(0.001, 10**6), seed=(-(2**63), 2**63 - 1001))  # and 1,000 samples
        names = [criterion.column for criterion in self.criteria]
        if taken := sorted({name + MISSING for name in names} & {*names}):
            raise ValueError(f"[{taken[0]}] is the reason column of another table: rename it")
        self._check_request()

    def _check_request(self) -> None:
        """Raise an error for extra request fields that would change the question."""
        for name, harmless in _NOT_TO_SET.items():
            if name in self.request and self.request[name] not in harmless:
                raise ValueError(f"[request] must not set {name}: remove it")
        if "seed" in self.request and any(criterion.samples > 1 for criterion in self.criteria):
            raise ValueError("[request] sets seed, but each sample has its own seed: remove seed or samples")
        for name in ("max_tokens", "max_completion_tokens"):
            value = self.request.get(name, "")
            if value != "" and not (type(value) is int and value > 0):
                raise ValueError(f"[request] {name} = {value!r} is not a number of tokens: use 1 or more")
        try:
            json.dumps(dict(self.request), allow_nan=False)
        except (TypeError, ValueError):
            raise ValueError(
                "[request] contains a value that JSON cannot represent, e.g. a date or nan: write it as text"
            ) from None

    @property
    def secret(self) -> str | None:
        """The API key, if any."""
        name = self.key or ("OPENAI_API_KEY" if self.url == OPENAI else None)
        if name and not os.environ.get(name):
            raise ValueError(f"the environment variable {name}, which holds the key of {self.url}, is not set")
        if name and not re.fullmatch(rf"[!-~]{{{SHORTEST},}}", os.environ[name]):
            raise ValueError(
                f"{name} is not a valid key: it has spaces or non-ASCII letters, or fewer than {SHORTEST} characters"
            )
        return os.environ[name] if name else None

    def signature(self, criterion: Criterion) -> str:
        """Return everything a column of ratings depends on, except the server's behaviour."""
        extra = f"|request:{fingerprint(dict(self.request))}" if self.request else ""
        return f"{criterion.column}|judge|{self.url}|model:{self.model}|{criterion.signature}|seed:{self.seed}{extra}"


def read_judge(path: Path) -> Judge:
    r"""Return the judge described by a file ``judge.toml``, with a table per column."""
    if not path.is_file():
        raise FileNotFoundError(f"{str(path)!r} does not exist: see docs/judges.md for an example")
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
        tables = {name: table for name, table in fields.items() if isinstance(table, dict) and name != "request"}
        plain = {name: value for name, value in fields.items() if name not in tables}
        return Judge(**_check_keys(plain, Judge), criteria=tuple(_criterion(*each, path) for each in tables.items()))
    except (ValueError, OverflowError, RecursionError) as error:
        raise ValueError(f"{path}: {error}") from None


def _is_url(url: str) -> bool:
    try:
        address = urlsplit(url)
        there = address.hostname and address.port != 0
    except ValueError:  # it has brackets, or a port, that none has
        return False
    more = address.username or address.password or address.query or address.fragment
    return bool(there and address.scheme in ("http", "https") and not more and not re.search(r"[\s\x00-\x1f]", url))


def _check_bounds(settings: Judge | Criterion, **bounds: tuple[float, float]) -> None:
    """Raise an error for a number out of bounds; None means the default."""
    for name, (low, high) in bounds.items():
        value = getattr(settings, name)
        if value is not None and not low <= value <= high:
            raise ValueError(f"{name} is {value:g}: use {low:g} to {high:g}")


def _criterion(column: str, table: dict[str, Any], path: Path) -> Criterion:
    try:
        template = Template.find(str(table.pop("template", "")), path.parent)
        if "scale" in table:
            scale = table["scale"]
            if not isinstance(scale, list) or len(scale) != 2 or not {*map(type, scale)} <= {int, float}:
                raise ValueError(f"scale = {scale!r} is invalid: give the lowest and the highest rating, e.g. [1, 6]")
            table["scale"] = tuple(map(float, scale))
        return Criterion(column, template, **_check_keys(table, Criterion))
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"[{column}]: {error}") from None


def _check_keys(settings: dict[str, Any], kind: type[Judge | Criterion]) -> dict[str, Any]:
    """Return validated keys of a file."""
    known = {each.name: str(each.type) for each in fields(kind) if each.name not in ("criteria", "column", "template")}
    for name, value in settings.items():
        if name not in known:
            raise ValueError(f"unknown key {name!r}: use {', '.join(known)}")
        kinds = _TYPES.get(re.split(r"[\[ |]", known[name])[0], (str,))
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise ValueError(f"{name} = {value!r} is invalid ({known[name]})")
    if kind is Judge and "model" not in settings:
        raise ValueError("it names no model")
    return settings
