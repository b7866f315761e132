"""Files in object stores and on distributed file systems, s3://, gs:// and hdfs://, which answer as local paths do."""

from __future__ import annotations

import fnmatch
import io
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

SCHEMES = ("s3", "gs", "hdfs", "viewfs")
BLOCK = 1 << 20  # bytes that are sent or read at a time


class Status(NamedTuple):
    """What :meth:`pathlib.Path.stat` says that is asked for here."""

    st_size: int
    st_mtime_ns: int


class Remote:
    """A file or folder of an object store; nothing is assumed of renaming, locks or folders there."""

    def __init__(self, uri: str) -> None:
        head, mark, query = uri.partition("?")
        scheme, _, key = head.partition("://")
        if scheme not in SCHEMES:
            raise ValueError(
                f"{uri}: {scheme}:// cannot be read: there are {', '.join(f'{name}://' for name in SCHEMES)}"
            )
        # A pattern may have question marks of its own.
        self._query = query if "=" in query else ""
        self._scheme, self._key = scheme, (key if "=" in query else key + mark + query).rstrip("/")

    def __str__(self) -> str:
        return f"{self._scheme}://{self._key}" + (f"?{self._query}" if self._query else "")

    def __repr__(self) -> str:
        return f"Remote({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, Remote) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __truediv__(self, name: str) -> Remote:
        return self._at(f"{self._key}/{name}")

    def _at(self, key: str) -> Remote:
        return Remote(f"{self._scheme}://{key}" + (f"?{self._query}" if self._query else ""))

    @property
    def name(self) -> str:
        """The last part of the path."""
        return PurePosixPath(self._key).name

    @property
    def suffix(self) -> str:
        """The ending of the name."""
        return PurePosixPath(self._key).suffix

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return PurePosixPath(self._key).stem

    @property
    def parent(self) -> Remote:
        """The folder."""
        return self._at(str(PurePosixPath(self._key).parent))

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the folders, and the last part."""
        return PurePosixPath(self._key).parts

    def with_name(self, name: str) -> Remote:
        """Return another file of the same folder."""
        return self.parent / name

    def with_suffix(self, suffix: str) -> Remote:
        """Return the file beside it with another ending."""
        return self.with_name(self.stem + suffix)

    @cached_property
    def reached(self) -> tuple[Any, str]:
        """The file system, and the path on it."""
        host, _, path = self._key.partition("/")
        system, base = _system(self._scheme, host, self._query)
        return system, f"{base}/{path}".rstrip("/") if base else f"/{path}"

    def __reduce__(self) -> tuple[type[Remote], tuple[str]]:
        return Remote, (str(self),)

    def _kind(self) -> str:
        system, path = self.reached
        return str(system.get_file_info(path).type.name)

    def is_file(self) -> bool:
        """Return whether there is such a file."""
        return self._kind() == "File"

    def is_dir(self) -> bool:
        """Return whether files lie below this."""
        return self._kind() == "Directory"

    def stat(self) -> Status:
        """Return size and time of the last change."""
        system, path = self.reached
        found = system.get_file_info(path)
        if found.type.name == "NotFound":
            raise FileNotFoundError(f"there is no file {self}")
        return Status(found.size or 0, found.mtime_ns or 0)

    def mkdir(self, parents: bool = False, exist_ok: bool = False) -> None:
        """Make what a folder is on this system: in an object store, nothing."""
        system, path = self.reached
        if self._scheme in ("hdfs", "viewfs"):
            system.create_dir(path, recursive=True)

    def object_named(self) -> tuple[str, str, dict[str, str]]:
        """Return scheme, bucket and key of the object, as ``scheme://bucket/key``, and what the query says."""
        bucket, _, key = self._key.partition("/")
        return f"{self._scheme}://{bucket}", key, dict(parse_qsl(self._query))

    def iterdir(self) -> Iterator[Remote]:
        """Return the files of this folder; none where there is no such folder."""
        return iter(self._below(recursive=False))

    def _below(self, recursive: bool = True) -> list[Remote]:
        """Return the files below this folder, sorted by their names."""
        from pyarrow.fs import FileSelector

        system, path = self.reached
        infos = system.get_file_info(FileSelector(path, allow_not_found=True, recursive=recursive))
        start = len(path) + 1
        return sorted((self / info.path[start:] for info in infos if info.type.name == "File"), key=str)

    def glob(self, pattern: str) -> list[Remote]:
        """Return the files below this folder whose path from here on is like the pattern, as that of a path is."""
        start, deep = len(self.parts), "**" in pattern
        inner = ((file, file.parts[start:]) for file in self._below())
        like = pattern.replace("**/", "*")
        return [
            file
            for file, parts in inner
            if fnmatch.fnmatchcase("/".join(parts), like) and (deep or len(parts) == len(PurePosixPath(pattern).parts))
        ]

    def open(self, mode: str = "r", encoding: str | None = None, newline: str | None = None) -> Any:
        """Open the file to read it, ``r`` or ``rb``, or to write it, ``wb``: it is there when it is closed."""
        if mode == "wb":
            system, path = self.reached
            return system.open_output_stream(path)
        file = io.BufferedReader(self.unbuffered(), BLOCK)
        return file if mode == "rb" else io.TextIOWrapper(file, encoding, newline=newline)

    def unbuffered(self) -> Any:
        """Open the file for pyarrow, which reads parts of it at any place."""
        system, path = self.reached
        return system.open_input_file(path)

    def read_bytes(self) -> bytes:
        """Return what the file holds."""
        with self.open("rb") as file:
            return bytes(file.read())

    def read_text(self, encoding: str | None = "utf-8") -> str:
        """Return the text that the file holds."""
        return self.read_bytes().decode(encoding or "utf-8")

    def write_bytes(self, content: Any) -> None:
        """Write the file; it appears whole or not at all."""
        with self.open("wb") as file:
            file.write(content)

    def take_in(self, local: Path) -> None:
        """Write what a local file holds; it appears whole or not at all."""
        with local.open("rb") as source, self.open("wb") as file:
            while block := source.read(BLOCK):
                file.write(block)

    def unlink(self, missing_ok: bool = False) -> None:
        """Remove the file."""
        system, path = self.reached
        try:
            system.delete_file(path)
        except FileNotFoundError:
            if not missing_ok:
                raise


Place = Path | Remote


def place(name: str | Path | Remote) -> Place:
    """Return the path that a name stands for: a local one, or with a scheme one of an object store."""
    return Remote(name) if isinstance(name, str) and "://" in name else name if isinstance(name, Remote) else Path(name)


def opened(path: Place) -> Any:
    """Return what pyarrow and pandas read a file from."""
    return path if isinstance(path, Path) else path.unbuffered()


def parquet_table(path: Place) -> Any:
    """Return all of a Parquet file as a table of pyarrow; `read_table` would load what reads many files at once."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(opened(path)) as file:
        return file.read()


@lru_cache(maxsize=32)
def _system(scheme: str, host: str, query: str) -> tuple[Any, str]:
    """Return the file system of a bucket or a name node, and the path on it that stands for that."""
    from pyarrow.fs import FileSystem

    if scheme == "s3":  # small files are written by one request
        query = "&".join(filter(None, ["allow_delayed_open=true", query]))
    system, base = FileSystem.from_uri(f"{scheme}://{host}/" + (f"?{query}" if query else ""))
    return system, base.rstrip("/")
