"""`rainbow fetch`: bring the public data sets to this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from rainbow.cli.console import track


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(fetch)


def fetch(
    datasets: Annotated[list[str], typer.Argument(help="sfhotel, sfrest, bagel, emnlp2017 (all three) or e2e.")],
) -> None:
    r"""Download datasets into your cache and check their hashes.

    \b
    rainbow fetch sfhotel
    rainbow fetch emnlp2017
    rainbow fetch e2e

    With RAINBOW_DATA=FOLDER in the environment, files are read from that folder and nothing is downloaded.
    """
    from rainbow.datasets import source
    from rainbow.datasets.download import fetch as fetch_file

    files = list(dict.fromkeys(file for name in datasets for file in source(name).FILES[name]))
    if not files:
        typer.echo(f"{', '.join(datasets)}: part of the package, nothing to fetch")
    for file in track(files, lambda entry: entry.path.rsplit("/", 1)[-1]):
        typer.echo(fetch_file(file))
