"""Column options of a user's file, shared by all commands."""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.base.files import write_atomically
from rainbow.base.storage import Place, Remote
from rainbow.datasets.read.encoding import codec_name
from rainbow.datasets.read.formats import file_extension
from rainbow.text.languages.detection import validate_language

_DIRECTIONS = {"higher": True, "lower": False, "neither": None, "unknown": None}
_SCORE = re.compile(r"(.+):(higher|lower|neither|unknown)(?:=(.+))?", re.DOTALL)
CONFIG_FILE = "rainbow.toml"
NO_MISSING_CODE = "none"  # in place of a code for "not rated": every number is a mark
ROW_IS_JUDGEMENT = "#"  # as the column of raters: each row is a judgement, of somebody who is not named
# Default names of reference columns.
REFERENCE_COLUMN = re.compile(r"references|reference(_?\d+)?")


class Score(NamedTuple):
    """An external score column, and whether higher is better (None if neither)."""

    name: str
    higher_is_better: bool | None
    rating: str | None = None
    source: str | None = None
    unknown: bool = False

    @property
    def column(self) -> str:
        """The column name in the file."""
        return self.source or self.name

    @classmethod
    def parse(cls, text: str) -> Score:
        """Parse ``NAME:higher`` (lower, neither, unknown, ``higher=RATING``), or ``NAME=COLUMN:higher``."""
        match = _SCORE.fullmatch(text)
        if not match:
            name = text.partition("=")[0].rpartition(":")[0]
            raise ValueError(f"score {text!r}: set the better direction, {name or text}:higher or :lower")
        name, direction, rating = match.groups()
        if rating and direction != "higher":
            raise ValueError(f"score {text!r}: it predicts {rating} only if higher is better: use {name}:higher=...")
        named = _NAMED.fullmatch(name)
        name, source = named.groups() if named else (name, None)
        return cls(name, _DIRECTIONS[direction], rating or None, source, direction == "unknown")


