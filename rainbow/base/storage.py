"""Paths in object stores and distributed file systems (s3://, gs://, hdfs://) that behave like local paths."""

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
    """File status with the fields of :meth:`pathlib.Path.stat` that this package uses."""

    st_size: int
    st_mtime_ns: int


class Remote:
    """A file or folder of an object store; renaming, locks and real folders are not assumed."""

    def __init__(self, uri: str) -> None:
        head, mark, query = uri.partition("?")
        scheme, _, key = head.partition("://")
        if scheme not in SCHEMES:
            raise ValueError(f"{uri}: {scheme}:// is not supported: use {', '.join(f'{name}://' for name in SCHEMES)}")
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
        """Last part of the path."""
        return PurePosixPath(self._key).name

    @property
    def suffix(self) -> str:
        """File extension."""
        return PurePosixPath(self._key).suffix

    @property
    def stem(self) -> str:
        """Name without the extension."""
        return PurePosixPath(self._key).stem

    @property
    def parent(self) -> Remote:
        """Parent folder."""
        return self._at(str(PurePosixPath(self._key).parent))

    @property
    def parts(self) -> tuple[str, ...]:
        """Folder names and the last part."""
        return PurePosixPath(self._key).parts

    def with_name(self, name: str) -> Remote:
        """Return another file of the same folder."""
        return self.parent / name

    def with_suffix(self, suffix: str) -> Remote:
        """Return the path with another extension."""
        return self.with_name(self.stem + suffix)

    @cached_property
    def reached(self) -> tuple[Any, str]:
        """File system and path on it."""
        host, _, path = self._key.partition("/")
        system, base = _file_system(self._scheme, host, self._query)
        return system, f"{base}/{path}".rstrip("/") if base else f"/{path}"

    def __reduce__(self) -> tuple[type[Remote], tuple[str]]:
        return Remote, (str(self),)

    def _kind(self) -> str:
        system, path = self.reached
        return str(system.get_file_info(path).type.name)

    def is_file(self) -> bool:
        """Return whether the file exists."""
        return self._kind() == "File"

    def is_dir(self) -> bool:
        """Return whether files exist below this path."""
        return self._kind() == "Directory"

    def stat(self) -> Status:
        """Return the size and modification time."""
        system, path = self.reached
        information = system.get_file_info(path)
        if information.type.name == "NotFound":
            raise FileNotFoundError(f"no such file: {self}")
        return Status(information.size or 0, information.mtime_ns or 0)

    def mkdir(self, parents: bool = False, exist_ok: bool = False) -> None:
        """Create the folder where the file system has folders; do nothing in an object store."""
        system, path = self.reached
        if self._scheme in ("hdfs", "viewfs"):
            system.create_dir(path, recursive=True)

    def object_uri(self) -> tuple[str, str, dict[str, str]]:
        """Return scheme, bucket and key as ``scheme://bucket/key``, with the options of the query."""
        bucket, _, key = self._key.partition("/")
        return f"{self._scheme}://{bucket}", key, dict(parse_qsl(self._query))

    def iterdir(self) -> Iterator[Remote]:
        """Yield the files of this folder, or none if it does not exist."""
        return iter(self._list_files(recursive=False))

    def _list_files(self, recursive: bool = True) -> list[Remote]:
        """Return the files below this folder, sorted by name."""
        from pyarrow.fs import FileSelector

        system, path = self.reached
        infos = system.get_file_info(FileSelector(path, allow_not_found=True, recursive=recursive))
        start = len(path) + 1
        return sorted((self / info.path[start:] for info in infos if info.type.name == "File"), key=str)

    def glob(self, pattern: str) -> list[Remote]:
        """Yield the files below this folder whose relative path matches a pattern."""
        start, deep = len(self.parts), "**" in pattern
        inner = ((file, file.parts[start:]) for file in self._list_files())
        like = pattern.replace("**/", "*")
        return [
            file
            for file, parts in inner
            if fnmatch.fnmatchcase("/".join(parts), like) and (deep or len(parts) == len(PurePosixPath(pattern).parts))
        ]

    def open(self, mode: str = "r", encoding: str | None = None, newline: str | None = None) -> Any:
        """Open the file for reading (``r``, ``rb``) or writing (``wb``); it appears when it is closed."""
        if mode == "wb":
            system, path = self.reached
            return system.open_output_stream(path)
        file = io.BufferedReader(self.open_unbuffered(), BLOCK)
        return file if mode == "rb" else io.TextIOWrapper(file, encoding, newline=newline)

    def open_unbuffered(self) -> Any:
        """Open the file for pyarrow, which reads arbitrary ranges."""
        system, path = self.reached
        return system.open_input_file(path)

    def read_bytes(self) -> bytes:
        """Return the content of the file."""
        with self.open("rb") as file:
            return bytes(file.read())

    def read_text(self, encoding: str | None = "utf-8") -> str:
        """Return the text of the file."""
        return self.read_bytes().decode(encoding or "utf-8")

    def write_bytes(self, content: Any) -> None:
        """Write the file atomically."""
        with self.open("wb") as file:
            file.write(content)

    def upload(self, local: Path) -> None:
        """Write the content of a local file atomically."""
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


def path_of(name: str | Path | Remote) -> Place:
    """Return the local or remote path for a name."""
    return Remote(name) if isinstance(name, str) and "://" in name else name if isinstance(name, Remote) else Path(name)


def readable_source(path: Place) -> Any:
    """Return an object from which pyarrow and pandas can read a file."""
    return path if isinstance(path, Path) else path.open_unbuffered()


def read_parquet_table(path: Place) -> Any:
    """Return a single Parquet file as a pyarrow table, without the dataset machinery of `read_table`."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(readable_source(path)) as file:
        return file.read()


@lru_cache(maxsize=32)
def _file_system(scheme: str, host: str, query: str) -> tuple[Any, str]:
    """Return the file system of a bucket or name node, and its root path."""
    from pyarrow.fs import FileSystem

    if scheme == "s3":  # small files are written by one request
        query = "&".join(filter(None, ["allow_delayed_open=true", query]))
    system, base = FileSystem.from_uri(f"{scheme}://{host}/" + (f"?{query}" if query else ""))
    return system, base.rstrip("/")
