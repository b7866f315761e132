"""`rainbow doctor`: what works on this machine, and how to mend what does not."""

from __future__ import annotations

import platform
import shutil
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import typer

from rainbow.cli.console import AsJson, print_json, print_table

PACKAGES = (
    "numpy",
    "pandas",
    "pyarrow",
    "sacrebleu",
    "rapidfuzz",
    "pyspellchecker",
    "pycocoevalcap",
    "jpype1",
    "wordfreq",
    "stanza",
    "torch",
    "transformers",
)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(doctor)


def doctor(as_json: AsJson = False) -> None:
    """Show what works on this machine: packages, kernels, metrics, datasets, programs; how to mend what does not."""
    report = {
        "versions": _versions(),
        "kernels": _kernels(),
        "metrics": _metrics(),
        "datasets": _datasets(),
        "programs": _programs(),
    }
    if as_json:
        print_json(report)
        return
    for title, entries in report.items():
        print_table((title, ""), entries.items())
        typer.echo()


def _versions() -> dict[str, str]:
    found = {"rainbow-nlg": _version("rainbow-nlg"), "python": platform.python_version()}
    found |= {name: _version(name) for name in PACKAGES}
    return found | {"java": shutil.which("java") or "not found: apt-get install default-jre-headless"}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return f"not installed: pip install {package}"


def _kernels() -> dict[str, str]:
    from rainbow.base.native import compiled_kernels, kernels

    if kernels() is not None:
        return {"compiled": "run"}
    if compiled_kernels() is not None:
        return {"compiled": "are there, but RAINBOW_NATIVE=0 switches them off: Python runs"}
    return {"compiled": "not built, Python runs (slowly): apt-get install g++, then install rainbow-nlg again"}


def _metrics() -> dict[str, str]:
    from rainbow.metrics import all_metrics

    return {name: metric.unavailable() or "works" for name, metric in all_metrics().items()}


def _datasets() -> dict[str, str]:
    from rainbow.datasets import dataset_names, source

    return {name: _where(name, source(name).FILES[name]) for name in dataset_names()}


def _where(name: str, files: Any) -> str:
    from rainbow.datasets.download import locate

    try:
        for file in files:
            locate(file)
    except (OSError, ValueError) as error:
        return str(error)
    return "ready" if files else "part of the package"


def _programs() -> dict[str, str]:
    """Say of everything else that `rainbow fetch` brings whether it is here and as it was published."""
    from rainbow.base.artifact import artifact_folder, locate, missing
    from rainbow.programs.bundles import BUNDLES, bundle

    def state(name: str) -> str:
        if lacking := missing(bundle(name), name):
            return lacking
        try:
            for artifact in bundle(name):
                locate(artifact)
        except ValueError as error:
            return str(error)
        return f"ready, in {artifact_folder()}"

    return {name: state(name) for name in BUNDLES}
