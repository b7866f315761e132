"""The commands by what one wants to do, each with a summary that stands in one line of a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIGINT
from typing import Any

from typer.core import TyperGroup

from rainbow.cli.renamed import as_called_now

__all__ = ["MODULES", "ByTask"]

# By task: the command, its module below rainbow.cli, and what it does.
TASKS: dict[str, dict[str, tuple[str, str]]] = {
    "Start here": {
        "run": ("run", "Do everything that a file allows, into one report"),
    },
    "One step at a time": {
        "metrics": ("metrics", "Compute every metric of every output"),
        "analyse": ("analyse", "Compare metrics with human ratings"),
        "systems": ("systems", "Compare systems: which is better, at what, is it real"),
        "report": ("report", "Make a page of what was computed"),
    },
    "A learned score": {
        "score": ("scorers.score", "Say how people would rate texts"),
        "fit": ("fit", "Learn a better metric from ratings, and test it"),
        "serve": ("scorers.serve", "Serve a score over HTTP"),
    },
    "How far to trust a score": {
        "audit": ("scorers.audit", "Make texts worse: does a score fall, at which words?"),
        "benchmark": ("studies.benchmark", "Every score on every rated corpus at hand"),
        "gate": ("studies.gate", "Refuse outputs that got worse (for CI)"),
        "judge": ("studies.judge", "Ask a language model for marks, and test them"),
    },
    "Studies with people": {
        "plan": ("studies.plan", "How many ratings a study needs"),
        "study": ("studies.study", "Ask people: from outputs to ratings to paper"),
        "estimate": ("studies.estimate", "How good systems are, by few ratings and many scores"),
    },
    "This machine, other tools, the papers": {
        "list": ("list", "List every metric, and what it needs"),
        "fetch": ("fetch", "Download datasets and programs"),
        "doctor": ("checks.doctor", "Show what works here, and how to mend the rest"),
        "verify": ("checks.verify", "Hold metrics against their reference tools"),
        "published": ("checks.published", "Do a published study again"),
    },
}
MODULES = tuple(module for commands in TASKS.values() for module, _ in commands.values())


@contextmanager
def _interruptible() -> Iterator[None]:
    """End after Ctrl-C as shells expect it: typer would say that it failed."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write("rainbow: interrupted\n")
        sys.exit(128 + SIGINT)  # as shells say it


class ByTask(TyperGroup):
    """Lists its commands by task."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Read the command line."""
        with _interruptible():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with _interruptible():
            return super().invoke(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command, under the name that it had before too."""
        return super().resolve_command(ctx, as_called_now(args))

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of the tasks."""
        return [name for commands in TASKS.values() for name in commands]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a list for each task."""
        for task, commands in TASKS.items():
            with formatter.section(task):
                formatter.write_dl([(name, summary) for name, (_, summary) in commands.items()], col_max=12)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Say what to type first."""
        with formatter.section("Try"):
            formatter.write_dl([("rainbow run mine.csv --open", ""), ("rainbow COMMAND --help", "")])
