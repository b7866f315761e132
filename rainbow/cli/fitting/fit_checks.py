"""Checks of the options of `rainbow fit` before anything is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import typer


def check_names(**given: Sequence[str | None] | None) -> None:
    """Raise a usage error for unknown names."""
    from rainbow.learned.learner.regressor import PRESETS
    from rainbow.learned.protocols.groups import PROTOCOLS
    from rainbow.learned.training.features import FEATURE_SETS
    from rainbow.serving.fit_request import STARTS

    known: dict[str, Iterable[str]] = {
        "model": FEATURE_SETS,
        "preset": PRESETS,
        "protocol": PROTOCOLS,
        "scores": ("ours", "published"),
        "statistics": ("all", "training"),
        "start": STARTS,
    }
    for option, names in given.items():
        for name in filter(None, names or ()):
            if name not in known[option]:
                raise typer.BadParameter(f"{name!r} is not one of {', '.join(known[option])}", param_hint=f"--{option}")


def check_combinations(names: list[str], rename: list[str] | None, scores: str) -> None:
    """Raise a usage error for options that do not fit the number of datasets."""
    if wrong := next((pair for pair in rename or [] if not all(pair.partition("="))), None):
        raise typer.BadParameter(f"{wrong!r}: write OTHER_NAME=NAME", param_hint="--rename")
    if rename and len(names) == 1:
        raise typer.BadParameter("needs several datasets", param_hint="--rename")
    if scores == "published" and len(names) > 1:
        raise typer.BadParameter("published scores exist only for single datasets", param_hint="--scores")
