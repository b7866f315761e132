"""Files from Maven Central and PyPI: which exactly, where they lie on this machine, and how they get there."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Literal

from rainbow.base.fingerprint import file_sha256
from rainbow.base.retrieve import reason, retrieve

__all__ = ["Artifact", "artifact_folder", "fetch", "locate", "missing"]

VARIABLE = "RAINBOW_JARS"
REPOSITORIES = {"maven": "https://repo1.maven.org/maven2", "pypi": "https://files.pythonhosted.org"}


@dataclass(frozen=True)
class Artifact:
    """A published file, or one entry of a published archive, pinned by its hash.

    Attributes
    ----------
    path
        Where it lies in the repository, and below the folder of this machine.
    sha256
        The hash of the file, or of the entry.
    entry
        The path of the entry inside the archive, where only that is needed.
    repository
        ``maven`` (Maven Central) or ``pypi``.

    Examples
    --------
    >>> Artifact("org/a/1/a-1.jar", "00", "b/c.txt").local
    'org/a/1/a-1/b/c.txt'
    """

    path: str
    sha256: str
    entry: str = ""
    repository: Literal["maven", "pypi"] = "maven"

    @property
    def url(self) -> str:
        """The address of the file."""
        return f"{REPOSITORIES[self.repository]}/{self.path}"

    @property
    def local(self) -> str:
        """The path below the folder of this machine: an entry lies in a folder named after its archive."""
        return f"{PurePosixPath(self.path).with_suffix('')}/{self.entry}" if self.entry else self.path


def artifact_folder() -> Path:
    """Return the folder of artifacts: the one named by ``RAINBOW_JARS``, or else one in the user's cache.

    It is laid out as the repositories are, so ``RAINBOW_JARS=~/.m2/repository`` serves where Maven filled that.

    Examples
    --------
    >>> artifact_folder().is_absolute()
    True
    """
    if folder := os.environ.get(VARIABLE):
        return Path(folder).expanduser().absolute()
    import platformdirs

    return platformdirs.user_cache_path("rainbow-nlg") / "jars"


def missing(artifacts: Iterable[Artifact], bundle: str) -> str | None:
    """Say that artifacts are not on this machine and how to get them; None if all are there (unread).

    Parameters
    ----------
    artifacts
        What is needed.
    bundle
        What ``rainbow fetch`` calls them.

    Examples
    --------
    >>> missing([], "parser") is None
    True
    """
    folder = artifact_folder()
    if all((folder / artifact.local).is_file() for artifact in artifacts):
        return None
    where = f", or unset {VARIABLE} (it names {folder})" if os.environ.get(VARIABLE) else ""
    return f"its files are not on this machine: rainbow fetch {bundle}{where}"


def locate(artifact: Artifact) -> Path:
    """Return the path of an artifact on this machine, its hash checked once per process; nothing is ever downloaded.

    Raises
    ------
    FileNotFoundError
        If it is not there.
    ValueError
        If it is not the published file.

    Examples
    --------
    >>> locate(Artifact("none/such.jar", "00"))
    Traceback (most recent call last):
    FileNotFoundError: ...such.jar is not there: ...
    """
    path = artifact_folder() / artifact.local
    if not path.is_file():
        raise FileNotFoundError(f"{path} is not there: run `rainbow fetch`, or name a folder that has it in {VARIABLE}")
    if _sha256(path, path.stat().st_mtime_ns) != artifact.sha256:
        raise ValueError(
            f"{path} is not the file that was published (its SHA-256 differs): delete it and fetch it anew"
        )
    return path


def fetch(artifact: Artifact) -> Path:
    """Return the path of an artifact, downloading it into the user's cache if it is not there yet.

    It takes its place only when its hash is right. Of an archive of which one entry is needed, only that
    entry is downloaded. Where ``RAINBOW_JARS`` names a folder, the file is looked for there and nothing is downloaded.

    Raises
    ------
    OSError
        If it cannot be downloaded.
    ValueError
        If what was downloaded is not the published file.
    RuntimeError
        If one entry is needed and remotezip is not installed.

    Examples
    --------
    >>> from unittest.mock import patch
    >>> with patch.dict(os.environ, {VARIABLE: "/none"}):
    ...     fetch(Artifact("none/such.jar", "00"))
    Traceback (most recent call last):
    FileNotFoundError: /none/none/such.jar is not there: ...
    """
    path = artifact_folder() / artifact.local
    if os.environ.get(VARIABLE):
        return locate(artifact)
    hint = f"try again, or put the file at {artifact.local} in a folder of yours and name that folder in {VARIABLE}"
    if not artifact.entry:
        retrieve(artifact.url, path, artifact.sha256, hint)
    elif not (path.is_file() and _sha256(path, path.stat().st_mtime_ns) == artifact.sha256):
        from rainbow.base.files import write_atomically

        content = _entry(artifact, hint)
        write_atomically(path, lambda part: part.write_bytes(content))
    return path


def _entry(artifact: Artifact, hint: str) -> bytes:
    """Download one entry of an archive by asking the server for its bytes alone."""
    try:
        from remotezip import RemoteIOError, RemoteZip
    except ModuleNotFoundError as error:
        raise RuntimeError("remotezip is not installed: pip install remotezip") from error

    try:
        with RemoteZip(artifact.url) as archive:
            content = archive.read(artifact.entry)
    except (OSError, RemoteIOError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise OSError(f"cannot download {artifact.entry} of {artifact.url} ({why}): {hint}") from error
    if hashlib.sha256(content).hexdigest() != artifact.sha256:
        raise ValueError(f"{artifact.entry} of {artifact.url} is not what was published: its SHA-256 differs")
    return bytes(content)


@cache
def _sha256(path: Path, modified: int) -> str:
    """Read each file once, as long as it is not modified."""
    return file_sha256(path)
