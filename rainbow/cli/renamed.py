"""What commands and options were called in the version before: it still works, or a line says where its users go."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

__all__ = ["as_called_now"]

# Of a command: what it is called now, and the option that goes with it.
COMMANDS = {"explain": ("audit", "--words")}

# Of a command's options; what ends in = is followed by the value.
OPTIONS = {
    "audit": {"--limit": "--rows", "--inputs": "--items"},
    "plan": {"--times": "--resamples"},
    "serve": {
        **{f"--max-{name}": f"--limit {name}=" for name in ("rows", "bytes", "characters", "work")},
        "--queue": "--limit queue=",
    },
}

# Options that are gone, and where their users go.
_NETWORK = "rainbow published dusek2017 repeats the study of that network"
_ENCODER = "rainbow published liu2021 --setups encoder repeats the study of such encoders"
GONE = {
    "fit": {
        "--unrated": "rainbow score rates texts of any kind, and no rating is needed for it",
        **dict.fromkeys(("--nets", "--fabricated", "--as-published", "--device"), _NETWORK),
        **dict.fromkeys(("--encoder", "--reads", "--layers", "--lora", "--first"), _ENCODER),
    }
}


def as_called_now(arguments: Sequence[str]) -> list[str]:
    """Return a command with its arguments under the names of today, and tell on standard error what was renamed.

    Raises
    ------
    ValueError
        If an option is gone; the message says where its users go.

    Examples
    --------
    >>> as_called_now(["metrics", "demo"])
    ['metrics', 'demo']
    """
    command, *rest = arguments
    for option in (argument.partition("=")[0] for argument in rest):
        if users_go := GONE.get(command, {}).get(option):
            raise ValueError(f"{command} {option} is gone: {users_go}")
    name, *added = COMMANDS.get(command, (command,))
    if added:
        _tell(f"rainbow {command}", f"rainbow {name} {added[0]}")
    return [name, *_renamed(rest, OPTIONS.get(name, {})), *added]


def _renamed(arguments: Sequence[str], renamed: dict[str, str]) -> Iterator[str]:
    left = iter(arguments)
    for argument in left:
        before, given, value = argument.partition("=")
        if before not in renamed:
            yield argument
            continue
        _tell(before, renamed[before])
        option, _, start = renamed[before].partition(" ")
        yield option
        if given or start:
            yield start + (value if given else next(left, ""))


def _tell(before: str, now: str) -> None:
    sys.stderr.write(f"rainbow: {before} is called {now} now\n")
