"""Text file encodings, and messages about wrong ones."""

from __future__ import annotations

import codecs
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from rainbow.base.storage import Place
from rainbow.datasets.read.formats import check_content

UTF8 = "utf-8-sig"  # with a byte order mark or without
MAX_DETECTION_BYTES = 1 << 24  # bytes from the start of a file
_GUESSED_BY = 1 << 16  # bytes
_STRANGE = re.compile(r"[^\x00-\x7f]{3,}")  # letters of another alphabet, decoded as Western European
# Encodings of one language or with several bytes a letter: hardly any other text decodes as these.
_PLAIN = frozenset(["gb18030", "gbk", "gb2312", "big5", "cp932", "shift_jis", "euc_jp", "cp949", "euc_kr", "cp874"])
_COHERENT = 40.0  # per cent, of other encodings
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def codec_name(encoding: str | None) -> str:
    """Return the codec of an encoding; by default UTF-8, with or without byte order mark."""
    try:
        result = codecs.lookup(encoding or UTF8)
        result = result if result._is_text_encoding else codecs.lookup("")  # rot13 and zip are codecs, too
        name = result.name
    except LookupError:
        raise ValueError(f"unknown encoding {encoding!r}: set --encoding utf-8, utf-16 or latin-1") from None
    return UTF8 if name == "utf-8" else name


def read_text(path: Place, encoding: str | None = None) -> str:
    """Return the text of a file with its line ends; ValueError names the file and the remedy."""
    with name_file_in_errors(path, encoding):
        return path.read_bytes().decode(codec_name(encoding))


@contextmanager
def name_file_in_errors(path: Place, encoding: str | None = None) -> Iterator[None]:
    """Prefix error messages about a file's content with its name."""
    try:
        yield
    except UnicodeError as error:
        raise ValueError(f"{path}: {_codec_message(path, encoding, error)}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def detect_encoding(path: Place) -> str | None:
    """Return the encoding of a text file, None for UTF-8; ValueError if unclear or not text."""
    check_content(path)
    with path.open("rb") as file:
        start = file.read(MAX_DETECTION_BYTES)
    if marked := next((encoding for mark, encoding in _MARKS.items() if start.startswith(mark)), None):
        return marked
    if wide := _detect_utf16(start):
        return wide
    if _decodes(start, "utf-8") is not None:
        return None
    encoding = "latin-1" if _decodes(start, "cp1252") is None else "cp1252"
    text = start.decode(encoding)
    strange = _STRANGE.findall(text)
    is_western = 2 * sum(map(len, strange)) <= sum(letter > "\x7f" for letter in text)
    if is_western and encoding == "cp1252":
        return encoding
    if guessed := _guess_encoding(start):
        return guessed
    if is_western:
        return encoding
    raise ValueError(f"it is neither UTF-8 nor {encoding} ({strange[0]!r:.30}): set the encoding with --encoding")


def _decodes(start: bytes, encoding: str) -> str | None:
    try:
        return codecs.getincrementaldecoder(encoding)().decode(start, final=len(start) < MAX_DETECTION_BYTES)
    except UnicodeDecodeError:
        return None


def _detect_utf16(start: bytes) -> str | None:
    """Return UTF-16 if half of the bytes are zero, without a byte order mark; else None."""
    part = start[:_GUESSED_BY]
    zeros = {"utf-16-be": part[::2].count(0), "utf-16-le": part[1::2].count(0)}
    (few, _), (many, encoding) = sorted((count, name) for name, count in zeros.items())
    return encoding if 4 * many > len(part) > 8 * few else None


def _guess_encoding(start: bytes) -> str | None:
    """Return the encoding of non-Western letters, with a warning; None if unclear."""
    from charset_normalizer import from_bytes

    best = from_bytes(start[:_GUESSED_BY]).best()
    if best is None or not (best.encoding in _PLAIN or best.percent_coherence >= _COHERENT):
        return None
    if _decodes(start, best.encoding) is None:
        return None
    warnings.warn(f"the encoding was detected as {best.encoding}: set --encoding if this is wrong", stacklevel=3)
    return str(best.encoding)


def _codec_message(path: Place, encoding: str | None, error: UnicodeError) -> str:
    start = path.open("rb").read(4)
    likely = next((name for mark, name in _MARKS.items() if start.startswith(mark)), "latin-1")
    place = f"byte {error.object[error.start]:#04x}" if isinstance(error, UnicodeDecodeError) else str(error)
    if codec_name(encoding) != UTF8:
        return f"{place} is not valid {codec_name(encoding).upper()}: set the encoding with --encoding"
    return (
        f"{_line(path)}{place} is not valid UTF-8: set the encoding with --encoding {likely}, or save the file as UTF-8"
    )


def _line(path: Place) -> str:
    """Return the location of the first line that is not UTF-8."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return f"line {number}: "
    return ""