class Rating(NamedTuple):
    """A human rating, and the columns of its raters; none if one column holds the rating."""

    name: str
    raters: tuple[str, ...] = ()
    lower: bool = False

    @classmethod
    def parse(cls, text: str) -> Rating:
        """Parse ``NAME``, ``NAME=COLUMN,COLUMN`` (a column per rater) or ``NAME=VALUE@CRITERION``."""
        match = _NAMED.fullmatch(text)
        named, raters = (match[1], tuple(match[2].split(","))) if match else (text, ())
        name = named.removesuffix(":lower")
        return cls(name, raters, name != named)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the file that hold the rating."""
        return self.by_criterion or self.raters or (self.name,)

    @property
    def by_criterion(self) -> tuple[str, ...]:
        """The value and criterion columns, if each row rates one of several criteria."""
        mark, _, criterion = self.raters[0].partition("@") if len(self.raters) == 1 else ("", "", "")
        return (mark, criterion) if criterion else ()


# NAME=COLUMN; a question, as "How good? (1=bad)", is a name alone.
_NAMED = re.compile(r"([^=?(]*[^=?( ])=(\S.*)")


def _option(default: Any, help_text: str, *names: str, hidden: bool = False, file: bool = False) -> Any:
    """Declare a field; the first of its names (or its own) is that of the option, all of them are taken everywhere."""
    return field(default=default, metadata={"help": help_text, "names": names, "hidden": hidden, "file": file})


@dataclass(frozen=True)
class Columns:
    """Column options of a file, with the arguments of `read_file` as fields; commands make their options of them."""

    output: tuple[str, ...] = _option((), "Column of outputs (repeat for one column per system).", "output", "outputs")
    references: tuple[str, ...] = _option(
        (), "Reference column, or file for .txt input (may be repeated).", "reference"
    )
    reference_separator: str | None = _option(None, "Separator between references in one cell.", "separator")
    mr: str | None = _option(
        None, "Column of inputs: meaning representations, sources, prompts ...", "input", "mr", "inputs", "mrs"
    )
    mr_format: str | None = _option(
        None, "Notation of inputs: act, attributes, triples, table, text.", "mr_format", "input_format"
    )
    language: str | None = _option(None, "Language of the outputs, e.g. de; default detected.")
    system: str | None = _option(None, "Column of system names.")
    item: str | None = _option(None, "Column of item IDs (one per input).")
    id: str | None = None
    ratings: tuple[str, ...] = _option(
        (), "Human rating (may be repeated); NAME=COLUMN,COLUMN for a column per rater.", "rating"
    )
    rater: str | None = _option(None, "Rater column, if each row is one judgement; # if raters are unknown.")
    pair: tuple[str, ...] = _option((), "Column of a compared system; give twice.")
    winner: str | None = _option(None, "Column of the preferred system or output.")
    worst: str | None = _option(None, "Column of the worst output.", hidden=True)
    scale: tuple[str, ...] = _option((), "Labels of an ordinal scale, worst to best: 'bad<ok<good'.")
    not_rated: tuple[str, ...] = _option((), "Number that means 'not rated', e.g. -1 (may be repeated).", hidden=True)
    scores: tuple[str, ...] = _option(
        (), "Precomputed score column, NAME:higher or NAME:lower (may be repeated).", "score"
    )
    error_weights: tuple[str, ...] = ()
    joined: tuple[str, ...] = _option(
        (), "Table with additional columns, joined by id, or by input and output.", "join"
    )
    ignored: tuple[str, ...] = _option((), "Column to ignore (may be repeated).", "ignore")
    background: str | None = _option(None, "References for other inputs (columns mr, ref).", file=True)
    recipe: str | None = _option(None, "Recipe (.toml) for the columns of a tool's export.", hidden=True, file=True)
    encoding: str | None = _option(None, "Encoding of the file, e.g. utf-16 or latin-1.")
    delimiter: str | None = _option(None, "Field delimiter, e.g. ';' or tab.")
    decimal: str | None = _option(None, "Decimal mark, ',' or '.'.")
    sheet: str | None = _option(None, "Worksheet to read; default the first.")

    @classmethod
    def create(cls, **given: Any) -> Columns:
        """Return the options, with single names as one-element tuples and paths as strings."""
        known = {each.name: each.default for each in fields(cls)}
        if unknown := [name for name in given if _ALIASES.get(name, name) not in known]:
            raise ValueError(f"{unknown[0]!r} is not a known field: choose from {', '.join(known)}")
        text: dict[str, Any] = {
            name: _as_texts(key, value) if known[name] == () else _as_text(key, value)
            for key, value in given.items()
            if value is not None and value != "" and (name := _ALIASES.get(key, key))
        }
        columns = cls(**text)
        for score in columns.scores:
            Score.parse(score)
        if columns.language is not None:
            validate_language(columns.language)
        return columns

    @classmethod
    def from_options(cls, **given: Any) -> Columns:
        """Create column options from command options or ``rainbow.toml`` keys; errors as for :meth:`create`."""
        names = [each.name for each in fields(cls)]
        keys = {key: key.replace("-", "_") for key in given}
        if unknown := [key for key in given if _ALIASES.get(keys[key], keys[key]) not in names]:
            raise ValueError(f"{unknown[0]!r} is not an option: choose from {', '.join(map(option_name, names))}")
        return cls.create(**{keys[key]: value for key, value in given.items()})

    @property
    def rating_names(self) -> tuple[str, ...]:
        """The names of the ratings."""
        return tuple(Rating.parse(rating).name for rating in self.ratings)

    @property
    def is_comparison(self) -> bool:
        """Whether a row compares two outputs, or systems, side by side."""
        return bool(self.pair or (self.winner and len(self.output) == 2))

    @property
    def is_choice(self) -> bool:
        """Whether a row selects the best, or the worst, of several outputs."""
        return bool(not self.is_comparison and (self.winner or self.worst) and len(self.output) > 1)

    @property
    def has_default_names(self) -> bool:
        """Whether all columns have the names of a corpus, and no rating or score needs naming."""
        usual = {"output": ["output"], "mr": "mr", "system": "system", "item": "item", "id": "id"}
        options = self.without("references").set_options()
        named = all(REFERENCE_COLUMN.fullmatch(name) for name in self.references)
        return named and all(usual.get(name) == value for name, value in options.items())

    def set_options(self) -> dict[str, Any]:
        """Return the options that are set, by field name, as JSON-compatible data."""
        result = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in result.items() if value}

    def with_defaults(self, other: Columns) -> Columns:
        """Return these options, filled from the other's; scores and joined tables are combined."""
        other = other._drop_reassigned(self)
        scores = {Score.parse(score).name: score for score in (*other.scores, *self.scores)}
        joined = dict.fromkeys((*other.joined, *self.joined))
        options = {name: getattr(self, name) for name in self.set_options()}
        raters = {Rating.parse(rating).name: rating for rating in other.ratings}
        if "ratings" in options:  # one that is named again keeps its columns of raters
            options["ratings"] = tuple(raters.get(rating, rating) for rating in self.ratings)
        return replace(other, **options | {"scores": tuple(scores.values()), "joined": tuple(joined)})

    def _drop_reassigned(self, first: Columns) -> Columns:
        """Return the options without columns that have another role in `first`."""
        roles = {name: set(first.columns_of(name)) for name in _ONE_ROLE}
        changed: dict[str, Any] = {}
        for name in _ONE_ROLE:
            taken = set().union(*(columns for role, columns in roles.items() if role != name)) - roles[name]
            value = getattr(self, name)
            if isinstance(value, tuple):
                kept = tuple(entry for entry in value if not taken & {*self.entry_columns(name, entry)})
                changed |= {name: kept} if kept != value else {}
            elif value in taken:
                changed[name] = None
        return replace(self, **changed)

    def columns_of(self, name: str) -> tuple[str, ...]:
        """Return the columns of the file that a field names."""
        value = getattr(self, name)
        entries = value if isinstance(value, tuple) else (value,) if value else ()
        return tuple(column for entry in entries for column in self.entry_columns(name, entry))

    @staticmethod
    def entry_columns(name: str, entry: str) -> tuple[str, ...]:
        """Return the columns of the file that an entry of a field names."""
        if name == "ratings":
            return Rating.parse(entry).columns
        return (Score.parse(entry).column,) if name == "scores" else (entry,)

    def without(self, *names: str) -> Columns:
        """Return the options with these fields unset."""
        defaults: dict[str, Any] = {each.name: each.default for each in fields(self) if each.name in names}
        return replace(self, **defaults)

    def __str__(self) -> str:
        """Return the equivalent command options; weights of errors are set in ``rainbow.toml`` only."""
        texts = {name: _as_texts(name, value) for name, value in self.without("error_weights").set_options().items()}
        options = {f"--{option_name(name).replace('_', '-')}": entries for name, entries in texts.items()}
        return shlex.join(word for option, entries in options.items() for entry in entries for word in (option, entry))


