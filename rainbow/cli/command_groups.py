"""Commands grouped by task, each with a one-line summary."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIGINT
from typing import Any

from typer.core import TyperGroup

# By task: the command, its module below rainbow.cli, and what it does.
TASKS: dict[str, dict[str, tuple[str, str]]] = {
    "Start here": {"run": ("run", "Score, analyse and report a file in one step")},
    "One step at a time": {
        "metrics": ("metrics", "Compute metrics for every output"),
        "analyse": ("analyse", "Compare metrics with human ratings"),
        "systems": ("systems", "Compare systems, with significance tests"),
        "compare": ("studies.compare", "Compare two runs on the same items"),
        "report": ("report", "Write an HTML report of saved results"),
    },
    "A learned score": {
        "score": ("scorers.score", "Predict human ratings of texts"),
        "fit": ("fit", "Learn a metric from ratings, and evaluate it"),
        "serve": ("scorers.serve", "Serve a score over HTTP"),
    },
    "How far to trust a score": {
        "audit": ("scorers.audit", "Test whether a score drops when texts get worse"),
        "benchmark": ("studies.benchmark", "Benchmark metrics on every available rated corpus"),
        "gate": ("studies.gate", "Fail if outputs got worse (for CI)"),
        "judge": ("studies.judge", "Rate outputs with a language model, and test it"),
    },
    "Studies with people": {
        "plan": ("studies.plan", "Compute how many ratings a study needs"),
        "study": ("studies.study", "Set up a human evaluation and read its results"),
        "estimate": ("studies.estimate", "Estimate system means from few ratings"),
    },
    "Installation, reference tools, published studies": {
        "list": ("list", "List metrics and their requirements"),
        "fetch": ("fetch", "Download datasets and programs"),
        "doctor": ("checks.doctor", "Check the installation"),
        "verify": ("checks.verify", "Check metrics against reference implementations"),
        "published": ("checks.published", "Reproduce a published study"),
    },
}
MODULES = tuple(module for commands in TASKS.values() for module, _ in commands.values())


@contextmanager
def _exit_on_interrupt() -> Iterator[None]:
    """Exit with the status that shells expect after Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write("rainbow: interrupted\n")
        sys.exit(128 + SIGINT)  # as shells say it


class TaskGroup(TyperGroup):
    """A command group that lists its commands by task."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Read the command line."""
        with _exit_on_interrupt():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with _exit_on_interrupt():
            return super().invoke(ctx)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of the tasks."""
        return [name for commands in TASKS.values() for name in commands]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a list of commands for each task."""
        for task, commands in TASKS.items():
            with formatter.section(task):
                formatter.write_dl([(name, summary) for name, (_, summary) in commands.items()], col_max=12)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the epilog."""
        with formatter.section("Try"):
            formatter.write_dl([("rainbow run mine.csv --open", ""), ("rainbow COMMAND --help", "")])
