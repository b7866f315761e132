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

    rating: str  # rating
    difference: float | None = None  # difference to detect with probability `power`, in rating points
    margin: float | None = None  # half-width of the interval of the difference, in rating points
    power: float = 0.8


@dataclass(frozen=True)
class Settings:
    """Settings of a study.

    Parameters
    ----------
    source : str
        File or dataset of the outputs.
    questions : tuple of Question
        Questions to ask.
    items : int
        Number of inputs; the outputs of all systems are rated.
    raters : int
        Number of raters per output.
    people : int
        Number of people who share the outputs.
    controls, repeated : float
        Control and repeated tasks of a rater, as shares of the other tasks.
    neighbours : bool
        Whether outputs for the same input may follow each other.
    seed : int
        Random seed.
    instructions : str
        Instructions for raters.
    target : Target, optional
        Target of the sample size; None if the sizes were set by hand.
    left_out : tuple of str
        Raters whose answers are excluded.

    Raises
    ------
    ValueError
        If a number is out of range, or two ratings have the same name.

    Examples
    --------
    >>> from rainbow.study.questions import Question
    >>> settings = Settings("demo", (Question.parse("quality"), Question.parse("preference=pairs")), items=20)
    >>> settings.raters, settings.question("quality").high
    (3, 6)
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

    @property
    def shows_reference(self) -> bool:
        """Whether magnitudes are asked, relative to a reference worth 100."""
        return any(question.kind == "magnitude" for question in self.questions)

    def asked(self, question_kind: str) -> list[Question]:
        """Return the questions about single outputs (``single``) or pairs (``pairs``)."""
        return [question for question in self.questions if question.is_pairs == (question_kind == "pairs")]

    def question(self, name: str) -> Question:
        """Return the question with this name.

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

    fields = {name: value for name, value in asdict(settings).items() if name not in ("questions", "target")}
    shown: dict[str, Any] = {**fields, "left_out": list(settings.left_out)}
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
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        target = data.pop("target", None)
        questions = tuple(_construct(Question, "rating", entry) for entry in data.pop("rating", []))
        given = {**data, "questions": questions, "target": target and _construct(Target, "target", target)}
        settings: Settings = _construct(Settings, FILE, given)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{file}: {error}") from None
    return settings


def _construct(kind: Any, location: str, result: Mapping[str, Any]) -> Any:
    known = {entry.name for entry in fields(kind)}
    if unknown := [name for name in result if name not in known]:
        raise ValueError(f"{location}: unknown key {unknown[0]!r}: use {', '.join(sorted(known))}")
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in result.items()})