# The field of each name that is taken: in Python, as a key of rainbow.toml, as an option.
_ALIASES = {name: each.name for each in fields(Columns) for name in each.metadata.get("names", ())}
# The role of the columns that a field names.
FIELD_ROLES = {
    **{"output": "output", "references": "reference", "mr": "input", "system": "system", "item": "item", "id": "id"},
    **{"ratings": "rating", "rater": "rater", "pair": "system", "winner": "winner", "worst": "worst"},
    **{"scores": "score", "ignored": "unused"},
}
_ONE_ROLE = FIELD_ROLES.keys() - {"pair", "winner", "worst"}  # a column that these name has no other role
NO_COLUMNS = Columns()


def saved_columns(path: Place) -> Columns:
    """Return the options in ``rainbow.toml`` next to a file; empty options if there is none."""
    file = path.with_name(CONFIG_FILE)
    if not file.is_file():
        return NO_COLUMNS
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        general = {name: value for name, value in data.items() if not isinstance(value, Mapping)}
        columns = Columns.from_options(**data.get(path.name, {})).with_defaults(Columns.from_options(**general))
        codec_name(columns.encoding)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    configured: dict[str, Any] = {
        name: tuple(str(path.parent / part) for part in getattr(columns, name)) for name in file_fields(path)
    }
    configured |= {
        name: str(path.parent / file) for name in ("background", "recipe") if (file := getattr(columns, name))
    }
    return replace(columns, **configured)


def save_columns(path: Path, columns: Columns) -> Path:
    """Save the options of a file in ``rainbow.toml`` next to it, leaving other entries unchanged."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    file = path.with_name(CONFIG_FILE)
    try:
        held = tomlkit.parse(file.read_text(encoding="utf-8")) if file.is_file() else tomlkit.document()
    except TOMLKitError as error:
        raise ValueError(f"{file}: {error}") from None
    table = tomlkit.table()
    if "error_weights" in (before := held.get(path.name, {})):  # the general ones stay where they are
        table.add("error_weights", before["error_weights"])
    for name, value in columns.without("error_weights").set_options().items():
        values = value if isinstance(value, list) else [value]
        if name in (*file_fields(path), "background"):
            values = [os.path.relpath(part, path.parent) for part in values]
        table.add(option_name(name), values if len(values) > 1 else values[0])
    held[path.name] = table
    return write_atomically(file, lambda part: part.write_text(tomlkit.dumps(held), encoding="utf-8"))


def file_fields(path: Place) -> tuple[str, ...]:
    """Return the fields that contain file names; for plain text also the references."""
    return ("joined", "references") if file_extension(path) == ".txt" else ("joined",)


def option_name(name: str) -> str:
    """Return the option name, and ``rainbow.toml`` key, of a field."""
    names = next((each.metadata.get("names") for each in fields(Columns) if each.name == name), None)
    return str(names[0]) if names else name


def _as_texts(name: str, value: Any) -> tuple[str, ...]:
    several = isinstance(value, Sequence) and not isinstance(value, str)
    return tuple(_as_text(name, entry) for entry in (value if several else [value]))


def _as_text(name: str, value: Any) -> str:
    if not isinstance(value, (str, Path, Remote)):
        raise ValueError(f"{name} is {value!r:.60}: give a string, e.g. a column name")
    return str(value)
