"""Settings of a study in its ``study.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from rainbow.base.files import write_text
from rainbow.study.questions import Question

FILE = "study.toml"
INSTRUCTIONS = (
    "You will read short texts that were generated from an input. Judge each text on its own, and only "
    "the aspect you are asked about. There is no right answer but your own. Some texts may be very bad "
    "on purpose."
)
_NOTES = (
    "# A study, created by `rainbow study`. It can be edited until the first answer has arrived: "
    "`rainbow study FOLDER`\n# then redesigns it. left_out can be edited at any time: raters whose "
    "answers do not count.\n"
)


@dataclass(frozen=True)
class Target:
    """Target of a study for every two systems."""

    rating: str  # the rating that it is about
    difference: float | None = None  # to be found with the probability `power`, in points of the rating; None for none
    margin: float | None = None  # half the interval of the difference, in points of the rating; None for none
    power: float = 0.8


@dataclass(frozen=True)
class Settings:
    """Settings of a study.

    Parameters
    ----------
    source
        The file or dataset of the outputs.
    questions
        What is asked.
    items
        Inputs, of which the outputs of all systems are asked about.
    raters
        Of each output.
    people
        Among whom the outputs are shared out.
    controls, repeated
        How many of the tasks of a rater are controls, and how many are asked twice, as shares of the others.
    neighbours
        Whether a rater may see two outputs for one input one after the other.
    target
        None where the organiser set the sizes.
    left_out
        Raters whose answers do not count.

    Raises
    ------
    ValueError
        If a number is not as it can be, or two ratings have one name.
    """

    source: str
    questions: tuple[Question, ...]
    items: int
    raters: int = 3
    people: int = 3
    controls: float = 0.1
    repeated: float = 0.1
    neighbours: bool = False
    seed: int = 2017
    instructions: str = INSTRUCTIONS
    target: Target | None = None
    left_out: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        names = [question.name for question in self.questions]
        if not names or len({*names}) < len(names):
            raise ValueError(f"the ratings are {', '.join(names) or 'none'}: name at least one, without repetition")
        for name, least in (("items", 1), ("raters", 1), ("people", self.raters)):
            if not isinstance(getattr(self, name), int) or getattr(self, name) < least:
                raise ValueError(f"{name} is {getattr(self, name)!r}: use an integer of at least {least}")
        for name in ("controls", "repeated"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is {getattr(self, name)!r}: use a share from 0 to 1")
        if self.target and self.target.rating not in names:
            raise ValueError(
                f"the target is for {self.target.rating!r}, which is not a rating; the ratings are {', '.join(names)}"
            )

    def asked(self, asks: str) -> list[Question]:
        """Return the questions about single outputs (``single``) or pairs (``pairs``)."""
        return [question for question in self.questions if question.is_pairs == (asks == "pairs")]

    def question(self, name: str) -> Question:
        """Return the question of this name.

        Raises
        ------
        ValueError
            If there is none.
        """
        for question in self.questions:
            if question.name == name:
                return question
        raise ValueError(f"{name!r:.40} is not a rating of this study")


def write_settings(folder: Path, settings: Settings) -> Path:
    """Write ``study.toml``."""
    import tomlkit

    said = {name: value for name, value in asdict(settings).items() if name not in ("questions", "target")}
    shown: dict[str, Any] = {**said, "left_out": list(settings.left_out)}
    if settings.target:
        shown["target"] = {name: value for name, value in asdict(settings.target).items() if value is not None}
    shown["rating"] = [question.shown() for question in settings.questions]
    return write_text(folder / FILE, _NOTES + tomlkit.dumps(shown))


def read_settings(folder: Path) -> Settings:
    """Read ``study.toml``."""
    file = folder / FILE
    if not file.is_file():
        raise FileNotFoundError(f"{folder} is not a study: it has no {FILE}")
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
        target = found.pop("target", None)
        questions = tuple(_construct(Question, "rating", entry) for entry in found.pop("rating", []))
        given = {**found, "questions": questions, "target": target and _construct(Target, "target", target)}
        settings: Settings = _construct(Settings, FILE, given)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{file}: {error}") from None
    return settings


def _construct(kind: Any, where: str, found: Mapping[str, Any]) -> Any:
    known = {entry.name for entry in fields(kind)}
    if unknown := [name for name in found if name not in known]:
        raise ValueError(f"{where}: unknown key {unknown[0]!r}: use {', '.join(sorted(known))}")
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in found.items()})
