"""How a text file is encoded, and what is said where that is not so."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager

from rainbow.base.storage import Place

__all__ = ["UTF8", "codec", "decoded", "named"]

UTF8 = "utf-8-sig"  # with a mark at the start or without


def codec(encoding: str | None) -> str:
    """Return the name of an encoding as Python has it; by default UTF-8, with a mark at its start or without.

    Raises
    ------
    ValueError
        If there is no such encoding.

    Examples
    --------
    >>> codec("Latin-1"), codec("UTF-16"), codec(None)
    ('iso8859-1', 'utf-16', 'utf-8-sig')
    """
    try:
        found = codecs.lookup(encoding or UTF8)
        found = found if found._is_text_encoding else codecs.lookup("")  # rot13 and zip make bytes of bytes
        name = found.name
    except LookupError:
        raise ValueError(f"there is no encoding {encoding!r}: say --encoding utf-8, utf-16 or latin-1") from None
    return UTF8 if name == "utf-8" else name


def decoded(path: Place, encoding: str | None = None) -> str:
    """Return the text of a file, its line ends as they are.

    Raises
    ------
    ValueError
        If it is not encoded so; the message names the file, what was tried and what to do.
    """
    with named(path, encoding):
        return path.read_bytes().decode(codec(encoding))


@contextmanager
def named(path: Place, encoding: str | None = None) -> Iterator[None]:
    """Put the name of the file before what is wrong in it."""
    try:
        yield
    except UnicodeError as error:
        raise ValueError(f"{path}: {_not_so(path, encoding, error)}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _not_so(path: Place, encoding: str | None, error: UnicodeError) -> str:
    start = path.open("rb").read(2)
    likely = "utf-16" if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "latin-1"
    place = f"byte {error.object[error.start]:#04x}" if isinstance(error, UnicodeDecodeError) else str(error)
    if codec(encoding) != UTF8:
        return f"{place} is not {codec(encoding).upper()}, as it was read: say how the file is encoded, --encoding"
    return (
        f"{_line(path)}{place} is not UTF-8, as it was read: say how the file is encoded, --encoding {likely}, or save "
        "it as UTF-8"
    )


def _line(path: Place) -> str:
    """Return in which line a file is no UTF-8."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return f"line {number}: "
    return ""
