"""Pinned files from other publishers: what they are, where they are stored, how to download them."""

from __future__ import annotations

import csv
import errno
import hashlib
import io
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

from rainbow.base.fingerprint import file_sha256
from rainbow.base.lazy import platformdirs, pooch


@dataclass(frozen=True)
class Store:
    """A folder of downloaded files."""

    name: str  # what the folder is called in the user's cache
    variable: str  # the environment variable that names another folder

    @property
    def environment_folder(self) -> str | None:
        """Return the folder set in the environment, if any."""
        return os.environ.get(self.variable) or None

    @property
    def folder(self) -> Path:
        """Return the folder set in the environment, or else the one in the user's cache."""
        if self.environment_folder:
            return Path(self.environment_folder).expanduser().absolute()
        return platformdirs.user_cache_path("rainbow-nlg") / self.name


DATA = Store("data", "RAINBOW_DATA")
# Laid out as the repositories are, so `RAINBOW_JARS=~/.m2/repository` serves where Maven filled that.
JARS = Store("jars", "RAINBOW_JARS")


@dataclass(frozen=True)
class RemoteFile:
    """A published file, or one entry of an archive, pinned by its hash and never shipped with the package."""

    store: Store  # the folder it lies in, and the path below
    local: str  # the folder it lies in, and the path below
    url: str  # the address of the file or the archive
    sha256: str
    bundle: str = field(compare=False)  # what ``rainbow fetch`` calls the dataset or program it belongs to
    entry: str = ""  # the path of the entry inside the archive, where only that is needed
    columns: tuple[str, ...] = ()  # of a CSV file that says something about persons
    by_hand: str = ""  # how to get a file that is not published as one, in words; empty where it can be downloaded
    part_serves: bool = False  # whether a part of the file is of use by itself

    @property
    def path(self) -> Path:
        """Path on this machine, whether or not the file was downloaded."""
        return self.store.folder / self.local

    @property
    def origin(self) -> str:
        """Human-readable source of the file."""
        return f"{self.entry} of {self.url}" if self.entry else self.url


def missing_files(files: Iterable[RemoteFile]) -> str | None:
    """Describe which files are missing and how to get them; None if none is missing (contents unread)."""
    absent = [file for file in files if not file.path.is_file()]
    if not absent:
        return None
    store, bundles = absent[0].store, " ".join(dict.fromkeys(file.bundle for file in absent))
    where = f", or unset {store.variable} (currently {store.folder})" if store.environment_folder else ""
    return f"files are missing: rainbow fetch {bundles}{where}"


def locate_file(file: RemoteFile) -> Path:
    """Return the local path of a file after one hash check per process; never download."""
    path = file.path
    if not path.is_file():
        raise FileNotFoundError(f"{path} does not exist: {_remedy(file)}")
    known = "" if file.part_serves and file.store.environment_folder else file.sha256
    if known and _sha256(path, (state := path.stat()).st_mtime_ns, state.st_size, file.columns) != known:
        raise ValueError(f"{path} is not the published file (its SHA-256 differs): {_remedy(file)}")
    return path


def fetch_file(file: RemoteFile) -> Path:
    """Return the local path of a file, downloading it into the user's cache if necessary."""
    if file.store.environment_folder or file.by_hand:
        return locate_file(file)
    pooch.get_logger().setLevel("WARNING")
    path, parts = file.path, _download_entry if file.entry else _download_columns
    downloader = partial(parts, file) if file.entry or file.columns else None
    try:
        pooch.retrieve(file.url, file.sha256 or None, fname=path.name, path=path.parent, downloader=downloader)
    except OSError as error:
        reason = error.strerror or type(error).__name__  # not the URL that requests repeats
        if (response := getattr(error, "response", None)) is not None:
            reason = f"the server returned status {response.status_code}"
        hint = f"try again, or put the file at {file.local} in a folder and set {file.store.variable} to that folder"
        raise OSError(f"cannot download {file.origin} ({reason}): {hint}") from error
    except ValueError as error:
        why = "its SHA-256 differs" if file.sha256 else error
        raise ValueError(f"the file from {file.origin} is not the published one: {why}") from error
    return path


def select_columns(table: bytes, columns: Sequence[str]) -> bytes:
    r"""Return a CSV file with only these columns, in the file's order."""
    rows = csv.reader(io.StringIO(table.decode("utf-8-sig"), newline=""))
    header = next(rows, [])
    kept = [place for place, name in enumerate(header) if name in columns]
    if not kept:
        raise ValueError(f"the table has none of the columns {', '.join(columns)}")
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([header[place] for place in kept])
    writer.writerows([row[place] for place in kept] for row in rows if row)
    return out.getvalue().encode()


def _download_entry(file: RemoteFile, url: str, path: str, _: object) -> None:
    """Download one entry of an archive with range requests."""
    from zipfile import BadZipFile

    from urllib3.exceptions import HTTPError

    try:
        from remotezip import RemoteZip, RemoteZipError
    except ModuleNotFoundError as error:
        raise RuntimeError("remotezip is not installed: pip install 'rainbow-nlg[parse]'") from error

    try:
        with RemoteZip(url) as archive:
            Path(path).write_bytes(archive.read(file.entry))
    except (RemoteZipError, HTTPError, BadZipFile) as error:
        raise OSError(errno.EIO, str(error)) from error


def _download_columns(file: RemoteFile, url: str, path: str, _: object) -> None:
    """Download a table into memory and save the selected columns."""
    table = io.BytesIO()
    pooch.HTTPDownloader()(url, table, None)
    Path(path).write_bytes(select_columns(table.getvalue(), file.columns))


def _remedy(file: RemoteFile) -> str:
    """Return what to do if a file cannot be downloaded."""
    if file.by_hand:
        return file.by_hand
    variable, command = file.store.variable, f"run `rainbow fetch {file.bundle}`"
    if file.store.environment_folder:
        return f"put {file.origin} there, or unset {variable} and {command}"
    return f"{command}, or set {variable} to a folder that contains {file.local}"


@cache
def _sha256(path: Path, modified: int, size: int, columns: tuple[str, ...]) -> str:
    """Hash a file, or its selected columns, once for each modification time."""
    if not columns:
        return file_sha256(path)
    try:
        return hashlib.sha256(select_columns(path.read_bytes(), columns)).hexdigest()
    except ValueError:  # it is no such table
        return ""
