"""The command `rainbow`; each file in this folder is one of its commands."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from io import StringIO
from typing import Annotated

import typer

from rainbow.base.progress import is_interrupt
from rainbow.cli.command_groups import MODULES, TaskGroup

__all__ = ["app", "main"]

app = typer.Typer(
    name="rainbow",
    cls=TaskGroup,
    help="Metrics of generated text: compute them, compare them with human ratings, learn better ones.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command; an input error prints one sentence on standard error and exits with status 1."""
    warnings.formatwarning = _warn_once()
    shown, status = sys.stderr, 1
    try:
        app()
        status = 0
    except SystemExit as ended:
        status = ended.code  # type: ignore[assignment]  # what Click ends with is a number
    except (ValueError, OSError, RuntimeError) as error:
        if is_interrupt(error):
            raise
        sys.stderr.write(f"rainbow: {_error_sentence(error)}\n")
    finally:
        if isinstance(sys.stderr, StringIO) and status:
            shown.write(sys.stderr.getvalue())
        sys.stderr = shown
    sys.exit(status)


def _error_sentence(error: Exception) -> str:
    """Return the message of an error; for system errors, the file and the reason."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror.lower()}"
    return str(error)


def _warn_once() -> Callable[..., str]:
    """Return a function that prints each warning once, without its source line."""
    shown: set[str] = set()

    def format_warning(message: Warning | str, *place: object) -> str:
        sentence = "" if str(message) in shown else f"rainbow: {message}\n"
        shown.add(str(message))
        return sentence

    return format_warning


def _print_version(requested: bool) -> None:
    if requested:
        from rainbow import __version__

        typer.echo(f"rainbow {__version__}")
        raise typer.Exit


def _buffer_stderr(requested: bool) -> None:
    """Buffer standard error until the command fails; progress bars are shown on terminals only."""
    if requested:
        sys.stderr = StringIO()


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", callback=_buffer_stderr, help="Print results only; show notes if COMMAND fails.")
    ] = False,
) -> None:
    """Metrics of generated text: compute them, compare them with human ratings, learn better ones."""


for _module in MODULES:
    import_module(f"rainbow.cli.{_module}").add_to(app)
for _command in app.registered_commands:
    if getattr(_command.callback, "takes_columns", False):
        _command.epilog = "Columns are detected, or read from rainbow.toml next to the file. "
        _command.epilog += "Options that name columns: rainbow run --help."
