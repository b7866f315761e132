"""Which column of a user's file holds what: one mapping for all commands, which need be said only once."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.base.storage import Place

__all__ = ["KEPT_IN", "NOTHING", "REFERENCE_COLUMN", "Columns", "Score", "kept_beside"]

# The options of the commands whose names are not those of the fields.
_OPTIONS = {
    "references": "reference",
    "ratings": "rating",
    "scores": "score",
    "joined": "join",
    "reference_separator": "separator",
}
_DIRECTIONS = {"higher": True, "lower": False, "neither": None}
KEPT_IN = "rainbow.toml"
# How columns of references are called where nothing else is said.
REFERENCE_COLUMN = re.compile(r"references|reference(_?\d+)?")


class Score(NamedTuple):
    """A column of scores that others computed, and whether higher is better (None where neither direction is).

    `rating` is the rating that it stands for, in the same unit; None where it stands for none.
    """

    name: str
    higher_is_better: bool | None
    rating: str | None = None

    @classmethod
    def of(cls, said: str) -> Score:
        """Read ``NAME:higher``, ``NAME:lower``, ``NAME:neither``, or ``NAME:higher=RATING``.

        Raises
        ------
        ValueError
            If it says no direction, or stands for a rating and goes another way.

        Examples
        --------
        >>> Score.of("comet:higher"), Score.of("judge:higher=quality").rating
        (Score(name='comet', higher_is_better=True, rating=None), 'quality')
        """
        whole, _, rating = said.partition("=")
        name, _, direction = whole.rpartition(":")
        if not name or direction not in _DIRECTIONS:
            raise ValueError(f"score {said!r}: say which direction is better, as {name or said}:higher or :lower")
        if rating and direction != "higher":
            raise ValueError(f"score {said!r}: it stands for {rating} only if it goes the same way: {name}:higher=...")
        return cls(name, _DIRECTIONS[direction], rating or None)


@dataclass(frozen=True)
class Columns:
    """What is said of a file: the fields are the arguments of :func:`rainbow.datasets.files.read_file`.

    Examples
    --------
    >>> saved, given = Columns(output="text", ratings=("quality",)), Columns(ratings=("fluency",))
    >>> str(given.over(saved))
    '--output text --rating fluency'
    """

    output: str | None = None
    references: tuple[str, ...] = ()
    reference_separator: str | None = None
    mr: str | None = None
    mr_format: str | None = None
    system: str | None = None
    item: str | None = None
    id: str | None = None
    ratings: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    background: str | None = None
    encoding: str | None = None
    delimiter: str | None = None

    @classmethod
    def of(cls, **given: Any) -> Columns:
        """Return what is given, where one name may stand for a list of one, and a path for its text.

        Raises
        ------
        ValueError
            If there is no such argument, or a score without a direction.
        """
        known = {field.name: field.default for field in fields(cls)}
        if unknown := [name for name in given if name not in known]:
            raise ValueError(f"{unknown[0]!r} is nothing that can be said of a file: there are {', '.join(known)}")
        said: dict[str, Any] = {
            name: _texts(value) if known[name] == () else str(value)
            for name, value in given.items()
            if value is not None and value != ""
        }
        columns = cls(**said)
        for score in columns.scores:
            Score.of(score)
        return columns

    @classmethod
    def of_options(cls, **given: Any) -> Columns:
        """Return what the options of a command say, or the keys of a ``rainbow.toml``; errors as for :meth:`of`."""
        names = {_option(field.name): field.name for field in fields(cls)}
        if unknown := [key for key in given if key not in names]:
            raise ValueError(f"{unknown[0]!r} is no option: there are {', '.join(names)}")
        return cls.of(**{names[key]: value for key, value in given.items()})

    def said(self) -> dict[str, Any]:
        """Return what is said, by the names of the fields, as JSON has it."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items() if value}

    def over(self, other: Columns) -> Columns:
        """Return what is said here, and of the rest what the other says; scores, and tables to join, are added up."""
        scores = {Score.of(score).name: score for score in (*other.scores, *self.scores)}
        joined = dict.fromkeys((*other.joined, *self.joined))
        said = {name: getattr(self, name) for name in self.said()}
        return replace(other, **said | {"scores": tuple(scores.values()), "joined": tuple(joined)})

    def without(self, *names: str) -> Columns:
        """Return this as if nothing were said in these fields."""
        defaults: dict[str, Any] = {field.name: field.default for field in fields(self) if field.name in names}
        return replace(self, **defaults)

    def __str__(self) -> str:
        """Return the options of a command that say the same."""
        said = {name: _texts(value) for name, value in self.said().items()}
        options = {f"--{_option(name).replace('_', '-')}": entries for name, entries in said.items()}
        return shlex.join(word for option, entries in options.items() for entry in entries for word in (option, entry))


NOTHING = Columns()


def kept_beside(path: Place) -> Columns:
    r"""Return what ``rainbow.toml`` in the folder of a file says of it; nothing where there is none.

    Keys are the options of the commands (``output = "text"``, ``rating = ["quality"]``); what stands under
    the name of a file (``["mine.csv"]``) holds for that file alone, and before the rest.

    Raises
    ------
    ValueError
        If it cannot be read, or has a key that is no option; the message names the file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "rainbow.toml").write_text('output = "text"\n["mine.csv"]\nrating = "quality"\n')
    ...     str(kept_beside(Path(folder, "mine.csv"))), str(kept_beside(Path(folder, "other.csv")))
    ('--output text --rating quality', '--output text')
    """
    file = path.with_name(KEPT_IN)
    if not file.is_file():
        return NOTHING
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
        general = {name: value for name, value in found.items() if not isinstance(value, Mapping)}
        columns = Columns.of_options(**found.get(path.name, {})).over(Columns.of_options(**general))
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    beside: dict[str, Any] = {
        name: tuple(str(path.parent / part) for part in getattr(columns, name)) for name in _files(path)
    }
    background = columns.background and str(path.parent / columns.background)
    return replace(columns, background=background, **beside)


def _files(path: Place) -> tuple[str, ...]:
    """Return the fields that name further files: those of plain text name its references."""
    return ("joined", "references") if path.suffix == ".txt" else ("joined",)


def _option(field: str) -> str:
    return _OPTIONS.get(field, field)


def _texts(value: Any) -> tuple[str, ...]:
    return (str(value),) if isinstance(value, (str, Path)) else tuple(map(str, value))
