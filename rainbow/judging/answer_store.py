"""Answers of servers, stored so that no request is sent twice."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rainbow.base.locks import Claims
from rainbow.judging.answer_parser import parse_answer

PATIENCE = 60.0  # seconds to wait for another process that writes
ROOM = 16 << 20  # bytes that must be free on the disk before another question is paid for
_AT_ONCE = 500  # keys that are looked up by one query
_COLUMNS = [("key", 1), ("request", 0), ("answer", 0)]  # and whether it is the primary key

_AGAIN = "then run the same command to resume"
_ROOM, _RIGHTS = (
    f"free space on its disk, {_AGAIN}",
    "make the file and its folder writable, or choose another with --answers",
)
_DAMAGED = "move it away to ask everything again, or recover it: sqlite3 OLD .recover | sqlite3 NEW"
_ADVICE = {
    **dict.fromkeys(("SQLITE_FULL", "SQLITE_IOERR"), _ROOM),
    **dict.fromkeys(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH"), _RIGHTS),
    **dict.fromkeys(("SQLITE_BUSY", "SQLITE_LOCKED"), f"stop the program that locks it, {_AGAIN}"),
    "SQLITE_NOTADB": "choose another file with --answers",
}


class Answers:
    """Answers by request key in an SQLite file, committed one by one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._claims = Claims(path.with_name(f"{path.name}.lock"))
        except OSError as error:
            raise OSError(f"{path} is not writable ({error.strerror}): {_RIGHTS}") from None
        try:
            with self._translate_errors():
                self._open()
        except BaseException:
            self._claims.close()
            raise

    def _open(self) -> None:
        self._file = sqlite3.connect(self._path, PATIENCE)
        # Damage that SQLite does not see may leave bytes that are no text.
        self._file.text_factory = lambda content: content.decode(errors="replace")
        self._claims.take("opening", wait=True)  # two that do this at the same time find the file locked
        try:
            self._check()
            with self._file:
                # A killed process loses nothing that was written, and readers do not wait.
                self._file.execute("PRAGMA journal_mode=WAL")
                self._file.execute("PRAGMA synchronous=NORMAL")
                self._file.execute(
                    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, request TEXT, answer TEXT)"
                )
        except BaseException:
            self._file.close()
            raise
        finally:
            self._claims.give_back("opening")

    def _check(self) -> None:
        """Raise an error for a damaged file or one of another program, without changing it."""
        tables = self._file.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')").fetchall()
        columns = [(row[1], row[5]) for row in self._file.execute("PRAGMA table_info(answers)")]
        if tables and columns != _COLUMNS:
            raise ValueError(
                f"{self._path} is not a file of answers (it has other tables): choose another file with --answers"
            )
        (verdict,) = self._file.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise OSError(f"{self._path} is damaged ({' '.join(verdict.split())}): {_DAMAGED}")

    def __enter__(self) -> Answers:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._claims.close()

    def claim(self, key: str) -> bool:
        """Claim a request; False if another process is asking it."""
        return self._claims.take(key)

    def give_back(self, key: str) -> None:
        """Release a claimed request."""
        self._claims.give_back(key)

    def check_disk_space(self) -> None:
        """Raise an error before the disk is too full for the pending answers."""
        free = shutil.disk_usage(self._path.parent).free
        if free < ROOM:
            raise OSError(f"only {free / 1e6:.1f} MB are free for {self._path}: {_ROOM}")

    def put(self, key: str, request: dict[str, Any], answer: str) -> None:
        """Store an answer as received."""
        with self._translate_errors(), self._file:
            row = key, json.dumps(request, ensure_ascii=False), answer
            self._file.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", row)

    def lookup(self, keys: Iterable[str]) -> dict[str, Any]:
        """Return the stored answers to these requests; invalid JSON counts as unanswered."""
        left, results = list(dict.fromkeys(keys)), dict[str, Any]()
        for start in range(0, len(left), _AT_ONCE):
            some = left[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            with self._translate_errors():
                rows = self._file.execute(f"SELECT key, answer FROM answers WHERE key IN ({marks})", some).fetchall()
            for key, answer in rows:
                with suppress(TypeError, ValueError):  # only a damaged file: all stored answers were parsed before
                    results[key] = parse_answer(answer)
        return {key: results[key] for key in left if key in results}

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Raise SQLite errors with advice."""
        try:
            yield
        except sqlite3.Error as error:
            name = "_".join(str(getattr(error, "sqlite_errorname", "")).split("_")[:2])
            if name == "SQLITE_NOTADB":
                raise ValueError(f"{self._path} is not a file of answers ({error}): {_ADVICE[name]}") from None
            verb = "cannot be used" if name in _ADVICE else "is damaged"
            raise OSError(f"{self._path} {verb} ({error}): {_ADVICE.get(name, _DAMAGED)}") from None
