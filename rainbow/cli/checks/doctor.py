"""`rainbow doctor`: what works on this machine, and how to fix the rest."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import typer

from rainbow.cli.console import AsJson, print_json, print_table

if TYPE_CHECKING:
    from rainbow.base.downloads import RemoteFile

# The package or extra that installs each.
PACKAGES = dict.fromkeys(
    ("numpy", "pandas", "pyarrow", "sacrebleu", "rapidfuzz", "pyspellchecker", "pycocoevalcap"), "rainbow-nlg"
) | {
    "jpype1": "rainbow-nlg[java]",
    "wordfreq": "rainbow-nlg[parse]",
    "stanza": "rainbow-nlg[stanza]",
    "ctranslate2": "rainbow-nlg[likelihood]",
    "gguf": "rainbow-nlg[likelihood]",
    "tokenizers": "rainbow-nlg[likelihood]",
    "torch": "rainbow-nlg[neural]",
    "transformers": "rainbow-nlg[neural]",
    "accelerate": "rainbow-nlg[neural]",
    "openai": "rainbow-nlg[judge]",
    "starlette": "rainbow-nlg[serve]",
    "uvicorn": "rainbow-nlg[serve]",
    "prometheus-client": "rainbow-nlg[serve]",
    "ray": "rainbow-nlg[ray]",
    "boto3": "rainbow-nlg[s3]",
}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(doctor)


def doctor(as_json: AsJson = False) -> None:
    """Check packages, kernels, metrics, datasets and programs, and show how to fix what does not work."""
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
    result = {"rainbow-nlg": _version("rainbow-nlg"), "python": platform.python_version()}
    result |= {name: _version(name) for name in PACKAGES}
    return result | {"java": shutil.which("java") or "not found: apt-get install default-jre-headless"}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return f"not installed: pip install '{PACKAGES.get(package, package)}'"


def _kernels() -> dict[str, str]:
    from rainbow.base.native import NOT_BUILT, compiled, kernels

    if compiled is None:
        return {"compiled": NOT_BUILT}
    return {"compiled": "run" if kernels() else "compiled, but disabled by RAINBOW_NATIVE=0: Python runs instead"}


def _metrics() -> dict[str, str]:
    from rainbow.metrics import all_metrics

    return {name: metric.unavailable() or "works" for name, metric in all_metrics().items()}


def _datasets() -> dict[str, str]:
    from rainbow.datasets import dataset_names, source

    return {name: _download_state(source(name).FILES[name]) for name in dataset_names()}


def _programs() -> dict[str, str]:
    from rainbow.programs.bundles import BUNDLES, bundle_files

    return {name: _download_state(bundle_files(name)) for name in BUNDLES}


def _download_state(files: Sequence[RemoteFile]) -> str:
    """Return whether downloaded files are present and unchanged, and how to fix them."""
    from rainbow.base.downloads import locate_file

    if not files:
        return "part of the package"
    try:
        for file in files:
            locate_file(file)
    except (OSError, ValueError) as error:
        return str(error)
    return f"ready, in {files[0].store.folder}"
