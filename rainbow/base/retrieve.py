"""Download a file whole or not at all."""

from __future__ import annotations

import logging
from pathlib import Path

__all__ = ["retrieve"]


def retrieve(url: str, path: Path, sha256: str | None, hint: str) -> None:
    """Download a file to this path unless it is there already; it takes its place only when its hash is right.

    Parameters
    ----------
    url, path
        From where, to where.
    sha256
        The hash of the file; None where none is known, and then nothing is checked.
    hint
        What to do where the download fails: the end of the error's message.

    Raises
    ------
    OSError
        If it cannot be downloaded.
    ValueError
        If what was downloaded has another hash.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.txt")
    ...     _ = path.write_text("1")
    ...     retrieve("https://example.org/a.txt", path, None, "")
    """
    import pooch

    pooch.get_logger().setLevel(logging.WARNING)
    try:
        pooch.retrieve(url, known_hash=sha256, fname=path.name, path=path.parent)
    except OSError as error:
        raise OSError(f"cannot download {url} ({reason(error)}): {hint}") from error
    except ValueError as error:
        raise ValueError(f"what {url} gives is not the file that was published: its SHA-256 differs") from error


def reason(error: OSError) -> str:
    """Say why a download failed: requests' own messages repeat the address and run over several lines.

    Examples
    --------
    >>> reason(TimeoutError())
    'TimeoutError'
    """
    response = getattr(error, "response", None)
    status = getattr(error, "code", None) if response is None else response.status_code
    if status is not None:
        return f"the server answers {status}"
    return error.strerror or type(getattr(error, "reason", error)).__name__
