"""What was found of a file, written into ``rainbow.toml`` beside it, where every command and function reads it."""

from __future__ import annotations

import os
from pathlib import Path

from rainbow.base.files import write_atomically
from rainbow.datasets.columns import KEPT_IN, Columns, file_fields, option_of


def remember(path: Path, columns: Columns) -> Path:
    """Write what is known of a file's columns under its name; all else that stands there stays as it is."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    file = path.with_name(KEPT_IN)
    try:
        held = tomlkit.parse(file.read_text(encoding="utf-8")) if file.is_file() else tomlkit.document()
    except TOMLKitError as error:
        raise ValueError(f"{file}: {error}") from None
    table = tomlkit.table()
    for name, value in columns.declared().items():
        if name in file_fields(path) or name == "background":
            value = _beside(value, path)
        table.add(option_of(name), value[0] if isinstance(value, list) and len(value) == 1 else value)
    held[path.name] = table
    return write_atomically(file, lambda part: part.write_text(tomlkit.dumps(held), encoding="utf-8"))


def _beside(value: str | list[str], path: Path) -> str | list[str]:
    """Return paths as they are found from the folder of the file."""
    if isinstance(value, list):
        return [os.path.relpath(part, path.parent) for part in value]
    return os.path.relpath(value, path.parent)
