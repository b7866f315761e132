"""Files that others publish: which exactly, where they lie on this machine, and how they get there."""

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
from typing import Any

from rainbow.base.fingerprint import file_sha256


@dataclass(frozen=True)
class Store:
    """A folder of fetched files."""

    name: str  # what the folder is called in the user's cache
    variable: str  # the environment variable that names another folder

    @property
    def named(self) -> str | None:
        """The folder that the environment names, if it names one."""
        return os.environ.get(self.variable) or None

    @property
    def folder(self) -> Path:
        """The folder that the environment names, or else the one in the user's cache."""
        if self.named:
            return Path(self.named).expanduser().absolute()
        import platformdirs

        return platformdirs.user_cache_path("rainbow-nlg") / self.name


DATA = Store("data", "RAINBOW_DATA")
# Laid out as the repositories are, so `RAINBOW_JARS=~/.m2/repository` serves where Maven filled that.
JARS = Store("jars", "RAINBOW_JARS")


@dataclass(frozen=True)
class RemoteFile:
    """A file that others publish, or one entry of an archive, pinned by its hash and never part of this package."""

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
        """Where it lies on this machine, or will."""
        return self.store.folder / self.local

    @property
    def origin(self) -> str:
        """Where it comes from, in words."""
        return f"{self.entry} of {self.url}" if self.entry else self.url


def missing(files: Iterable[RemoteFile]) -> str | None:
    """Return that files are not on this machine and how to get them; None if all are there (unread)."""
    absent = [file for file in files if not file.path.is_file()]
    if not absent:
        return None
    store, bundles = absent[0].store, " ".join(dict.fromkeys(file.bundle for file in absent))
    where = f", or unset {store.variable} (it names {store.folder})" if store.named else ""
    return f"its files are not on this machine: rainbow fetch {bundles}{where}"


def locate(file: RemoteFile) -> Path:
    """Return the path of a file on this machine, its hash checked once per process; nothing is ever downloaded."""
    path = file.path
    if not path.is_file():
        raise FileNotFoundError(f"{path} is not there: {_remedy(file)}")
    known = "" if file.part_serves and file.store.named else file.sha256
    if known and _sha256(path, (state := path.stat()).st_mtime_ns, state.st_size, file.columns) != known:
        raise ValueError(f"{path} is not the file that was published (its SHA-256 differs): {_remedy(file)}")
    return path


def fetch(file: RemoteFile) -> Path:
    """Return the path of a file, downloading it into the user's cache if it is not there yet."""
    if file.store.named or file.by_hand:
        return locate(file)
    import pooch

    pooch.get_logger().setLevel("WARNING")
    path = file.path
    try:
        pooch.retrieve(file.url, file.sha256 or None, fname=path.name, path=path.parent, downloader=_downloader(file))
    except OSError as error:
        hint = f"try again, or put the file at {file.local} in a folder of yours and name that in {file.store.variable}"
        raise OSError(f"cannot download {file.origin} ({_reason(error)}): {hint}") from error
    except ValueError as error:
        why = "its SHA-256 differs" if file.sha256 else error
        raise ValueError(f"what {file.origin} gives is not the file that was published: {why}") from error
    return path


def reduced(table: bytes, columns: Sequence[str]) -> bytes:
    r"""Return a CSV file with these columns only, as far as it has them, in the file's order."""
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


def _downloader(file: RemoteFile) -> Any:
    """Return how pooch is to download the file; None for the usual way."""
    return partial(_download_entry if file.entry else _download_columns, file) if file.entry or file.columns else None


def _download_entry(file: RemoteFile, url: str, path: str, _: object) -> None:
    """Download one entry of an archive by asking the server for its bytes alone."""
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
    """Download a table into memory, and store the columns that are kept of it."""
    import pooch

    table = io.BytesIO()
    pooch.HTTPDownloader()(url, table, None)
    Path(path).write_bytes(reduced(table.getvalue(), file.columns))


def _remedy(file: RemoteFile) -> str:
    if file.by_hand:
        return file.by_hand
    variable, command = file.store.variable, f"run `rainbow fetch {file.bundle}`"
    if file.store.named:
        return f"put {file.origin} there, or unset {variable} and {command}"
    return f"{command}, or name a folder that holds {file.local} in {variable}"


def _reason(error: OSError) -> str:
    """Return why a download failed: requests' own messages repeat the address and run over several lines."""
    if (response := getattr(error, "response", None)) is not None:
        return f"the server answers {response.status_code}"
    return error.strerror or type(error).__name__


@cache
def _sha256(path: Path, modified: int, size: int, columns: tuple[str, ...]) -> str:
    """Read each file once, as long as it is not modified: all of it, or the columns that are kept."""
    if not columns:
        return file_sha256(path)
    try:
        return hashlib.sha256(reduced(path.read_bytes(), columns)).hexdigest()
    except ValueError:  # it is no such table
        return ""
