"""Named entries in one zip file, and back, within bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

__all__ = ["LARGEST", "pack", "unpack"]

LARGEST = 64 * 2**20  # bytes of all entries together: a zip file of some kilobytes can declare terabytes


def pack(entries: Mapping[str, bytes], compression: int = ZIP_DEFLATED) -> bytes:
    """Return a zip file of these entries, the same bytes for the same entries.

    Examples
    --------
    >>> unpack(pack({"a.txt": b"inn"}))
    {'a.txt': b'inn'}
    """
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, content in entries.items():
            # The date and the system would differ between two savings of one model.
            entry = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.create_system = compression, 3
            archive.writestr(entry, content, compresslevel=9)
    return buffer.getvalue()


def unpack(data: bytes) -> dict[str, bytes]:
    """Return the entries of a zip file by their names.

    Raises
    ------
    ValueError
        If it is not a zip file, or not a whole one, or declares more bytes than :data:`LARGEST`.
    """
    # For bytes that are no zip file zipfile raises errors of a dozen kinds.
    try:
        archive = ZipFile(BytesIO(data))
    except Exception as error:
        raise ValueError("it is not a zip file, or only a part of one") from error
    with archive:
        _check(archive.infolist())
        try:
            return {entry.filename: archive.read(entry) for entry in archive.infolist()}
        except Exception as error:
            raise ValueError(f"it is damaged: {error}") from error


def _check(entries: Sequence[ZipInfo]) -> None:
    if twice := [name for name, count in Counter(entry.filename for entry in entries).items() if count > 1]:
        raise ValueError(f"it has the entry {twice[0]!r} twice")
    if (size := sum(entry.file_size for entry in entries)) > LARGEST:
        raise ValueError(f"its entries take {size:,} bytes, and a model file holds at most {LARGEST:,}")
    # Other ways of compression cannot be unpacked bit by bit.
    if foreign := [entry.filename for entry in entries if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED)]:
        raise ValueError(f"the entry {foreign[0]!r} is compressed in a way that model files do not use")
