"""What servers answered, kept in a file, so that nothing is asked twice."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = ["Answers"]

PATIENCE = 60.0  # seconds to wait for another process that writes
_AT_ONCE = 500  # keys that are looked up by one query


class Answers:
    """Answers by the key of their request, in an SQLite file; each is on disk as soon as it is put there.

    Requests are kept beside them, so that it can be read what was asked.

    Parameters
    ----------
    path
        The file; it is made where there is none.

    Raises
    ------
    ValueError
        If it is no such file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with Answers(Path(folder) / "answers.sqlite") as answers:
    ...         answers.put("1f", {"model": "small"}, {"choices": []})
    ...         answers.of(["1f", "2f"])
    {'1f': {'choices': []}}
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._file = sqlite3.connect(path, PATIENCE, check_same_thread=False)
        try:
            with self._file:
                # A killed process loses nothing that was written, and readers do not wait.
                self._file.execute("PRAGMA journal_mode=WAL")
                self._file.execute("PRAGMA synchronous=NORMAL")
                self._file.execute(
                    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, request TEXT, answer TEXT)"
                )
        except sqlite3.DatabaseError as error:
            self._file.close()
            raise ValueError(f"{path} is no file of answers: {error}") from None

    def __enter__(self) -> Answers:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def put(self, key: str, request: dict[str, Any], answer: dict[str, Any]) -> None:
        """Keep an answer; any thread may."""
        row = key, *(json.dumps(each, ensure_ascii=False) for each in (request, answer))
        with self._lock, self._file:
            self._file.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", row)

    def of(self, keys: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return the answers to those of these requests that have one."""
        left, found = list(dict.fromkeys(keys)), dict[str, dict[str, Any]]()
        for start in range(0, len(left), _AT_ONCE):
            some = left[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            with self._lock:
                rows = self._file.execute(f"SELECT key, answer FROM answers WHERE key IN ({marks})", some).fetchall()
            found |= {key: json.loads(answer) for key, answer in rows}
        return {key: found[key] for key in left if key in found}
