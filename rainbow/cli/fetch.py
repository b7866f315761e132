"""`rainbow fetch`: bring public datasets, and programs that some metrics use, to this machine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from rainbow.cli.console import track

Fetch = tuple[str, Callable[[], Path]]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(fetch)


def fetch(
    names: Annotated[
        list[str],
        typer.Argument(
            help="sfhotel, sfrest, bagel, emnlp2017 (these three), e2e; parser, languagetool, corenlp, smollm2."
        ),
    ],
) -> None:
    """Download datasets, and programs that some metrics use, into your cache and check their hashes.

    \b
    rainbow fetch sfhotel
    rainbow fetch emnlp2017
    rainbow fetch e2e
    rainbow fetch parser languagetool smollm2

    With RAINBOW_DATA=FOLDER in the environment, files of datasets are read from that folder and nothing is downloaded;
    with RAINBOW_JARS=FOLDER the same holds for programs.
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    files = list({name: how for asked in names for name, how in _files(asked)}.items())
    if not files:
        typer.echo(f"{', '.join(names)}: part of the package, nothing to fetch")
    for _, how in track(files, lambda entry: entry[0].rsplit("/", 1)[-1]):
        typer.echo(how())


def _files(name: str) -> list[Fetch]:
    """Return the files of a dataset or a program: the path of each, and how to fetch it."""
    from rainbow.base import artifact
    from rainbow.datasets import download, source
    from rainbow.programs.bundles import BUNDLES, bundle

    if name in BUNDLES:
        return [(file.local, partial(artifact.fetch, file)) for file in bundle(name)]
    return [(file.path, partial(download.fetch, file)) for file in source(name).FILES[name]]
