"""Which options of `rainbow fit` go together: what does not is refused before anything is loaded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rainbow.learned.training.fabrication import Kind

__all__ = ["check_readers", "check_several", "check_unrated", "check_usage", "fabricated_kinds"]

# What may be said of errors.
FABRICATED = ("none", "outputs", "references", "background", "all")

# The options of presets that read texts alone, as they are where nothing else is said.
_OWN: dict[str, dict[str, Any]] = {
    "encoder": {"encoder": "minilm", "layers": "all", "lora": False, "reads": "output", "first": None},
    "network": {"fabricated": None, "nets": 1},
}


def check_usage(**given: list[str] | None) -> None:
    """Refuse names that there are not as a wrong use of the command, before anything is loaded."""
    from rainbow.learned.learner.regressor import PRESETS
    from rainbow.learned.network.fine_tuning import LAYERS
    from rainbow.learned.protocols.groups import PROTOCOLS
    from rainbow.learned.training.features import FEATURE_SETS, READS

    known: dict[str, Iterable[str]] = {
        "model": FEATURE_SETS,
        "preset": PRESETS,
        "protocol": PROTOCOLS,
        "scores": ("ours", "published"),
        "statistics": ("all", "training"),
        "fabricated": FABRICATED,
        "device": ("auto", "cpu", "cuda"),
        "reads": READS,
        "layers": LAYERS,
        "start": ("fast", "full", "none"),
    }
    for option, names in given.items():
        if unknown := sorted(set(names or ()) - set(known[option])):
            raise typer.BadParameter(f"{unknown[0]!r} is none of {', '.join(known[option])}", param_hint=f"--{option}")


def check_unrated(names: list[str], preset: str, model: str, top: int | None, scores: str) -> None:
    """Refuse what cannot be learned without ratings: an output that is a reference equals one of its references."""
    from rainbow.learned.learner.regressor import READERS
    from rainbow.learned.training.features import WITHOUT_REFERENCES

    if preset in ("encoder", "paper") or top or scores == "published":
        what = "scores that authors stored" if scores == "published" else "--top" if top else f"--preset {preset}"
        raise typer.BadParameter(f"{what} needs ratings", param_hint="--unrated")
    if preset not in READERS and model not in WITHOUT_REFERENCES:
        raise typer.BadParameter(f"it goes with --model {' or '.join(WITHOUT_REFERENCES)}", param_hint="--unrated")
    if len(names) > 1:
        raise typer.BadParameter("it goes with one dataset", param_hint="--unrated")


def check_several(names: list[str], rename: list[str] | None, scores: str) -> None:
    """Refuse what goes with one dataset alone, or with several."""
    if wrong := next((pair for pair in rename or [] if not all(pair.partition("="))), None):
        raise typer.BadParameter(f"{wrong!r}: write what it is called there, =, and here", param_hint="--rename")
    if rename and len(names) == 1:
        raise typer.BadParameter("it is for several datasets", param_hint="--rename")
    if scores == "published" and len(names) > 1:
        raise typer.BadParameter("scores that authors stored are of one dataset", param_hint="--scores")


def check_readers(preset: str, top: int | None, scores: str, **only: Any) -> None:
    """Refuse options of a preset that reads texts alone where another learns, and those of scores where it does."""
    for owner, usual in _OWN.items():
        if preset != owner and (given := [name for name in usual if (only[name] or usual[name]) != usual[name]]):
            raise typer.BadParameter(f"it goes with --preset {owner}", param_hint=f"--{given[0]}")
    if preset not in _OWN:
        return
    what = "an encoder" if preset == "encoder" else "a network"
    if top:
        raise typer.BadParameter(f"{what} looks at no score: there is nothing to choose from", param_hint="--top")
    if scores == "published":
        raise typer.BadParameter(f"{what} looks at no score", param_hint="--scores")
    if preset == "encoder" and only["lora"] and only["layers"] == "head":
        raise typer.BadParameter("it goes with layers that are trained", param_hint="--lora")


def fabricated_kinds(fabricated: list[str] | None, unrated: bool) -> tuple[Kind, ...]:
    """Return what errors are put into; there has to be something where no rating is learned from."""
    from rainbow.learned.training.fabrication import KINDS

    asked = set(fabricated or (["references"] if unrated else []))
    if unrated and asked == {"none"}:
        raise typer.BadParameter("with --unrated there is nothing else to learn from", param_hint="--fabricated")
    return tuple(kind for kind in KINDS if asked & {kind, "all"})
