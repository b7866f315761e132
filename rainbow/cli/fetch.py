"""`rainbow fetch`: download public datasets and optional programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from rainbow.cli.console import track

if TYPE_CHECKING:
    from rainbow.base.downloads import RemoteFile


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(fetch)


def fetch(
    names: Annotated[
        list[str],
        typer.Argument(
            help="sfhotel, sfrest, bagel, emnlp2017 (these three), rnnlg, e2e, webnlg2020, wmt24_ja, ...; "
            "parser, languagetool, corenlp, minilm, smollm2."
        ),
    ],
) -> None:
    """Download datasets and programs into the cache, and check their hashes.

    \b
    rainbow fetch sfhotel
    rainbow fetch emnlp2017
    rainbow fetch e2e
    rainbow fetch parser languagetool minilm smollm2

    With RAINBOW_DATA=FOLDER in the environment, files of datasets are read from that folder and nothing is downloaded;
    with RAINBOW_JARS=FOLDER the same holds for programs.
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.base import downloads

    files = list(dict.fromkeys(file for name in names for file in _named_files(name)))
    if not files:
        typer.echo(f"{', '.join(names)}: part of the package, nothing to download")
    for file in track(files, lambda file: file.local.rsplit("/", 1)[-1]):
        typer.echo(downloads.fetch_file(file))
    if "smollm2" in names:
        _convert_models()


def _convert_models() -> None:
    """Convert the downloaded language model to the format that likelihoods use."""
    from rainbow.programs.language_models.engine import converted_model, model_unavailable_reason

    if missing := model_unavailable_reason():
        typer.echo(f"likelihoods cannot be computed yet: {missing}")
    else:
        typer.echo(converted_model())


def _named_files(name: str) -> Sequence[RemoteFile]:
    """Return the files of a dataset or program."""
    from rainbow.datasets import source
    from rainbow.programs.bundles import BUNDLES, bundle_files

    if name in BUNDLES:
        return bundle_files(name)
    files: Sequence[RemoteFile] = source(name).FILES[name]
    return files
