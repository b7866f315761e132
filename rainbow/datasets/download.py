"""Where the public data files lie on this machine, and how they get there."""

from __future__ import annotations

import csv
import hashlib
import io
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from rainbow.base.fingerprint import file_sha256
from rainbow.base.retrieve import reason, retrieve

__all__ = ["RemoteFile", "data_folder", "fetch", "locate", "reduced"]

VARIABLE = "RAINBOW_DATA"
BASE_URL = "https://raw.githubusercontent.com"


@dataclass(frozen=True)
class RemoteFile:
    """A file that others publish on GitHub, at one commit, and that is never part of this package.

    Attributes
    ----------
    path
        Where it lies below the data folder.
    repository, commit, source
        Where it is published: ``owner/name``, the commit, the path in the repository.
    sha256
        The hash of the published file; None where none is known, and then nothing is checked.
    dataset
        The dataset it belongs to, as ``rainbow fetch`` is told; the same file may belong to several.
    columns
        Of a CSV file that says something about persons: the columns that are kept. The others (where raters live,
        what they are known by) never reach the disk. Empty: the file is kept as it is.
    by_hand
        How to get a file that is not published as one, in words; empty where it can be downloaded.

    Examples
    --------
    >>> RemoteFile("a/b.csv", "owner/name", "0a1b", "data/b.csv", None, "mine").url
    'https://raw.githubusercontent.com/owner/name/0a1b/data/b.csv'
    """

    path: str
    repository: str
    commit: str
    source: str
    sha256: str | None
    dataset: str = field(compare=False)
    columns: tuple[str, ...] = ()
    by_hand: str = ""

    @property
    def url(self) -> str:
        """The address it is downloaded from."""
        return f"{BASE_URL}/{self.repository}/{self.commit}/{quote(self.source)}"


def data_folder() -> Path:
    """Return the folder of data files: the one named by ``RAINBOW_DATA``, or else one in the user's cache.

    Examples
    --------
    >>> data_folder().is_absolute()
    True
    """
    if folder := os.environ.get(VARIABLE):
        return Path(folder).expanduser().absolute()
    import platformdirs

    return platformdirs.user_cache_path("rainbow-nlg") / "data"


def locate(file: RemoteFile) -> Path:
    """Return the path of a data file on this machine, after checking its hash; nothing is ever downloaded.

    Raises
    ------
    FileNotFoundError
        If it is not there; the message names the command that fetches it.
    ValueError
        If it is not the published file.

    Examples
    --------
    >>> locate(RemoteFile("none/such.csv", "owner/name", "0a1b", "such.csv", None, "mine"))
    Traceback (most recent call last):
    FileNotFoundError: ...such.csv is not there: ...
    """
    path = data_folder() / file.path
    if not path.is_file():
        raise FileNotFoundError(f"{path} is not there: {_remedy(file)}")
    # What was reduced when it was fetched has another hash than what was published.
    if file.sha256 is not None and not file.columns and file_sha256(path) != file.sha256:
        raise ValueError(f"{path} is not the file that was published (its SHA-256 differs): {_remedy(file)}")
    return path


def fetch(file: RemoteFile) -> Path:
    """Return the path of a data file, downloading it into the user's cache if it is not there yet.

    The download goes to a temporary file, which takes its place only when its hash is right. Where ``RAINBOW_DATA``
    names a folder, the file is looked for there and nothing is downloaded.

    Raises
    ------
    OSError
        If it cannot be downloaded.
    ValueError
        If what was downloaded is not the published file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from unittest.mock import patch
    >>> with TemporaryDirectory() as folder, patch.dict(os.environ, {"RAINBOW_DATA": folder}):
    ...     _ = Path(folder, "b.csv").write_text("1")
    ...     fetch(RemoteFile("b.csv", "owner/name", "0a1b", "data/b.csv", None, "mine")).name
    'b.csv'
    """
    path = data_folder() / file.path
    if os.environ.get(VARIABLE) or file.by_hand or (file.columns and path.is_file()):
        return locate(file)
    return _fetch_reduced(file, path) if file.columns else _fetch_whole(file, path)


def reduced(table: bytes, columns: Sequence[str]) -> bytes:
    r"""Return a CSV file with these columns only, as far as it has them, in the file's order.

    Raises
    ------
    ValueError
        If it has none of them, or is no UTF-8 text.

    Examples
    --------
    >>> reduced(b"rater,text,score\n7,an inn,5\n", ["score", "text"])
    b'text,score\r\nan inn,5\r\n'
    """
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


def _fetch_reduced(file: RemoteFile, path: Path) -> Path:
    """Download a table into memory and store the columns that are kept of it."""
    from urllib.request import urlopen

    from rainbow.base.files import write_atomically

    try:
        with urlopen(file.url, timeout=60) as answer:
            table = answer.read()
    except OSError as error:
        raise _no_download(file, error) from error
    if file.sha256 is not None and hashlib.sha256(table).hexdigest() != file.sha256:
        raise _other_file(file)
    return write_atomically(path, lambda part: part.write_bytes(reduced(table, file.columns)))


def _fetch_whole(file: RemoteFile, path: Path) -> Path:
    retrieve(file.url, path, file.sha256, _hint(file))
    return path


def _no_download(file: RemoteFile, error: OSError) -> OSError:
    return OSError(f"cannot download {file.url} ({reason(error)}): {_hint(file)}")


def _hint(file: RemoteFile) -> str:
    return f"try again, or put the file at {file.path} in a folder of yours and name that folder in {VARIABLE}"


def _other_file(file: RemoteFile) -> ValueError:
    return ValueError(f"what {file.url} gives is not the file that was published: its SHA-256 differs")


def _remedy(file: RemoteFile) -> str:
    if file.by_hand:
        return file.by_hand
    if os.environ.get(VARIABLE):
        return f"put {file.url} there, or unset {VARIABLE} and run `rainbow fetch {file.dataset}`"
    return f"run `rainbow fetch {file.dataset}`, or name a folder that holds {file.path} in {VARIABLE}"
